"""Text files as data frames: decoded, split into cells, with numbers where all cells of a column are numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.data.decimal_sign import decimal_sign
from qnml.data.delimited import checked_text, split_cells
from qnml.data.header_names import column_names, data_note
from qnml.data.opened_file import OpenedFile
from qnml.data.separators import guessed_separator, separators_in, single_blanks
from qnml.data.text_encoding import as_utf8
from qnml.data.thousands import ExaminedColumn
from qnml.data.words import MISSING_WORDS, converted, examined

if TYPE_CHECKING:
    from pathlib import Path

    from qnml.data.file_options import FileOptions

__all__ = ["read_text"]

_NAMES = {"\t": "tab", " ": "blanks"}


def read_text(
    path: str | Path,
    data: bytes,
    usual: str | None,
    options: FileOptions,
    limit: float,
    *,
    name_unnamed: bool = False,
) -> OpenedFile:
    """Read a text file as a data frame.

    Parameters
    ----------
    path : the file, for errors.
    data : its content.
    usual : the separator that the name of the file promises, or None.
    options : how to read it.
    limit : maximum memory in bytes for reading it.
    name_unnamed : as for `qnml.data.header_names.column_names`.
    """
    data, decoding = as_utf8(path, data, options.encoding, limit)
    data = checked_text(path, data)
    separator, advice = options.separator, ""
    if separator is None:
        separator = guessed_separator(path, data, usual, limit, decimal=options.decimal, header=options.header)
        advice = f"; if the separator is not {_named(separator)}, give separator="
    if separator == " ":
        data = single_blanks(data)
    cells = split_cells(path, data, separator, limit, advice)
    header = column_names(path, cells.row(0) if options.header else cells.width, name_unnamed=name_unnamed)
    missing = MISSING_WORDS if options.missing_words is None else options.missing_words
    columns = [
        ExaminedColumn(name, *examined(column, missing))
        for name, column in zip(header.names, cells.slice(1 if options.header else 0).iter_columns(), strict=True)
    ]
    sign = decimal_sign(columns, separator, options.decimal)
    # Typed before they are named: Polars expressions treat a column name such as ^a$ as a pattern.
    frame = pl.DataFrame(
        [converted(column.cells, column.kind, sign.sign).alias(column.name) for column in sign.columns]
    )
    guesses, doubts = [], []
    if options.separator is None and separator != usual:
        guesses.append("one column" if cells.width == 1 else f"separator {_named(separator)}")
    if sign.is_guess:
        guesses.append("decimal comma")
    if options.separator is not None and cells.width == 1 and (others := separators_in(data) - {separator}):
        listed = " or ".join(map(_named, sorted(others)))
        doubts.append(f"Read as one column: the first line has no {_named(separator)}. Is the separator {listed}?")
    if options.header:
        doubts += data_note(header.names, [column.cells for column in columns])
    read = f"Read with {' and '.join(guesses)}." if guesses else None
    notes = [note for note in (decoding, read, *doubts, *sign.notes, *header.notes) if note is not None]
    return OpenedFile(frame, tuple(notes), header.unnamed)


def _named(separator: str) -> str:
    return _NAMES.get(separator, repr(separator))
