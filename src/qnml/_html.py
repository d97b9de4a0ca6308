"""Small pieces of HTML for notebooks and pages; every text in them is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["html_table", "paragraph"]


def html_table(heads: Sequence[tuple[str, bool]], rows: Iterable[Sequence[object]]) -> str:
    """A table that scrolls where it is too wide.

    Parameters
    ----------
    heads
        The heading of each column, and whether the column holds numbers, which stand to the right.
    rows
        The cells.
    """
    kinds = [' class="number" style="text-align:right"' if is_number else "" for _, is_number in heads]
    head = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for (name, _), kind in zip(heads, kinds, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{_cell(cell)}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" style="overflow-x:auto"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def paragraph(text: str) -> str:
    """A paragraph of plain text.

    Parameters
    ----------
    text
        The text.
    """
    return f"<p>{escape(text)}</p>"


def _cell(cell: object) -> str:
    # Control characters of a name would vanish or end the line.
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(cell))
    return escape(text)
