"""Random edits of JSON documents, as made by people, editors and damaged disks."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

__all__ = ["edited"]


def edited(document: Any, rng: Random) -> tuple[Any, str]:
    """A copy of a document with one to three random edits, and a description of them."""
    changed = copy.deepcopy(document)
    said = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        changed, one = _with_one_edit(changed, rng)
        said.append(one)
    return changed, "; ".join(said)


def _with_one_edit(document: Any, rng: Random) -> tuple[Any, str]:
    places = list(_places(document, ()))
    if not places or rng.random() < 0.01:
        return _strange(document, rng), "the whole"
    # By depth first: otherwise nearly all edits would hit the longest lists.
    depth = rng.choice(sorted({len(place) for place in places}))
    place = rng.choice([one for one in places if len(one) == depth])
    holder = document
    for step in place[:-1]:
        holder = holder[step]
    step, way = place[-1], rng.random()
    if way < 0.2:
        del holder[step]
        return document, f"deleted {place}"
    if way < 0.3:
        if isinstance(holder, dict):
            holder[rng.choice(["note", "", "version ", "x.y"])] = _strange(holder[step], rng)
        else:
            holder.insert(step, rng.choice(holder))
        return document, f"added beside {place}"
    if way < 0.4 and isinstance(holder, list):
        other = rng.randrange(len(holder))
        holder[step], holder[other] = holder[other], holder[step]
        return document, f"swapped {place} with {other}"
    holder[step] = _strange(holder[step], rng)
    return document, f"changed {place}"


def _places(value: Any, place: tuple[Any, ...]) -> Any:
    if len(place) == 6:  # what is nested deeper was made by an edit
        return
    steps = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield (*place, step)
        yield from _places(value[step], (*place, step))


def _strange(value: Any, rng: Random) -> Any:
    """Another value: similar to the old one, of another type, or out of range."""
    deep: Any = []
    for _ in range(2000):
        deep = [deep]
    near = []
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        near = [value + 1, value - 1, -value, value * 2, value + 0.5, float(value), value * 1000]
    numbers = [
        0,
        -1,
        1,
        2**31,
        2**32,
        2**63,
        2**64,
        10**400,
        10**5000,
        math.nan,
        math.inf,
        -math.inf,
        1e308,
        5e-324,
        -0.0,
    ]
    others = [
        "",
        "x",
        "nan",
        None,
        True,
        False,
        [],
        {},
        [value],
        {"a": value},
        deep,
        b"x",
        {1: 2},
        [[]],
        [None],
        (1, 2),
    ]
    if isinstance(value, list):
        near = [value * 2, value[:-1], value[::-1], [*value, 0], tuple(value), [[entry] for entry in value[:3]]]
    return rng.choice([rng.choice(near)] * 2 + [rng.choice(numbers), rng.choice(others)] if near else numbers + others)
