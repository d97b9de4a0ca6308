"""Type detection for the cells of a text file: missing, integers, real numbers or text.

One rule has two implementations. Short columns are examined cell by cell, since Polars needs half a millisecond to
start on any column, and some files have a hundred thousand columns. Polars handles the long ones. Tests check that
both implementations give the same columns.
"""

from __future__ import annotations

import re
from functools import lru_cache

import polars as pl

__all__ = ["MISSING_WORDS", "typed"]

MISSING_WORDS = ("", "?", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL")

# White space as Unicode defines it; Python's `strip` would also remove four control characters.
_BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
_REAL = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_LEADING_ZERO = r"^[+-]?0[0-9]"
_SHORT = 2000  # rows; where both implementations take about the same time

_TEXT, _REAL_NUMBER, _WHOLE_NUMBER = range(3)


def typed(cells: pl.Series) -> pl.Series:
    """Strip white space, detect missing cells, and convert a column of text to numbers if all cells are numbers."""
    cells, kind = _sorted_out_shortly(cells) if len(cells) <= _SHORT else _sorted_out(cells)
    if kind == _TEXT:
        return cells
    numbers = cells.cast(pl.Int64 if kind == _WHOLE_NUMBER else pl.Float64, strict=False)
    # integers beyond 64 bits stay text: as floats, distinct values could become equal
    return numbers if numbers.null_count() == cells.null_count() else cells


def _sorted_out_shortly(cells: pl.Series) -> tuple[pl.Series, int]:
    """Return the stripped cells, null where missing, and their common kind."""
    words = cells.to_list()
    found = set(words)
    cleaned = {word: None if word is None else _stripped(word) for word in found}
    if any(word != clean for word, clean in cleaned.items()):
        cells = pl.Series("", [cleaned[word] for word in words], dtype=pl.String)
    kinds = [_kind(word) for word in cleaned.values() if word is not None]
    return cells, min(kinds, default=_TEXT)


def _stripped(word: str) -> str | None:
    word = word.strip(_BLANKS)
    return None if word in MISSING_WORDS else word


@lru_cache(maxsize=4096)
def _kind(word: str) -> int:
    if not re.fullmatch(_REAL, word) or re.match(_LEADING_ZERO, word):
        return _TEXT
    return _WHOLE_NUMBER if re.fullmatch(_INTEGER, word) else _REAL_NUMBER


def _sorted_out(cells: pl.Series) -> tuple[pl.Series, int]:
    """Do the same as `_sorted_out_shortly` in Polars."""
    found = cells.unique().drop_nulls()
    if (found.str.strip_chars(_BLANKS) != found).any() or found.is_in(MISSING_WORDS).any():
        cells = cells.str.strip_chars(_BLANKS)
        cells = cells.set(cells.is_in(MISSING_WORDS), None)
        found = cells.unique().drop_nulls()
    if not len(found) or not found.str.contains(_REAL).all() or found.str.contains(_LEADING_ZERO).any():
        return cells, _TEXT
    return cells, _WHOLE_NUMBER if found.str.contains(_INTEGER).all() else _REAL_NUMBER
