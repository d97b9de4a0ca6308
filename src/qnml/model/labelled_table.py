"""Conditional probabilities as an array that people can read: it knows its variables and their levels."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._frames import Texts, made_frame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._frames import FrameKind
    from qnml._types import FloatArray, Label

__all__ = ["LabelledTable"]

_MOST_ROWS = 40
_DIGITS = 4


class LabelledTable(np.ndarray[Any, np.dtype[np.float64]]):
    """An array of probabilities with an axis per parent and one for the variable, printed with names and levels.

    `Network.table` makes it. What is computed from it, and parts of it, are plain arrays.

    Parameters
    ----------
    values
        The probabilities.
    levels
        The labels of every variable, in the order of the axes.
    frame_kind
        The kind of frame that `to_frame` makes by default.

    Examples
    --------
    >>> from qnml.datasets import load_network
    >>> print(load_network("asia").table("lung"))
    smoke | lung=yes lung=no
    yes   | 0.1      0.9
    no    | 0.01     0.99
    """

    levels: dict[str, tuple[Label, ...]] | None
    frame_kind: str | None

    def __new__(
        cls, values: FloatArray, levels: Mapping[str, tuple[Label, ...]], frame_kind: str | None = None
    ) -> LabelledTable:
        table = np.asarray(values, dtype=np.float64).view(cls)
        table.levels = dict(levels)
        table.frame_kind = frame_kind
        return table

    def __array_finalize__(self, source: object) -> None:
        # Views with other axes have no labels until they are given some.
        self.levels = None
        self.frame_kind = None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [_plain(one) for one in inputs]
        if "out" in options:
            options["out"] = tuple(_plain(one) for one in options["out"])
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, place: Any) -> Any:
        return np.asarray(self)[place]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the axes: the parents, then the variable itself."""
        return tuple(self.levels or ())

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """A frame with a row per combination of levels (as text) and their probability.

        Parameters
        ----------
        kind
            As for :meth:`Table.to_frame`; by default the kind of frame that the network was fitted to.
        """
        levels = self.levels or {}
        keys = list(itertools.product(*([str(label) for label in labels] for labels in levels.values())))
        columns: dict[str, Texts | FloatArray] = {
            name: Texts([key[axis] for key in keys]) for axis, name in enumerate(levels)
        }
        columns["probability"] = np.asarray(self).reshape(-1)
        return made_frame("LabelledTable.to_frame", columns, kind, self.frame_kind)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.levels is None:
            return np.array, (np.array(self),)
        return LabelledTable, (np.array(self), self.levels, self.frame_kind)

    def __repr__(self) -> str:
        if self.levels is None:
            return repr(np.asarray(self))
        rows = _lines(self)
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        parents = len(self.levels) - 1
        texts = []
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            left, right = " ".join(cells[:parents]), " ".join(cells[parents:])
            texts.append(f"{left} | {right}".rstrip() if parents else right.rstrip())
        more = np.asarray(self).size // self.shape[-1] - _MOST_ROWS
        return "\n".join([*texts, *([f"… {more} more rows"] if more > 0 else [])])

    __str__ = __repr__


def _plain(one: Any) -> Any:
    return np.asarray(one) if isinstance(one, LabelledTable) else one


def _lines(table: LabelledTable) -> list[list[str]]:
    """Cells of the head and of the first rows, one row for each configuration of the parents."""
    *parents, (child, own) = (table.levels or {}).items()
    head = [*(name for name, _ in parents), *(f"{child}={label}" for label in own)]
    configurations = itertools.product(*(labels for _, labels in parents))
    shares = np.asarray(table).reshape(-1, len(own))
    rows = [
        [*map(str, config), *(f"{share:.{_DIGITS}g}" for share in row)]
        for config, row in itertools.islice(zip(configurations, shares.tolist(), strict=True), _MOST_ROWS)
    ]
    return [head, *rows]
