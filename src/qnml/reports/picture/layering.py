"""Assignment of nodes to the rows of a layered drawing: parents above children, arcs as short as possible.

Nodes are numbers and arcs are pairs (upper, lower) of an acyclic graph; nothing here knows names or sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["components", "neighbours", "rows_of"]

_MOST_ROUNDS = 50
# Beyond this the cuts take seconds.
_LARGEST_EXACT = 120


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
    that reduces the total length of the arcs: a group is the set of nodes that must move when one of them does. Of
    graphs that are not very large the best group is then found again and again, until the total length is the smallest
    there is.
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
    if n_nodes <= _LARGEST_EXACT:
        _shorten(rows, arcs)
    highest = min(rows, default=0)
    return [row - highest for row in rows]


def _shorten(rows: list[int], arcs: Sequence[tuple[int, int]]) -> None:
    """Move the best set of nodes by one row, down or up, until no set shortens the arcs.

    The total length is an L-natural convex function of the rows, so what no set improves is a minimum (Murota, 2003).
    """
    while _move_best(rows, arcs, 1) or _move_best(rows, arcs, -1):
        pass


def _move_best(rows: list[int], arcs: Sequence[tuple[int, int]], step: int) -> bool:
    """Move the set of nodes that shortens the arcs most, by one row; return whether there is one.

    A node can move only together with the nodes that are in its way, so the best set is a closure of largest weight,
    which a minimum cut gives (Picard, 1976).
    """
    import networkx

    gains = [0] * len(rows)
    graph = networkx.DiGraph()
    for upper, lower in arcs:
        gains[upper] += step
        gains[lower] -= step
        if rows[lower] == rows[upper] + 1:
            first, second = (upper, lower) if step > 0 else (lower, upper)
            graph.add_edge(first, second)  # an edge without a capacity is never cut
    for node, gain in enumerate(gains):
        if gain > 0:
            graph.add_edge("source", node, capacity=gain)
        elif gain < 0:
            graph.add_edge(node, "sink", capacity=-gain)
    if "source" not in graph or "sink" not in graph:
        return False
    _, (moving, _) = networkx.minimum_cut(graph, "source", "sink")
    moving.discard("source")
    if sum(gains[node] for node in moving) <= 0:
        return False
    for node in moving:
        rows[node] += step
    return True


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
