"""The separator of a text file, guessed from its whole content.

A separator fits if it occurs in the first line and divides every line into the same number of cells. Commas,
semicolons, tabs and vertical bars are tried; runs of blanks only if none of these occurs in the first line. Where
several fit, a file whose name ends in ``.tsv`` or ``.tab`` has tabs, and any other is an error.

Text in blanks (``full name``) is not a table. So blanks separate cells only where some column below the header
consists of numbers, or where the name of the file promises no other separator, in which case it is an error not to
say what they are.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from qnml.data.delimited import even_rows, split_cells
from qnml.data.file_options import SEPARATOR_NAMES
from qnml.data.reading_cost import check_cost
from qnml.data.words import Kind, examined
from qnml.errors import FileFormatError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["guessed_separator", "separators_in", "single_blanks"]

_MARKS = tuple(mark for mark in SEPARATOR_NAMES if mark != " ")
_QUOTED = re.compile(rb'"[^"]*"')
_QUOTED_OR_BLANKS = re.compile(rb'("[^"]*")|[ \t]+')
_BLANK_LINES = re.compile(rb"\n(?:\r?\n)+")
_LOOKED_AT = 1 << 16


def guessed_separator(
    path: str | Path, data: bytes, usual: str | None, limit: float, *, decimal: str | None, header: bool
) -> str:
    """Return what separates the cells of a text file; of one column, any separator that it does not have.

    Parameters
    ----------
    path : the file, for errors.
    data : its checked content.
    usual : the separator that the name of the file promises, or None.
    limit : maximum memory in bytes for reading the file.
    decimal : the decimal sign, if the caller gave it.
    header : whether the first line is a header.
    """
    present = sorted(separators_in(data), key=_MARKS.index)
    if not present:
        return " " if _blanks_separate(path, data, usual, limit, header=header) else usual or ","
    if decimal == "," and len(present) > 1 and "," in present:
        present.remove(",")
    if len(present) == 1:
        return present[0]
    check_cost(path, 0, 0, len(data), limit, slow=b'"' in data)
    fitting = [mark for mark in present if _fits(data, mark)]
    if usual == "\t" and usual in fitting:
        return usual
    if len(fitting) > 1:
        listed = " and ".join(repr(mark) for mark in fitting)
        problem = f"{listed} all divide every line into the same number of cells; say which one by separator="
        raise FileFormatError(path, problem.replace("all", "both") if len(fitting) == 2 else problem)
    # Where none fits, the usual one gives the error that names the line.
    return fitting[0] if fitting else usual if usual in present else present[0]


def separators_in(data: bytes) -> set[str]:
    """Return which of comma, semicolon, tab and vertical bar the first line has outside quotes."""
    first = _QUOTED.sub(b"", _first_record(data))
    return {mark for mark in _MARKS if mark.encode() in first}


def single_blanks(data: bytes) -> bytes:
    """Replace every run of blanks outside quotes by one space, and remove those at the ends of lines."""
    if b'"' in data:
        data = _QUOTED_OR_BLANKS.sub(lambda found: found[1] or b" ", data)
    else:
        data = re.sub(rb"[ \t]+", b" ", data)
    return re.sub(rb"^ | (?=\r?$)", b"", data, flags=re.MULTILINE)


def _first_record(data: bytes) -> bytes:
    """The first line that is not blank, with those that a quoted line end adds to it."""
    start = len(data) - len(data.lstrip(b"\r\n"))
    end, quotes = start, 0
    while True:
        stop = data.find(b"\n", end)
        if stop < 0:
            # A lone quote is a letter.
            return data[start:].partition(b"\n")[0] if quotes % 2 else data[start:]
        quotes += data.count(b'"', end, stop)
        if quotes % 2 == 0:
            return data[start:stop]
        end = stop + 1


def _fits(data: bytes, mark: str) -> bool:
    if b'"' not in data:
        return even_rows(_BLANK_LINES.sub(b"\n", data.lstrip(b"\r\n")), ord(mark)) > 0
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=mark, strict=True)
    try:
        return len({len(row) for row in reader if row}) == 1
    except csv.Error:
        return False


def _blanks_separate(path: str | Path, data: bytes, usual: str | None, limit: float, *, header: bool) -> bool:
    sample = data[:_LOOKED_AT].split(b"\n")
    whole = sample if len(data) <= _LOOKED_AT else sample[:-1]
    widths = {len(_QUOTED.sub(b"q", line).split()) for line in whole} - {0}
    if widths == {1} or len(widths) != 1:
        return False
    (width,) = widths
    plain = single_blanks(data)
    if not _fits(plain, " "):
        return False
    cells = split_cells(path, plain, " ", limit)
    columns = cells.slice(1 if header else 0).iter_columns()
    if any(examined(column)[1] & (Kind.WITH_POINT | Kind.WITH_COMMA) for column in columns):
        return True
    if usual is not None:
        return False
    problem = (
        f"every line is one text in {width} words, or {width} cells separated by blanks; say which by separator=' ' or "
        "separator=','"
    )
    raise FileFormatError(path, problem)
