"""Schemas for documents of lists and dictionaries: declared as data, validated completely, returned in plain form.

A document is anything JSON can represent; people may have edited it. A kind says what is allowed at a position; `take`
returns the value in its plain form, or raises a `MisfitError` that names the position, the value and what is allowed::

    Record({"version": OneOf((3,)), "sizes": ListOf(Whole(0, 9), 2)}).take({"version": 3, "sizes": [4, 10]})
    MisfitError: sizes[1] is 10, and must be a whole number from 0 to 9
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from qnml.errors import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ABSENT",
    "DictOf",
    "Flag",
    "Kind",
    "ListOf",
    "MisfitError",
    "Number",
    "OneOf",
    "OrNull",
    "Record",
    "Text",
    "Whole",
]


_LONGEST_NAME = 60


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
"""Marks a missing entry."""


class MisfitError(Exception):
    """A value in a document is not allowed.

    Parameters
    ----------
    place : path of the entry, such as ``"chains[0].dag[2]"``; empty for the document itself.
    found : the value.
    allowed : what is allowed.
    """

    def __init__(self, place: str, found: object, allowed: str) -> None:
        super().__init__(f"{place or 'the document'} is {shown(found)}, and must be {allowed}")
        self.place, self.found, self.allowed = place, found, allowed


class Kind(Protocol):
    """What is allowed at a position."""

    @property
    def words(self) -> str:
        """Description in words, as in an error after "must be"."""

    def take(self, value: object, place: str = "") -> Any:
        """The value in its plain form."""


@dataclass(frozen=True)
class Whole:
    """An integer; ``True`` and ``2.0`` are rejected.

    Parameters
    ----------
    lowest, highest : the range.
    """

    lowest: int
    highest: int

    @property
    def words(self) -> str:
        """The range."""
        return f"a whole number from {self.lowest} to {self.highest}"

    def take(self, value: object, place: str = "") -> int:
        """The number as an int."""
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (is_whole and self.lowest <= value <= self.highest):  # type: ignore[operator]
            raise MisfitError(place, value, self.words)
        return int(value)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True)
class Number:
    """A finite number.

    Parameters
    ----------
    lowest, highest : the range.
    """

    lowest: float = -math.inf
    highest: float = math.inf

    @property
    def words(self) -> str:
        """The range, where there is one."""
        if self.highest < math.inf:
            return f"a number from {self.lowest:g} to {self.highest:g}"
        return "a finite number" if self.lowest == -math.inf else f"a finite number of at least {self.lowest:g}"

    def take(self, value: object, place: str = "") -> float:
        """The number as a float."""
        number = math.nan
        if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:  # an integer beyond the doubles
                number = math.nan
        if not (math.isfinite(number) and self.lowest <= number <= self.highest):
            raise MisfitError(place, value, self.words)
        return number


@dataclass(frozen=True)
class Text:
    """A text.

    Parameters
    ----------
    words : what it says, for the error.
    """

    words: str = "a text"

    def take(self, value: object, place: str = "") -> str:
        """The text."""
        if not isinstance(value, str):
            raise MisfitError(place, value, self.words)
        return str(value)


@dataclass(frozen=True)
class OneOf:
    """One of a few texts or numbers.

    Parameters
    ----------
    values : these.
    """

    values: Sequence[str | int]

    @property
    def words(self) -> str:
        """The values."""
        return " or ".join(map(repr, self.values))

    def take(self, value: object, place: str = "") -> Any:
        """The value."""
        # By type first: 1.0 and True equal 1, and what is neither text nor number may not be compared.
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in self.values:
            raise MisfitError(place, value, self.words)
        return value


@dataclass(frozen=True)
class Flag:
    """True or False."""

    words: str = "true or false"

    def take(self, value: object, place: str = "") -> bool:
        """The value."""
        if not isinstance(value, bool):
            raise MisfitError(place, value, self.words)
        return value


@dataclass(frozen=True)
class OrNull:
    """A kind, or nothing.

    Parameters
    ----------
    kind : what is allowed besides None.
    """

    kind: Kind

    @property
    def words(self) -> str:
        """The kind, or null."""
        return f"null or {self.kind.words}"

    def take(self, value: object, place: str = "") -> Any:
        """The value, or None."""
        if value is None:
            return None
        try:
            return self.kind.take(value, place)
        except MisfitError as misfit:
            if misfit.place != place:
                raise
            raise MisfitError(place, value, self.words) from None


@dataclass(frozen=True)
class ListOf:
    """A list.

    Parameters
    ----------
    item : what it lists.
    lengths : how many; a range, or one number.
    """

    item: Kind
    lengths: range | int = range(1 << 31)

    @property
    def words(self) -> str:
        """How many of what."""
        several = f", each {self.item.words}"
        if isinstance(self.lengths, int):
            return f"a list of {self.lengths}{several}"
        if self.lengths.stop == 1 << 31:
            return f"a list{several}" if not self.lengths.start else f"a list of {self.lengths.start} or more{several}"
        return f"a list of {self.lengths.start} to {self.lengths.stop - 1}{several}"

    def take(self, value: object, place: str = "") -> list[Any]:
        """All entries, in a list of their own."""
        allowed = range(self.lengths, self.lengths + 1) if isinstance(self.lengths, int) else self.lengths
        if not isinstance(value, list | tuple) or len(value) not in allowed:
            raise MisfitError(place, value, self.words)
        return [self.item.take(entry, f"{place}[{number}]") for number, entry in enumerate(value)]


@dataclass(frozen=True)
class DictOf:
    """A dictionary with arbitrary names.

    Parameters
    ----------
    item : the kind of each value.
    names : the allowed names; all by default.
    """

    item: Kind
    names: Sequence[str] | None = None

    @property
    def words(self) -> str:
        """Of what."""
        return f"a dictionary, each entry {self.item.words}"

    def take(self, value: object, place: str = "") -> dict[str, Any]:
        """All entries, in a dictionary of their own."""
        if not isinstance(value, Mapping):
            raise MisfitError(place, value, self.words)
        taken = {}
        for name, entry in value.items():
            if not isinstance(name, str) or (self.names is not None and name not in self.names):
                allowed = "text" if self.names is None else f"one of {', '.join(self.names)}"
                raise MisfitError(f"a name in {place or 'the document'}", name, allowed)
            taken[name] = self.item.take(entry, _entry(place, name))
        return taken


@dataclass(frozen=True)
class Record:
    """A dictionary with known names.

    Parameters
    ----------
    fields : the kind of each entry.
    optional : names of entries that may be left out.
    """

    fields: Mapping[str, Kind]
    optional: frozenset[str] = field(default=frozenset())

    @property
    def words(self) -> str:
        """The names."""
        return f"a dictionary with {', '.join(self.fields)}"

    def take(self, value: object, place: str = "") -> dict[str, Any]:
        """All entries, in a dictionary of their own."""
        if not isinstance(value, Mapping):
            raise MisfitError(place, value, self.words)
        for name, entry in value.items():
            if not isinstance(name, str) or name not in self.fields:
                # Not ignored: it may be a misspelt one.
                raise MisfitError(_entry(place, name), entry, f"left out: entries are {', '.join(self.fields)}")
        taken = {}
        for name, kind in self.fields.items():
            if name in value:
                taken[name] = kind.take(value[name], _entry(place, name))
            elif name not in self.optional:
                raise MisfitError(_entry(place, name), ABSENT, kind.words)
        return taken


def _entry(place: str, name: object) -> str:
    known = isinstance(name, str) and name.isidentifier() and len(name) <= _LONGEST_NAME
    step = str(name) if known else f"[{shown(name)}]"
    return f"{place}.{step}" if place and known else f"{place}{step}"
