"""Columns of Polars as source columns, and the text cells that Polars keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qnml.data.cells import ArrayCells, Cells, Kind, Mask, array_cells
from qnml.data.source import SourceColumn, column_of_categories, column_of_objects, not_categories
from qnml.data.text_cells import MOST_TEXT, check_text_size, text_cells
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PolarsText", "column_of_arrow", "column_of_dictionary", "column_of_polars"]

# Rows up to which plain Python codes text faster than Polars, which takes long to begin: see `qnml.data.words`.
_SHORT = 2000
_ARRAY_INTEGERS = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)


@dataclass(frozen=True, slots=True, eq=False)
class PolarsText:
    """Text cells in a Polars series, null where missing.

    The series has no name of its own: Polars takes one such as ``^a$`` for a pattern wherever it computes with it.
    """

    series: pl.Series

    @property
    def kind(self) -> Kind:
        """What the cells hold."""
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
        """Refuse: text is coded, not taken for numbers."""
        raise TypeError("PolarsText holds text, not numbers.")

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Return the number of each text that is not missing among the distinct ones, and these, sorted."""
        values = self.series.drop_nulls()
        # A file may refer many cells to one long text, which Python would hold once for each.
        if len(values) <= _SHORT and len(values) * values.estimated_size() <= MOST_TEXT:
            _check_utf8(call, name, values)
            return text_cells(values.to_list()).coded_text(call, name)
        levels = values.unique().sort()
        check_text_size(call, name, int(levels.str.len_bytes().sum()))
        _check_utf8(call, name, levels)
        return values.cast(pl.Enum(levels)).to_physical().to_numpy(), tuple(levels.to_list())


def _check_utf8(call: str, name: str, values: pl.Series) -> None:
    try:  # Polars takes text over from Arrow memory without looking at it.
        values.cast(pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        raise DataError(
            f"{call}: column {name!r} holds bytes that are not UTF-8 text. Make it again from its source."
        ) from None


def column_of_polars(call: str, name: str, series: pl.Series) -> SourceColumn:
    """Turn a series of Polars into a source column."""
    series = series.alias("")  # see PolarsText
    dtype = series.dtype
    if isinstance(dtype, pl.Enum):
        return _column_of_codes(call, name, series.to_physical(), dtype.categories.to_list())
    if dtype in (pl.Categorical, pl.String):
        return SourceColumn(name, PolarsText(series.cast(pl.String)))
    if dtype == pl.Object:
        return column_of_objects(call, name, series.to_list())
    if isinstance(dtype, pl.Decimal):
        # Whole decimals beyond 64 bits end up real-valued, and are refused as such later.
        whole = series.cast(pl.Int64, strict=False) if not dtype.scale else series.cast(pl.Float64)
        series = whole if whole.null_count() == series.null_count() else series.cast(pl.Float64)
        return SourceColumn(name, _number_cells(series))
    if dtype.is_float() or dtype.is_integer() or dtype in (pl.Boolean, pl.Null):
        return SourceColumn(name, _number_cells(series))
    raise not_categories(call, name, str(dtype))


def column_of_arrow(call: str, name: str, native: Any) -> SourceColumn:
    """Turn a valid array of PyArrow, or a chunked one, into a source column."""
    try:
        series = pl.Series("", native)
    # a type that Polars does not have, such as a union; its PanicException is no Exception
    except (Exception, pl.exceptions.PanicException) as error:
        raise not_categories(call, name, str(native.type)) from error
    return column_of_polars(call, name, series)


def column_of_dictionary(call: str, name: str, native: Any) -> SourceColumn:
    """Open a valid Arrow dictionary array or its chunks, which may carry different dictionaries."""
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
