"""The cells of one source column, independent of the library they come from.

Numbers are NumPy arrays (`ArrayCells`). Text given as Python objects is coded immediately (`qnml.data.text_cells`).
Text held by Polars stays there until it is coded (`qnml.data.polars_cells`): as Python objects, a long column would
take many times the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ArrayCells", "Cells", "Kind", "Mask", "array_cells", "number_cells"]

Kind: TypeAlias = Literal["boolean", "integer", "real", "text", "empty", "date", "other"]
Mask: TypeAlias = npt.NDArray[np.bool_]

_KINDS: dict[str, Kind] = {"b": "boolean", "i": "integer", "u": "integer", "f": "real"}


class Cells(Protocol):
    """What coding and matching need from a column."""

    @property
    def kind(self) -> Kind:
        """The kind of the cells; "empty" if all of them are missing, "date" and "other" if they cannot be levels."""

    @property
    def n_missing(self) -> int:
        """The number of missing cells."""

    def __len__(self) -> int: ...

    def is_missing(self) -> Mask:
        """Return the mask of the missing cells."""

    def kept(self, rows: Mask) -> Cells:
        """Return the cells of the rows where the mask is true."""

    def numbers(self) -> npt.NDArray[Any]:
        """Return the cells that are not missing; they must not be text."""

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Return the code of each text that is not missing, and the distinct texts, sorted.

        Parameters
        ----------
        call, name : the calling function and the column, for errors.
        """


@dataclass(frozen=True, slots=True, eq=False)
class ArrayCells:
    """Cells in an array.

    Attributes
    ----------
    present : the cells that are not missing: numbers, booleans, or Python integers of more than 64 bits.
    missing : mask of the missing cells; None if no cell is missing.
    kind : the kind of the cells.
    """

    present: npt.NDArray[Any]
    missing: Mask | None
    kind: Kind

    @property
    def n_missing(self) -> int:
        """The number of missing cells."""
        return len(self) - len(self.present)

    def __len__(self) -> int:
        return len(self.present) if self.missing is None else len(self.missing)

    def is_missing(self) -> Mask:
        """Return the mask of the missing cells."""
        return np.zeros(len(self), dtype=bool) if self.missing is None else self.missing

    def kept(self, rows: Mask) -> ArrayCells:
        """Return the cells of the rows where the mask is true."""
        if self.missing is None:
            return ArrayCells(self.present[rows], None, self.kind)
        return ArrayCells(self.present[rows[~self.missing]], _if_any(self.missing[rows]), self.kind)

    def spread(self, missing: Mask) -> ArrayCells:
        """Return the cells spread over the rows that are not missing.

        Parameters
        ----------
        missing : mask of the rows without a cell; the number of other rows equals the number of cells.
        """
        spread = missing.copy()
        spread[~missing] = self.is_missing()
        return ArrayCells(self.present, _if_any(spread), self.kind)

    def numbers(self) -> npt.NDArray[Any]:
        """Return the cells that are not missing; they must not be text."""
        return self.present

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Raise a `TypeError`: these cells are not text."""
        raise TypeError("ArrayCells holds numbers, not text.")


def array_cells(array: npt.NDArray[Any]) -> ArrayCells:
    """Create cells from an array of booleans, integers or floats; NaN is missing."""
    kind = _KINDS[array.dtype.kind]
    if kind != "real":
        native = array.dtype.newbyteorder("=")
        return ArrayCells(np.ascontiguousarray(array, dtype=native), None, kind)
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    missing = _if_any(np.isnan(numbers))
    return ArrayCells(numbers if missing is None else numbers[~missing], missing, kind)


def number_cells(cells: Sequence[Any], dtype: type[np.bool_ | np.int64 | np.float64]) -> ArrayCells:
    """Create cells from Python numbers of one kind; None is missing.

    Raises
    ------
    OverflowError
        If an integer has more than 64 bits.
    """
    present = np.array([cell for cell in cells if cell is not None], dtype=dtype)
    return ArrayCells(present, _nones(cells, len(present)), _KINDS[present.dtype.kind])


def _nones(cells: Sequence[Any], present: int) -> Mask | None:
    if present == len(cells):
        return None
    return np.fromiter((cell is None for cell in cells), dtype=bool, count=len(cells))


def _if_any(missing: Mask) -> Mask | None:
    return missing if missing.any() else None
