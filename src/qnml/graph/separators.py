"""All minimal sets of nodes that separate two nodes of an undirected graph, on bit masks.

The separators between s and t are walked through from those close to s towards t. Let A be the component of s once a
separator S is removed. For a node v of S, the nodes around the component of t, once A, v and their neighbours are
removed, form the next one. Every minimal separator is reached in this way (Kloks and Kratsch 1998).

References
----------
T. Kloks, D. Kratsch (1998). Listing all minimal separators of a graph. SIAM Journal on Computing 27.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["minimal_separators"]


def minimal_separators(neighbours: Sequence[int], sources: int, targets: int, allowed: int) -> Iterator[int]:
    """Yield every minimal set of allowed nodes that separates two sets of nodes, each once.

    Parameters
    ----------
    neighbours
        Adjacency masks; nodes outside the graph have none.
    sources, targets
        Disjoint sets of nodes.
    allowed
        The nodes that a separator may have, none of them in the two sets.
    """
    around = _without(list(neighbours), ~(sources | targets | allowed))
    if _beside(around, sources) & targets:
        return
    first = _close_to_targets(around, sources, targets)
    waiting, seen = [first], {first}
    while waiting:
        found = waiting.pop()
        yield found
        reached = _component(around, sources, ~found)
        for node in bits(found & ~_beside(around, targets)):
            following = _close_to_targets(around, reached | 1 << node, targets)
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def _without(around: list[int], removed: int) -> list[int]:
    """Take nodes out of a graph and join all their neighbours: a path through them stays a path."""
    for node, mask in enumerate(around):
        if removed >> node & 1:
            for other in bits(mask):
                around[other] = (around[other] | mask) & ~(1 << other | 1 << node)
            around[node] = 0
    return around


def _close_to_targets(around: Sequence[int], side: int, targets: int) -> int:
    border = _beside(around, side)
    return _beside(around, _component(around, targets, ~(side | border)))


def _beside(around: Sequence[int], nodes: int) -> int:
    return reduce(or_, (around[node] for node in bits(nodes)), 0) & ~nodes


def _component(around: Sequence[int], start: int, within: int) -> int:
    found = fresh = start
    while fresh:
        fresh = reduce(or_, (around[node] for node in bits(fresh)), 0) & within & ~found
        found |= fresh
    return found
