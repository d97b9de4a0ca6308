"""Pieces that several pages are made of: lines, grids, numbers people can read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table as Grid
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from qnml.report.facts import Facts

__all__ = ["count", "grid", "large", "line", "overfull", "visible"]

_LARGEST_IN_FULL = 10**15


def visible(text: object) -> str:
    """Escape what a terminal would obey instead of show: names and labels come from files of any origin."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in str(text)
    )


def line(text: str) -> Text:
    """A line of text, with nothing in it that a terminal or rich would obey."""
    return Text(visible(text))


def grid(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]]) -> Grid:
    """A table with heads, each with the side its column leans to."""
    drawn = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=True)
    for head, side in heads:
        justify: Any = side
        drawn.add_column(Text(head), justify=justify, overflow="fold")
    for row in rows:
        # Text and not str: names such as "[b]" must not be taken for rich's markup.
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    return drawn


def overfull(families: Sequence[Facts], total: int) -> list[RenderableType]:
    """What is to be said about over-full families; nothing where there are none."""
    if not families:
        return []
    heads = [("variable", "left"), ("parents", "left"), ("cells", "right"), ("log Z", "right")]
    rows = [
        (family["child"], ", ".join(family["parents"]), large(family["cells"]), f"{family['log_z']:z.3f}")
        for family in families
    ]
    return [
        line(
            f"Over-full: more cells than half the {total} rows. qNML's penalty saturates there, so such a "
            "family can win without any dependence; log Z > 0 says that it gains from that."
        ),
        grid(heads, rows),
    ]


def count(number: int, word: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def large(number: int) -> str:
    """A whole number of any size; beyond 15 digits its order of magnitude is what people read."""
    if number < _LARGEST_IN_FULL:
        return str(number)
    # log10 takes whole numbers beyond the largest double, too.
    return f"about 10^{math.log10(number):.0f}"
