"""What reading a table takes, known before it is taken.

The figures are upper bounds, measured on files of many shapes (see `tests/data/test_reading_cost.py`): the frame
that a file becomes, the columns as they are cleaned and coded, and the table, all of which are held at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._memory import format_bytes
from qnml.errors import TooLargeError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["check_cost"]

_PER_CELL = 45  # a text in Polars is 16 bytes; as it came, as it is cleaned, and coded
_PER_COLUMN = 7000
_PER_BYTE = 5  # the content, a copy without its end, and marks where cells end
_SLOW_PER_CELL = 100  # on top of it: a text in Python, and its place in a list
_SLOW_PER_BYTE = 8


def check_cost(path: Path, cells: int, columns: int, size: int, limit: float, *, slow: bool = False) -> None:
    """Refuse a table that would take more memory than it may.

    Parameters
    ----------
    path : the file, for the error.
    cells, columns : how much it holds.
    size : bytes of its content, unpacked.
    limit : bytes that reading it may take.
    slow : whether Python itself splits the text.
    """
    needed = _PER_CELL * cells + _PER_COLUMN * columns + _PER_BYTE * size
    if slow:
        needed += _SLOW_PER_CELL * cells + _SLOW_PER_BYTE * size
    if needed > limit:
        raise TooLargeError(
            f"read_table(source={str(path)!r}): {cells:,} cells in {columns:,} columns, {format_bytes(size)} unpacked, "
            f"take about {format_bytes(needed)} to read, and {format_bytes(limit)} may be used. Give a larger "
            "memory_limit (--memory in the shell) where there is more, or fewer rows or columns."
        )
