"""Polars columns as source columns, and text cells stored by Polars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qnml.data.cells import ArrayCells, Cells, Kind, Mask, array_cells
from qnml.data.source import SourceColumn, column_of_categories, column_of_objects, odd_column
from qnml.data.text_cells import MOST_TEXT, check_text_size, text_cells
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PolarsText", "column_of_arrow", "column_of_dictionary", "column_of_polars"]

# Rows up to which plain Python codes text faster than Polars, whose start-up cost is high: see `qnml.data.words`.
_SHORT = 2000
_ARRAY_INTEGERS = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)


@dataclass(frozen=True, slots=True, eq=False)
class PolarsText:
    """Text cells in a Polars series, null where missing.

    The series is unnamed: Polars expressions treat a name such as ``^a$`` as a pattern.
    """

    series: pl.Series

    @property
    def kind(self) -> Kind:
        """The kind of the cells."""
        return "text"

    @property
    def n_missing(self) -> int:
        """The number of missing cells."""
        return self.series.null_count()

    def __len__(self) -> int:
        return len(self.series)

    def is_missing(self) -> Mask:
        """Return the mask of the missing cells."""
        return self.series.is_null().to_numpy()

    def kept(self, rows: Mask) -> PolarsText:
        """Return the cells of the rows where the mask is true."""
        return PolarsText(self.series.filter(pl.Series(rows)))

    def numbers(self) -> npt.NDArray[Any]:
        """Raise a `TypeError`: these cells are text."""
        raise TypeError("PolarsText holds text, not numbers.")

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Return the code of each text that is not missing, and the distinct texts, sorted."""
        values = self.series.drop_nulls()
        # In a file many cells may share one long text, which Python would store once per cell.
        if len(values) <= _SHORT and len(values) * values.estimated_size() <= MOST_TEXT:
            _check_utf8(call, name, values)
            return text_cells(values.to_list()).coded_text(call, name)
        levels = values.unique().sort()
        check_text_size(call, name, int(levels.str.len_bytes().sum()))
        _check_utf8(call, name, levels)
        return values.cast(pl.Enum(levels)).to_physical().to_numpy(), tuple(levels.to_list())


def _check_utf8(call: str, name: str, values: pl.Series) -> None:
    try:  # Polars takes over text from Arrow memory without validation.
        values.cast(pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        raise DataError(
            f"{call}: column {name!r} holds bytes that are not UTF-8 text. Recreate it from its source."
        ) from None


def column_of_polars(call: str, name: str, series: pl.Series) -> SourceColumn:
    """Convert a Polars series to a source column."""
    series = series.alias("")  # see PolarsText
    dtype = series.dtype
    if isinstance(dtype, pl.Enum):
        return _column_of_codes(call, name, series.to_physical(), dtype.categories.to_list())
    if dtype in (pl.Categorical, pl.String):
        return SourceColumn(name, PolarsText(series.cast(pl.String)))
    if dtype == pl.Object:
        return column_of_objects(call, name, series.to_list())
    if isinstance(dtype, pl.Decimal):
        # Whole decimals beyond 64 bits become floats, and are rejected as real values later.
        whole = series.cast(pl.Int64, strict=False) if not dtype.scale else series.cast(pl.Float64)
        series = whole if whole.null_count() == series.null_count() else series.cast(pl.Float64)
        return SourceColumn(name, _number_cells(series))
    if dtype.is_float() or dtype.is_integer() or dtype in (pl.Boolean, pl.Null):
        return SourceColumn(name, _number_cells(series))
    missing = series.is_null().to_numpy()
    if dtype.is_temporal():
        return odd_column(call, name, str(dtype), missing, lambda: series.cast(pl.String).to_list(), is_date=True)
    return odd_column(call, name, str(dtype), missing)


def column_of_arrow(call: str, name: str, native: Any) -> SourceColumn:
    """Convert a valid PyArrow array or chunked array to a source column."""
    try:
        series = pl.Series("", native)
    # a type that Polars lacks, such as a union; its PanicException is not a subclass of Exception
    except (Exception, pl.exceptions.PanicException):
        return odd_column(call, name, str(native.type), np.array(native.is_null().to_pylist(), dtype=bool))
    return column_of_polars(call, name, series)


def column_of_dictionary(call: str, name: str, native: Any) -> SourceColumn:
    """Open a valid Arrow dictionary array, whose chunks may have different dictionaries."""
    chunks = native.unify_dictionaries().chunks if hasattr(native, "chunks") else [native]
    if not chunks:
        return SourceColumn(name, PolarsText(pl.Series("", [], dtype=pl.String)))
    labels = chunks[0].dictionary.to_pylist()
    codes = pl.concat([pl.Series("", chunk.indices).cast(pl.Int64) for chunk in chunks])
    if None in labels:  # a dictionary may list the missing value itself
        places = pl.Series([None if label is None else place for place, label in enumerate(labels)])
        labels = [label for label in labels if label is not None]
        codes = (places.rank("dense").cast(pl.Int64) - 1).gather(codes)
    return _column_of_codes(call, name, codes, labels)


def _column_of_codes(call: str, name: str, codes: pl.Series, categories: Iterable[object]) -> SourceColumn:
    return column_of_categories(call, name, codes.cast(pl.Int64).fill_null(-1).to_numpy(), categories)


def _number_cells(series: pl.Series) -> Cells:
    if series.dtype == pl.Null:
        return ArrayCells(np.empty(0), np.ones(len(series), dtype=bool), "empty")
    if series.dtype.is_float():
        return array_cells(series.cast(pl.Float64).to_numpy())
    missing = series.is_null().to_numpy() if series.null_count() else None
    present = series if missing is None else series.drop_nulls()
    if series.dtype.is_integer() and series.dtype not in _ARRAY_INTEGERS:  # 128 bits
        return ArrayCells(np.array(present.to_list(), dtype=object), missing, "integer")
    return ArrayCells(present.to_numpy(), missing, "boolean" if series.dtype == pl.Boolean else "integer")
