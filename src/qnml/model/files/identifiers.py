"""Names for formats that accept identifiers only: changed as little as possible, and distinct.

Each format stores the original name next to the identifier in its own way, so that reading the file restores it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ASCII_IDENTIFIER", "IDENTIFIER", "identifiers"]

ASCII_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*+")
"""Identifiers of C that do not begin with an underscore."""
IDENTIFIER = re.compile(r"[^\W\d_]\w*+")
"""The same with the letters of all scripts."""


def identifiers(names: Iterable[str], allowed: re.Pattern[str], prefix: str) -> dict[str, str]:
    """Give every name an identifier; names that are identifiers keep themselves.

    Parameters
    ----------
    names
        Distinct texts.
    allowed
        What an identifier looks like.
    prefix
        Put before names that do not begin with a letter.

    Examples
    --------
    >>> identifiers(["age", "age (years)", "12+", "12-"], ASCII_IDENTIFIER, "x")
    {'age': 'age', 'age (years)': 'age__years_', '12+': 'x12_', '12-': 'x12__2'}
    """
    listed = list(names)
    taken = {name for name in listed if allowed.fullmatch(name)}
    numbers: dict[str, int] = {}
    found = {}
    for name in listed:
        if name in taken:
            found[name] = name
            continue
        plain = "".join(sign if allowed.fullmatch(f"a{sign}") else "_" for sign in name)
        stem = plain if allowed.fullmatch(plain) else prefix + plain
        identifier = stem
        while identifier in taken:
            numbers[stem] = numbers.get(stem, 1) + 1
            identifier = f"{stem}_{numbers[stem]}"
        taken.add(identifier)
        found[name] = identifier
    return found
