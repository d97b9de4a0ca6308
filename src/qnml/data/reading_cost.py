"""Estimate of the memory needed to read a table, before reading it.

The figures are upper bounds, measured on files of many shapes (see `tests/data/test_reading_cost.py`). They cover the
data frame read from the file, the columns while they are cleaned and coded, and the table, all held at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._memory import format_bytes
from qnml.errors import TooLargeError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["check_cost", "check_total"]

_PER_CELL = 45  # a Polars string takes 16 bytes; held as read, cleaned and coded
_PER_COLUMN = 7000
_PER_BYTE = 5  # the content, a copy without trailing line ends, and marks where cells end
_SLOW_PER_CELL = 100  # in addition: a Python string and its slot in a list
_SLOW_PER_BYTE = 8


def check_cost(path: str | Path, cells: int, columns: int, size: int, limit: float, *, slow: bool = False) -> None:
    """Reject a table that would need more memory than the limit.

    Parameters
    ----------
    path : the file, for the error.
    cells, columns : the size of the table.
    size : bytes of its content after decompression.
    limit : maximum memory in bytes for reading it.
    slow : whether the text is split in Python.
    """
    needed = _PER_CELL * cells + _PER_COLUMN * columns + _PER_BYTE * size
    if slow:
        needed += _SLOW_PER_CELL * cells + _SLOW_PER_BYTE * size
    check_total(path, needed, limit, f"{cells:,} cells in {columns:,} columns, {format_bytes(size)} unpacked, take")


def check_total(path: str | Path, needed: float, limit: float, what: str = "its content takes") -> None:
    """Reject what would need more memory than the limit.

    Parameters
    ----------
    path : the file, for the error.
    needed, limit : in bytes.
    what : what needs it, with its verb.
    """
    if needed > limit:
        raise TooLargeError(
            f"read_table(source={str(path)!r}): {what} about {format_bytes(needed)} to read, and {format_bytes(limit)} "
            "may be used. Give a larger memory_limit where there is more, or fewer rows or columns."
        )
