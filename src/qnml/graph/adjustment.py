"""Adjustment sets: which variables to adjust for, so that what is observed shows the effect of an intervention.

A set Z is valid for causes X and targets Y if Σ P(y | x, z) P(z) over z is P(y | do(x)) in every member of the graph,
whatever the probabilities are. The generalized adjustment criterion (Perković, Textor, Kalisch and Maathuis 2018; with
background knowledge Perković, Kalisch and Maathuis 2017) tells all valid sets:

1. every possibly causal path from X to Y that leaves X at once begins with a directed edge;
2. Z has no node that is possibly a descendant of a node on such a path, other than its first;
3. Z blocks all other paths from X to Y.

The third condition is the same in all members if the first two hold, so it is checked in one of them, by d-separation
in the graph without the first arcs of its causal paths (van der Zander, Liśkiewicz and Textor 2019). Minimal sets are
the minimal separators of the moral graph of the ancestors there. The tests compare all of this with the probabilities
of random networks, for all members.

References
----------
E. Perković, J. Textor, M. Kalisch, M. H. Maathuis (2018). Complete graphical characterization and construction of
adjustment sets in Markov equivalence classes of ancestral graphs. JMLR 18.
B. van der Zander, M. Liśkiewicz, J. Textor (2019). Separators and adjustment sets in causal graphs: complete criteria
and an algorithmic framework. Artificial Intelligence 270.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from qnml.graph.masks import ancestors_of, bits, child_masks
from qnml.graph.possible_paths import PossiblePaths
from qnml.graph.separation import reachable
from qnml.graph.separators import minimal_separators

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Adjustment"]


class Adjustment:
    """The question which sets to adjust for.

    Parameters
    ----------
    parents, neighbours
        Masks of the graph.
    member
        Parent masks of any member of it.
    causes, targets
        Disjoint sets of nodes.
    """

    def __init__(
        self, parents: Sequence[int], neighbours: Sequence[int], member: Sequence[int], causes: int, targets: int
    ) -> None:
        self._paths = PossiblePaths(parents, neighbours)
        self._member = member
        self._causes, self._targets = causes, targets

    @cached_property
    def is_amenable(self) -> bool:
        """Whether the first condition holds; otherwise no set is valid."""
        return self._paths.is_amenable(self._causes, self._targets)

    @cached_property
    def forbidden(self) -> int:
        """The nodes that no valid set has, by the second condition."""
        first = 0
        for cause in bits(self._causes):
            first |= self._paths.children[cause]
        after = self._paths.descendants(first & ~self._causes, self._causes)
        on_paths = after & self._paths.ancestors(self._targets, self._causes)
        return self._paths.descendants(on_paths)

    @cached_property
    def descendants(self) -> int:
        """The nodes that are possibly descendants of the causes, which the back-door criterion leaves out."""
        return self._paths.descendants(self._causes)

    @cached_property
    def _without_causal_paths(self) -> list[int]:
        """The member without the first arcs of its paths from the causes to the targets."""
        above = self._targets
        fresh = above
        while fresh:
            reached = 0
            for node in bits(fresh):
                reached |= self._member[node]
            fresh = reached & ~above & ~self._causes
            above |= fresh
        return [mask & ~self._causes if above >> node & 1 else mask for node, mask in enumerate(self._member)]

    def is_valid(self, adjusted: int) -> bool:
        """Return whether a set of nodes, none of them a cause or a target, is valid."""
        if not self.is_amenable or adjusted & self.forbidden:
            return False
        parents = self._without_causal_paths
        return not reachable(parents, child_masks(parents), self._causes, adjusted) & self._targets

    def minimal_sets(self, left_out: int) -> Iterator[int]:
        """Yield the valid sets without needless nodes, among all nodes but those left out."""
        if not self.is_amenable:
            return
        parents = self._without_causal_paths
        ancestors = ancestors_of(parents, self._causes | self._targets)
        allowed = ancestors & ~(self._causes | self._targets | self.forbidden | left_out)
        yield from minimal_separators(_moral(parents, ancestors), self._causes, self._targets, allowed)


def _moral(parents: Sequence[int], within: int) -> list[int]:
    """Adjacency masks of the moral graph of an ancestral set: parents of a node are joined."""
    around = [0] * len(parents)
    for node in bits(within):
        family = parents[node] | 1 << node
        for member in bits(family):
            around[member] |= family & ~(1 << member)
    return around
