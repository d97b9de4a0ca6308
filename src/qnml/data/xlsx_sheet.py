"""The cells of one sheet of an ``.xlsx`` file, by columns.

Only cells with a value are kept, so that empty ones between them take no memory.
"""

from __future__ import annotations

import math
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from qnml.data.reading_cost import check_cost
from qnml.data.xlsx_dates import moment
from qnml.data.xlsx_workbook import joined_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.data.xlsx_package import XlsxPackage
    from qnml.data.xlsx_workbook import Workbook

__all__ = ["SheetColumn", "read_sheet"]

_MOST_ROWS, _MOST_COLUMNS = 2**20, 2**14
_CELLS_BETWEEN_CHECKS = 10_000
_FLAGS = {"1": True, "0": False, "true": True, "false": False}


class SheetColumn(NamedTuple):
    """The cells of a column that have a value, and their rows, counted from 1."""

    rows: list[int]
    cells: list[Any]


def read_sheet(package: XlsxPackage, book: Workbook, part: str) -> dict[int, SheetColumn]:
    """Read the cells of a sheet.

    Parameters
    ----------
    package : the file.
    book : what its cells refer to.
    part : the part that has the cells.

    Returns
    -------
    dict
        For each column that is not empty, by its number counted from 1: text, numbers, booleans, dates, times and
        durations.
    """
    reader = _CellReader(package, book)
    package.parse(part, reader)
    return dict(sorted(reader.columns.items()))


class _CellReader:
    def __init__(self, package: XlsxPackage, book: Workbook) -> None:
        self.columns: dict[int, SheetColumn] = {}
        self._package, self._book = package, book
        self._row = self._column = self._count = self._letters = 0
        self._type = self._format = ""
        self._is_cell = self._is_value = self._is_pronunciation = False
        self._pieces: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if name == "c":
            self._column = _column_number(attributes.get("r", "")) or self._column + 1
            self._type, self._format = attributes.get("t", "n"), attributes.get("s", "")
            self._is_cell, self._pieces = True, []
        elif name in ("v", "t"):
            self._is_value = self._is_cell and not self._is_pronunciation
        elif name == "row":
            self._begin_row(attributes.get("r", ""))
        elif name == "rPh":
            self._is_pronunciation = True

    def end(self, name: str) -> None:
        """An element ends."""
        self._is_value = False
        if name == "c":
            self._is_cell = False
            if self._pieces:
                self._add(joined_text(self._pieces))
        elif name == "rPh":
            self._is_pronunciation = False

    def text(self, text: str) -> None:
        """A piece of text."""
        if self._is_value:
            self._pieces.append(text)
            self._letters += len(text)

    def _begin_row(self, number: str) -> None:
        before = self._row
        self._row = int(number) if number.isdecimal() and len(number) < 10 else 0 if number else before + 1
        if not before < self._row <= _MOST_ROWS:
            raise self._package.damage(f"row {number or self._row} follows row {before}")
        self._column = 0

    def _add(self, text: str) -> None:
        if not self._row or not 1 <= self._column <= _MOST_COLUMNS:
            raise self._package.damage(f"row {self._row} has a cell in column {self._column}")
        column = self.columns.get(self._column)
        if column is None:
            column = self.columns[self._column] = SheetColumn([], [])
        elif column.rows[-1] == self._row:
            raise self._package.damage(f"row {self._row} has two cells in column {self._column}")
        column.rows.append(self._row)
        column.cells.append(self._value(text))
        self._count += 1
        if self._count % _CELLS_BETWEEN_CHECKS == 0:
            package = self._package
            check_cost(
                package.path, self._count, len(self.columns), self._letters, package.limit - package.held, slow=True
            )

    def _value(self, text: str) -> Any:
        try:
            if self._type == "n":
                return self._number(float(text))
            if self._type == "s":
                return self._book.texts[_whole_number(text)]
            if self._type == "b":
                return _FLAGS[text]
            return datetime.fromisoformat(text.removesuffix("Z")) if self._type == "d" else text
        except (ValueError, LookupError):
            where = f"row {self._row}, column {self._column}"
            raise self._package.damage(f"the cell in {where} cannot be {text!r}") from None

    def _number(self, number: float) -> Any:
        if not math.isfinite(number):
            raise ValueError
        book, style = self._book, self._format
        if style in book.date_formats or style in book.duration_formats:
            return moment(number, is_duration=style in book.duration_formats, from_1904=book.has_1904_dates)
        return number


def _whole_number(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


@lru_cache(maxsize=1 << 16)
def _letters_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _column_number(place: str) -> int:
    """The column of a place such as ``AB12``, counted from 1; 0 if the place is empty, −1 if it is none."""
    letters = place.rstrip("0123456789")
    if not letters.isascii() or not letters.isalpha() or len(letters) > 3:
        return -1 if place else 0
    return _letters_number(letters)
