"""Checks of background knowledge: the form of each part, then whether all parts can be satisfied together.

These checks are complete: if `refuse_clashes` finds no conflict, the network of just the required arcs is acyclic, has
no forbidden arc, none against the tiers, none into a root or out of a leaf, and no variable with more parents than
its limit. So it satisfies all constraints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from qnml._checks import checked_list, checked_whole_number
from qnml.errors import CycleError, InputError, bad_argument, shown, unknown_name
from qnml.graph import Dag
from qnml.graph.labels import listed

if TYPE_CHECKING:
    from qnml.search.knowledge.knowledge import Knowledge

__all__ = [
    "arcs_of",
    "limits_by_name",
    "limits_of",
    "names_of",
    "refuse_clashes",
    "refuse_too_many_required",
    "refuse_unknown_names",
    "tiers_of",
]

_CALL = "Knowledge"

Limits = int | tuple[tuple[str, int], ...] | None


def names_of(argument: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple, without duplicates."""
    # A bare string would be taken letter by letter, which is never meant.
    given = checked_list(_CALL, argument, _in_order(names), "a sequence of names", "For one name write [name].")
    return tuple(dict.fromkeys(_name(argument, name) for name in given))


def arcs_of(argument: str, arcs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The (parent, child) pairs as a tuple, without duplicates."""
    pairs = []
    for arc in checked_list(_CALL, argument, _in_order(arcs), "a sequence of (parent, child) pairs"):
        allowed = "pairs of names, parent first, such as ('A', 'B')"
        ends = [] if isinstance(arc, set) else checked_list(_CALL, argument, arc, allowed)
        if len(ends) != 2:
            raise bad_argument(_CALL, argument, arc, allowed)
        parent, child = (_name(argument, end) for end in ends)
        if parent == child:
            raise bad_argument(_CALL, argument, ends, "pairs of two different names; this is a self-loop")
        pairs.append((parent, child))
    return tuple(dict.fromkeys(pairs))


def tiers_of(tiers: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """The groups as tuples; empty groups are kept, so that messages number the tiers as the user did."""
    allowed = "a sequence of groups of names, earliest first"
    if isinstance(tiers, set):
        raise bad_argument(_CALL, "tiers", tiers, allowed)
    return tuple(names_of("tiers", tier) for tier in checked_list(_CALL, "tiers", tiers, allowed))


def limits_of(limits: int | Mapping[str, int] | Iterable[tuple[str, int]] | None) -> Limits:
    """The limits on the number of parents: one for all, or (name, limit) pairs."""
    if limits is None:
        return None
    if not isinstance(limits, Iterable):
        return _limit(limits)
    try:
        by_name = dict(limits)
    except Exception:  # not pairs, or whatever a foreign iterator raises
        allowed = "a whole number of at least 0, or such numbers by name"
        raise bad_argument(_CALL, "max_parents", limits, allowed) from None
    return tuple((_name("max_parents", name), _limit(limit)) for name, limit in by_name.items())


def limits_by_name(names: Collection[str], *several: Limits) -> dict[str, int]:
    """The lowest of several limits for each variable; without a limit, the number of other variables."""
    lowest = dict.fromkeys(names, len(names) - 1)
    for limits in several:
        if isinstance(limits, tuple):
            pairs = limits
        else:
            pairs = () if limits is None else tuple((name, limits) for name in names)
        for name, limit in pairs:
            if name not in lowest:
                raise unknown_name(_CALL, "max_parents", name, names)
            lowest[name] = min(lowest[name], limit)
    return lowest


def refuse_unknown_names(knowledge: Knowledge, known: Collection[str]) -> None:
    """Raise an error if the knowledge mentions an unknown variable."""
    by_name = knowledge.max_parents if isinstance(knowledge.max_parents, tuple) else ()
    for part, names in (
        ("required", [name for arc in knowledge.required for name in arc]),
        ("forbidden", [name for arc in knowledge.forbidden for name in arc]),
        ("tiers", [name for tier in knowledge.tiers for name in tier]),
        ("max_parents", [name for name, _ in by_name]),
        ("roots", knowledge.roots),
        ("leaves", knowledge.leaves),
    ):
        for name in names:
            if name not in known:
                raise unknown_name(_CALL, part, name, known)


def refuse_clashes(knowledge: Knowledge) -> None:
    """Raise an error that names the conflict if no network can satisfy all constraints."""
    tier_of: dict[str, int] = {}
    for place, tier in enumerate(knowledge.tiers, 1):
        for name in tier:
            if name in tier_of:
                where = f"tier {tier_of[name]} and tier {place}"
                raise InputError(f"{_CALL}(tiers=…): {name!r} is in {where}. Name it in one tier only.")
            tier_of[name] = place
    forbidden, roots, leaves = set(knowledge.forbidden), set(knowledge.roots), set(knowledge.leaves)
    for parent, child in knowledge.required:
        if (parent, child) in forbidden:
            _refuse_required(parent, child, "and forbidden")
        if parent in tier_of and child in tier_of and tier_of[parent] > tier_of[child]:
            places = f"{parent!r} is in tier {tier_of[parent]} and {child!r} in tier {tier_of[child]}"
            _refuse_required(parent, child, f"but {places}")
        if child in roots:
            _refuse_required(parent, child, f"but {child!r} is one of the roots")
        if parent in leaves:
            _refuse_required(parent, child, f"but {parent!r} is one of the leaves")
    names = dict.fromkeys(name for arc in knowledge.required for name in arc)
    try:
        Dag.from_arcs(names, knowledge.required)
    except CycleError as error:
        raise CycleError(f"{_CALL}(required=…)", error.cycle) from None
    limits = knowledge.max_parents
    if limits is not None:
        by_name = dict.fromkeys(names, limits) if isinstance(limits, int) else dict(limits)
        refuse_too_many_required(knowledge.required, by_name)


def refuse_too_many_required(required: Iterable[tuple[str, str]], limits: Mapping[str, int]) -> None:
    """Raise an error if a variable has more required parents than its limit allows."""
    parents: dict[str, list[str]] = {}
    for parent, child in required:
        parents.setdefault(child, []).append(parent)
    for child, above in parents.items():
        if child in limits and len(above) > limits[child]:
            raise InputError(
                f"{_CALL}: {child!r} has {len(above)} required parent{'' if len(above) == 1 else 's'} "
                f"({listed(above)}), but max_parents allows {limits[child]}. "
                "Raise the limit or require fewer."
            )


def _refuse_required(parent: str, child: str, clash: str) -> NoReturn:
    raise InputError(f"{_CALL}: the arc {parent} -> {child} is required, {clash}. Drop either.")


def _name(argument: str, name: Any) -> str:
    if not isinstance(name, str):
        raise bad_argument(_CALL, argument, name, "names, which are strings")
    if not name:
        raise bad_argument(_CALL, argument, name, "names of at least one character")
    return str(name)


def _limit(limit: Any) -> int:
    return checked_whole_number(_CALL, "max_parents", limit)


def _in_order(values: object) -> object:
    # The order of a set of strings changes from run to run; messages and reprs should not.
    return sorted(values, key=shown) if isinstance(values, set | frozenset) else values
