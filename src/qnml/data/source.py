"""Source columns: input from any container as cells of one kind, some of them missing.

This module handles arrays, mappings and lists of Python objects; frames are opened in `qnml.data.frames`. The
*meaning* of the cells (which levels, in which order) is determined later, in `qnml.data.coding`.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.data.cells import ArrayCells, Cells, Mask, array_cells, number_cells
from qnml.data.labels import Label, distinct_labels
from qnml.data.odd_cells import OddCells
from qnml.data.text_cells import TextCells, text_cells
from qnml.errors import DataError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["SourceColumn", "column_of_array", "column_of_categories", "column_of_objects", "odd_column"]

_INTEGER_KINDS: tuple[type, ...] = (int, np.integer)
_FLOAT_KINDS: tuple[type, ...] = (float, np.floating)
_BOOLEAN_KINDS: tuple[type, ...] = (bool, np.bool_)
_DATE_KINDS: tuple[type, ...] = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
_SCALAR_KINDS: tuple[type, ...] = (str, Number, np.bool_)
_NOT_AVAILABLE = ("NAType", "NaTType")  # pandas classes, by name, so that pandas need not be installed


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """One column of a source: values, or level numbers if the source declares the levels.

    Attributes
    ----------
    name : the column name.
    values : the cells; level numbers if ``declared`` is given.
    declared : the levels the source declares (categories, an Enum, a dictionary), in their order.
    """

    name: str
    values: Cells
    declared: tuple[Label, ...] | None = None

    def kept(self, rows: Mask) -> SourceColumn:
        """Return the column restricted to the rows where the mask is true."""
        return replace(self, values=self.values.kept(rows))


def column_of_categories(call: str, name: str, codes: npt.NDArray[Any], categories: Iterable[object]) -> SourceColumn:
    """Create a column from level numbers, -1 where missing, and the labels they stand for."""
    labels = list(categories)
    # a column with only missing cells may have no category at all; the missing policy adds one
    declared = distinct_labels(call, name, labels) if labels else ()
    if codes.size:
        _check_categories(call, name, codes, len(labels))
    missing = codes < 0
    if not missing.any():
        return SourceColumn(name, ArrayCells(codes.astype(np.int64), None, "integer"), declared)
    return SourceColumn(name, ArrayCells(codes[~missing].astype(np.int64), missing, "integer"), declared)


def _check_categories(call: str, name: str, numbers: npt.NDArray[Any], count: int) -> None:
    for extreme in (int(numbers.min()), int(numbers.max())):
        if not -1 <= extreme < count:
            raise DataError(
                f"{call}: column {name!r} is damaged: a cell holds the category number {extreme}, but there are "
                f"{count} categories, numbered from 0, and -1 for missing. Recreate the column from its source."
            )


def column_of_array(call: str, name: str, array: npt.NDArray[Any]) -> SourceColumn:
    """Create a column from a one-dimensional array; masked entries are missing."""
    if isinstance(array, np.ma.MaskedArray):
        missing = np.ma.getmaskarray(array)
        dense = column_of_array(call, name, np.asarray(array.data)[~missing])
        assert isinstance(dense.values, ArrayCells | TextCells | OddCells)
        return replace(dense, values=dense.values.spread(missing))
    kind = array.dtype.kind
    if kind in "biuf":
        return SourceColumn(name, array_cells(array))
    if kind == "S":
        try:
            return column_of_objects(call, name, np.char.decode(array, "utf-8").tolist())
        except UnicodeDecodeError as error:
            raise DataError(
                f"{call}: column {name!r} holds bytes that are not UTF-8 text. Decode them first."
            ) from error
    if kind in "UTO":
        return column_of_objects(call, name, array.tolist())
    if kind in "mM":
        missing = np.isnat(array)
        return odd_column(call, name, str(array.dtype), missing, lambda: _texts_of_dates(array, missing), is_date=True)
    return odd_column(call, name, str(array.dtype), np.zeros(len(array), dtype=bool))


def column_of_objects(call: str, name: str, values: Sequence[object]) -> SourceColumn:
    """Create a column from Python objects of one kind; None, NaN and pandas' NA are missing."""
    cells, kinds = values, set(map(type, values))
    if any(kind.__name__ in _NOT_AVAILABLE or issubclass(kind, _FLOAT_KINDS) for kind in kinds):
        cells = [None if _is_missing(value) else value for value in values]
        kinds = set(map(type, cells))
    kinds.discard(type(None))
    try:
        made = _cells_of_kinds(cells, kinds)
    except (OverflowError, UnicodeError, TypeError) as error:
        raise DataError(
            f"{call}: column {name!r} holds integers beyond 64 bits or text that is not Unicode. "
            "Convert it to valid text, or leave it out."
        ) from error
    return SourceColumn(name, _odd_objects(call, name, cells, kinds) if made is None else made)


