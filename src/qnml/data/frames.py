"""Data frames of any library, opened through narwhals, as source columns.

Declared levels are kept where the library has them: pandas categories, Polars ``Enum``, Arrow dictionaries.
A Polars ``Categorical`` declares nothing: its categories are shared by the whole process, in order of first
use. It is taken as the text it shows, and so is such a column written to an Arrow file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import polars as pl

from qnml.data.arrow import arrow_table, check_arrow, check_pandas
from qnml.data.forks import refuse_lost_threads
from qnml.data.source import SourceColumn, column_of_categories, column_of_objects, with_nulls
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["as_frame", "as_series", "check_memory", "column_of_series", "columns_of_frame", "not_categories"]

_POLARS_CATEGORICAL = b"_PL_CATEGORICAL"


def as_frame(call: str, source: object) -> nw.DataFrame[Any] | None:
    """Open anything narwhals knows as an eager frame, collecting lazy ones; None when it is no frame."""
    try:
        frame = nw.from_native(source, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        listed = " ".join(str(error).split())
        raise DataError(f"{call}: column names must differ. {listed}. Rename them.") from error
    if isinstance(frame, nw.LazyFrame):
        refuse_lost_threads(call)
        try:
            frame = frame.collect(backend="polars")
        # each engine has errors of its own; PanicException, Polars' accident, is not even an Exception
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
    """Open a series of any library narwhals knows; None when it is none."""
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def columns_of_frame(call: str, frame: nw.DataFrame[Any], only: Collection[str] | None) -> list[SourceColumn]:
    """Take an eager frame apart into source columns: all of them, or those of these names."""
    native = frame.to_native()
    columns = []
    for series in frame.iter_columns():
        # Names need not be text in every library; ours are.
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
    """Refuse a series whose library keeps it in damaged Arrow buffers."""
    kind, native = series.implementation, series.to_native()
    if kind.is_pyarrow():
        check_arrow(call, name, native)
    elif kind.is_pandas_like():
        check_pandas(call, name, native)


def column_of_series(call: str, name: str, series: Any) -> SourceColumn:
    """Turn one series of any library into a source column."""
    check_memory(call, name, series)
    if not series.implementation.is_pandas_like():
        refuse_lost_threads(call)
    kind, native = series.implementation, series.to_native()
    if kind.is_polars():
        return _column_of_polars(call, name, native)
    if isinstance(series.dtype, (nw.Categorical, nw.Enum)):
        if kind.is_pandas_like() and hasattr(native, "cat"):
            check_pandas(call, name, native.cat.categories)
            return column_of_categories(call, name, native.cat.codes.to_numpy(), native.cat.categories.tolist())
        return _column_of_dictionary(call, name, native if kind.is_pyarrow() else series.to_arrow())
    if kind.is_pyarrow():
        return _column_of_polars(call, name, _opened(call, name, native))
    if series.dtype == nw.Object:
        return column_of_objects(call, name, series.to_list())
    if not (series.dtype.is_numeric() or series.dtype in (nw.String, nw.Boolean)):
        raise not_categories(call, name, str(getattr(native, "dtype", series.dtype)))
    missing = series.is_null()
    dense = series.filter(~missing).to_numpy()
    if series.dtype == nw.String:
        values = column_of_objects(call, name, dense.tolist()).values.cast(pl.String)
    else:
        values = pl.Series("", dense)
    if missing.any():
        values = with_nulls(values, missing.to_numpy())
    return _column_of_polars(call, name, values)


def not_categories(call: str, name: str, kind: str) -> DataError:
    """Word the refusal of a column of dates, lists and the like."""
    return DataError(
        f"{call}: column {name!r} holds {kind} values, which are not categories. "
        "Turn them into text or integers, or leave the column out."
    )


def _opened(call: str, name: str, native: Any) -> pl.Series:
    try:
        return pl.Series("", native)
    # a type that Polars does not have, such as a union; PanicException, its accident, is no Exception
    except (Exception, pl.exceptions.PanicException) as error:
        raise not_categories(call, name, str(native.type)) from error


def _column_of_polars(call: str, name: str, series: pl.Series) -> SourceColumn:
    series = series.alias("")  # see SourceColumn
    dtype = series.dtype
    if isinstance(dtype, pl.Enum):
        return column_of_categories(call, name, series.to_physical(), dtype.categories.to_list())
    if dtype == pl.Categorical:
        return SourceColumn(name, series.cast(pl.String))
    if dtype == pl.Object:
        return column_of_objects(call, name, series.to_list())
    if dtype.is_float():
        # By NumPy, where a missing cell is NaN: Polars would use its threads, which a forked process may have lost.
        return SourceColumn(name, pl.Series("", series.cast(pl.Float64).to_numpy(), nan_to_null=True))
    if isinstance(dtype, pl.Decimal):
        # whole decimals too large for 64 bits end up real-valued, and are refused as such later
        whole = series.cast(pl.Int64, strict=False) if not dtype.scale else series.cast(pl.Float64)
        return SourceColumn(name, whole if whole.null_count() == series.null_count() else series.cast(pl.Float64))
    if dtype.is_integer() or dtype in (pl.Boolean, pl.String, pl.Null):
        return SourceColumn(name, series)
    raise not_categories(call, name, str(dtype))


def _column_of_dictionary(call: str, name: str, native: Any) -> SourceColumn:
    """Open a valid Arrow dictionary array or its chunks, which may carry different dictionaries."""
    chunks = native.unify_dictionaries().chunks if hasattr(native, "chunks") else [native]
    if not chunks:
        return SourceColumn(name, pl.Series("", [], dtype=pl.String))
    labels = chunks[0].dictionary.to_pylist()
    codes = pl.concat([pl.Series("", chunk.indices).cast(pl.Int64) for chunk in chunks])
    if None in labels:  # a dictionary may list the missing value itself
        places = pl.Series([None if label is None else place for place, label in enumerate(labels)])
        present = [label for label in labels if label is not None]
        renumbered = places.rank("dense").cast(pl.Int64) - 1
        return column_of_categories(call, name, renumbered.gather(codes), present)
    return column_of_categories(call, name, codes, labels)
