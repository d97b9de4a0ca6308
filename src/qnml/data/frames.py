"""Data frames of any library, opened through narwhals, as source columns.

Declared levels are kept where the library has them: pandas categories, Polars ``Enum``, Arrow dictionaries.
A Polars ``Categorical`` declares no levels: its categories are shared by the whole process, in order of first
use. It is read as text, and so is such a column in an Arrow file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from qnml._packages import needed
from qnml.data.arrow import arrow_table, check_arrow, check_pandas
from qnml.data.cells import ArrayCells
from qnml.data.forks import refuse_lost_threads
from qnml.data.odd_cells import OddCells
from qnml.data.source import (
    SourceColumn,
    column_of_array,
    column_of_categories,
    column_of_objects,
    odd_column,
)
from qnml.data.text_cells import TextCells
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["as_frame", "as_series", "check_memory", "column_of_series", "columns_of_frame"]

_POLARS_CATEGORICAL = b"_PL_CATEGORICAL"


def as_frame(call: str, source: object) -> nw.DataFrame[Any] | None:
    """Open any frame that narwhals supports as an eager frame, collecting lazy ones; None if it is not a frame."""
    try:
        frame = nw.from_native(source, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        listed = " ".join(str(error).split())
        raise DataError(f"{call}: column names must differ. {listed}. Rename them.") from error
    if isinstance(frame, nw.LazyFrame):
        refuse_lost_threads(call)
        pl = needed("polars", call, "collects lazy frames", "Or collect the frame yourself.")
        try:
            frame = frame.collect(backend="polars")
        # each engine has its own errors; Polars' PanicException is not a subclass of Exception
        except (Exception, pl.exceptions.PanicException) as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise DataError(f"{call}: the lazy frame could not be collected: {first}") from error
    if isinstance(frame, nw.DataFrame):
        if not frame.implementation.is_pandas_like():
            refuse_lost_threads(call)
        return frame
    opened = arrow_table(call, source)
    return None if opened is None else as_frame(call, opened)


def as_series(values: object) -> nw.Series[Any] | None:
    """Open a series of any library that narwhals supports; None if it is not a series."""
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def columns_of_frame(call: str, frame: nw.DataFrame[Any], only: Collection[str] | None) -> list[SourceColumn]:
    """Split an eager frame into source columns: all of them, or only the named ones."""
    native = frame.to_native()
    columns = []
    for series in frame.iter_columns():
        # Some libraries allow names that are not text; a table does not.
        if only is not None and str(series.name) not in only:
            continue
        column = column_of_series(call, str(series.name), series)
        if frame.implementation.is_pyarrow() and column.declared is not None:
            metadata = native.schema.field(series.name).metadata or {}
            if any(key.startswith(_POLARS_CATEGORICAL) for key in metadata):
                column = column_of_series(call, str(series.name), series.cast(nw.String))
        columns.append(column)
    return columns


def check_memory(call: str, name: str, series: Any) -> None:
    """Reject a series backed by damaged Arrow buffers."""
    kind, native = series.implementation, series.to_native()
    if kind.is_pyarrow():
        check_arrow(call, name, native)
    elif kind.is_pandas_like():
        check_pandas(call, name, native)


def column_of_series(call: str, name: str, series: Any) -> SourceColumn:
    """Turn one series of any library into a source column."""
    check_memory(call, name, series)
    native = series.to_native()
    if not series.implementation.is_pandas_like():
        refuse_lost_threads(call)
        return _column_by_polars(call, name, series)
    if not _is_categorical(series):
        return _column_of_pandas(call, name, series)
    if not hasattr(native, "cat"):  # an Arrow dictionary
        return _column_by_polars(call, name, series)
    check_pandas(call, name, native.cat.categories)
    return column_of_categories(call, name, native.cat.codes.to_numpy(), native.cat.categories.tolist())


def _is_categorical(series: Any) -> bool:
    return isinstance(series.dtype, (nw.Categorical, nw.Enum))


def _column_by_polars(call: str, name: str, series: Any) -> SourceColumn:
    needed("polars", call, "opens columns of Polars and of Arrow", "Or pass a pandas frame.")
    from qnml.data.polars_cells import column_of_arrow, column_of_dictionary, column_of_polars

    kind, native = series.implementation, series.to_native()
    if kind.is_polars():
        return column_of_polars(call, name, native)
    if _is_categorical(series):
        return column_of_dictionary(call, name, native if kind.is_pyarrow() else series.to_arrow())
    return column_of_arrow(call, name, native)


def _column_of_pandas(call: str, name: str, series: Any) -> SourceColumn:
    if series.dtype == nw.Object:
        return column_of_objects(call, name, series.to_list())
    if not (series.dtype.is_numeric() or series.dtype in (nw.String, nw.Boolean)):
        return _odd_column_of_pandas(call, name, series)
    missing = series.is_null()
    column = column_of_array(call, name, series.filter(~missing).to_numpy())
    if not missing.any():
        return column
    assert isinstance(column.values, ArrayCells | TextCells | OddCells)
    return SourceColumn(name, column.values.spread(missing.to_numpy()))


def _odd_column_of_pandas(call: str, name: str, series: Any) -> SourceColumn:
    native = series.to_native()
    dtype, missing = str(getattr(native, "dtype", series.dtype)), series.is_null().to_numpy()
    if not series.dtype.is_temporal():
        return odd_column(call, name, dtype, missing)

    def texts() -> list[str | None]:
        return [None if hole else text for text, hole in zip(native.astype(str), missing.tolist(), strict=True)]

    return odd_column(call, name, dtype, missing, texts, is_date=True)