def _cells_of_kinds(cells: Sequence[object], kinds: set[type]) -> ArrayCells | TextCells | None:
    """Create cells from objects of these classes; None if the classes cannot be combined."""
    if not kinds:
        return ArrayCells(np.empty(0), np.ones(len(cells), dtype=bool), "empty")
    if all(issubclass(kind, str) for kind in kinds):
        return text_cells(cells, has_subclasses=kinds != {str})
    if all(issubclass(kind, _BOOLEAN_KINDS) for kind in kinds):
        return number_cells(cells, np.bool_)
    if any(issubclass(kind, _BOOLEAN_KINDS) for kind in kinds):
        return None
    if all(issubclass(kind, _INTEGER_KINDS) for kind in kinds):
        return number_cells(cells, np.int64)
    if all(issubclass(kind, _INTEGER_KINDS + _FLOAT_KINDS) for kind in kinds):
        return number_cells(cells, np.float64)
    return None


def odd_column(
    call: str,
    name: str,
    dtype: str,
    missing: Mask,
    texts: Callable[[], Sequence[str | None]] | None = None,
    *,
    is_date: bool = False,
) -> SourceColumn:
    """Create a column of dates, lists and the like, which fails when it is used.

    Parameters
    ----------
    call, name : the calling function and the column, for the error.
    dtype : the type of the cells, in words of the library they come from.
    missing : mask of the missing cells.
    texts : returns the cells as text, None where missing, if that makes sense.
    is_date : whether they are dates or times.
    """
    problem = DataError(
        f"{call}: column {name!r} holds {dtype} values, which are not categories. "
        "Convert them to text or integers, or leave the column out."
    )
    return SourceColumn(name, OddCells("date" if is_date else "other", missing, problem, texts))


def _is_missing(value: object) -> bool:
    return type(value).__name__ in _NOT_AVAILABLE or (isinstance(value, _FLOAT_KINDS) and value != value)


def _odd_objects(call: str, name: str, cells: Sequence[object], kinds: set[type]) -> OddCells:
    """Create cells from objects that are not all of one kind that can be levels."""
    missing = np.fromiter((cell is None for cell in cells), dtype=bool, count=len(cells))
    is_date = all(issubclass(kind, _DATE_KINDS) for kind in kinds)
    are_scalars = is_date or all(issubclass(kind, _SCALAR_KINDS) for kind in kinds)
    problem = _mixed(call, name, cells, kinds)
    if not are_scalars:
        return OddCells("other", missing, problem)
    return OddCells("date" if is_date else "other", missing, problem, lambda: [*map(_text_of, cells)])


def _text_of(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _texts_of_dates(dates: npt.NDArray[Any], missing: Mask) -> list[str | None]:
    return [None if hole else text for hole, text in zip(missing.tolist(), dates.astype(str).tolist(), strict=True)]


def _mixed(call: str, name: str, cells: Sequence[object], kinds: set[type]) -> DataError:
    examples = [next(shown(cell) for cell in cells if type(cell) is kind) for kind in list(kinds)[:2]]
    listed = " and ".join(sorted(kind.__name__ for kind in kinds)[:3])
    what = "mixes" if len(kinds) > 1 else "holds"
    return DataError(
        f"{call}: column {name!r} {what} {listed} values (such as {' and '.join(sorted(examples))}). "
        "Convert it to text, integers or booleans, or leave it out."
    )
