"""Conversion of a DAG to its completed partially directed graph and back, on bit masks."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from qnml.graph.masks import bits, child_masks, topological_order

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["compelled_parents", "completed", "extension", "first_of_class"]


def compelled_parents(parents: Sequence[int]) -> list[int]:
    """Return the compelled parents of every node of a DAG: those whose arcs no equivalent DAG reverses.

    This is the edge labelling of Chickering (1995). It visits the nodes in topological order; let ``x`` be
    the last parent of ``y`` in that order. The original labels the arcs into ``y`` one by one, but the step for
    ``x`` always determines all of them, which leaves three cases:

    - a compelled arc w → x with w not a parent of ``y`` forbids y → x, and then every arc into ``y`` is
      compelled;
    - the same holds if ``y`` has a parent besides ``x`` that is not a parent of ``x`` (a v-structure at ``y``);
    - otherwise only the parents with a compelled arc into ``x`` have one into ``y``.

    References
    ----------
    D. M. Chickering (1995). A transformational characterization of equivalent Bayesian network structures.
    UAI.
    """
    order = topological_order(parents, child_masks(parents))
    place = [0] * len(parents)
    for position, node in enumerate(order):
        place[node] = position
    compelled = [0] * len(parents)
    for node in order:
        mask = parents[node]
        if not mask:
            continue
        last = max(bits(mask), key=place.__getitem__)
        if compelled[last] & ~mask or mask & ~(parents[last] | 1 << last):
            compelled[node] = mask
        else:
            compelled[node] = compelled[last]
    return compelled


def completed(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the class of a DAG: for each node its compelled parents, and its neighbours by reversible arcs."""
    compelled = compelled_parents(parents)
    free = [every & ~fixed for every, fixed in zip(parents, compelled, strict=True)]
    return compelled, [up | down for up, down in zip(free, child_masks(free), strict=True)]


def first_of_class(parents: Sequence[int]) -> list[int]:
    """Return the equivalent DAG whose arcs point from earlier to later nodes where possible; unique for each class."""
    first = extension(*completed(parents))
    assert first is not None, "the class of a DAG has a member"
    return first


def extension(parents: Sequence[int], neighbours: Sequence[int]) -> list[int] | None:
    """Orient the undirected edges without creating a cycle or a new v-structure; None if that is impossible.

    Dor and Tarsi's rule: remove a node without outgoing arcs, each of whose undirected neighbours is adjacent to all
    other nodes adjacent to it; direct its undirected edges towards it; repeat. A removable node stays removable while
    others are removed, so any choice succeeds if one does. The largest index is removed first, which directs the
    edges from earlier to later nodes where possible and makes the result canonical.

    References
    ----------
    D. Dor and M. Tarsi (1992). A simple algorithm to construct a consistent extension of a partially oriented
    graph. Technical report R-185, UCLA.
    """
    children = child_masks(parents)
    adjacent = [up | down | beside for up, down, beside in zip(parents, children, neighbours, strict=True)]
    remaining = (1 << len(parents)) - 1

    def may_go(node: int) -> bool:
        if children[node] & remaining:
            return False
        around = adjacent[node] & remaining
        return all(not around & ~(adjacent[other] | 1 << other) for other in bits(neighbours[node] & remaining))

    result = list(parents)
    queue = [-node for node in range(len(parents)) if may_go(node)]
    queued = sum(1 << -node for node in queue)
    heapq.heapify(queue)
    while queue:
        node = -heapq.heappop(queue)
        remaining &= ~(1 << node)
        result[node] |= neighbours[node] & remaining
        # Only neighbours of the removed node can have become removable.
        for other in bits(adjacent[node] & remaining & ~queued):
            if may_go(other):
                heapq.heappush(queue, -other)
                queued |= 1 << other
    return None if remaining else result
