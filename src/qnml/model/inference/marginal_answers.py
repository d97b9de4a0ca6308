"""Answers to questions about many variables at once: their marginals given one evidence, or given each row."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from qnml._checks import checked_list, checked_mapping, checked_number, checked_text
from qnml._frames import Texts, made_frame
from qnml._html import html_table, paragraph
from qnml.errors import bad_argument, unknown_name
from qnml.model.inference.distribution import Distribution
from qnml.model.tables import probability_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from qnml._frames import FrameKind
    from qnml._types import FloatArray, Label

__all__ = ["Marginals", "RowMarginals"]

_MOST_SHOWN = 12
_MOST_IN_HTML = 60


class Marginals(Mapping[str, Distribution]):
    """The distribution of every variable given some evidence: a mapping by name. Immutable.

    `Network.marginals` makes it.

    Parameters
    ----------
    levels
        The labels of every variable.
    values
        Their probabilities, one variable after another.
    log_evidence
        The log-probability of the evidence.

    Examples
    --------
    >>> from qnml.datasets import load_network
    >>> found = load_network("asia").marginals(evidence={"xray": "yes"})
    >>> round(found["lung"]["yes"], 4), round(found.log_evidence, 4)
    (0.4887, -2.2046)
    """

    __slots__ = ("_frame_kind", "_levels", "_log_evidence", "_places", "_values")

    def __init__(self, levels: Mapping[str, tuple[Label, ...]], values: FloatArray, log_evidence: float) -> None:
        known = _checked_levels("Marginals", levels)
        array = probability_array("Marginals", "values", values)
        width = sum(map(len, known.values()))
        if array.shape != (width,):
            raise bad_argument("Marginals", "values", values, f"{width} numbers, one per level of each variable")
        total = checked_number("Marginals", "log_evidence", log_evidence, "the logarithm of a probability")
        self._set(known, array, total)

    @classmethod
    def _made(cls, levels: dict[str, tuple[Label, ...]], values: FloatArray, log_evidence: float) -> Self:
        """From parts that need no checks."""
        made = cls.__new__(cls)
        made._set(levels, values, log_evidence)
        return made

    def _set(self, levels: dict[str, tuple[Label, ...]], values: FloatArray, log_evidence: float) -> None:
        self._levels = levels
        self._values = values
        self._values.flags.writeable = False
        self._log_evidence = log_evidence
        self._places = _places(levels)
        self._frame_kind: str | None = None

    @property
    def log_evidence(self) -> float:
        """The log-probability of the evidence; minus infinity if it is impossible."""
        return self._log_evidence

    @property
    def levels(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every variable."""
        return dict(self._levels)

    def values_of(self, name: str) -> FloatArray:
        """The probabilities of one variable as an array, in the order of its levels."""
        if not isinstance(name, str) or name not in self._places:
            raise unknown_name("Marginals.values_of", "name", name, self._places)
        return self._values[self._places[name]]

    def __getitem__(self, name: str) -> Distribution:
        if not isinstance(name, str) or name not in self._places:
            raise unknown_name("Marginals", "name", name, self._places)
        found = Distribution({name: self._levels[name]}, self._values[self._places[name]])
        return found._in_frames(self._frame_kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._levels)

    def __len__(self) -> int:
        return len(self._levels)

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """A frame with the columns variable, level (as text) and probability.

        Parameters
        ----------
        kind
            As for :meth:`Table.to_frame`; by default the kind of frame that the network was fitted to.
        """
        return made_frame("Marginals.to_frame", self._columns(), kind, self._frame_kind)

    def _columns(self) -> dict[str, Texts | FloatArray]:
        labels = [(name, str(label)) for name, levels in self._levels.items() for label in levels]
        variable, level = Texts([name for name, _ in labels]), Texts([label for _, label in labels])
        return {"variable": variable, "level": level, "probability": self._values}

    def _in_frames(self, kind: str | None) -> Self:
        """The same, for frames of some kind by default."""
        self._frame_kind = kind
        return self

    def _repr_html_(self) -> str:
        rows = [
            (name if place == 0 else "", label, f"{p:.4g}")
            for name, levels in islice(self._levels.items(), _MOST_IN_HTML)
            for place, (label, p) in enumerate(zip(levels, self._values[self._places[name]], strict=True))
        ]
        more = len(self._levels) - _MOST_IN_HTML
        rest = paragraph(f"And {more:,} more variables.") if more > 0 else ""
        return html_table([("variable", False), ("level", False), ("probability", True)], rows) + rest

    def __eq__(self, other: object) -> bool:
        """Equal variables, levels and probabilities, to the last bit."""
        if not isinstance(other, Marginals):
            return False  # not NotImplemented: polars would take a mapping for a column
        return list(self._levels.items()) == list(other._levels.items()) and bool(
            np.array_equal(self._values, other._values, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Marginals], tuple[Any, ...]]:
        return Marginals, (self._levels, self._values, self._log_evidence)

    def __repr__(self) -> str:
        shown = [repr(self[name])[len("Distribution(") : -1] for name in list(self)[:_MOST_SHOWN]]
        if len(self) > _MOST_SHOWN:
            shown.append(f"… {len(self)} variables in all")
        return "Marginals(\n" + "".join(f"  {line}\n" for line in shown) + ")"


