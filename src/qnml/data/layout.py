"""What a binary file holds, as found in its own tables of contents."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Layout", "require"]


@dataclass(frozen=True)
class Layout:
    """How much a file holds.

    Attributes
    ----------
    rows, columns : the shape of the table.
    unpacked : bytes of the columns, once unpacked.
    """

    rows: int
    columns: int
    unpacked: int


def require(holds: bool, problem: str) -> None:
    """Raise a `ValueError` that says what is wrong with a file, unless it holds."""
    if not holds:
        raise ValueError(problem)
