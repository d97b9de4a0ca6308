"""A preparation as a table for people: plain text, and HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from qnml.errors import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.preparation.preparation import Preparation

__all__ = ["as_html", "as_text", "done_to", "rows_sentence"]

_HEADS = ("column", "kind", "missing", "distinct", "done", "why")
_MOST_CUTS = 6


def done_to(column: ColumnPreparation) -> str:
    """What is done to a column, in a few words.

    Parameters
    ----------
    column : the preparation of the column.
    """
    if column.action == "drop":
        return "left out"
    levels = len(column.levels or ())
    counted = f"{levels} level{'' if levels == 1 else 's'}"
    if column.action == "bin":
        cuts = [f"{cut:g}" for cut in column.cuts or ()]
        listed = ", ".join(cuts[:_MOST_CUTS]) + (", …" if len(cuts) > _MOST_CUTS else "")
        return f"{len(column.bins or ())} bins, cut at {listed}" if cuts else "1 bin"
    if column.action == "merge":
        return f"{len(column.kept_levels or ())} levels kept, the others merged into {column.other}"
    return f"kept, {counted}"


def rows_sentence(preparation: Preparation) -> str:
    """How many rows there are, and how many were dropped for their missing cells.

    Parameters
    ----------
    preparation : the preparation.
    """
    lost = preparation.n_rows - preparation.n_kept
    if not lost:
        return f"{preparation.n_rows} rows."
    return f"{preparation.n_kept} of {preparation.n_rows} rows are left: {lost} with missing cells were dropped."


def _rows(columns: Sequence[ColumnPreparation]) -> list[tuple[str, ...]]:
    return [
        (
            plain(column.name),
            column.kind,
            str(column.n_missing or ""),
            str(column.n_distinct),
            done_to(column),
            " ".join(filter(None, (column.reason, column.remark))),
        )
        for column in columns
    ]


def as_text(preparation: Preparation) -> str:
    """One line for each column, under a line about the rows.

    Parameters
    ----------
    preparation : the preparation.
    """
    rows = [_HEADS, *_rows(preparation.columns)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADS) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    ]
    return "\n".join([rows_sentence(preparation), *(line.rstrip() for line in lines)])


def as_html(preparation: Preparation) -> str:
    """The same as an HTML table.

    Parameters
    ----------
    preparation : the preparation.
    """
    head = "".join(f"<th>{name}</th>" for name in _HEADS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(preparation.columns)
    )
    return (
        f"<p>{escape(rows_sentence(preparation))}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
