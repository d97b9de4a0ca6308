"""`FileOptions`: what a file cannot say about itself, checked once and passed to all readers."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, fields
from typing import Any, Final

from qnml._checks import checked_flag, checked_list, checked_text, checked_whole_number
from qnml.errors import InputError, bad_argument, shown

__all__ = ["IN_MEMORY", "SEPARATOR_NAMES", "FileOptions", "FileType"]

_CALL = "read_table"

SEPARATOR_NAMES: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space"}
"""The separators that are guessed, with the words that may be given instead; a space stands for any run of blanks."""

_BY_NAME = {**{name: mark for mark, name in SEPARATOR_NAMES.items()}, "\\t": "\t"}
_DECIMALS = {".": ".", ",": ",", "point": ".", "comma": ","}


@dataclass(frozen=True)
class FileType:
    """A type of source, and which options it takes.

    Attributes
    ----------
    description : with its article, for errors.
    takes : names of the fields of `FileOptions`.
    """

    description: str
    takes: frozenset[str] = frozenset()


IN_MEMORY = FileType("in memory")

_WHAT_HAS = {
    "separator": "only text files have a separator",
    "decimal": "only text and Excel files have cells with a decimal sign",
    "missing_words": "only text and Excel files have words for missing cells",
    "sheet": "only Excel files have sheets",
    "encoding": "only text files have an encoding",
    "header": "only text and Excel files may lack a header",
}


@dataclass(frozen=True)
class FileOptions:
    """How a file is to be read; None leaves it to the reader.

    Attributes
    ----------
    separator : what separates the cells of a text file: one character, where a space stands for any run of blanks, or
        one of the words comma, semicolon, tab, pipe and space. None guesses it from the whole file.
    decimal : the decimal sign of a text file, or of the text cells of an Excel file, ``"."`` or ``","``. None guesses
        it from the whole file.
    missing_words : the words that stand for missing cells, in place of `~qnml.data.MISSING_WORDS`; the empty cell is
        always missing.
    sheet : the sheet of an Excel file: its name, or its number counted from 1. None takes the first.
    encoding : the encoding of a text file, as Python names it. None takes UTF-8, or UTF-16 with a byte-order mark.
    header : whether the first line has the names of the columns; otherwise they are ``X1``, ``X2``, ….
    """

    separator: str | None = None
    decimal: str | None = None
    missing_words: Any = None
    sheet: str | int | None = None
    encoding: str | None = None
    header: bool = True

    def __post_init__(self) -> None:
        """Check the values, and bring them into one form."""
        for name in ("separator", "decimal", "missing_words", "sheet", "encoding"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _CHECKS[name](value))
        object.__setattr__(self, "header", checked_flag(_CALL, "header", self.header))

    @property
    def given(self) -> dict[str, Any]:
        """The options that are not left to the reader."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(_NONE, name)}

    def check_fit(self, source: str, kind: FileType) -> None:
        """Refuse options that this source does not take, naming all of them.

        Parameters
        ----------
        source : the source, for the error.
        kind : its type.
        """
        unfit = {name: value for name, value in self.given.items() if name not in kind.takes}
        if unfit:
            listed = ", ".join(f"{name}={shown(value)}" for name, value in unfit.items())
            reasons = ", ".join(_WHAT_HAS[name] for name in unfit)
            raise InputError(f"{_CALL}({listed}): {reasons}, and {source} is {kind.description}.")


def _separator(value: object) -> str:
    mark = _BY_NAME.get(value, value) if isinstance(value, str) else value
    if not isinstance(mark, str) or len(mark) != 1 or not mark.isascii() or mark.isalnum() or mark in '"\r\n\0':
        words = ", ".join(SEPARATOR_NAMES.values())
        allowed = f"one ASCII character that is no letter, digit or quote, or one of the words {words}"
        raise bad_argument(_CALL, "separator", value, allowed)
    return mark


def _decimal(value: object) -> str:
    if not isinstance(value, str) or value not in _DECIMALS:
        raise bad_argument(_CALL, "decimal", value, "'.' or ','")
    return _DECIMALS[value]


def _missing_words(value: object) -> tuple[str, ...]:
    allowed = "a list of words"
    advice = f"Write [{shown(value)}]." if isinstance(value, str) else ""
    # Cells are compared without the white space around them.
    words = [
        checked_text(_CALL, "missing_words", word, allowed).strip()
        for word in checked_list(_CALL, "missing_words", value, allowed, advice)
    ]
    return tuple(dict.fromkeys(words))


def _sheet(value: object) -> str | int:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, str):
        raise bad_argument(_CALL, "sheet", value, "the name of a sheet, or its number counted from 1")
    return checked_whole_number(_CALL, "sheet", value, 1, or_none=True)


def _encoding(value: object) -> str:
    try:
        found = codecs.lookup(value)  # type: ignore[arg-type]
        if found._is_text_encoding:
            return found.name
    except Exception:  # LookupError, or what a value that is not text, or has a NUL, raises
        pass
    raise bad_argument(_CALL, "encoding", value, "the name of an encoding, such as 'utf-8', 'cp1252' or 'latin-1'")


_CHECKS = {
    "separator": _separator,
    "decimal": _decimal,
    "missing_words": _missing_words,
    "sheet": _sheet,
    "encoding": _encoding,
}
_NONE = FileOptions()
