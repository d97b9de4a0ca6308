"""The answer to a query: a distribution over the levels of one variable or the combinations of several."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from qnml._checks import checked_list, checked_mapping, checked_text
from qnml._frames import Coded, made_frame
from qnml._html import html_table, paragraph
from qnml.errors import bad_argument, plain, shown
from qnml.model.level_codes import code_of
from qnml.model.tables import probability_array

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from qnml._frames import FrameKind
    from qnml._types import FloatArray, Label

__all__ = ["Distribution"]

_MOST_SHOWN = 8
_MOST_ROWS_SHOWN = 64


class Distribution:
    """A table of probabilities. Immutable.

    It is indexed by label for one variable, and by a tuple of labels in the order of `names` for several; iterating
    yields these keys.

    Parameters
    ----------
    levels
        The labels of every variable, in the order of the axes of `values`.
    values
        The probabilities, one axis per variable.

    Examples
    --------
    >>> wet = Distribution({"wet": ("no", "yes")}, np.array([0.25, 0.75]))
    >>> wet["yes"], wet.argmax(), list(wet)
    (0.75, 'yes', ['no', 'yes'])
    >>> wet
    Distribution(wet: no 0.25, yes 0.75)
    """

    __slots__ = ("_frame_kind", "_levels", "_values")

    def __init__(self, levels: Mapping[str, tuple[Label, ...]], values: FloatArray) -> None:
        self._frame_kind: str | None = None
        given = checked_mapping("Distribution", "levels", levels, "labels by variable")
        allowed = "the labels of every variable"
        self._levels = {
            checked_text("Distribution", "levels", name, "labels by variable"): tuple(
                checked_list("Distribution", f"levels[{shown(name)}]", labels, allowed)
            )
            for name, labels in given.items()
        }
        self._values = probability_array("Distribution", "values", values, least_axes=0)
        self._values.flags.writeable = False
        shape = tuple(len(labels) for labels in self._levels.values())
        if self._values.shape != shape:
            raise bad_argument("Distribution", "values", values, f"an array of shape {shape}, an axis per variable")

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order requested."""
        return tuple(self._levels)

    @property
    def levels(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every variable, in the order of the axes."""
        return dict(self._levels)

    @property
    def values(self) -> FloatArray:
        """The probabilities, one axis per variable; read-only."""
        return self._values

    def __getitem__(self, labels: Label | tuple[Label, ...]) -> float:
        wanted = labels if isinstance(labels, tuple) else (labels,)
        if len(wanted) != len(self._levels):
            allowed = f"one label for each of {', '.join(map(plain, self._levels))}"
            raise bad_argument("Distribution", "labels", labels, allowed)
        place = tuple(
            code_of("Distribution", plain(name), known, label)
            for label, (name, known) in zip(wanted, self._levels.items(), strict=True)
        )
        return float(self._values[place])

    def __iter__(self) -> Iterator[Label | tuple[Label, ...]]:
        keys = itertools.product(*self._levels.values())
        return (key[0] for key in keys) if len(self._levels) == 1 else keys

    def __len__(self) -> int:
        return self._values.size

    def argmax(self) -> Label | tuple[Label, ...]:
        """The most probable label or tuple of labels; the first if several are equally probable."""
        return next(itertools.islice(self, int(np.argmax(self._values)), None))

    def to_dict(self) -> dict[Label | tuple[Label, ...], float]:
        """Probabilities by label, or by tuple of labels."""
        return dict(zip(self, self._values.reshape(-1).tolist(), strict=True))

    def _repr_html_(self) -> str:
        heads = [(name, False) for name in self.names] + [("probability", True)]
        keys = itertools.islice(self, _MOST_ROWS_SHOWN)
        rows = [(*(key if isinstance(key, tuple) else (key,)), f"{self[key]:.4g}") for key in keys]
        rest = paragraph(f"And {len(self) - _MOST_ROWS_SHOWN:,} more.") if len(self) > _MOST_ROWS_SHOWN else ""
        return f"{html_table(heads, rows)}{rest}"

    def to_frame(self, probability: str = "probability", kind: FrameKind | None = None) -> Any:
        """A frame with a row per combination, a column per variable and one for the probability.

        Parameters
        ----------
        probability
            Name of the column of probabilities.
        kind
            As for :meth:`Table.to_frame`; by default the kind of frame that the network was fitted to.
        """
        call = "Distribution.to_frame"
        if checked_text(call, "probability", probability, "the name of a column") in self._levels:
            raise bad_argument(call, "probability", probability, "a name that no variable has")
        places = np.indices(self._values.shape).reshape(len(self._levels), -1)
        columns: dict[str, Coded | FloatArray] = {
            name: Coded(labels, place) for (name, labels), place in zip(self._levels.items(), places, strict=True)
        }
        columns[probability] = self._values.reshape(-1)
        return made_frame(call, columns, kind, self._frame_kind)

    def _in_frames(self, kind: str | None) -> Self:
        """The same, for frames of some kind by default."""
        self._frame_kind = kind
        return self

    def __eq__(self, other: object) -> bool:
        """Equal variables, levels and probabilities, to the last bit."""
        if not isinstance(other, Distribution):
            return NotImplemented
        return (
            list(self._levels.items()) == list(other._levels.items())
            and self._values.shape == other._values.shape
            and bool(np.array_equal(self._values, other._values, equal_nan=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Distribution], tuple[dict[str, tuple[Label, ...]], FloatArray]]:
        return Distribution, (self._levels, self._values)

    def __repr__(self) -> str:
        shown = [
            f"{' '.join(map(str, key)) if isinstance(key, tuple) else key} {value:.4g}"
            for key, value in itertools.islice(zip(self, self._values.flat, strict=True), _MOST_SHOWN)
        ]
        if len(self) > _MOST_SHOWN:
            shown.append(f"… {len(self)} in all")
        return f"Distribution({', '.join(self._levels)}: {', '.join(shown)})"
