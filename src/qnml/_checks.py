"""Checks of single arguments that many calls share: each returns the value in its plain form or raises an error.

Equivalent values of other libraries are accepted: ``numpy.int64(3)`` is a whole number, ``numpy.bool_`` a flag.
"""

from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import bad_argument, shown, unknown_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "check_choice",
    "checked_array",
    "checked_flag",
    "checked_list",
    "checked_mapping",
    "checked_name",
    "checked_number",
    "checked_path",
    "checked_text",
    "checked_texts",
    "checked_whole_number",
    "names_a_picture",
]


_PICTURES = (".svg", ".png", ".pdf", ".dot")


def check_choice(call: str, argument: str, value: object, known: Collection[str]) -> None:
    """Reject an unknown word, or a value that is not text."""
    if not isinstance(value, str) or value not in known:
        raise unknown_name(call, argument, value, known)


def checked_whole_number(
    call: str, argument: str, value: object, lowest: int = 0, highest: int | None = None, *, or_none: bool = False
) -> int:
    """An integer in range, of any library; ``True`` and ``2.0`` are rejected.

    >>> checked_whole_number("learn", "seed", np.int64(3))
    3
    """
    number = None
    if not isinstance(value, bool | np.bool_ | np.ndarray):
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except Exception:  # TypeError, or whatever an `__index__` of somebody else raises
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
    """A real number with ``lowest <= number <= highest`` and ``number > above``; NaN and booleans are rejected.

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
    """``True`` or ``False``; other truthy or falsy values are rejected."""
    if not isinstance(value, bool | np.bool_):
        raise bad_argument(call, argument, value, "True or False")
    return bool(value)


def checked_path(call: str, argument: str, value: object) -> Path:
    """A path given as text or as a path object."""
    try:
        text = os.fspath(value)  # type: ignore[call-overload]
    except Exception:  # TypeError, or whatever an `__fspath__` of somebody else raises
        text = None
    if not isinstance(text, str) or not text or "\0" in text:
        raise bad_argument(call, argument, value, "a path, as text or pathlib.Path")
    return Path(text)


def checked_list(call: str, argument: str, value: object, allowed: str, advice: str = "") -> list[Any]:
    """The items of an iterable; a single string and a mapping are rejected."""
    if isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        raise bad_argument(call, argument, value, allowed, advice)
    try:
        return list(value)
    except Exception as error:  # an array without dimensions, or whatever a generator of the caller raises
        raise bad_argument(call, argument, value, allowed, advice) from error


def checked_mapping(call: str, argument: str, value: object, allowed: str, advice: str = "") -> dict[Any, Any]:
    """The entries of a mapping, as a plain dict."""
    if not isinstance(value, Mapping):
        raise bad_argument(call, argument, value, allowed, advice)
    return dict(value)


def checked_text(call: str, argument: str, value: object, allowed: str) -> str:
    """Text that can be encoded: lone surrogates are rejected."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise bad_argument(call, argument, value, allowed)
    return str(value)


def checked_texts(call: str, argument: str, value: object) -> list[str]:
    """A list of strings, such as variable names; a single string is rejected."""
    texts = checked_list(
        call, argument, value, "a list of names", f"Write [{shown(value)}]." if isinstance(value, str) else ""
    )
    if not all(isinstance(text, str) for text in texts):
        raise bad_argument(call, argument, value, "a list of names", "Names are text.")
    return [str(text) for text in texts]


def checked_name(call: str, argument: str, value: object, known: Collection[str]) -> str:
    """A known name of a variable, column or node."""
    if not isinstance(value, str) or value not in known:
        raise unknown_name(call, argument, value, known)
    return str(value)


def checked_array(call: str, argument: str, value: object, allowed: str) -> NDArray[Any]:
    """Anything that numpy can convert to an array."""
    try:
        return np.asarray(value)
    except Exception as error:  # ragged lists, or whatever an `__array__` of somebody else raises
        raise bad_argument(call, argument, value, allowed) from error


def names_a_picture(value: object) -> bool:
    """Whether an argument is a file that a picture can be saved to, by its extension: ``net.plot("net.svg")``."""
    return isinstance(value, str | Path) and str(value).lower().endswith(_PICTURES)
