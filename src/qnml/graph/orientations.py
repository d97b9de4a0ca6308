"""All orientations of an undirected chordal graph without cycles and v-structures, on bit masks.

The members of an equivalence class differ only inside the chain components of its CPDAG, the connected components
of its undirected edges. These are chordal, and the surrounding arcs do not restrict their orientations, so this
module works with the undirected edges only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["orientations"]


class _Partial:
    """A partially oriented graph, kept closed under Meek's rules 1 and 2."""

    __slots__ = ("adjacent", "children", "neighbours", "parents")

    def __init__(self, adjacent: Sequence[int]) -> None:
        self.adjacent = adjacent
        self.neighbours = list(adjacent)
        self.parents = [0] * len(adjacent)
        self.children = [0] * len(adjacent)

    def copy(self) -> _Partial:
        other = _Partial(self.adjacent)
        other.neighbours = list(self.neighbours)
        other.parents = list(self.parents)
        other.children = list(self.children)
        return other

    def orient(self, tail: int, head: int) -> None:
        """Orient one undirected edge and all edges whose orientation follows from it.

        Only Meek's rules 1 and 2 are needed. Rule 3 starts from a v-structure, which a chordal graph
        oriented without v-structures never has. Rule 4 starts from two arcs c → d → b and a node joined to
        c, d and b by undirected edges; it cannot apply to the edge chosen next as long as edges are chosen
        node by node, all edges of one node before those of the next. So each chosen edge can be oriented
        either way; the tests compare the number of results with the size of the class.
        """
        adjacent, neighbours = self.adjacent, self.neighbours
        parents, children = self.parents, self.children
        waiting = [(tail, head)]
        while waiting:
            a, b = waiting.pop()
            if not neighbours[a] >> b & 1:
                continue
            neighbours[a] ^= 1 << b
            neighbours[b] ^= 1 << a
            children[a] |= 1 << b
            parents[b] |= 1 << a
            # Rule 1: a → b — c with a, c not adjacent would become a v-structure.
            waiting += [(b, c) for c in bits(neighbours[b] & ~adjacent[a])]
            # Rule 2: a directed path of two arcs beside an edge would close a cycle; the new arc is the first
            # or the second.
            waiting += [(a, c) for c in bits(children[b] & neighbours[a])]
            waiting += [(c, b) for c in bits(parents[a] & neighbours[b])]


def orientations(neighbours: Sequence[int]) -> Iterator[list[int]]:
    """Yield the parent masks of every acyclic orientation without v-structures.

    The order is lexicographic: edges are sorted by their positions, and an edge is first directed from the smaller
    position to the larger, then the opposite way. No branch is a dead end, so the time between two results is
    polynomial.

    Parameters
    ----------
    neighbours
        Adjacency masks of a chordal graph.
    """
    # An explicit stack: a clique of 50 nodes has more edges than Python allows nested calls.
    stack = [(_Partial(neighbours), 0)]
    while stack:
        partial, start = stack.pop()
        while start < len(neighbours) and not partial.neighbours[start]:
            start += 1
        if start == len(neighbours):
            yield partial.parents
            continue
        other = next(bits(partial.neighbours[start]))
        backwards = partial.copy()
        backwards.orient(other, start)
        partial.orient(start, other)
        stack.append((backwards, start))
        stack.append((partial, start))
