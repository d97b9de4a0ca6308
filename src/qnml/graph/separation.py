"""d-separation as reachability on bit masks, linear in the size of the graph.

This is the Bayes-ball algorithm (Shachter 1998). A ball moves from the first set along the arcs. Arriving at a node
from a child, it continues to parents and children unless the node is given. Arriving from a parent, it continues to
the children if the node is not given and bounces back to the parents if it is; moving down to a given descendant and
back up opens a collider. Every node is visited at most once from below and once from above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["reachable"]


def reachable(parents: Sequence[int], children: Sequence[int], source: int, given: int) -> int:
    """Return the mask of the nodes connected to `source` by a trail that `given` leaves open."""
    seen_from_child = seen_from_parent = 0
    from_child, from_parent = source, 0
    while from_child or from_parent:
        seen_from_child |= from_child
        seen_from_parent |= from_parent
        upwards = downwards = 0
        for node in bits(from_child & ~given):
            upwards |= parents[node]
            downwards |= children[node]
        for node in bits(from_parent & ~given):
            downwards |= children[node]
        for node in bits(from_parent & given):
            upwards |= parents[node]
        from_child = upwards & ~seen_from_child
        from_parent = downwards & ~seen_from_parent
    return (seen_from_child | seen_from_parent) & ~given
