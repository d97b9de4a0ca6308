"""How to read a table: the columns that the paper has too, and explanatory sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.paper.report.about import repeated

if TYPE_CHECKING:
    from qnml.paper.summary.types import Table

__all__ = ["compared_columns", "repetition_column", "sentences"]

_MOST_NAMED = 3


def compared_columns(table: Table) -> frozenset[str]:
    """Columns with at least one value that the paper prints.

    Parameters
    ----------
    table
        The table.
    """
    return frozenset(column for (_, column), cell in table.cells.items() if cell.printed is not None)


def repetition_column(table: Table) -> tuple[str, ...]:
    """Number of repetitions of each row, if rows differ in it; else empty.

    Parameters
    ----------
    table
        The table.
    """
    if len({number for number in table.repetitions.values() if number > 0}) < 2:
        return ()
    return tuple(str(table.repetitions.get(row, "")) for row in table.row_names)


def sentences(table: Table) -> str:
    """How to read a table, in one paragraph, without the table's own notes.

    Parameters
    ----------
    table
        The table.
    """
    said = [_differences(table)] if compared_columns(table) else []
    often = repeated(table.repetitions)
    said += [f"{often}."] if often else []
    said += ["The best of a row is bold, the worst underlined, as in the paper."] if table.best else []
    return " ".join(said)


def _differences(table: Table) -> str:
    plain = {row: _is_plain(table, row) for row in table.row_names}
    exact = all(plain.values())
    measure = "" if exact else " in Monte Carlo standard errors of the difference"
    if not exact and any(plain.values()):
        rows = [row for row in table.row_names if plain[row]]
        named = " and ".join(rows) if len(rows) <= _MOST_NAMED else "rows without a standard error"
        measure += f"; for {named} it is the plain difference"
    off = any(cell.within is False for cell in table.cells.values())
    return f"Δ is ours less the printed value{measure}{'; ✗ marks cells that do not agree' if off else ''}."


def _is_plain(table: Table, row: str) -> bool:
    """Whether the differences of a row are not in units of standard errors."""
    found = (table.cells.get((row, column)) for column in table.column_names)
    return all(cell.difference_in_errors is None for cell in found if cell is not None)
