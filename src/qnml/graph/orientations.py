"""All ways to direct the undirected edges of a class without cycles and new v-structures, on bit masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["orientations"]


def orientations(parents: Sequence[int], neighbours: Sequence[int]) -> Iterator[list[int]]:
    """Yield the parent masks of every member of a class.

    The order is lexicographic: edges are sorted by their positions, and an edge is first directed from the smaller
    position to the larger, then the opposite way. No branch is a dead end, so the time between two results is
    polynomial.

    Parameters
    ----------
    parents, neighbours
        Masks of a `Cpdag` or an `Mpdag`, which are closed under Meek's rules.
    """
    # An explicit stack: a clique of 50 nodes has more edges than Python allows nested calls.
    stack = [(PartialOrientation(parents, neighbours), 0)]
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
