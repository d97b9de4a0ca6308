"""Graph algorithms on bit masks, used by `Dag`, `Cpdag` and `Mpdag`.

A set of nodes is a Python integer whose bit ``i`` stands for node ``i``; a directed graph is a list with the
mask of the parents of each node. Python integers have no size limit, so the same code handles ten nodes and a
thousand, and one ``&`` handles a whole neighbourhood.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "ancestors_of",
    "bits",
    "child_masks",
    "components",
    "permuted",
    "shortest_cycle",
    "topological_order",
]


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the one bits, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def child_masks(parents: Sequence[int]) -> list[int]:
    """Convert parent masks to child masks, or child masks to parent masks."""
    children = [0] * len(parents)
    for child, mask in enumerate(parents):
        for parent in bits(mask):
            children[parent] |= 1 << child
    return children


def permuted(masks: Sequence[int], positions: Sequence[int]) -> list[int]:
    """Renumber the nodes of a graph so that node ``i`` becomes node ``positions[i]``."""
    result = [0] * len(masks)
    for old, mask in enumerate(masks):
        result[positions[old]] = sum(1 << positions[other] for other in bits(mask))
    return result


def ancestors_of(parents: Sequence[int], start: int) -> int:
    """Return the mask of `start` and all its ancestors; with child masks, of all its descendants."""
    found = start
    fresh = start
    while fresh:
        reached = 0
        for node in bits(fresh):
            reached |= parents[node]
        fresh = reached & ~found
        found |= fresh
    return found


def components(neighbours: Sequence[int], within: int) -> Iterator[int]:
    """Yield the connected components of an undirected graph restricted to the nodes of `within`."""
    while within:
        component = fresh = within & -within
        while fresh:
            reached = 0
            for node in bits(fresh):
                reached |= neighbours[node]
            fresh = reached & within & ~component
            component |= fresh
        yield component
        within &= ~component


def topological_order(parents: Sequence[int], children: Sequence[int]) -> list[int]:
    """Order the nodes parents first; among the nodes that are ready, the smallest index comes first.

    Nodes on a cycle, or below one, never become ready and are left out: the graph is acyclic if and only if
    the result contains every node.
    """
    missing = [mask.bit_count() for mask in parents]
    ready = [node for node, count in enumerate(missing) if count == 0]
    order = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for child in bits(children[node]):
            missing[child] -= 1
            if missing[child] == 0:
                heapq.heappush(ready, child)
    return order


def shortest_cycle(parents: Sequence[int], ordered: Iterable[int]) -> list[int]:
    """Find a directed cycle among the nodes that `topological_order` left out.

    Returns
    -------
    A closed walk along the arcs: its first and last node are the same, the smallest index on it.
    """
    left = (1 << len(parents)) - 1
    for node in ordered:
        left &= ~(1 << node)
    # Every remaining node has a remaining parent, so walking upwards must return to a node already visited.
    seen: set[int] = set()
    node = next(bits(left))
    while node not in seen:
        seen.add(node)
        node = next(bits(parents[node] & left))
    # That node lies on a cycle; the shortest one through it is found breadth first.
    start = node
    came_from: dict[int, int] = {}
    level = [start]
    while start not in came_from:
        following = []
        for below in level:
            for above in bits(parents[below] & left):
                if above not in came_from:
                    came_from[above] = below
                    following.append(above)
        level = following
    cycle = [start, came_from[start]]
    while cycle[-1] != start:
        cycle.append(came_from[cycle[-1]])
    cycle.pop()
    first = cycle.index(min(cycle))
    return [*cycle[first:], *cycle[: first + 1]]
