"""The decimal sign of a text file, guessed from all of its columns, and numbers with thousands signs.

A file has one decimal sign. It is the comma if a column consists of numbers under the comma and not under the point
(1,5), and no column says the opposite (1.5). A comma that is followed by exactly three digits in every cell (1,234)
may separate thousands, so it decides nothing; nor does such a point where another column has decimal commas.

Where commas separate the cells the sign is the point, unless the caller says otherwise.

Thousands signs are removed where they can be nothing else (1,234,567; 1.234,5; 1'234; 1,234 where the point is the
decimal sign), and a note says so. Where 1,234 may be either, the column stays text, with a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from qnml.data.thousands import ExaminedColumn, thousands_sign, without_thousands
from qnml.data.words import Kind
from qnml.errors import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DecimalSign", "decimal_sign"]

_MOST_SHOWN = 5
_SIGNS = {".": "point", ",": "comma"}


class DecimalSign(NamedTuple):
    """The decimal sign of a file.

    Attributes
    ----------
    sign : the sign.
    is_guess : whether a column decided it.
    columns : the columns, with thousands signs removed where they are sure.
    notes : on numbers that had them, and on columns that stay text.
    """

    sign: str
    is_guess: bool
    columns: tuple[ExaminedColumn, ...]
    notes: tuple[str, ...]


def decimal_sign(columns: Sequence[ExaminedColumn], separator: str, wanted: str | None) -> DecimalSign:
    """Choose the decimal sign of a file.

    Parameters
    ----------
    columns : its columns.
    separator : what separates their cells.
    wanted : the sign, or None to guess it.
    """
    plain = [_without_sure_thousands(column, wanted) for column in columns]
    grouped = [old for old, new in zip(columns, plain, strict=True) if new is not old]
    commas = [column for column in plain if column.kind == Kind.WITH_COMMA]
    # Where no column has commas, points are decimal.
    points = [column for column in plain if column.kind == Kind.WITH_POINT] if commas or wanted == "," else []
    clear_commas = [column for column in commas if thousands_sign(column) is None]
    clear_points = [column for column in points if thousands_sign(column) is None]
    is_comma = wanted == "," or (wanted is None and bool(clear_commas) and not clear_points and separator != ",")
    sign = "," if is_comma else "."
    # The other sign separates thousands if it cannot be decimal.
    is_sure = is_comma or wanted == "." or separator == "," or bool(clear_points)
    doubtful = [column for column in (points if is_comma else commas) if thousands_sign(column) is not None]
    if is_sure and doubtful:
        plain = [without_thousands(column) if _is_among(column, doubtful) else column for column in plain]
        grouped, doubtful = [*grouped, *doubtful], []
    notes = [*_grouped_note(grouped, wanted, separator), *_doubtful_note(doubtful)]
    if wanted == ",":
        notes += _kept_as_text(clear_points, ".", "decimal=','")
    elif not is_comma and wanted is None:
        signs = f"there are decimal points in {_names(clear_points)}"
        reason = "commas separate the cells" if separator == "," and not clear_points else signs
        notes += _kept_as_text(clear_commas, ",", reason, "decimal=',' makes the comma the decimal sign")
    return DecimalSign(sign, is_comma and wanted is None, tuple(plain), tuple(notes))


def _without_sure_thousands(column: ExaminedColumn, wanted: str | None) -> ExaminedColumn:
    """The column without thousands signs if it is a column of numbers under no decimal sign."""
    if column.kind or thousands_sign(column) is None:
        return column
    plain = without_thousands(column)
    is_other = wanted is not None and plain.kind == (Kind.WITH_COMMA if wanted == "." else Kind.WITH_POINT)
    return column if is_other or not plain.kind else plain


def _is_among(column: ExaminedColumn, columns: Sequence[ExaminedColumn]) -> bool:
    return any(column is other for other in columns)


def _grouped_note(columns: Sequence[ExaminedColumn], wanted: str | None, separator: str) -> tuple[str, ...]:
    if not columns:
        return ()
    sign = thousands_sign(columns[0]) or ""
    example = next(cell for cell in columns[0].cells.drop_nulls() if sign in cell)
    is_by_separator = wanted is None and separator == "," and any(column.kind == Kind.WITH_COMMA for column in columns)
    advice = " If the comma is decimal, give decimal=','." if is_by_separator else ""
    return (f"{_listed(columns)}: numbers with thousands signs, such as {example}.{advice}",)


def _doubtful_note(columns: Sequence[ExaminedColumn]) -> tuple[str, ...]:
    if not columns:
        return ()
    example = next(cell for cell in columns[0].cells.drop_nulls() if "," in cell)
    begun = (
        f"{_listed(columns)}: text, because the comma in cells such as {example} may be decimal or separate thousands"
    )
    return (f"{begun}. decimal=',' makes it decimal, and decimal='.' a thousands sign.",)


def _kept_as_text(columns: Sequence[ExaminedColumn], sign: str, reason: str, advice: str = "") -> tuple[str, ...]:
    if not columns:
        return ()
    example = next(cell for cell in columns[0].cells.drop_nulls() if sign in cell)
    begun = f"{_listed(columns)}: text, although the cells are numbers with a decimal {_SIGNS[sign]}, such as {example}"
    return (f"{begun}, because {reason}.{f' {advice}.' if advice else ''}",)


def _listed(columns: Sequence[ExaminedColumn]) -> str:
    return f"{'Column' if len(columns) == 1 else 'Columns'} {_names(columns)}"


def _names(columns: Sequence[ExaminedColumn]) -> str:
    more = f" and {len(columns) - _MOST_SHOWN} more" if len(columns) > _MOST_SHOWN else ""
    return ", ".join(shown(column.name) for column in columns[:_MOST_SHOWN]) + more
