"""Columns on their way in: whatever holds them, they come out as Polars series with nulls for missing cells.

Frames are opened in `qnml.data.frames`; here are arrays, mappings and lists of Python objects. What the cells
*mean* (which levels, in which order) is decided later, in `qnml.data.coding`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qnml.data.labels import Label, distinct_labels
from qnml.errors import DataError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["SourceColumn", "column_of_array", "column_of_categories", "column_of_objects", "with_nulls"]

_INTEGER_KINDS: tuple[type, ...] = (int, np.integer)
_FLOAT_KINDS: tuple[type, ...] = (float, np.floating)
_BOOLEAN_KINDS: tuple[type, ...] = (bool, np.bool_)
_NOT_AVAILABLE = ("NAType", "NaTType")  # of pandas, by name, so that pandas need not be there


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """One column as it came: values, or level numbers when the source declares the levels.

    Attributes
    ----------
    name : the column name.
    values : the cells, null where missing; level numbers when ``declared`` is given. The series has no name of its own:
        polars takes one such as ``^a$`` for a pattern wherever it computes with the series.
    declared : the levels the source declares (categories, an Enum, a dictionary), in their order.
    """

    name: str
    values: pl.Series
    declared: tuple[Label, ...] | None = None

    def kept(self, rows: npt.NDArray[np.bool_]) -> SourceColumn:
        """Return the column of the rows where the mask is true."""
        return replace(self, values=self.values.filter(pl.Series(rows)))


def column_of_categories(
    call: str, name: str, codes: npt.NDArray[Any] | pl.Series, categories: Iterable[object]
) -> SourceColumn:
    """Make a column of level numbers, -1 or null where missing, and the labels they stand for."""
    labels = list(categories)
    # a column of missing cells only may have no category at all; one is made up by the missing policy
    declared = distinct_labels(call, name, labels) if labels else ()
    numbers = pl.Series("", codes)
    _check_categories(call, name, numbers, len(labels))
    numbers = numbers.cast(pl.Int64)
    return SourceColumn(name, numbers.set(numbers < 0, None), declared)


def _check_categories(call: str, name: str, numbers: pl.Series, count: int) -> None:
    for extreme in (numbers.min(), numbers.max()):
        if isinstance(extreme, int) and not -1 <= extreme < count:
            raise DataError(
                f"{call}: column {name!r} is damaged: a cell holds the category number {extreme}, but there are "
                f"{count} categories, numbered from 0, and -1 for missing. Make the column again from its source."
            )


def column_of_array(call: str, name: str, array: npt.NDArray[Any]) -> SourceColumn:
    """Make a column of a one-dimensional array; masked entries are missing."""
    if isinstance(array, np.ma.MaskedArray):
        missing = np.ma.getmaskarray(array)
        dense = column_of_array(call, name, np.asarray(array.data)[~missing])
        return replace(dense, values=with_nulls(dense.values, missing))
    kind = array.dtype.kind
    if kind in "biu":
        return SourceColumn(name, pl.Series("", np.ascontiguousarray(array)))
    if kind == "f":
        return SourceColumn(name, pl.Series("", np.ascontiguousarray(array, dtype=np.float64), nan_to_null=True))
    if kind == "S":
        try:
            return column_of_objects(call, name, np.char.decode(array, "utf-8").tolist())
        except UnicodeDecodeError as error:
            raise DataError(
                f"{call}: column {name!r} holds bytes that are not UTF-8 text. Decode them first."
            ) from error
    if kind in "UTO":
        return column_of_objects(call, name, array.tolist())
    raise DataError(
        f"{call}: column {name!r} holds {array.dtype} values, which are not categories. "
        "Turn them into text or integers, or leave the column out."
    )


def column_of_objects(call: str, name: str, values: Sequence[object]) -> SourceColumn:
    """Make a column of Python objects, all of one kind; None, NaN and the NA of pandas are missing."""
    cells, kinds = values, set(map(type, values))
    if any(kind.__name__ in _NOT_AVAILABLE or issubclass(kind, _FLOAT_KINDS) for kind in kinds):
        cells = [None if _is_missing(value) else value for value in values]
        kinds = set(map(type, cells))
    kinds.discard(type(None))
    try:
        if not kinds:
            series = pl.Series("", cells, dtype=pl.Null)
        elif all(issubclass(kind, str) for kind in kinds):
            series = pl.Series("", cells, dtype=pl.String)
        elif all(issubclass(kind, _BOOLEAN_KINDS) for kind in kinds):
            series = pl.Series("", [None if cell is None else bool(cell) for cell in cells], dtype=pl.Boolean)
        elif any(issubclass(kind, _BOOLEAN_KINDS) for kind in kinds):
            raise _mixed(call, name, cells, kinds)
        elif all(issubclass(kind, _INTEGER_KINDS) for kind in kinds):
            series = pl.Series("", [None if cell is None else int(cell) for cell in cells], dtype=pl.Int64)  # type: ignore[call-overload]
        elif all(issubclass(kind, _INTEGER_KINDS + _FLOAT_KINDS) for kind in kinds):
            floats = [None if cell is None else float(cell) for cell in cells]  # type: ignore[arg-type]
            series = pl.Series("", floats, dtype=pl.Float64)
        else:
            raise _mixed(call, name, cells, kinds)
    except (OverflowError, UnicodeError, TypeError) as error:
        raise DataError(
            f"{call}: column {name!r} holds integers beyond 64 bits or text that is not Unicode. "
            "Turn it into clean text, or leave it out."
        ) from error
    return SourceColumn(name, series)


def with_nulls(dense: pl.Series, missing: npt.NDArray[np.bool_]) -> pl.Series:
    """Spread the cells that are there over the rows that are not missing."""
    if not len(dense):
        return pl.Series(dense.name, [None] * len(missing), dtype=dense.dtype)
    places = np.maximum(np.cumsum(~missing) - 1, 0)
    return dense.gather(pl.Series(places)).set(pl.Series(missing), None)


def _is_missing(value: object) -> bool:
    return type(value).__name__ in _NOT_AVAILABLE or (isinstance(value, _FLOAT_KINDS) and value != value)


def _mixed(call: str, name: str, cells: Sequence[object], kinds: set[type]) -> DataError:
    examples = [next(shown(cell) for cell in cells if type(cell) is kind) for kind in list(kinds)[:2]]
    listed = " and ".join(sorted(kind.__name__ for kind in kinds)[:3])
    what = "mixes" if len(kinds) > 1 else "holds"
    return DataError(
        f"{call}: column {name!r} {what} {listed} values (such as {' and '.join(sorted(examples))}). "
        "Turn it into text, integers or booleans, or leave it out."
    )
