"""Columns that are copies of one another: which of them the others depend on, data cannot say; names do.

Copies have the same counts beside any other columns, so exchanging two of them changes no score, and neither does a
child that takes one of them for another as its parent. A search ends at one of these networks by chance. Of them all,
the one is taken in which the first copy by name is the parent, wherever one copy alone is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import child_masks, topological_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.search.knowledge import CompiledKnowledge

__all__ = ["gather_copies"]


def gather_copies(
    parents: Sequence[int], copies: Sequence[Sequence[int]], compiled: CompiledKnowledge
) -> tuple[int, ...]:
    """A network of the same score in which the first of the copies has the children.

    Parameters
    ----------
    parents
        For each variable the mask of its parents; admitted by `compiled`.
    copies
        Groups of variables that are copies of one another, each in order of their numbers.
    compiled
        What is admitted. Copies of which it demands different things are left as they are.

    Notes
    -----
    Why there is no cycle: children go over to the copy that comes first in an order of the variables in which all arcs
    point forward, so their arcs still do. Then this copy and the first by name exchange their places.
    """
    masks = list(parents)
    for group in copies:
        if not _are_exchangeable(group, compiled):
            continue
        members = sum(1 << member for member in group)
        order = topological_order(masks, child_masks(masks))
        source = next(variable for variable in order if members >> variable & 1)
        for child, mask in enumerate(masks):
            if (mask & members).bit_count() == 1:
                masks[child] = mask & ~members | 1 << source
        masks = _exchanged(masks, source, group[0])
    return tuple(masks)


def _exchanged(masks: Sequence[int], one: int, other: int) -> list[int]:
    """The network with two variables in each other's place."""
    if one == other:
        return list(masks)
    both = 1 << one | 1 << other
    renamed = [mask ^ both if (mask & both).bit_count() == 1 else mask for mask in masks]
    renamed[one], renamed[other] = renamed[other], renamed[one]
    return renamed


def _are_exchangeable(group: Sequence[int], compiled: CompiledKnowledge) -> bool:
    """Whether what is admitted stays admitted when variables of the group exchange their places."""
    members = sum(1 << member for member in group)
    if any(mask & members for mask in compiled.required):
        return False
    if any((mask & members) not in (0, members) for child, mask in _outside(group, compiled.allowed)):
        return False
    first = group[0]
    return all(
        compiled.allowed[member] & ~members == compiled.allowed[first] & ~members
        and compiled.allowed[member] & members in (0, members & ~(1 << member))
        and bool(compiled.allowed[member] & members) == bool(compiled.allowed[first] & members)
        and compiled.required[member] == compiled.required[first]
        and compiled.max_parents[member] == compiled.max_parents[first]
        for member in group
    )


def _outside(group: Sequence[int], masks: Sequence[int]) -> list[tuple[int, int]]:
    return [(child, mask) for child, mask in enumerate(masks) if child not in group]
