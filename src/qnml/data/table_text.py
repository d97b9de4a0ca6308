"""How a `Table` is shown: in one line, and as the first rows in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._html import html_table, paragraph

if TYPE_CHECKING:
    from qnml.data.table import Table

__all__ = ["described", "html_of"]

_MOST_SHOWN = 6
_MOST_ROWS_SHOWN, _MOST_COLUMNS_SHOWN = 6, 20


def described(table: Table) -> str:
    """The size of a table, its columns and their numbers of levels."""
    parts = [f"{name}: {arity}" for name, arity in zip(table.names, table.arities, strict=True)][:_MOST_SHOWN]
    if len(table.names) > _MOST_SHOWN:
        parts.append(f"… {len(table.names)} columns")
    rows = f"{table.n_rows} row{'s' if table.n_rows != 1 else ''}"
    counted = "" if table.weights is None else f" counting {table.total}"
    holes = "" if not table.n_missing else f", {table.n_missing} cells missing"
    if table.interventions is not None:
        holes += f", set in some rows: {', '.join(table.interventions.names[:_MOST_SHOWN])}"
    return f"Table({rows}{counted}{holes}; {', '.join(parts)})"


def html_of(table: Table) -> str:
    """The first rows."""
    names = table.names[:_MOST_COLUMNS_SHOWN]
    labels = [table.labels(name)[:_MOST_ROWS_SHOWN] for name in names]
    weights = [] if table.weights is None else [table.weights[:_MOST_ROWS_SHOWN]]
    heads = [(name, False) for name in names] + [("weight", True)] * len(weights)
    left_out = [
        f"{total - shown:,} more {kind}"
        for total, shown, kind in (
            (table.n_rows, _MOST_ROWS_SHOWN, "rows"),
            (len(table.names), len(names), "columns"),
        )
        if total > shown
    ]
    rest = paragraph(f"And {', '.join(left_out)}.") if left_out else ""
    return f"{html_table(heads, zip(*labels, *weights, strict=True))}{rest}{paragraph(described(table))}"
