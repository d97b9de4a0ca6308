"""Cells that are not categories as they stand: dates, mixed values, lists.

A source may hold such columns as long as nobody uses them. So opening a column never fails on its type; asking for its
numbers or labels does, with the error that the opener prepared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from qnml.data.cells import Kind, Mask
    from qnml.errors import DataError

__all__ = ["OddCells"]


@dataclass(frozen=True, slots=True, eq=False)
class OddCells:
    """Cells of a type that cannot be levels.

    Attributes
    ----------
    kind : ``"date"``, or ``"other"``.
    missing : mask of the missing cells.
    problem : the error to raise when the cells are used.
    texts : returns the cells as text, None where missing; None if they are no scalars.
    """

    kind: Kind
    missing: Mask
    problem: DataError
    texts: Callable[[], Sequence[str | None]] | None = None

    @property
    def n_missing(self) -> int:
        """The number of missing cells."""
        return int(np.count_nonzero(self.missing))

    def __len__(self) -> int:
        return len(self.missing)

    def is_missing(self) -> Mask:
        """Return the mask of the missing cells."""
        return self.missing

    def kept(self, rows: Mask) -> OddCells:
        """Return the cells of the rows where the mask is true."""
        texts = self.texts
        if texts is None:
            return OddCells(self.kind, self.missing[rows], self.problem)
        return OddCells(
            self.kind, self.missing[rows], self.problem, lambda: np.array(texts(), dtype=object)[rows].tolist()
        )

    def spread(self, missing: Mask) -> OddCells:
        """Return the cells spread over the rows where the mask is false; the others are missing."""
        texts = self.texts
        spread = missing.copy()
        spread[~missing] = self.missing
        if texts is None:
            return OddCells(self.kind, spread, self.problem)

        def spread_texts() -> list[str | None]:
            cells = np.full(len(missing), None, dtype=object)
            cells[~missing] = texts()
            return cells.tolist()

        return OddCells(self.kind, spread, self.problem, spread_texts)

    def numbers(self) -> npt.NDArray[Any]:
        """Raise the error of the column."""
        raise self.problem

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Raise the error of the column."""
        raise self.problem
