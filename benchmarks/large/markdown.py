"""Tables and phrases in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["listed", "seconds", "share", "table"]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> str:
    """A Markdown table; the first columns hold words, the others numbers."""
    rule = ["---"] * words + ["---:"] * (len(head) - words)
    lines = [head, rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def share(count: int, total: int) -> str:
    if total == 0:
        return "in none"
    if count == total:
        return f"in all {total}" if total > 1 else "in the only one"
    return f"in {count} of {total}" if count else f"in none of {total}"


def listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
