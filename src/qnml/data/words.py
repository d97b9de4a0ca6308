"""Type detection for the cells of a text file: missing, integers, real numbers or text.

Real numbers may have a decimal point or a decimal comma. A column that has one of the two can be a column of numbers
under that sign only; the sign is chosen for the whole file (`qnml.data.decimal_sign`). A minus may be the letter that
word processors write (−). ``inf`` and its relatives are numbers beside others.

One rule has two implementations. Short columns are examined cell by cell, since Polars needs half a millisecond to
start on any column, and some files have a hundred thousand columns. Polars handles the long ones. Tests check that
both implementations give the same columns.
"""

from __future__ import annotations

import re
from enum import IntFlag
from functools import lru_cache, reduce
from operator import and_
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["BLANKS", "MISSING_WORDS", "PATTERNS", "Kind", "converted", "examined", "stripped"]

MISSING_WORDS = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL")
"""The words that stand for missing cells in text and Excel files."""


class Kind(IntFlag):
    """What all cells of a column are; text if they have nothing in common."""

    TEXT = 0
    WITH_POINT = 1  # numbers if the decimal sign is the point
    WITH_COMMA = 2  # numbers if the decimal sign is the comma
    WHOLE = 4


# White space as Unicode defines it; Python's `strip` would also remove four control characters.
BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_MINUS = "\u2212"
_INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
_INFINITE = "[iI]nf(inity)?|INF"
_WITH_POINT = rf"^[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|{_INFINITE})$"
_WITH_COMMA = _WITH_POINT.replace(r"\.", ",")
_MINUS_NUMBER = re.compile(rf"^{_MINUS}([0-9.,]+(?:[eE][+-]?[0-9]+)?)$")
_DIGIT = re.compile("[0-9]")
_LEADING_ZERO = r"^[+-]?0[0-9]"
PATTERNS = {
    "leading zero": _LEADING_ZERO,
    "whole": _INTEGER,
    "point": _WITH_POINT,
    "comma": _WITH_COMMA,
    "minus": _MINUS_NUMBER.pattern,
}
"""What cells are matched against, for engines that hold them."""
_EITHER_NUMBER = Kind.WITH_POINT | Kind.WITH_COMMA
_WHOLE_NUMBER = _EITHER_NUMBER | Kind.WHOLE
_SHORT = 2000  # rows; where both implementations take about the same time


def examined(cells: pl.Series, missing: Collection[str] = MISSING_WORDS) -> tuple[pl.Series, Kind]:
    """Strip white space, replace words for missing cells by null, and tell what the other cells are.

    Parameters
    ----------
    cells : a column of text.
    missing : the words that stand for missing cells; the empty cell always does.
    """
    words = frozenset(("", *missing))
    return _examined_shortly(cells, words) if len(cells) <= _SHORT else _examined(cells, words)


def converted(cells: pl.Series, kind: Kind, decimal: str = ".") -> pl.Series:
    """Convert an examined column to numbers if all its cells are numbers under this decimal sign.

    Parameters
    ----------
    cells, kind : the result of `examined`.
    decimal : the decimal sign of the file.
    """
    if not kind & (Kind.WITH_COMMA if decimal == "," else Kind.WITH_POINT):
        return cells
    spelled = cells.str.replace(",", ".", literal=True) if not kind & Kind.WITH_POINT else cells
    numbers = spelled.cast(pl.Int64 if kind & Kind.WHOLE else pl.Float64, strict=False)
    # integers beyond 64 bits stay text: as floats, distinct values could become equal
    return numbers if numbers.null_count() == cells.null_count() else cells


def _examined_shortly(cells: pl.Series, missing: frozenset[str]) -> tuple[pl.Series, Kind]:
    words = cells.to_list()
    found = set(words)
    cleaned = {word: None if word is None else stripped(word, missing) for word in found}
    if any(word != clean for word, clean in cleaned.items()):
        cells = pl.Series("", [cleaned[word] for word in words], dtype=pl.String)
    kinds = [_kind(word) for word in cleaned.values() if word is not None]
    kind = reduce(and_, kinds) if kinds else Kind.TEXT
    # A column of nothing but infinities is text: "Inf" may be short for anything.
    return cells, kind if any(word and _DIGIT.search(word) for word in cleaned.values()) else Kind.TEXT


def stripped(word: str, missing: frozenset[str]) -> str | None:
    """A cell without the white space around it, numbers with a plain minus; None if it is missing."""
    word = word.strip(BLANKS)
    if word in missing:
        return None
    return _MINUS_NUMBER.sub(r"-\1", word) if word.startswith(_MINUS) else word


@lru_cache(maxsize=4096)
def _kind(word: str) -> Kind:
    if re.match(_LEADING_ZERO, word):
        return Kind.TEXT
    if re.fullmatch(_INTEGER, word):
        return _WHOLE_NUMBER
    kind = Kind.WITH_POINT if re.fullmatch(_WITH_POINT, word) else Kind.TEXT
    return kind | Kind.WITH_COMMA if re.fullmatch(_WITH_COMMA, word) else kind


def _examined(cells: pl.Series, missing: frozenset[str]) -> tuple[pl.Series, Kind]:
    """Do the same as `_examined_shortly` in Polars."""
    words = list(missing)
    found = cells.unique().drop_nulls()
    if (found.str.strip_chars(BLANKS) != found).any() or found.is_in(words).any():
        cells = cells.str.strip_chars(BLANKS)
        cells = cells.set(cells.is_in(words), None)
        found = cells.unique().drop_nulls()
    if found.str.starts_with(_MINUS).any():
        cells = cells.str.replace(_MINUS_NUMBER.pattern, "-$1")
        found = cells.unique().drop_nulls()
    # One cell tells most columns of text, which saves matching all of them.
    first = _kind(found[0]) if len(found) else Kind.TEXT
    if not first or found.str.contains(_LEADING_ZERO).any():
        return cells, Kind.TEXT
    if first & Kind.WHOLE and found.str.contains(_INTEGER).all():
        return cells, _WHOLE_NUMBER
    kind = Kind.TEXT
    for sign, pattern in ((Kind.WITH_POINT, _WITH_POINT), (Kind.WITH_COMMA, _WITH_COMMA)):
        if first & sign and found.str.contains(pattern).all():
            kind |= sign
    return cells, kind if kind and found.str.contains(_DIGIT.pattern).any() else Kind.TEXT
