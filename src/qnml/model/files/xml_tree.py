"""XML for the formats based on it: a small tree that knows the position of every element, and safe text.

The parser is expat. Anything that lets a small file expand or access other resources is refused: entity declarations,
references to entities that are not predefined, deep nesting. External document types are not fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from qnml.errors import FileFormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.model.files.reading import Reading

__all__ = ["XmlElement", "attribute_text", "comment_lines", "content_text", "parse_xml", "xml_text"]

_DEEPEST = 64
_BYTES_PER_TAG = 256  # an element: the object, its lists and its attributes; most also have an end tag
_MOST_PIECES = 4096
_PASSED_ON = 1 << 20
_CAPITAL_DECLARATION = re.compile(r"\s*<\?((?i:xml))\s[^<>]*?\?>")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTENT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_ATTRIBUTE = {**_CONTENT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


@dataclass(eq=False, slots=True)
class _Run:
    """Text without a break in the file: where it begins, and where it ends so far."""

    line: int
    column: int
    end_line: int
    end_column: int
    joined: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.joined + self.pieces)

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        if newlines := piece.count("\n"):
            self.end_line += newlines
            self.end_column = len(piece) - piece.rfind("\n")
        else:
            self.end_column += len(piece)
        # A line comes in two pieces, each of which takes more memory than its text.
        if len(self.pieces) >= _MOST_PIECES:
            self.joined.append("".join(self.pieces))
            self.pieces.clear()


@dataclass(eq=False, slots=True)
class XmlElement:
    """An element: its tag, attributes, child elements and text, and where it begins (counted from 1)."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[XmlElement] = field(default_factory=list)
    runs: list[_Run] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, verbatim."""
        return "".join([run.text for run in self.runs])

    def add_text(self, line: int, column: int, piece: str) -> None:
        """Add a piece of text that begins at the given position."""
        if not self.runs or (line, column) != (self.runs[-1].end_line, self.runs[-1].end_column):
            self.runs.append(_Run(line, column, line, column))
        self.runs[-1].add(piece)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of the text."""
        for run in self.runs:
            text = run.text
            if offset < len(text):
                newlines = text.count("\n", 0, offset)
                shift = offset - text.rfind("\n", 0, offset) if newlines else run.column + offset
                return run.line + newlines, shift
            offset -= len(text)
        return self.line, self.column

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The child elements with the given tag."""
        return (child for child in self.children if child.tag == tag)


def parse_xml(text: str, reading: Reading, *, upper: bool = False) -> tuple[XmlElement, list[str]]:
    """Parse a document.

    Parameters
    ----------
    text
        The document.
    reading
        The record of this read.
    upper
        Convert all tags, and all attributes but those of XML itself, to upper case.

    Returns
    -------
    root, comments
        The root element, and the comments line by line.
    """
    reading.hold_text(text, "<", _BYTES_PER_TAG)
    return _TreeBuilder(reading.source, upper).build(_with_proper_declaration(text, reading))


def _with_proper_declaration(text: str, reading: Reading) -> str:
    declared = _CAPITAL_DECLARATION.match(text)
    if declared is None or declared[1] == "xml":
        return text
    reading.mend(f"<?{declared[1]} …?> is not how XML is declared", "it was read as <?xml …?>", line=lambda: 1)
    return " " * declared.end() + text[declared.end() :]


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
            for start in range(0, len(text), _PASSED_ON):
                # Lone surrogates are passed to the parser, which refuses them and reports their position.
                piece = text[start : start + _PASSED_ON].encode("utf-8", "surrogatepass")
                self._parser.Parse(piece, False)
            self._parser.Parse(b"", True)
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
        if self._upper:
            tag = tag.upper()
            attributes = {key if key.startswith("xml:") else key.upper(): value for key, value in attributes.items()}
        element = XmlElement(tag, attributes, line, column)
        if self._stack:
            self._stack[-1].children.append(element)
        else:
            self._root = element
        self._stack.append(element)

    def _end(self, _: str) -> None:
        self._stack.pop()

    def _characters(self, piece: str) -> None:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        self._stack[-1].add_text(line, column, piece)

    def _comment(self, text: str) -> None:
        self._comments.extend(line.strip() for line in text.splitlines() if line.strip())

    def _refuse_entity(self, name: str, *_: object) -> NoReturn:
        self._fail(f"the entity {name[:40]!r}: entities other than the predefined ones are not supported")


def content_text(text: str) -> str:
    """Escape a text for use between tags."""
    return re.sub("[&<>\r]", lambda sign: _CONTENT[sign[0]], _checked(text))


def attribute_text(text: str) -> str:
    """Escape a text for use in a quoted attribute."""
    return re.sub('[&<>\r\n\t"]', lambda sign: _ATTRIBUTE[sign[0]], _checked(text))


def comment_lines(lines: list[str]) -> Iterator[str]:
    """Write comments; two hyphens, which XML does not allow inside, get a blank between them."""
    for text in lines:
        for line in text.splitlines():
            if line.strip():
                plain = _ILLEGAL.sub("\ufffd", line.strip())
                yield f"<!-- {re.sub('-(?=-)', '- ', plain)}{' ' if plain.endswith('-') else ''} -->\n"


def xml_text(element: XmlElement) -> str:
    """Write an element with its contents, on one line."""
    attributes = "".join(f' {key}="{attribute_text(value)}"' for key, value in element.attributes.items())
    inside = content_text(element.text.strip()) + "".join(map(xml_text, element.children))
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes} />"


def _checked(text: str) -> str:
    illegal = _ILLEGAL.search(text)
    if illegal:
        raise InputError(
            f"write_network(net): XML cannot represent the character {illegal[0]!r} of {text[:40]!r}. "
            "Rename, or write another format: .json holds everything."
        )
    return text
