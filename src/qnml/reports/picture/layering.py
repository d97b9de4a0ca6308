"""Assignment of nodes to the rows of a layered drawing: parents above children, arcs as short as possible.

Nodes are numbers and arcs are pairs (upper, lower) of an acyclic graph; nothing here knows names or sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["components", "neighbours", "rows_of"]

_MOST_ROUNDS = 50


def neighbours(n_nodes: int, arcs: Sequence[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    """Return, for every node, the nodes above it and the nodes below it."""
    above: list[list[int]] = [[] for _ in range(n_nodes)]
    below: list[list[int]] = [[] for _ in range(n_nodes)]
    for upper, lower in arcs:
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def components(n_nodes: int, arcs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the connected components, each a sorted list of nodes, in the order of their first nodes."""
    above, below = neighbours(n_nodes, arcs)
    piece = [-1] * n_nodes
    pieces: list[list[int]] = []
    for start in range(n_nodes):
        if piece[start] >= 0:
            continue
        found, piece[start] = [start], len(pieces)
        for node in found:
            for other in above[node] + below[node]:
                if piece[other] < 0:
                    piece[other] = len(pieces)
                    found.append(other)
        pieces.append(sorted(found))
    return pieces


def rows_of(n_nodes: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the row of every node, counted from the top, such that every arc points down.

    Nodes start as high as possible (row = longest path from a root). Then whole groups move down together while
    that reduces the total length of the arcs: a group is the set of nodes that must move when one of them does.
    """
    above, below = neighbours(n_nodes, arcs)
    rows = _longest_paths(n_nodes, above, below)
    for _ in range(_MOST_ROUNDS):
        # From the bottom up, so that nodes in the way have been moved before.
        moved = False
        for node in sorted(range(n_nodes), key=lambda one: -rows[one]):
            if below[node] and len(below[node]) >= len(above[node]):
                moved |= _lower(node, rows, above, below)
        if not moved:
            break
    highest = min(rows, default=0)
    return [row - highest for row in rows]


def _longest_paths(n_nodes: int, above: list[list[int]], below: list[list[int]]) -> list[int]:
    rows = [0] * n_nodes
    waiting = [len(uppers) for uppers in above]
    ready = [node for node in range(n_nodes) if not waiting[node]]
    for node in ready:
        for lower in below[node]:
            rows[lower] = max(rows[lower], rows[node] + 1)
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    return rows


def _lower(node: int, rows: list[int], above: list[list[int]], below: list[list[int]]) -> bool:
    """Move a node down one row, with all nodes that must make way for it, if that shortens the arcs."""
    group = [node]
    inside = {node}
    for member in group:
        for lower in below[member]:
            if rows[lower] == rows[member] + 1 and lower not in inside:
                inside.add(lower)
                group.append(lower)
    shorter = sum(1 for member in group for lower in below[member] if lower not in inside)
    longer = sum(1 for member in group for upper in above[member] if upper not in inside)
    if shorter <= longer:
        return False
    for member in group:
        rows[member] += 1
    return True
