"""Open files as sources of data: standard input, or anything with a method ``read``."""

from __future__ import annotations

from typing import Any

__all__ = ["content_kind", "file_object_name", "is_file_object"]

_BEGINNINGS = ((b"PAR1", ".parquet"), (b"ARROW1", ".arrow"), (b"PK\x03\x04", ".xlsx"))
_STANDARD_INPUT = ("<stdin>", 0)


def is_file_object(source: Any) -> bool:
    """Whether a source is an open file."""
    try:
        # A frame may have a column of this name, which cannot be called.
        return not isinstance(source, type) and callable(getattr(source, "read", None))
    except Exception:  # whatever a `__getattr__` of somebody else raises
        return False


def file_object_name(stream: Any) -> str:
    """What to call an open file in messages."""
    name = getattr(stream, "name", None)
    if name in _STANDARD_INPUT:
        return "standard input"
    return name if isinstance(name, str) and name else "the open file"


def content_kind(content: bytes) -> str | None:
    """Which of the suffixes of files its first bytes stand for; None for text."""
    return next((kind for beginning, kind in _BEGINNINGS if content.startswith(beginning)), None)
