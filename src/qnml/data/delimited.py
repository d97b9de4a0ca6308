"""Delimited text split into cells; every row has the same width.

Polars does the splitting, but it is too lenient: it pads a short row with nulls and turns a blank line into a row.
So the shape is checked first, by counting separators outside quotes in the whole file at once. Text that fails
this check, or that Polars rejects, is read with Python's ``csv`` module, which is slower but can report exactly
which line is wrong.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.data.reading_cost import check_cost
from qnml.errors import FileFormatError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["checked_text", "even_rows", "split_cells"]

_NEWLINE, _QUOTE = ord("\n"), ord('"')


def checked_text(path: str | Path, data: bytes) -> bytes:
    """Return UTF-8 text without trailing line ends, lines ending in LF or CRLF, or report why it is not text."""
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise FileFormatError(path, "there is a NUL byte: this is not a text file", line=line)
    if b"\r" in data and b"\n" not in data:  # line ends of classic Mac OS
        data = data.replace(b"\r", b"\n")
    data = data.rstrip(b"\r\n")
    if not data.strip():
        raise FileFormatError(path, "the file is empty")
    return data


def split_cells(path: str | Path, data: bytes, separator: str, limit: float, advice: str = "") -> pl.DataFrame:
    """Split checked text into a frame of strings, first line included; an empty cell is null or ``""``.

    Blank lines are skipped, except in a file of one column, where they are empty cells.

    Parameters
    ----------
    path : the file, for errors.
    data : its checked content.
    separator : one ASCII character.
    limit : maximum memory in bytes; text that would need more to become a table is rejected first.
    advice : added to an error about lines with different numbers of cells.
    """
    mark = separator.encode()
    cells, columns = data.count(mark) + data.count(b"\n") + 1, data.partition(b"\n")[0].count(mark) + 1
    check_cost(path, cells, columns, len(data), limit)
    n_rows = even_rows(data, ord(separator))
    if n_rows:
        try:
            frame = pl.read_csv(
                io.BytesIO(data),
                separator=separator,
                has_header=False,
                infer_schema=False,
                raise_if_empty=True,
            )
        except (Exception, pl.exceptions.PanicException):  # the slow reader reports what is wrong, and where
            frame = None
        if frame is not None and frame.height == n_rows:
            return frame
    check_cost(path, cells, columns, len(data), limit, slow=True)
    return _split_slowly(path, data.decode("utf-8"), separator, advice)


def even_rows(data: bytes, separator: int) -> int:
    """Return the number of rows if all have the same number of separators, else 0."""
    letters = np.frombuffer(data, dtype=np.uint8)
    marked = (letters == separator) | (letters == _NEWLINE)
    if b'"' in data:
        inside = np.logical_xor.accumulate(letters == _QUOTE)
        if inside[-1]:
            return 0
        marked &= ~inside
    # What remains of an even file is the same run of separators and a line end, repeated.
    ends = np.append(letters[marked], np.uint8(_NEWLINE)) == _NEWLINE
    width = int(ends.argmax()) + 1
    if len(ends) % width:
        return 0
    n_rows = len(ends) // width
    return n_rows if np.count_nonzero(ends) == n_rows and ends[width - 1 :: width].all() else 0


def _split_slowly(path: str | Path, text: str, separator: str, advice: str) -> pl.DataFrame:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    line = 1
    try:
        for row in reader:
            if rows and len(row) != len(rows[0]):
                if not row and len(rows[0]) == 1:
                    row = [""]
                elif row:
                    title = "; if it is a title or a remark, remove it" if len(rows) == 1 or len(rows[0]) == 1 else ""
                    problem = f"the number of cells is {len(row)}, but the first line has {len(rows[0])}{advice}{title}"
                    raise FileFormatError(path, problem, line=line)
            if row:
                rows.append(row)
            line = reader.line_num + 1
    except csv.Error as error:
        raise FileFormatError(path, f"the quotes are wrong ({error})", line=line) from None
    if not rows:
        raise FileFormatError(path, "the file is empty")
    return pl.DataFrame(rows, schema=[f"column_{k}" for k in range(len(rows[0]))], orient="row")
