"""Counting and drawing the members of a class in which background knowledge has directed some edges.

The connected components of the undirected edges can be directed independently: Meek's rules never lead from one to
another. Each member has exactly one node per component that all its edges in the component leave, the source of the
component, since the component is connected and its orientations have no v-structure. So the members are counted by
source: direct all edges of a node away from it, apply the rules, and multiply the counts of the smaller components that
are left (He, Jia and Yu 2015). Where no arc lies between two nodes of a component, it is chordal and counted by clique
picking in polynomial time. With such arcs counting is #P-hard (Wienöbst, Bannach and Liśkiewicz 2021); the work is
limited.

References
----------
Y. He, J. Jia, B. Yu (2015). Counting and exploring sizes of Markov equivalence classes of directed acyclic graphs.
JMLR.
M. Wienöbst, M. Bannach, M. Liśkiewicz (2021). Polynomial-time algorithms for counting and sampling Markov equivalent
DAGs. AAAI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.clique_picking import count_orientations
from qnml.graph.masks import bits, components

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from qnml.graph.meek import PartialOrientation

__all__ = ["MemberCounts", "OutOfWorkError"]


class OutOfWorkError(Exception):
    """Counting would take more steps than allowed."""


class MemberCounts:
    """Numbers of members, with what has been counted before.

    Parameters
    ----------
    most_steps
        How many components to split by their sources, at most. Each takes time in proportion to its nodes and edges.
    """

    def __init__(self, most_steps: int) -> None:
        self._left = most_steps
        self._known: dict[tuple[tuple[int, int, int], ...], int] = {}

    def total(self, graph: PartialOrientation) -> int:
        """Return the number of ways to direct the undirected edges of a graph that is closed under Meek's rules.

        Raises
        ------
        OutOfWorkError
            If that takes too many steps.
        """
        product = 1
        for component in _undirected_components(graph, (1 << len(graph.parents)) - 1):
            product *= self._of_component(graph, component)
        return product

    def draw(self, graph: PartialOrientation, random: random.Random) -> list[int]:
        """Draw the parent masks of a member, each with the same probability."""
        partial = graph.copy()
        waiting = [*_undirected_components(partial, (1 << len(graph.parents)) - 1)]
        while waiting:
            component = waiting.pop()
            # A whole number below the count decides, so that the probabilities are exact.
            place = random.randrange(self._of_component(partial, component))
            for after in _by_source(partial, component):
                parts = [*_undirected_components(after, component)]
                product = 1
                for part in parts:
                    product *= self._of_component(after, part)
                if place < product:
                    partial = after
                    waiting += parts
                    break
                place -= product
        return partial.parents

    def _of_component(self, graph: PartialOrientation, component: int) -> int:
        nodes = [*bits(component)]
        if not any(graph.parents[node] & component for node in nodes):
            return count_orientations([graph.neighbours[node] & component for node in range(len(graph.parents))])
        key = tuple((node, graph.parents[node] & component, graph.neighbours[node] & component) for node in nodes)
        if key not in self._known:
            self._left -= 1
            if self._left < 0:
                raise OutOfWorkError
            count = 0
            for after in _by_source(graph, component):
                product = 1
                for part in _undirected_components(after, component):
                    product *= self._of_component(after, part)
                count += product
            self._known[key] = count
        return self._known[key]


def _by_source(graph: PartialOrientation, component: int) -> Iterator[PartialOrientation]:
    """Yield the graph with each possible source of a component."""
    for node in bits(component):
        if not graph.parents[node] & component:
            after = graph.copy()
            if after.orient_into(node, 0):
                yield after


def _undirected_components(graph: PartialOrientation, within: int) -> Sequence[int]:
    """Connected components of the undirected edges, those of a single node left out."""
    return [part for part in components(graph.neighbours, within) if part & (part - 1)]
