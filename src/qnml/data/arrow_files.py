"""Parquet and Arrow files as data frames.

The sizes a file declares are checked first. A file whose declared contents do not fit into the file or into memory
is rejected, since a reader that trusts them may crash the process. Files with dictionary columns are then read by
PyArrow, which keeps the declared levels that Polars discards; all others are read by Polars.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import polars as pl

from qnml.data.arrow import damage
from qnml.data.ipc_layout import ipc_layout
from qnml.data.parquet_layout import parquet_layout
from qnml.data.reading_cost import check_cost
from qnml.errors import FileFormatError, MissingExtraError, QnmlError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_arrow"]


def read_arrow(path: Path, data: bytes, limit: float, *, parquet: bool) -> Any:
    """Read a Parquet or Arrow file as a data frame, after checking the sizes it declares.

    Parameters
    ----------
    path : the file, for errors.
    data : its content.
    limit : maximum memory in bytes for reading it.
    parquet : whether it is Parquet.
    """
    if not data:
        raise FileFormatError(path, "the file is empty")
    kind = "Parquet" if parquet else "Arrow (feather, version 2)"
    try:
        layout = (parquet_layout if parquet else ipc_layout)(data)
        check_cost(path, layout.rows * layout.columns, layout.columns, layout.unpacked, limit)
        schema = (pl.read_parquet_schema if parquet else pl.read_ipc_schema)(io.BytesIO(data))
        if any(dtype == pl.Categorical for dtype in schema.values()):
            texts = [name for name, dtype in schema.items() if dtype == pl.String]
            return _read_dictionaries(path, data, texts if parquet else None, limit)
        return (pl.read_parquet if parquet else pl.read_ipc)(io.BytesIO(data))
    except QnmlError:
        raise
    # Polars' PanicException is not a subclass of Exception
    except (Exception, pl.exceptions.PanicException) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise FileFormatError(path, f"not a readable {kind} file ({first})") from None


def _read_dictionaries(path: Path, data: bytes, texts: list[str] | None, limit: float) -> Any:
    """Open a file with PyArrow; `texts` are the text columns of a Parquet file."""
    try:
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(
            f"read_table(source={str(path)!r}): the file has dictionary columns, whose declared levels "
            "only PyArrow reads. Install it (pip install pyarrow), or pass a data frame."
        ) from error
    source = pyarrow.BufferReader(data)
    if texts is None:
        return _undamaged(path, pyarrow.feather.read_table(source))
    # Kept as dictionaries at first: otherwise PyArrow would copy a long text for every row that refers to it.
    table = _undamaged(path, pyarrow.parquet.read_table(source, read_dictionary=texts))
    plain = set(texts)
    columns = [
        column.cast(pyarrow.large_string()) if name in plain and _fits(path, table, column, limit) else column
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    fields = [field.with_type(column.type) for field, column in zip(table.schema, columns, strict=True)]
    return pyarrow.Table.from_arrays(columns, schema=pyarrow.schema(fields))


def _fits(path: Path, table: Any, column: Any, limit: float) -> bool:
    """Reject a text column that would be too large when decoded."""
    longest = [max(map(len, chunk.dictionary.to_pylist()), default=0) for chunk in column.chunks]
    size = sum(len(chunk) * length for chunk, length in zip(column.chunks, longest, strict=True))
    check_cost(path, table.num_rows * table.num_columns, table.num_columns, size, limit)
    return True


def _undamaged(path: Path, table: Any) -> Any:
    for name, column in zip(table.column_names, table.columns, strict=True):
        problem = damage(column)
        if problem is not None:
            raise FileFormatError(path, f"column {name!r} is damaged ({problem})")
    return table
