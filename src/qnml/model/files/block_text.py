"""The block languages NET and DSC: words, quoted texts, attributes that end in a semicolon, comments.

Quoted text follows C: a backslash precedes a quote, a backslash, or an ``n`` that stands for a new line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from qnml.errors import FileFormatError
from qnml.model.files.assemble import line_and_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.model.files.reading import Reading

__all__ = ["Attribute", "BlockScanner", "quoted", "simple_attributes", "unquoted"]

_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_QUOTED_OR_REST = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_WORD = r'[^\s{}()\[\],;|=:"]++'
_NAME = re.compile(rf"{_QUOTED}|{_WORD}", re.DOTALL)
# Inside a list a word may have more characters: pyAgrum writes states such as >=7.5 without quotes.
_ENTRY = re.compile(rf"{_QUOTED}|[^\s{{}}()\[\],\"]++", re.DOTALL)
_SPACE = re.compile(r"\s*+")
_ATTRIBUTE = re.compile(
    rf'({_WORD})\s*+(?:[=:]|is\b)\s*+((?:{_QUOTED}|\{{(?:{_QUOTED}|[^{{}}"])*+\}}|[^;"{{}}])*+);', re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BYTES_PER_BLOCK = 1024  # the objects, dictionaries and arrays made from a block in braces
_SIMPLE = re.compile(rf"([A-Za-z]\w*+) = ({_QUOTED}|[\w.+\-]++|\((?:{_QUOTED}|[\w.+\-]++|[()\s])*+)", re.DOTALL)


def quoted(text: str) -> str:
    """Put a text in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def unquoted(text: str) -> str:
    """The text inside quotes; a text without quotes is returned unchanged."""
    if not text.startswith('"'):
        return text
    return _ESCAPED.sub(lambda sign: "\n" if sign[1] == "n" else sign[1], text[1:-1])


def simple_attributes(
    given: Sequence[str], reserved: Sequence[str]
) -> Iterator[tuple[str, str, str] | tuple[None, None, str]]:
    """For each annotation, the key and value by which it can be written, or None if it is free text.

    Parameters
    ----------
    given
        Annotations.
    reserved
        Keys that have a meaning in the format.
    """
    taken = set(reserved)
    for text in given:
        match = _SIMPLE.fullmatch(text)
        if match is None or match[1] in taken or not _is_balanced(match[2]):
            yield None, None, text
        else:
            taken.add(match[1])
            yield match[1], match[2], text


def _is_balanced(value: str) -> bool:
    """Whether a value is not a list, or is a single list with nothing after it."""
    bare = re.sub(_QUOTED, "", value, flags=re.DOTALL)
    depth = 0
    for place, sign in enumerate(bare):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and depth <= 0:
            return depth == 0 and place == len(bare) - 1
    return depth == 0


@dataclass(frozen=True)
class Attribute:
    """An attribute of a block: its key, its value verbatim, and where both begin."""

    key: str
    value: str
    offset: int
    value_offset: int


class BlockScanner:
    """A text read piece by piece; comments are first collected and then blanked out.

    Parameters
    ----------
    text
        The content of a file.
    reading
        The record of this read.
    comment
        A regular expression for comments.
    marks
        Every comment contains one of these; a text without them is not searched for comments.
    """

    def __init__(self, text: str, reading: Reading, comment: str, marks: Sequence[str]) -> None:
        reading.hold_text(text, "{", _BYTES_PER_BLOCK)
        self.reading = reading
        self.comments: list[tuple[int, str]] = []
        self.text = text
        if any(mark in text for mark in marks):
            # Unterminated text is matched to the end: searching for its end again and again would take quadratic time.
            self.text = re.sub(rf"{_QUOTED_OR_REST}|({comment}|/\*.*+)", self._blanked, text, flags=re.DOTALL)
        self.at = 0
        self.skip_space()

    def _blanked(self, found: re.Match[str]) -> str:
        if found[1] is None:
            if len(found[0]) < 2 or not re.fullmatch(_QUOTED, found[0], re.DOTALL):
                self.fail("a quoted text begins here and does not end", found.start())
            return found[0]
        if found[1].startswith("/*") and not (len(found[1]) > 3 and found[1].endswith("*/")):
            self.fail("a comment begins here and does not end", found.start())
        self.comments.append((found.start(), found[1]))
        return re.sub(r"[^\n]", " ", found[0])

    def skip_space(self) -> None:
        """Go to the next character that is not blank."""
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()

    @property
    def is_at_end(self) -> bool:
        """Whether the text is exhausted."""
        return self.at >= len(self.text)

    def sees(self, sign: str) -> bool:
        """Whether a sign comes next."""
        return self.text.startswith(sign, self.at)

    def take_sign(self, sign: str) -> None:
        """Skip a sign that must come next."""
        if not self.sees(sign):
            self.fail_expecting(repr(sign))
        self.at += len(sign)
        self.skip_space()

    def take_name(self, what: str) -> str:
        """Skip a word or a quoted text that must come next, and return it."""
        match = _NAME.match(self.text, self.at)
        if match is None:
            self.fail_expecting(what)
        self.at = match.end()
        self.skip_space()
        return unquoted(match[0])

    def attributes(self) -> Iterator[Attribute]:
        """Iterate over a block ``{ key = value; … }`` that must come next."""
        self.take_sign("{")
        while not self.sees("}"):
            match = _ATTRIBUTE.match(self.text, self.at)
            if match is None:
                self.fail_expecting("an attribute 'name = value;' or '}'")
            self.at = match.end()
            self.skip_space()
            yield Attribute(match[1], match[2].strip(), match.start(), match.start(2))
        self.take_sign("}")

    def names_in(self, attribute: Attribute, brackets: str) -> list[tuple[str, int]]:
        """The words and quoted texts of a bracketed list, each with its position."""
        start = attribute.value_offset
        first, last = brackets[0], brackets[1]
        value = attribute.value
        if not (value.startswith(first) and value.endswith(last)):
            self.fail(f"expected a list in {first}{last} as the value of {attribute.key!r}", start)
        found: list[tuple[str, int]] = []
        at = 1
        for match in _ENTRY.finditer(value, 1, len(value) - 1):
            if value[at : match.start()].strip(" \t\r\n,"):
                self.fail(f"expected a name in the value of {attribute.key!r}", start + at)
            found.append((unquoted(match[0]), start + match.start()))
            at = match.end()
        if value[at:-1].strip(" \t\r\n,"):
            self.fail(f"expected a name in the value of {attribute.key!r}", start + at)
        return found

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character."""
        return line_and_column(self.text, offset)

    def line(self, offset: int) -> int:
        """The line of a character."""
        return self.place(offset)[0]

    def fail(self, problem: str, offset: int) -> NoReturn:
        """Raise an error that points at a character."""
        raise FileFormatError(self.reading.source, problem, *self.place(offset))

    def fail_expecting(self, expected: str) -> NoReturn:
        """Raise an error about the text that comes next."""
        match = _NAME.match(self.text, self.at)
        found = "the end of the file" if self.is_at_end else repr((match[0] if match else self.text[self.at])[:40])
        self.fail(f"expected {expected} and found {found}", self.at)
