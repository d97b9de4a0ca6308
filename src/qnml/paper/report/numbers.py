"""Numbers of tables in readable form: digits, differences, the best and the worst of a row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from qnml.paper.summary.types import Cell, Table

__all__ = ["MINUS", "agreement", "difference", "error", "marks", "ours", "places", "printed"]

MINUS = "−"
_MOST_PLACES = 6
_SIGNIFICANT = 4
_TINY = 1e-5


def places(table: Table) -> int | None:
    """Number of decimals that the paper prints in a table, or None if it prints nothing.

    Parameters
    ----------
    table
        A table; the number with the most decimals decides for all.
    """
    values = [cell.printed for cell in table.cells.values() if cell.printed is not None]
    if not values:
        return None
    return max(next((d for d in range(_MOST_PLACES) if _whole(value, d)), _MOST_PLACES) for value in values)


def ours(cell: Cell, decimals: int | None) -> str:
    """Our value, with the decimals that the paper prints, or one more if it prints none and the error allows it.

    Parameters
    ----------
    cell
        The cell.
    decimals
        Number of decimals that the paper prints in this table, or None.
    """
    if not math.isfinite(cell.ours):
        return "–"
    if decimals is None and 0.0 < abs(cell.ours) < _TINY:
        return _signed(f"{cell.ours:.0e}")
    return _signed(f"{cell.ours:z.{_decimals(cell, decimals)}f}")


def error(cell: Cell, decimals: int | None) -> str:
    """Our standard error; empty for an exact value.

    Parameters
    ----------
    cell, decimals
        As for :func:`ours`.
    """
    if not cell.error > 0.0:
        return ""
    return f"{cell.error:.{_decimals(cell, decimals)}f}"


def printed(cell: Cell, decimals: int | None) -> str:
    """The paper's value, as printed.

    Parameters
    ----------
    cell, decimals
        As for :func:`ours`.
    """
    return "" if cell.printed is None else _signed(f"{cell.printed:z.{decimals or 0}f}")


def difference(cell: Cell, decimals: int | None) -> str:
    """Our value minus the paper's in standard errors; for exact values ``=``, or the plain difference.

    Parameters
    ----------
    cell, decimals
        As for :func:`ours`.
    """
    if cell.printed is None:
        return ""
    apart = cell.difference_in_errors
    if apart is not None and math.isfinite(apart) and cell.error > 0.0:
        if abs(apart) >= 99.5:
            return f"{'+' if apart > 0 else MINUS}>99"
        return _signed(f"{apart:+z.1f}")
    plain = _signed(f"{cell.ours - cell.printed:+z.{decimals or 0}f}")
    return plain if any(digit in plain for digit in "123456789") else "="


def marks(table: Table, row: str, which: Literal["ours", "printed"]) -> dict[str, str]:
    """The best and the worst columns of a row, as ``{"BIC": "best", "BDeu": "worst"}``.

    Parameters
    ----------
    table, row
        The table and the row; a table that does not define what is best has no marks.
    which
        The values to compare. Equal values share the mark.
    """
    values: dict[str, float] = {}
    for column in table.column_names:
        cell = table.cells.get((row, column))
        value = None if cell is None else cell.ours if which == "ours" else cell.printed
        if value is not None and math.isfinite(value):
            values[column] = value
    if table.best is None or len(values) < 2 or len(set(values.values())) == 1:
        return {}
    low, high = min(values.values()), max(values.values())
    best, worst = (low, high) if table.best == "low" else (high, low)
    return {column: "best" if value == best else "worst" for column, value in values.items() if value in (best, worst)}


def agreement(table: Table) -> tuple[int, int]:
    """Number of cells that agree with the paper by the rule of the part, and number of cells that can be compared.

    Parameters
    ----------
    table
        A table.
    """
    judged = [cell.within for cell in table.cells.values() if cell.within is not None]
    return sum(judged), len(judged)


def _decimals(cell: Cell, decimals: int | None) -> int:
    if decimals is None:
        # There is no printed value to follow: integers without decimals, others with four significant digits.
        if not math.isfinite(cell.ours) or _whole(cell.ours, 0):
            return 0
        size = math.floor(math.log10(abs(cell.ours))) + 1
        return min(max(_SIGNIFICANT - size, 0), _MOST_PLACES)
    if decimals == 0 and 0.0 < cell.error < 1.0 and abs(cell.ours) < 1000.0:
        return 1
    return decimals


def _whole(value: float, decimals: int) -> bool:
    scaled = value * 10.0**decimals
    return abs(scaled - round(scaled)) < 1e-6 * max(1.0, abs(scaled) * 1e-6)


def _signed(text: str) -> str:
    return text.replace("-", MINUS)
