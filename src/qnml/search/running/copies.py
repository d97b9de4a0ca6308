"""Columns that are copies of one another: which of them the others depend on, data cannot say; names do.

Copies have the same counts beside any other columns, so exchanging two of them changes no score, and neither does a
child that takes one of them for another as its parent. A search ends at one of these networks by chance. Of them all,
the one is taken in which the first copy by name is the parent, wherever one copy alone is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import ancestors_of, bits, child_masks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.search.knowledge.knowledge import CompiledKnowledge

__all__ = ["gather_copies"]


def gather_copies(parents: Sequence[int], copies: Sequence[Sequence[int]], compiled: CompiledKnowledge) -> list[int]:
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
    Why there is no cycle: children go over to a copy that has no other copy among its ancestors. If one of them were an
    ancestor of it, so would be the copy it leaves. Then this copy and the first by name exchange their places.
    """
    network = _Network(parents)
    rules = _Rules(compiled)
    for group in copies:
        if rules.take_alike(group):
            source = network.first_source(group)
            network.move_children(group, source)
            network.exchange(source, group[0])
    return network.parents


class _Network:
    """Parents and children as masks."""

    def __init__(self, parents: Sequence[int]) -> None:
        self.parents = list(parents)
        self.children = child_masks(parents)

    def first_source(self, group: Sequence[int]) -> int:
        """The first of the group that has none of the others among its ancestors; there is one without cycles."""
        members = sum(1 << member for member in group)
        return next(one for one in group if ancestors_of(self.parents, 1 << one) & members == 1 << one)

    def move_children(self, group: Sequence[int], source: int) -> None:
        """Let every child of one of the group alone be a child of `source`."""
        members = sum(1 << member for member in group)
        for member in group:
            for child in bits(self.children[member]):
                if self.parents[child] & members == 1 << member != 1 << source:
                    self.parents[child] ^= 1 << member | 1 << source
                    self.children[member] ^= 1 << child
                    self.children[source] |= 1 << child

    def exchange(self, one: int, other: int) -> None:
        """Put two variables in each other's place."""
        if one == other:
            return
        both = 1 << one | 1 << other
        below, above = self.children[one] | self.children[other], self.parents[one] | self.parents[other]
        for masks, touched in ((self.parents, below), (self.children, above)):
            for variable in bits(touched):
                if (masks[variable] & both).bit_count() == 1:
                    masks[variable] ^= both
        for masks in (self.parents, self.children):
            masks[one], masks[other] = masks[other], masks[one]


class _Rules:
    """What is admitted, put together so that a thousand groups can be asked about."""

    def __init__(self, compiled: CompiledKnowledge) -> None:
        # With the child itself, which is the only difference between children that may have any parents.
        self.families = [mask | 1 << child for child, mask in enumerate(compiled.allowed)]
        self.kinds = set(self.families)
        self.required = compiled.required
        self.max_parents = compiled.max_parents
        self.is_demanded = 0
        for mask in compiled.required:
            self.is_demanded |= mask

    def take_alike(self, group: Sequence[int]) -> bool:
        """Whether all that is admitted stays admitted when variables of the group exchange their places."""
        members = sum(1 << member for member in group)
        return (
            not self.is_demanded & members
            and all(kind & members in (0, members) for kind in self.kinds)
            and all(len({values[member] for member in group}) == 1 for values in (self.families, self.max_parents))
            and len({self.required[member] for member in group}) == 1
        )
