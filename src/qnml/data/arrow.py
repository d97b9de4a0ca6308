"""Validation of Arrow memory before use.

An Arrow array consists of buffers that refer to one another: dictionary indices, string offsets, lengths. The
exchange interfaces do not check them, and code that trusts an index beyond the dictionary or an offset beyond the
text reads out of bounds. So every array is fully validated first, at about the cost of reading it once.
"""

from __future__ import annotations

from typing import Any

from qnml.errors import DataError, MissingExtraError, bad_argument

__all__ = ["arrow_column", "arrow_table", "check_arrow", "check_pandas", "damage"]


def damage(data: Any) -> str | None:
    """Return what is wrong with a PyArrow array or chunked array; None if it is valid."""
    try:
        data.validate(full=True)
    except Exception as error:  # ArrowInvalid, or the error of a type without validation
        return (str(error).splitlines() or [type(error).__name__])[0]
    return None


def check_arrow(call: str, name: str, data: Any) -> None:
    """Reject a PyArrow array whose buffers are inconsistent or whose text is not UTF-8."""
    problem = damage(data)
    if problem is not None:
        raise DataError(f"{call}: column {name!r} is damaged Arrow data ({problem}). Recreate it from its source.")


def check_pandas(call: str, name: str, values: Any) -> None:
    """Reject a pandas series or index backed by damaged Arrow data; other kinds need no check.

    Parameters
    ----------
    call, name : the calling function and the column, for the error.
    values : a series or an index of pandas or a pandas-like library.
    """
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "storage", None) == "pyarrow" or type(dtype).__name__ == "ArrowDtype":
        check_arrow(call, name, values.array.__arrow_array__())


def arrow_table(call: str, source: object) -> Any:
    """Open a source with the Arrow C interface, such as a record batch, as a PyArrow table; None if it is no table."""
    if not (hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")):
        return None
    pyarrow = _pyarrow(call)
    try:
        return pyarrow.table(source)
    except (pyarrow.ArrowException, ValueError, TypeError):  # a single column
        return None


def arrow_column(call: str, values: object) -> Any:
    """Open one column as a chunked array; None if it does not offer the Arrow C interface."""
    if hasattr(values, "__arrow_c_stream__"):
        chunks = values
    elif hasattr(values, "__arrow_c_array__"):
        chunks = [_pyarrow(call).array(values)]
    else:
        return None
    try:
        return _pyarrow(call).chunked_array(chunks)
    except Exception as error:  # a frame with repeated column names, or any error of a foreign exporter
        raise bad_argument(call, "source", values, "columns that Arrow can hold") from error


def _pyarrow(call: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError(
            f"{call}: reading Arrow data requires PyArrow. Install it (pip install pyarrow), or pass a pandas or "
            "Polars frame."
        ) from error
    return pyarrow
