"""`OpenedFile`: the content of a file, and what people should know about how it was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["OpenedFile"]


@dataclass(frozen=True, eq=False)
class OpenedFile:
    """A file as a data frame.

    Attributes
    ----------
    frame : a ``polars.DataFrame``, or a ``pyarrow.Table`` if the file has dictionary columns.
    notes : sentences about what was guessed or is not as one may expect; each can be avoided by an option.
    unnamed : the names given to columns for which the header has none.
    """

    frame: Any
    notes: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
