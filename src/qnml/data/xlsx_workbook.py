"""What an ``.xlsx`` file says about its sheets: their names and places, shared texts, and which formats are dates."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from qnml.data.xlsx_dates import is_date_format, is_duration_format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.data.xlsx_package import XlsxPackage

__all__ = ["SheetEntry", "Workbook", "joined_text", "read_workbook"]

_BYTES_PER_TEXT = 100
_BYTES_PER_LETTER = 5  # a letter takes up to four bytes, and one in the file
_BYTES_PER_ENTRY = 500
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


class SheetEntry(NamedTuple):
    """A sheet: its name, the part that has its cells, and whether it is shown."""

    name: str
    part: str
    is_visible: bool


@dataclass
class Workbook:
    """What the cells of all sheets refer to.

    Attributes
    ----------
    sheets : the sheets that have cells, in order.
    texts : the shared texts, by number.
    date_formats, duration_formats : numbers of the cell formats that show dates and times, or durations.
    has_1904_dates : whether days are counted from 1904.
    """

    sheets: list[SheetEntry] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    date_formats: set[str] = field(default_factory=set)
    duration_formats: set[str] = field(default_factory=set)
    has_1904_dates: bool = False


def read_workbook(package: XlsxPackage) -> Workbook:
    """Read everything but the cells."""
    main = next((link.part for link in _links(package, "") if link.kind == "officeDocument"), "xl/workbook.xml")
    links = _links(package, main)
    parts = {link.id: link.part for link in links if link.kind == "worksheet"}
    book = Workbook()
    package.parse(main, _BookHandler(package, book, parts))
    for link in links:
        if link.kind == "sharedStrings" and link.part in package:
            package.parse(link.part, _TextHandler(package, book.texts))
        if link.kind == "styles" and link.part in package:
            package.parse(link.part, _FormatHandler(package, book))
    return book


def joined_text(pieces: list[str]) -> str:
    """The text of a cell from its pieces, with the letters that XML cannot hold."""
    text = "".join(pieces)
    return _ESCAPE.sub(_unescaped, text) if "_x" in text else text


def _unescaped(found: re.Match[str]) -> str:
    letter = chr(int(found[1], 16))
    return found[0] if "\ud800" <= letter <= "\udfff" else letter


class _Link(NamedTuple):
    id: str
    kind: str
    part: str


class _Handler:
    """A handler that looks at nothing; what follows looks at some elements."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """A piece of text."""


class _LinkHandler(_Handler):
    def __init__(self, package: XlsxPackage, folder: str) -> None:
        self.links: list[_Link] = []
        self._package, self._folder = package, folder

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            part = posixpath.normpath(posixpath.join("/", self._folder, attributes.get("Target", "")))[1:]
            self.links.append(_Link(attributes.get("Id", ""), attributes.get("Type", "").rpartition("/")[2], part))
            self._package.hold(_BYTES_PER_ENTRY)


def _links(package: XlsxPackage, part: str) -> list[_Link]:
    """What a part refers to; the whole file if it is empty."""
    folder, name = posixpath.split(part)
    handler = _LinkHandler(package, folder)
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    if place in package:
        package.parse(place, handler)
    return handler.links


class _BookHandler(_Handler):
    def __init__(self, package: XlsxPackage, book: Workbook, parts: Mapping[str, str]) -> None:
        self._package, self._book, self._parts = package, book, parts

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "workbookPr":
            self._book.has_1904_dates = attributes.get("date1904") in ("1", "true")
        elif name == "sheet":
            link = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            if link in self._parts:  # others are charts
                is_visible = attributes.get("state", "visible") == "visible"
                self._book.sheets.append(SheetEntry(attributes.get("name", ""), self._parts[link], is_visible))
                self._package.hold(_BYTES_PER_ENTRY)


class _TextHandler(_Handler):
    """Shared texts: the pieces of an entry, without the pronunciation of Japanese words."""

    def __init__(self, package: XlsxPackage, texts: list[str]) -> None:
        self._package, self._texts = package, texts
        self._pieces: list[str] = []
        self._is_text = self._is_pronunciation = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._is_pronunciation = True
        self._is_text = name == "t" and not self._is_pronunciation

    def end(self, name: str) -> None:
        self._is_text = False
        if name == "rPh":
            self._is_pronunciation = False
        elif name == "si":
            self._texts.append(joined_text(self._pieces))
            self._package.hold(_BYTES_PER_TEXT)

    def text(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)
            self._package.hold(_BYTES_PER_LETTER * len(text))


class _FormatHandler(_Handler):
    def __init__(self, package: XlsxPackage, book: Workbook) -> None:
        self._package, self._book = package, book
        self._codes: dict[str, str] = {}
        self._is_cell_format, self._count = False, 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            self._codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
            self._package.hold(_BYTES_PER_ENTRY + _BYTES_PER_LETTER * len(attributes.get("formatCode", "")))
        elif name == "cellXfs":
            self._is_cell_format = True
        elif name == "xf" and self._is_cell_format:
            number = attributes.get("numFmtId", "0")
            code = self._codes.get(number)
            if is_duration_format(number, code):
                self._book.duration_formats.add(str(self._count))
            elif is_date_format(number, code):
                self._book.date_formats.add(str(self._count))
            self._count += 1
            self._package.hold(_BYTES_PER_ENTRY)

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._is_cell_format = False
