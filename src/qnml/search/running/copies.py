"""Columns that are copies of each other: the data cannot tell which copy is a parent, so their names decide.

Copies have the same counts together with any other columns. So exchanging two copies changes no score, nor does
replacing one copy by another as the parent of a child. A search ends at one of these networks by chance. Of all of
them, we return the one in which the first copy by name is the parent wherever only one copy is.
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
        The parent mask of each variable; admitted by `compiled`.
    copies
        Groups of variables that are copies of each other, each in numerical order.
    compiled
        The constraints. Copies that it treats differently are left as they are.

    Notes
    -----
    There is no cycle: children move to a copy without any other copy among its ancestors. If such a child were an
    ancestor of this copy, so would be the copy that the child leaves. Then this copy and the first by name
    are exchanged.
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
        """The first of the group that has no other member among its ancestors; it exists since there are no cycles."""
        members = sum(1 << member for member in group)
        return next(one for one in group if ancestors_of(self.parents, 1 << one) & members == 1 << one)

    def move_children(self, group: Sequence[int], source: int) -> None:
        """Turn every child of exactly one member of the group into a child of `source`."""
        members = sum(1 << member for member in group)
        for member in group:
            for child in bits(self.children[member]):
                if self.parents[child] & members == 1 << member != 1 << source:
                    self.parents[child] ^= 1 << member | 1 << source
                    self.children[member] ^= 1 << child
                    self.children[source] |= 1 << child

    def exchange(self, one: int, other: int) -> None:
        """Exchange the positions of two variables."""
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
    """The constraints, prepared for queries about thousands of groups."""

    def __init__(self, compiled: CompiledKnowledge) -> None:
        # Including the child itself, so that children that may have any parents have equal masks.
        self.families = [mask | 1 << child for child, mask in enumerate(compiled.allowed)]
        self.kinds = set(self.families)
        self.required = compiled.required
        self.max_parents = compiled.max_parents
        self.is_demanded = 0
        for mask in compiled.required:
            self.is_demanded |= mask

    def take_alike(self, group: Sequence[int]) -> bool:
        """Whether exchanging variables of the group keeps every admitted network admitted."""
        members = sum(1 << member for member in group)
        return (
            not self.is_demanded & members
            and all(kind & members in (0, members) for kind in self.kinds)
            and all(len({values[member] for member in group}) == 1 for values in (self.families, self.max_parents))
            and len({self.required[member] for member in group}) == 1
        )
