"""Possibly causal paths in a graph that stands for several DAGs, on bit masks.

A path is possibly causal if no directed edge between two of its nodes points backwards, whether or not they are
neighbours on the path. Such a path has a part with the same ends that is unshielded: no two nodes at distance two on it
are adjacent. On an unshielded path without an edge that points backwards, the first edge, once directed forwards,
directs all others (Meek's first rule), so some member has it as a directed path, and it visits no node twice. It is
therefore enough to walk along unshielded triples.

References
----------
E. Perković, M. Kalisch, M. H. Maathuis (2017). Interpreting and using CPDAGs with background knowledge. UAI.
E. Perković (2020). Identifying causal effects in maximally oriented partially directed acyclic graphs. UAI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits, child_masks

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PossiblePaths"]


class PossiblePaths:
    """Reachability along possibly causal paths.

    Parameters
    ----------
    parents, neighbours
        Masks of a `Dag` (no neighbours), a `Cpdag` or an `Mpdag`.
    """

    def __init__(self, parents: Sequence[int], neighbours: Sequence[int]) -> None:
        self.parents, self.neighbours = parents, neighbours
        self.children = child_masks(parents)
        self._forward = [down | beside for down, beside in zip(self.children, neighbours, strict=True)]
        self._backward = [up | beside for up, beside in zip(parents, neighbours, strict=True)]
        self._adjacent = [up | forth for up, forth in zip(parents, self._forward, strict=True)]

    def descendants(self, start: int, avoided: int = 0) -> int:
        """Return the nodes that possibly causal paths lead to from a set, itself included, without avoided nodes."""
        return self._reached(self._forward, start, avoided)

    def ancestors(self, start: int, avoided: int = 0) -> int:
        """Return the nodes from which possibly causal paths lead to a set, itself included, without avoided nodes."""
        return self._reached(self._backward, start, avoided)

    def is_amenable(self, causes: int, targets: int) -> bool:
        """Return whether every possibly causal path from the causes to the targets begins with a directed edge.

        Only paths that touch the causes in their first node count. Exactly then the distribution of the targets under
        an intervention on the causes is the same in all members, whatever the probabilities are (Perković 2020).
        """
        for cause in bits(causes):
            # A path over a parent of the cause would have an edge that points back to its first node.
            avoided = causes | self.parents[cause]
            beside = self.neighbours[cause] & ~causes
            if self.descendants(beside & ~avoided, avoided) & targets:
                return False
        return True

    def _reached(self, steps: Sequence[int], start: int, avoided: int) -> int:
        found = start & ~avoided
        waiting = [(node, other) for node in bits(found) for other in bits(steps[node] & ~avoided)]
        seen = set(waiting)
        while waiting:
            previous, node = waiting.pop()
            found |= 1 << node
            for other in bits(steps[node] & ~avoided & ~self._adjacent[previous] & ~(1 << previous)):
                if (node, other) not in seen:
                    seen.add((node, other))
                    waiting.append((node, other))
        return found
