"""Background knowledge in TOML and JSON files."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, TypeVar

from qnml._checks import checked_path
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file
from qnml.errors import FileFormatError, InputError, bad_argument, unknown_name
from qnml.search.knowledge.checks import arcs_of, limits_of, names_of, tiers_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

__all__ = ["read_document"]

_CALL = "Knowledge.from_file"
# Most bytes of memory per character of a file: measured, and rounded up.
_BYTES_PER_LETTER = 50.0
_PARTS: dict[str, Callable[[Any], object]] = {
    "required": lambda value: arcs_of("required", value),
    "forbidden": lambda value: arcs_of("forbidden", value),
    "tiers": tiers_of,
    "max_parents": limits_of,
    "roots": lambda value: names_of("roots", value),
    "leaves": lambda value: names_of("leaves", value),
}
_Made = TypeVar("_Made")


def read_document(path: str | PathLike[str], make: Callable[..., _Made]) -> _Made:
    """Read a file, check the type of each value, and pass the values to `make` as keyword arguments."""
    place = checked_path(_CALL, "path", path)
    document = _parsed(place)
    for key, value in document.items():
        if key not in _PARTS:
            raise unknown_name(f"{_CALL}({place.name!r})", "key", key, _PARTS)
        try:
            _PARTS[key](value)
        except InputError as error:
            raise FileFormatError(place, str(error)) from error
    try:
        return make(**document)
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def _parsed(path: Path) -> dict[str, Any]:
    kind = path.suffix.lower()
    if kind not in (".toml", ".json"):
        raise bad_argument(_CALL, "path", str(path), "a file ending in .toml or .json")
    try:
        text = read_file(_CALL, "path", path, resolve_memory_limit(_CALL, None) / _BYTES_PER_LETTER).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(path, f"is not UTF-8 text ({error.reason} at byte {error.start})") from error
    try:
        document = tomllib.loads(text) if kind == ".toml" else json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise FileFormatError(path, f"not JSON: {error.msg}", error.lineno, error.colno) from error
    except tomllib.TOMLDecodeError as error:
        # Before Python 3.14 the position is only in the message.
        told = re.fullmatch(r"(.*?) \(at line (\d+), column (\d+)\)", str(error), re.S)
        problem, line, column = (told[1], int(told[2]), int(told[3])) if told else (str(error), None, None)
        raise FileFormatError(path, f"not TOML: {problem}", line, column) from error
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, f"not usable: {error}") from error
    if not isinstance(document, dict):
        raise FileFormatError(path, f"must be an object with keys among {', '.join(_PARTS)}")
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return document