class RowMarginals(Mapping[str, "FloatArray"]):
    """The distribution of every variable given each of many rows: arrays of rows × levels by name. Immutable.

    `Network.row_marginals` makes it.

    Parameters
    ----------
    levels
        The labels of every variable.
    values
        Rows × levels of the variables, one variable after another.
    log_evidence
        The log-probability of what is present in each row.
    """

    __slots__ = ("_frame_kind", "_levels", "_log_evidence", "_places", "_values")

    def __init__(self, levels: Mapping[str, tuple[Label, ...]], values: FloatArray, log_evidence: FloatArray) -> None:
        known = _checked_levels("RowMarginals", levels)
        array = probability_array("RowMarginals", "values", values)
        totals = probability_array("RowMarginals", "log_evidence", log_evidence)
        width = sum(map(len, known.values()))
        if totals.ndim != 1:
            raise bad_argument("RowMarginals", "log_evidence", log_evidence, "one number per row")
        if array.shape != (len(totals), width):
            raise bad_argument("RowMarginals", "values", values, f"an array of shape {(len(totals), width)}")
        self._set(known, array, totals)

    @classmethod
    def _made(cls, levels: dict[str, tuple[Label, ...]], values: FloatArray, log_evidence: FloatArray) -> Self:
        """From parts that need no checks."""
        made = cls.__new__(cls)
        made._set(levels, values, log_evidence)
        return made

    def _set(self, levels: dict[str, tuple[Label, ...]], values: FloatArray, log_evidence: FloatArray) -> None:
        self._levels = levels
        self._values = values
        self._log_evidence = log_evidence
        for array in (values, log_evidence):
            array.flags.writeable = False
        self._places = _places(levels)
        self._frame_kind: str | None = None

    @property
    def log_evidence(self) -> FloatArray:
        """The log-probability of the cells that are present in each row; minus infinity for an impossible row."""
        return self._log_evidence

    @property
    def levels(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every variable, in the order of the columns of its array."""
        return dict(self._levels)

    def labels(self, name: str) -> NDArray[np.object_]:
        """The most probable level of a variable in each row; None in impossible rows."""
        shares = self[name]
        known = np.array([*self._levels[name], None], dtype=object)
        lost = np.isnan(shares[:, 0])
        return known[np.where(lost, len(known) - 1, np.where(lost[:, None], 0.0, shares).argmax(axis=1))]

    def __getitem__(self, name: str) -> FloatArray:
        if not isinstance(name, str) or name not in self._places:
            raise unknown_name("RowMarginals", "name", name, self._places)
        return self._values[:, self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._levels)

    def __len__(self) -> int:
        return len(self._levels)

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """A frame with a row per row and a column ``name=level`` for each probability.

        Parameters
        ----------
        kind
            As for :meth:`Table.to_frame`; by default the kind of frame that the rows came in.
        """
        names = [f"{name}={label}" for name, levels in self._levels.items() for label in levels]
        columns = dict(zip(names, self._values.T, strict=True))
        return made_frame("RowMarginals.to_frame", columns, kind, self._frame_kind)

    def _in_frames(self, kind: str | None) -> Self:
        """The same, for frames of some kind by default."""
        self._frame_kind = kind
        return self

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Equal variables, levels and probabilities, to the last bit."""
        if not isinstance(other, RowMarginals):
            return False  # not NotImplemented: polars would take a mapping for a column
        return list(self._levels.items()) == list(other._levels.items()) and bool(
            np.array_equal(self._values, other._values, equal_nan=True)
        )

    def __repr__(self) -> str:
        return f"RowMarginals({len(self._log_evidence)} rows × {len(self)} variables)"


def _checked_levels(call: str, levels: object) -> dict[str, tuple[Label, ...]]:
    given = checked_mapping(call, "levels", levels, "labels by variable")
    return {
        checked_text(call, "levels", name, "labels by variable"): tuple(
            checked_list(call, f"levels[{name!r}]", labels, "the labels of every variable")
        )
        for name, labels in given.items()
    }


def _places(levels: Mapping[str, tuple[Label, ...]]) -> dict[str, slice]:
    places, start = {}, 0
    for name, labels in levels.items():
        places[name] = slice(start, start + len(labels))
        start += len(labels)
    return places
