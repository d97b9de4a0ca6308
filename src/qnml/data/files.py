"""Reading files as data frames.

Text files (``.csv``, ``.tsv``, ``.tab``, ``.txt``, ``.dat``, ``.data``; each also with ``.gz``) are UTF-8, or UTF-16
with a byte-order mark, or what ``encoding`` says, with one header line. Quotes and CRLF are supported.
Separator and decimal sign are guessed from the whole file unless they are given (`qnml.data.separators`,
`qnml.data.decimal_sign`). White space around a cell is removed. A cell that is empty or one of
`qnml.data.MISSING_WORDS` is missing; ``missing_words`` replaces these words. A column holds integers, or real numbers,
only if every cell in the file does. Otherwise, or if a number is written with leading zeros (``007`` is a code, not
seven), it is text.

Excel files (``.xlsx``, ``.xlsm``): see `qnml.data.excel_files`. Arrow files (``.parquet``, ``.feather``, ``.arrow``,
``.ipc``) declare their own types: see `qnml.data.arrow_files`.
"""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from qnml._checks import checked_path
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file, read_stream
from qnml.data.arrow_files import read_arrow
from qnml.data.file_objects import content_kind, file_object_name, is_file_object
from qnml.data.file_options import FileOptions, FileType
from qnml.data.forks import refuse_lost_threads
from qnml.data.opened_file import OpenedFile
from qnml.data.paths import EXCEL_KINDS, TEXT_KINDS, file_kind, is_bene
from qnml.data.text_files import read_text
from qnml.errors import ReadingWarning, bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["open_file", "read_frame", "read_with_warnings"]

_CALL = "read_table"
_TEXT = FileType("a text file", frozenset({"separator", "decimal", "missing_words", "encoding", "header"}))
_EXCEL = FileType("an Excel file", frozenset({"decimal", "missing_words", "sheet", "header"}))
_ARROW = FileType("a Parquet or Arrow file")


def read_frame(
    path: str | Path | Any,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    missing_words: Iterable[str] | None = None,
    sheet: str | int | None = None,
    encoding: str | None = None,
    header: bool = True,
    memory_limit: float | None = None,
) -> Any:
    """Read a text, Excel or Arrow file as a data frame, following the rules at the top of this module.

    Parameters
    ----------
    path
        The file, or an open file.
    separator, decimal, missing_words, sheet, encoding, header, memory_limit
        As for `read_table`.

    Returns
    -------
    polars.DataFrame
        Or a ``pyarrow.Table`` if the file has dictionary columns. Real-valued columns are kept, so that
        `Discretizer` can bin them.

    Warns
    -----
    ReadingWarning
        If something about the file was guessed.
    """
    options = FileOptions(separator, decimal, missing_words, sheet, encoding, header)
    return read_with_warnings(path, options, memory_limit).frame


def open_file(
    source: Any, options: FileOptions | None = None, memory_limit: float | None = None, *, name_unnamed: bool = False
) -> OpenedFile:
    """Read a text, Excel or Arrow file as a data frame, with notes on what was guessed.

    Parameters
    ----------
    source
        The file, or an open file.
    options
        How to read it.
    memory_limit
        As for `read_table`.
    name_unnamed
        Whether to name columns without a name ``column 1``, ``column 2``, … by their positions; otherwise they are an
        error.
    """
    options = options or FileOptions()
    refuse_lost_threads(_CALL)
    if is_file_object(source):
        name: Any = file_object_name(source)
        limit = resolve_memory_limit(_CALL, memory_limit)
        data = read_stream(_CALL, "source", source, name, limit)
        kind = content_kind(data)
        options.check_fit(name, _type_of(kind))
    else:
        name = checked_path("read_frame", "path", source)
        kind = file_kind(name)
        if is_bene(name):
            allowed = "a text, Excel or Arrow file"
            raise bad_argument("read_frame", "path", str(name), allowed, "Use read_table for bene's files.")
        options.check_fit(f"'{name}'", _type_of(kind))
        limit = resolve_memory_limit(_CALL, memory_limit)
        data = read_file(_CALL, "source", name, limit)
    if kind is None or kind in TEXT_KINDS:
        usual = None if kind is None else TEXT_KINDS[kind]
        return read_text(name, data, usual, options, limit, name_unnamed=name_unnamed)
    if kind in EXCEL_KINDS:
        from qnml.data.excel_files import read_excel

        return read_excel(name, data, options, limit, name_unnamed=name_unnamed)
    return OpenedFile(read_arrow(name, data, limit, parquet=kind == ".parquet"))


def read_with_warnings(
    source: Any, options: FileOptions, memory_limit: float | None, *, name_unnamed: bool = False
) -> OpenedFile:
    """Do the same as `open_file`; the notes also become warnings, which blame the first caller outside the package."""
    opened = open_file(source, options, memory_limit, name_unnamed=name_unnamed)
    name = file_object_name(source) if is_file_object(source) else source
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("qnml."):
        level, frame = level + 1, frame.f_back
    for note in opened.notes:
        warnings.warn(f"{name}: {note}", ReadingWarning, stacklevel=level)
    return opened


def _type_of(kind: str | None) -> FileType:
    if kind is None or kind in TEXT_KINDS:
        return _TEXT
    return _EXCEL if kind in EXCEL_KINDS else _ARROW
