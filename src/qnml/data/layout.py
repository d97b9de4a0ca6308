"""The amount of data in a binary file, according to its metadata."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Layout", "require"]


@dataclass(frozen=True)
class Layout:
    """How much a file holds.

    Attributes
    ----------
    rows, columns : the shape of the table.
    unpacked : bytes of the columns after decompression.
    """

    rows: int
    columns: int
    unpacked: int


def require(holds: bool, problem: str) -> None:
    """Raise a `ValueError` with the problem of a file unless the condition holds."""
    if not holds:
        raise ValueError(problem)
