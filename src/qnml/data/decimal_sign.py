"""The decimal sign of a text file, guessed from all of its columns.

A file has one decimal sign. It is the comma if a column consists of numbers under the comma and not under the point
(1,5), and no column says the opposite (1.5). A comma that is followed by exactly three digits in every cell (1,234)
may separate thousands, so it decides nothing; nor does such a point where another column has decimal commas. Numbers
with thousands signs are never converted: the column stays text, and a note says so.

Where commas separate the cells the sign is the point, unless the caller says otherwise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from qnml.data.words import Kind
from qnml.errors import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

__all__ = ["DecimalSign", "ExaminedColumn", "decimal_sign"]

_MOST_SHOWN = 5
_ADVICE = "decimal=',' makes the comma the decimal sign"
_SIGNS = {".": "point", ",": "comma"}

# Groups of three digits after one to three others, of which the first is not zero.
_GROUP = r"[,.'’ \x{a0}\x{202f}][0-9]{3}"
_THOUSANDS = rf"^[+-]?[1-9][0-9]{{0,2}}({_GROUP})+([.,][0-9]*)?$"
_BELOW_THOUSAND = r"^[+-]?[0-9]{1,3}$"
_BELOW_THOUSAND_OR_REAL = r"^[+-]?[0-9]{1,3}([.,][0-9]*)?$"
_FIRST = re.compile(r"[+-]?[0-9][0-9,.'’ \xa0\u202f]*")


class ExaminedColumn(NamedTuple):
    """A column with its name, and what `examined` found."""

    name: str
    cells: pl.Series
    kind: Kind


class DecimalSign(NamedTuple):
    """The decimal sign, whether a column decided it, and notes on columns that stay text because of it."""

    sign: str
    is_guess: bool
    notes: tuple[str, ...]


def decimal_sign(columns: Sequence[ExaminedColumn], separator: str, wanted: str | None) -> DecimalSign:
    """Choose the decimal sign of a file.

    Parameters
    ----------
    columns : its columns.
    separator : what separates their cells.
    wanted : the sign, or None to guess it.
    """
    if wanted == ".":
        return DecimalSign(".", False, ())
    commas = [column for column in columns if column.kind == Kind.WITH_COMMA]
    points = [column for column in columns if column.kind == Kind.WITH_POINT]
    grouped = [column for column in columns if column.kind == Kind.TEXT and _has_thousands(column)]
    if wanted == ",":
        notes = (*_kept_as_text(points, ".", "decimal=','"), *_thousands(grouped))
        return DecimalSign(",", False, notes)
    doubtful = [column for column in commas if _has_thousands(column)]
    clear = [column for column in commas if all(column is not other for other in doubtful)]
    contrary = [column for column in points if not _has_thousands(column)] if clear else []
    if clear and not contrary and separator != ",":
        return DecimalSign(",", True, _thousands([*points, *grouped]))
    reason = f"there are decimal points in {_names(contrary)}" if contrary else "commas separate the cells"
    notes = (*_kept_as_text(clear, ",", reason, _ADVICE), *_thousands(doubtful, _ADVICE), *_thousands(grouped))
    return DecimalSign(".", False, notes)


def _has_thousands(column: ExaminedColumn) -> bool:
    """Whether some cells may have thousands signs, and no other cell contradicts it."""
    found = column.cells.drop_nulls()
    # One cell tells most columns of text, which saves matching all of them.
    if not len(found) or not _FIRST.fullmatch(found[0]):
        return False
    found = found.unique()
    grouped = found.str.contains(_THOUSANDS)
    rest = _BELOW_THOUSAND if column.kind else _BELOW_THOUSAND_OR_REAL
    return bool(grouped.any() and (grouped | found.str.contains(rest)).all())


def _kept_as_text(columns: Sequence[ExaminedColumn], sign: str, reason: str, advice: str = "") -> tuple[str, ...]:
    if not columns:
        return ()
    example = next(cell for cell in columns[0].cells.drop_nulls() if sign in cell)
    begun = f"{_listed(columns)}: text, although the cells are numbers with a decimal {_SIGNS[sign]}, such as {example}"
    return (f"{begun}, because {reason}.{f' {advice}.' if advice else ''}",)


def _thousands(columns: Sequence[ExaminedColumn], advice: str = "") -> tuple[str, ...]:
    if not columns:
        return ()
    example = next(cell for cell in columns[0].cells.drop_nulls() if not cell.lstrip("+-").isdecimal())
    begun = f"{_listed(columns)}: text, because the cells may be numbers with thousands signs, such as {example}"
    return (f"{begun}.{f' If they are not, {advice}.' if advice else ''}",)


def _listed(columns: Sequence[ExaminedColumn]) -> str:
    return f"{'Column' if len(columns) == 1 else 'Columns'} {_names(columns)}"


def _names(columns: Sequence[ExaminedColumn]) -> str:
    more = f" and {len(columns) - _MOST_SHOWN} more" if len(columns) > _MOST_SHOWN else ""
    return ", ".join(shown(column.name) for column in columns[:_MOST_SHOWN]) + more
