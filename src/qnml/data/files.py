"""Reading files as data frames.

Text files (``.csv``, ``.tsv``, either with ``.gz``) are UTF-8 with one header line; quotes, CRLF and a byte-order
mark are supported. White space around a cell is removed. A cell that is empty or reads ``?``, ``NA``, ``N/A``,
``#N/A``, ``NaN``, ``nan``, ``null`` or ``NULL`` is missing; to keep such a word as a label, read the file yourself
and pass the frame. A column holds integers, or real numbers, only if every cell in the file does. Otherwise, or if
a number is written with leading zeros (``007`` is a code, not seven), it is text.

Arrow files (``.parquet``, ``.feather``, ``.arrow``, ``.ipc``) declare their own types: see `qnml.data.arrow_files`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import polars as pl

from qnml._checks import checked_path
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file
from qnml.data.arrow_files import read_arrow
from qnml.data.delimited import checked_text, split_cells
from qnml.data.forks import refuse_lost_threads
from qnml.data.paths import file_kind, is_bene
from qnml.data.words import typed
from qnml.errors import FileFormatError, bad_argument

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_frame"]


def read_frame(path: str | Path, *, memory_limit: float | None = None) -> Any:
    """Read a text or Arrow file as a data frame, following the rules at the top of this module.

    Parameters
    ----------
    path
        The file.
    memory_limit
        As for `read_table`.

    Returns
    -------
    polars.DataFrame
        Or a ``pyarrow.Table`` if the file has dictionary columns. Real-valued columns are kept, so that
        `Discretizer` can bin them.
    """
    path = checked_path("read_frame", "path", path)
    kind = file_kind(path)
    if is_bene(path):
        raise bad_argument("read_frame", "path", str(path), "a text or Arrow file", "Use read_table for bene's files.")
    refuse_lost_threads("read_table")
    limit = resolve_memory_limit("read_table", memory_limit)
    data = read_file("read_table", "source", path, limit)
    if kind.startswith(".csv"):
        return _read_text(path, data, ",", limit)
    if kind.startswith(".tsv"):
        return _read_text(path, data, "\t", limit)
    return read_arrow(path, data, limit, parquet=kind == ".parquet")


def _read_text(path: Path, data: bytes, separator: str, limit: float) -> pl.DataFrame:
    cells = split_cells(path, checked_text(path, data), separator, limit)
    names = [(name or "").strip() for name in cells.row(0)]
    _check_header(path, names, separator)
    # Typed before they are named: Polars expressions treat a column name such as ^a$ as a pattern.
    columns = [typed(column) for column in cells.slice(1).iter_columns()]
    return pl.DataFrame([column.alias(name) for column, name in zip(columns, names, strict=True)])


def _check_header(path: Path, names: list[str], separator: str) -> None:
    if "" in names:
        problem = "the header has no name here; if the column holds row numbers, save the file without them"
        raise FileFormatError(path, problem, line=1, column=names.index("") + 1)
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        place = len(names) - names[::-1].index(repeated[0])
        problem = f"the header repeats {repeated[0]!r}; column names must differ (or is there no header?)"
        raise FileFormatError(path, problem, line=1, column=place)
    other = next((mark for mark in ";\t|," if mark in names[0]), None)
    if len(names) == 1 and other is not None:
        problem = (
            f"the header is one column with {other!r} in its name, so the cells seem not to be separated by "
            f"{separator!r}; read it with polars.read_csv(path, separator={other!r}) and pass the frame"
        )
        raise FileFormatError(path, problem, line=1)
