"""Arrow memory, checked before it is used.

An Arrow array is a few buffers that refer to one another: dictionary indices, string offsets, lengths. Nothing
that hands them over checks them, and an index beyond its dictionary or an offset beyond its text is read out of
bounds by whoever trusts it. So every array is validated in full first, at about the cost of reading it once.
"""

from __future__ import annotations

from typing import Any

from qnml.errors import DataError, MissingExtraError, bad_argument

__all__ = ["arrow_column", "arrow_table", "check_arrow", "check_pandas", "damage"]


def damage(data: Any) -> str | None:
    """Say what is wrong with a PyArrow array, or a chunked one; None when nothing is."""
    try:
        data.validate(full=True)
    except Exception as error:  # ArrowInvalid, but also what a type without validation raises
        return (str(error).splitlines() or [type(error).__name__])[0]
    return None


def check_arrow(call: str, name: str, data: Any) -> None:
    """Refuse a PyArrow array whose buffers do not fit together, or whose text is not UTF-8."""
    problem = damage(data)
    if problem is not None:
        raise DataError(f"{call}: column {name!r} is damaged Arrow data ({problem}). Make it again from its source.")


def check_pandas(call: str, name: str, values: Any) -> None:
    """Refuse a pandas series or index that keeps damaged Arrow data; other kinds have nothing to check.

    Parameters
    ----------
    call, name : who reads, and the column: for the error.
    values : a series or an index of pandas, or of a library like it.
    """
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "storage", None) == "pyarrow" or type(dtype).__name__ == "ArrowDtype":
        check_arrow(call, name, values.array.__arrow_array__())


def arrow_table(call: str, source: object) -> Any:
    """Open what offers the Arrow C interface, such as a record batch, as a PyArrow table; None when it is none."""
    if not (hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")):
        return None
    pyarrow = _pyarrow(call)
    try:
        return pyarrow.table(source)
    except (pyarrow.ArrowException, ValueError, TypeError):  # a single column
        return None


def arrow_column(call: str, values: object) -> Any:
    """Open one column that offers the Arrow C interface as a chunked array; None when it does not."""
    if hasattr(values, "__arrow_c_stream__"):
        chunks = values
    elif hasattr(values, "__arrow_c_array__"):
        chunks = [_pyarrow(call).array(values)]
    else:
        return None
    try:
        return _pyarrow(call).chunked_array(chunks)
    except Exception as error:  # a frame of two columns of one name, or what else an exporter of others raises
        raise bad_argument(call, "source", values, "columns that Arrow can hold") from error


def _pyarrow(call: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError(
            f"{call}: this is Arrow data, which PyArrow checks and opens. Install it (pip install pyarrow), or hand "
            "over a frame of pandas or Polars."
        ) from error
    return pyarrow
