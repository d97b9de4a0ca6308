"""Excel files as data frames.

The first row that is not empty is the header; empty rows and columns are skipped. A formula counts as the value that
the spreadsheet program stored with it, and as a missing cell if it stored none. Numbers, dates, times and booleans keep
their types where all cells of a column have the same. Text follows the rules for text files: white space around it is
removed, words for missing cells are missing, and a column of numbers written as text is a column of numbers. A column
of mixed types is text.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import polars as pl

from qnml.data.decimal_sign import decimal_sign
from qnml.data.header_names import column_names
from qnml.data.opened_file import OpenedFile
from qnml.data.reading_cost import check_cost
from qnml.data.thousands import ExaminedColumn
from qnml.data.words import MISSING_WORDS, converted, examined, stripped
from qnml.data.xlsx_package import XlsxPackage
from qnml.data.xlsx_sheet import read_sheet
from qnml.data.xlsx_workbook import read_workbook
from qnml.errors import FileFormatError, TooLargeError, shown, unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from qnml.data.file_options import FileOptions
    from qnml.data.xlsx_sheet import SheetColumn
    from qnml.data.xlsx_workbook import SheetEntry

__all__ = ["read_excel"]

_LARGEST_WHOLE = 2**53  # numbers of Excel are doubles
_SINGLE_TYPES: dict[type, Any] = {bool: pl.Boolean, time: pl.Time, timedelta: pl.Duration("us")}
_MOST_SHOWN = 5


def read_excel(
    path: str | Path, data: bytes, options: FileOptions, limit: float, *, name_unnamed: bool = False
) -> OpenedFile:
    """Read one sheet of an Excel file as a data frame.

    Parameters
    ----------
    path : the file, for errors.
    data : its content.
    options : how to read it.
    limit : maximum memory in bytes for reading it.
    name_unnamed : as for `qnml.data.header_names.column_names`.
    """
    try:
        package = XlsxPackage(path, data, limit)
        book = read_workbook(package)
        sheet, sheet_notes = _chosen_sheet(path, book.sheets, options.sheet)
        found = read_sheet(package, book, sheet.part)
    except MemoryError:
        raise TooLargeError(f"read_table(source={shown(str(path))}): memory ran out while it was read.") from None
    if not found:
        raise FileFormatError(path, f"the sheet {shown(sheet.name)} is empty")
    rows = _used_rows(found)
    check_cost(path, len(rows) * len(found), len(found), len(data), limit - package.held, slow=True)
    columns = [_dense(column, rows) for column in found.values()]
    names = [_as_text(column[0]) for column in columns] if options.header else len(columns)
    header = column_names(path, names, rows[0], list(found), name_unnamed=name_unnamed)
    missing = frozenset(("", *(MISSING_WORDS if options.missing_words is None else options.missing_words)))
    typed = [_typed(column[1:] if options.header else column, missing) for column in columns]
    texts = [
        ExaminedColumn(name, *examined(column, missing))
        for name, column in zip(header.names, typed, strict=True)
        if column.dtype == pl.String
    ]
    sign = decimal_sign(texts, "", options.decimal)
    series = dict(zip(header.names, typed, strict=True))
    series |= {column.name: converted(column.cells, column.kind, sign.sign) for column in sign.columns}
    read = ("Read text cells with decimal comma.",) if sign.is_guess else ()
    frame = pl.DataFrame([column.alias(name) for name, column in series.items()])
    return OpenedFile(frame, (*sheet_notes, *read, *sign.notes, *header.notes), header.unnamed)


def _chosen_sheet(
    path: str | Path, sheets: Sequence[SheetEntry], wanted: str | int | None
) -> tuple[SheetEntry, tuple[str, ...]]:
    names = [sheet.name for sheet in sheets]
    if not names:
        raise FileFormatError(path, "the file has no sheet with cells")
    if wanted is None:
        place = next((place for place, sheet in enumerate(sheets) if sheet.is_visible), 0)
        others = [shown(name) for name in names[:place] + names[place + 1 :]]
        listed = ", ".join(others[:_MOST_SHOWN]) + (" …" if len(others) > _MOST_SHOWN else "")
        note = f"Read sheet {shown(names[place])}; sheet= chooses another: {listed}."
        return sheets[place], (note,) if others else ()
    if wanted in names:
        return sheets[names.index(str(wanted))], ()
    number = int(wanted) if isinstance(wanted, int) or wanted.isdecimal() else 0
    if not 1 <= number <= len(names):
        raise unknown_name("read_table", "sheet", wanted, names)
    return sheets[number - 1], ()


def _used_rows(columns: Mapping[int, SheetColumn]) -> Sequence[int]:
    """The numbers of the rows; where there is only one column, empty ones between them are missing cells."""
    rows = sorted(set().union(*(column.rows for column in columns.values())))
    return rows if len(columns) > 1 else range(rows[0], rows[-1] + 1)


def _dense(column: SheetColumn, rows: Sequence[int]) -> list[Any]:
    if len(column.rows) == len(rows):
        return column.cells
    cells = dict(zip(column.rows, column.cells, strict=True))
    return [cells.get(row) for row in rows]


def _typed(cells: list[Any], missing: frozenset[str]) -> pl.Series:
    """A column of the type that all its cells have; a text column is returned as it is."""
    cells = [stripped(cell, missing) if isinstance(cell, str) else cell for cell in cells]
    types = {type(cell) for cell in cells if cell is not None}
    if types == {float}:
        return _numbers(cells)
    if types == {datetime}:
        return _dates(cells)
    for kind, dtype in _SINGLE_TYPES.items():
        if types == {kind}:
            return pl.Series("", cells, dtype=dtype)
    return pl.Series("", [_as_text(cell) for cell in cells], dtype=pl.String)


def _numbers(cells: list[Any]) -> pl.Series:
    if all(cell is None or (cell.is_integer() and abs(cell) <= _LARGEST_WHOLE) for cell in cells):
        return pl.Series("", [None if cell is None else int(cell) for cell in cells], dtype=pl.Int64)
    return pl.Series("", cells, dtype=pl.Float64)


def _dates(cells: list[Any]) -> pl.Series:
    series = pl.Series("", cells, dtype=pl.Datetime("us"))
    return series.cast(pl.Date) if all(cell is None or cell.time() == time() for cell in cells) else series


def _as_text(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) <= _LARGEST_WHOLE:
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return str(cell)
