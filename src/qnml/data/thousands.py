"""Numbers with thousands signs, such as 1,234,567 or 1.234,50 or 1'234, in columns of text.

The digits before the decimal sign are in groups of three, the first of one to three digits and not beginning with zero,
and one sign separates them in all cells. Other cells are numbers below a thousand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from qnml.data.words import Kind, examined

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ExaminedColumn", "thousands_sign", "without_thousands"]

_BLANKS = " \xa0\u2009\u202f"
_SIGNS = (",", ".", "'", "’", *_BLANKS)
_FIRST = re.compile(rf"[+-]?[0-9][0-9,.'’{_BLANKS}]*")
_POSSIBLE: dict[Kind, tuple[str, ...]] = {Kind.TEXT: _SIGNS, Kind.WITH_POINT: (".",), Kind.WITH_COMMA: (",",)}


class ExaminedColumn(NamedTuple):
    """A column with its name, and what `examined` found."""

    name: str
    cells: pl.Series
    kind: Kind


def thousands_sign(column: ExaminedColumn) -> str | None:
    """The sign that may separate thousands in a column; None if there is none, or if a cell contradicts it.

    Parameters
    ----------
    column : text, or numbers under one of the two decimal signs.
    """
    found = column.cells.drop_nulls()
    # One cell tells most columns of text, which saves matching all of them.
    if column.kind not in _POSSIBLE or not len(found) or not _FIRST.fullmatch(found[0]):
        return None
    found = found.unique()
    for sign in _POSSIBLE[column.kind]:
        if not found.str.contains(sign, literal=True).any():
            continue
        mark, decimal = re.escape(sign), {",": r"\.", ".": ","}.get(sign, "[.,]")
        grouped = found.str.contains(rf"^[+-]?[1-9][0-9]{{0,2}}({mark}[0-9]{{3}})+({decimal}[0-9]*)?$")
        below = rf"^[+-]?[0-9]{{1,3}}({decimal}[0-9]*)?$"
        if grouped.any() and (grouped | found.str.contains(below)).all():
            return sign
    return None


def without_thousands(column: ExaminedColumn) -> ExaminedColumn:
    """The column with the thousands signs removed.

    Parameters
    ----------
    column : one that has a `thousands_sign`.
    """
    sign = thousands_sign(column)
    assert sign is not None
    return ExaminedColumn(column.name, *examined(column.cells.str.replace_all(sign, "", literal=True), ()))
