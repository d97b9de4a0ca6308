"""Meek's rules: what follows for the other edges once some edges of an equivalence class have a direction.

The rules direct an undirected edge a — b as a → b where the opposite direction would close a cycle or make a new
v-structure, whatever becomes of the other edges:

1. c → a and c, b are not adjacent;
2. a → c → b;
3. a — c → b and a — d → b, and c, d are not adjacent;
4. a — d → c → b, a, c are adjacent, and d, b are not.

Applied to the graph of a class and any arcs of one of its members, they find every edge on which all members with these
arcs agree (Meek 1995, theorem 4). So in a graph that is closed under the rules every undirected edge can still be
directed either way. The tests compare both statements with all members of all classes.

References
----------
C. Meek (1995). Causal inference and causal explanation with background knowledge. UAI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits, child_masks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PartialOrientation"]


class PartialOrientation:
    """A partly directed graph that stays closed under Meek's rules while its edges are directed.

    Parameters
    ----------
    parents, neighbours
        Masks of a graph that is closed under the rules.
    """

    __slots__ = ("adjacent", "children", "neighbours", "parents")

    def __init__(self, parents: Sequence[int], neighbours: Sequence[int]) -> None:
        self.parents = list(parents)
        self.neighbours = list(neighbours)
        self.children = child_masks(parents)
        self.adjacent = [
            up | down | beside for up, down, beside in zip(parents, self.children, neighbours, strict=True)
        ]

    def copy(self) -> PartialOrientation:
        """Return a graph that can be changed without changing this one."""
        other = object.__new__(PartialOrientation)
        # Directing edges changes no adjacency, so all copies can share it.
        other.adjacent = self.adjacent
        other.parents, other.children = list(self.parents), list(self.children)
        other.neighbours = list(self.neighbours)
        return other

    def orient(self, tail: int, head: int) -> bool:
        """Direct an edge and all edges whose direction follows; False if it has the opposite direction already."""
        waiting = [(tail, head)]
        while waiting:
            a, b = waiting.pop()
            if self.neighbours[a] >> b & 1:
                self.neighbours[a] ^= 1 << b
                self.neighbours[b] ^= 1 << a
                self.children[a] |= 1 << b
                self.parents[b] |= 1 << a
                waiting += self._following(a, b)
            elif not self.parents[b] >> a & 1:
                return False
        return True

    def orient_into(self, node: int, parents: int) -> bool:
        """Direct all undirected edges of a node: those from `parents` to it, the others away from it.

        Returns
        -------
        False if the rules force one of these edges the other way.
        """
        beside = self.neighbours[node]
        for other in bits(beside):
            if not (self.orient(other, node) if parents >> other & 1 else self.orient(node, other)):
                return False
        return True

    def _following(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """The edges that the new arc a → b directs, by rule; where the arc takes part twice, in both roles."""
        adjacent, neighbours = self.adjacent, self.neighbours
        parents, children = self.parents, self.children
        for c in bits(neighbours[b] & ~adjacent[a]):
            yield b, c
        for c in bits(children[b] & neighbours[a]):
            yield a, c
        for c in bits(parents[a] & neighbours[b]):
            yield c, b
        for x in bits(neighbours[a] & neighbours[b]):
            if parents[b] & neighbours[x] & ~adjacent[a] & ~(1 << a):
                yield x, b
        for c in bits(children[b] & ~adjacent[a]):
            for x in bits(neighbours[a] & neighbours[c] & adjacent[b]):
                yield x, c
        for d in bits(parents[a] & ~adjacent[b]):
            for x in bits(neighbours[d] & neighbours[b] & adjacent[a]):
                yield x, b
