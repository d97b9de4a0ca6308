"""Checks of single arguments that many calls share: each returns the value in its plain form or raises one clear line.

Values of other libraries that mean the same are taken: ``numpy.int64(3)`` is a whole number, ``numpy.bool_`` a flag.
"""

from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np

from qnml.errors import bad_argument, unknown_name

__all__ = [
    "check_choice",
    "checked_flag",
    "checked_number",
    "checked_path",
    "checked_texts",
    "checked_whole_number",
]


def check_choice(call: str, argument: str, value: object, known: Collection[str]) -> None:
    """Refuse a word that is not known, or what is no word at all."""
    if not isinstance(value, str) or value not in known:
        raise unknown_name(call, argument, value, known)


def checked_whole_number(
    call: str, argument: str, value: object, lowest: int = 0, highest: int | None = None, *, or_none: bool = False
) -> int:
    """A whole number in range, of any library's kind; ``True`` and ``2.0`` are none.

    >>> checked_whole_number("learn", "seed", np.int64(3))
    3
    """
    number = None
    if not isinstance(value, bool | np.bool_ | np.ndarray):
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            number = None
    if number is None or number < lowest or (highest is not None and number > highest):
        allowed = f"of at least {lowest}" if highest is None else f"from {lowest} to {highest}"
        raise bad_argument(call, argument, value, f"a whole number {allowed}{', or None' if or_none else ''}")
    return number


def checked_number(
    call: str,
    argument: str,
    value: object,
    allowed: str,
    lowest: float = -math.inf,
    highest: float = math.inf,
    *,
    above: float = -math.inf,
) -> float:
    """A real number with ``lowest <= number <= highest`` and ``number > above``; NaN and flags are none.

    `allowed` says the same in words: "a positive number of bytes, or None".
    """
    number = math.nan
    is_flag = isinstance(value, bool | np.bool_)
    if isinstance(value, numbers.Real | np.floating | np.integer) and not is_flag:
        try:
            number = float(value)
        except OverflowError:  # an integer beyond the doubles, or a fraction
            number = math.inf if value > Fraction(0) else -math.inf
    if not (lowest <= number <= highest and number > above):
        raise bad_argument(call, argument, value, allowed)
    return number


def checked_flag(call: str, argument: str, value: object) -> bool:
    """``True`` or ``False``, and nothing that merely counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise bad_argument(call, argument, value, "True or False")
    return bool(value)


def checked_path(call: str, argument: str, value: object) -> Path:
    """A path given as text or as a path object."""
    try:
        text = os.fspath(value)  # type: ignore[call-overload]
    except TypeError:
        text = None
    if not isinstance(text, str) or not text or "\0" in text:
        raise bad_argument(call, argument, value, "a path, as text or pathlib.Path")
    return Path(text)


def checked_texts(call: str, argument: str, value: object) -> list[str]:
    """A list of texts, such as names of variables; a single text is none."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        advice = f"Write [{value!r}]." if isinstance(value, str) else ""
        raise bad_argument(call, argument, value, "a list of names", advice)
    texts = list(value)
    if not all(isinstance(text, str) for text in texts):
        raise bad_argument(call, argument, value, "a list of names", "Names are text.")
    return [str(text) for text in texts]
