"""XML for the formats that are made of it: a small tree that knows where everything stands, and safe text.

Parsed by expat, with everything refused that lets a small file grow or reach out: entity declarations, references
to entities that are not predefined, deep nesting. External document types are not fetched.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from qnml.errors import FileFormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["XmlElement", "attribute_text", "comment_lines", "content_text", "decode_xml", "parse_xml", "xml_text"]

_DEEPEST = 64
_DECLARED = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")
# Python knows many more, some of which are no encodings of documents.
_USUAL = re.compile(r"(?i:utf-?8|us-ascii|ascii|(iso-8859|windows)-\d+|latin-?1|cp125\d)")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTENT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_ATTRIBUTE = {**_CONTENT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


@dataclass(eq=False)
class XmlElement:
    """An element: its tag, attributes, elements and text inside, and where it begins (counted from 1)."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[XmlElement] = field(default_factory=list)
    # Text comes in pieces, each with its place.
    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, as it stands."""
        return "".join([piece for _, _, piece in self.pieces])

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of the text."""
        for line, column, piece in self.pieces:
            if offset < len(piece):
                newlines = piece.count("\n", 0, offset)
                return (line + newlines, offset - piece.rfind("\n", 0, offset)) if newlines else (line, column + offset)
            offset -= len(piece)
        return self.line, self.column

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The elements directly inside that have a tag."""
        return (child for child in self.children if child.tag == tag)


def parse_xml(text: str, source: str, *, upper: bool = False) -> tuple[XmlElement, list[str]]:
    """Parse a document.

    Parameters
    ----------
    text
        The document.
    source
        The file it came from, for error messages.
    upper
        Take all tags in upper case.

    Returns
    -------
    root, comments
        The outermost element, and the comments line by line.
    """
    return _TreeBuilder(source, upper).build(text)


class _TreeBuilder:
    def __init__(self, source: str, upper: bool) -> None:
        self._source = source
        self._upper = upper
        self._root: XmlElement | None = None
        self._stack: list[XmlElement] = []
        self._comments: list[str] = []
        # The text is passed on as UTF-8, whatever its declaration says.
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity

    def build(self, text: str) -> tuple[XmlElement, list[str]]:
        try:
            # Lone surrogates go through to the parser, which refuses them with their place.
            self._parser.Parse(text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            problem = f"not well-formed XML: {expat.ErrorString(error.code)}"
            raise FileFormatError(self._source, problem, error.lineno, error.offset + 1) from error
        assert self._root is not None
        return self._root, self._comments

    def _fail(self, problem: str) -> NoReturn:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        raise FileFormatError(self._source, problem, line, column)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._stack) >= _DEEPEST:
            self._fail(f"elements are nested more than {_DEEPEST} deep")
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        element = XmlElement(tag.upper() if self._upper else tag, attributes, line, column)
        if self._stack:
            self._stack[-1].children.append(element)
        else:
            self._root = element
        self._stack.append(element)

    def _end(self, _: str) -> None:
        self._stack.pop()

    def _characters(self, piece: str) -> None:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        self._stack[-1].pieces.append((line, column, piece))

    def _comment(self, text: str) -> None:
        self._comments.extend(line.strip() for line in text.splitlines() if line.strip())

    def _refuse_entity(self, name: str, *_: object) -> NoReturn:
        self._fail(f"the entity {name[:40]!r}: entities other than the predefined ones are not supported")


def decode_xml(content: bytes) -> str:
    """Decode by the byte order mark or the encoding the document declares; UTF-8 otherwise.

    Raises
    ------
    UnicodeDecodeError, LookupError
        The bytes are not in that encoding, or it is not known.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding)
    declared = _DECLARED.match(content[:300].lstrip())
    encoding = declared[1].decode("ascii") if declared else "utf-8"
    if not _USUAL.fullmatch(encoding):
        raise LookupError(f"unknown encoding: {encoding}")
    return content.decode(encoding)


def content_text(text: str) -> str:
    """Write a text between tags."""
    return re.sub("[&<>\r]", lambda sign: _CONTENT[sign[0]], _checked(text))


def attribute_text(text: str) -> str:
    """Write a text inside a quoted attribute."""
    return re.sub('[&<>\r\n\t"]', lambda sign: _ATTRIBUTE[sign[0]], _checked(text))


def comment_lines(lines: list[str]) -> Iterator[str]:
    """Write comments; two hyphens, which XML does not take inside, get a blank between them."""
    for text in lines:
        for line in text.splitlines():
            if line.strip():
                plain = _ILLEGAL.sub("\ufffd", line.strip())
                yield f"<!-- {re.sub('-(?=-)', '- ', plain)}{' ' if plain.endswith('-') else ''} -->\n"


def xml_text(element: XmlElement) -> str:
    """Write an element with all that is in it, on one line."""
    attributes = "".join(f' {key}="{attribute_text(value)}"' for key, value in element.attributes.items())
    inside = content_text(element.text.strip()) + "".join(map(xml_text, element.children))
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes} />"


def _checked(text: str) -> str:
    illegal = _ILLEGAL.search(text)
    if illegal:
        raise InputError(
            f"write_network(net): XML cannot hold the character {illegal[0]!r} of {text[:40]!r}. "
            "Rename, or write another format: .json holds everything."
        )
    return text
