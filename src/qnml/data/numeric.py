"""Extraction of numeric columns from frames and arrays, and their replacement by bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from qnml.data.codes import default_names
from qnml.data.frames import as_frame, check_memory
from qnml.errors import DataError, bad_argument

if TYPE_CHECKING:
    from qnml.data.binning import Numbers

__all__ = ["binned_array", "binned_frame", "numeric_columns"]

Bins: TypeAlias = npt.NDArray[np.int64]


def numeric_columns(call: str, X: Any) -> tuple[list[str], dict[str, Numbers], Any]:
    """Return the column names, the numeric columns as floats with NaN for missing, and the opened data."""
    frame = as_frame(call, X)
    if frame is not None:
        _check_shape(call, frame.shape)
        numbers = {str(s.name): _floats(call, s) for s in frame.iter_columns() if s.dtype.is_numeric()}
        return [str(name) for name in frame.columns], numbers, frame
    array = _as_array(call, X)
    names = list(default_names(array.shape[1]))
    columns = {name: _array_floats(array[:, place]) for place, name in enumerate(names)}
    return names, {name: values for name, values in columns.items() if values is not None}, array


def _as_array(call: str, X: Any) -> npt.NDArray[Any]:
    allowed = "a data frame or a two-dimensional array of numbers or text"
    if isinstance(X, np.ma.MaskedArray) and X.dtype.kind in "iuf":
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        array = np.asarray(X)
    except Exception as error:  # ragged lists, or any error of a foreign `__array__`
        raise bad_argument(call, "X", X, allowed) from error
    if array.ndim != 2 or array.dtype.kind == "c":
        advice = "Complex data not supported." if array.dtype.kind == "c" else "Reshape your data."
        raise bad_argument(call, "X", X, allowed, advice)
    _check_shape(call, array.shape)
    return array


def _check_shape(call: str, shape: tuple[int, ...]) -> None:
    for count, what in zip(shape, ("sample", "feature"), strict=True):
        if not count:
            # scikit-learn's wording, which its estimator checks look for
            raise DataError(f"{call}: 0 {what}(s) (shape={shape}) while a minimum of 1 is required.")


def _floats(call: str, series: Any) -> Numbers:
    check_memory(call, str(series.name), series)
    # Without its name: Polars expressions treat a name such as ^a$ as a pattern.
    values: Numbers = series.alias("").cast(nw.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)
    return values


def _array_floats(column: npt.NDArray[Any]) -> Numbers | None:
    if column.dtype.kind in "iuf":
        return column.astype(np.float64)
    if column.dtype.kind != "O":
        return None
    cells = [float("nan") if cell is None else cell for cell in column]
    if any(isinstance(cell, bool) or not isinstance(cell, (int, float, np.number)) for cell in cells):
        return None
    return np.array(cells, dtype=np.float64)


def binned_array(array: npt.NDArray[Any], names: list[str], coded: dict[str, Bins]) -> Any:
    """Return the array with binned columns replaced by their bin numbers, NaN or None where missing."""
    if not coded:
        return array
    places = {name: place for place, name in enumerate(names)}
    if array.dtype.kind == "O":
        made = array.copy()
        for name, codes in coded.items():
            cells = [None if code < 0 else code for code in codes.tolist()]
            made[:, places[name]] = np.array(cells, dtype=object)
        return made
    missing = any((codes < 0).any() for codes in coded.values())
    untouched = len(coded) < len(names) and array.dtype.kind == "f"
    made = array.astype(np.float64 if missing or untouched else np.int64)
    for name, codes in coded.items():
        made[:, places[name]] = np.where(codes < 0, np.nan, codes) if missing else codes
    return made


def binned_frame(frame: nw.DataFrame[Any], coded: dict[str, Bins], labels: dict[str, tuple[str, ...]]) -> Any:
    """Return the native frame with binned columns replaced by ordered categories that declare all bins."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_pandas_like():
        pandas = kind.to_native_namespace()
        made = native.copy()
        for column in native.columns:
            name = str(column)
            if name in coded:
                made[column] = pandas.Categorical.from_codes(coded[name], list(labels[name]), ordered=True)
        return made
    if kind.is_pyarrow():
        return _arrow_of(native, coded, labels)
    polars_frame = frame.to_polars()
    return polars_frame.with_columns(_enum(name, codes, labels[name]) for name, codes in coded.items())


def _enum(name: str, codes: Bins, labels: tuple[str, ...]) -> Any:
    import polars as pl

    places = pl.Series(codes)
    return pl.Series(labels, dtype=pl.Enum(labels)).gather(places.set(places < 0, None)).alias(name)


def _arrow_of(table: Any, coded: dict[str, Bins], labels: dict[str, tuple[str, ...]]) -> Any:
    import pyarrow

    for name, codes in coded.items():
        indices = pyarrow.array(codes.astype(np.int32), mask=codes < 0)
        column = pyarrow.DictionaryArray.from_arrays(indices, list(labels[name]), ordered=True)
        table = table.set_column(table.schema.get_field_index(name), name, column)
    return table
