"""Opening of data sources: a frame, an array or a mapping becomes a list of source columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_list
from qnml.data.arrow import arrow_column, check_pandas
from qnml.data.codes import default_names, refuse_repeats
from qnml.data.source import SourceColumn, column_of_array, column_of_categories, column_of_objects
from qnml.errors import DataError, bad_argument, shown

__all__ = ["source_columns"]

# Classes that no data frame library uses, so that narwhals need not be imported for them.
_NO_FRAMES = (np.ndarray, np.ma.MaskedArray, dict)
_NO_SERIES = (np.ndarray, np.ma.MaskedArray, list, tuple, range)


def source_columns(call: str, source: object, only: Collection[str] | None = None) -> list[SourceColumn]:
    """Open a frame, an array or a mapping.

    Parameters
    ----------
    call
        The calling function, for errors.
    source
        As for `read_table`, but neither a path nor a `Table`.
    only
        Names of the columns to open, if present; the others may hold anything. None opens all columns.
    """
    columns = _columns_of(call, source, only)
    refuse_repeats(call, [column.name for column in columns])
    return columns


def _columns_of(call: str, source: object, only: Collection[str] | None) -> list[SourceColumn]:
    if type(source) not in _NO_FRAMES:
        from qnml.data import frames

        frame = frames.as_frame(call, source)
        if frame is not None:
            return frames.columns_of_frame(call, frame, only)
    if isinstance(source, np.ndarray):
        return _columns_of_array(call, source, only)
    if isinstance(source, Mapping):
        return _columns_of_mapping(call, source, only)
    raise bad_argument(
        call,
        "source",
        source,
        "a path, a data frame, a two-dimensional array, a mapping of columns or a Table",
    )


def _columns_of_array(call: str, array: npt.NDArray[Any], only: Collection[str] | None) -> list[SourceColumn]:
    if array.dtype.names is not None and array.ndim == 1:
        named = [name for name in array.dtype.names if only is None or name in only]
        return [column_of_array(call, name, array[name]) for name in named]
    if array.ndim != 2:
        raise bad_argument(call, "source", array, "a two-dimensional array, rows × variables", "Reshape it.")
    names = default_names(array.shape[1])
    return [
        column_of_array(call, name, array[:, place]) for place, name in enumerate(names) if only is None or name in only
    ]


def _columns_of_mapping(call: str, source: Mapping[Any, Any], only: Collection[str] | None) -> list[SourceColumn]:
    columns = []
    for key, values in source.items():
        name = key if isinstance(key, str) else shown(key)
        if only is not None and name not in only:
            continue
        columns.append(_column_of_entry(call, name, values))
    lengths = {column.name: len(column.values) for column in columns}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name!r}: {length}" for name, length in lengths.items())
        raise DataError(f"{call}: the columns differ in length ({listed}). Every row needs a cell in each.")
    return columns


def _column_of_entry(call: str, name: str, values: Any) -> SourceColumn:
    """Open one entry of a mapping."""
    if hasattr(values, "codes") and hasattr(values, "categories"):  # a bare pandas.Categorical
        check_pandas(call, name, values.categories)
        return column_of_categories(call, name, np.asarray(values.codes), list(values.categories))
    if type(values) not in _NO_SERIES:
        from qnml.data import frames

        series = frames.as_series(values)
        if series is None:
            series = frames.as_series(arrow_column(call, values))
        if series is not None:
            return frames.column_of_series(call, name, series)
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return column_of_array(call, name, values)
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, np.ndarray)):
        allowed = f"a sequence of cells for column {shown(name)}"
        return column_of_objects(call, name, checked_list(call, "source", values, allowed))
    raise bad_argument(call, "source", values, f"a sequence of cells for column {name!r}")
