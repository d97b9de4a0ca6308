"""Small pieces of HTML for notebooks and pages; every text in them is escaped."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["html_table", "isolated", "paragraph"]


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
    # An empty head would be read out as the head of its column.
    head = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>' if name else "<td></td>"
        for (name, _), kind in zip(heads, kinds, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)) + "</tr>" for row in rows
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


def isolated(name: str) -> str:
    """A name within a sentence: one that runs from right to left does not change places with its neighbours.

    Parameters
    ----------
    name
        A name or label, from anywhere.
    """
    text = _visible(name)
    return f"\u2068{text}\u2069" if _has_right_to_left(text) else text


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def _visible(text: str) -> str:
    # Control characters of a name would vanish, end the line or turn it around.
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _cell(cell: object, kind: str) -> str:
    text = _visible(str(cell))
    return f"<td{kind}{' dir=auto' if _has_right_to_left(text) else ''}>{escape(text)}</td>"
