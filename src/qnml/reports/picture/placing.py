"""Horizontal positions of the vertices of ordered rows.

The vertices of each row in turn move to the mean position of their neighbours, keeping their order and a minimum
distance between boxes. For one row this is a least-squares problem with ordered unknowns, which the
pool-adjacent-violators algorithm solves exactly (Ayer et al., 1955). Bends have larger weights than nodes. Finally,
every long arc is made as straight as its neighbours allow.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qnml.reports.picture.layering import neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.reports.picture.ordering import Rows

__all__ = ["column_positions", "nearest_ordered"]

_ROUNDS = 40
_STRAIGHTENINGS = 3
_PULL = (1.0, 2.0, 8.0)  # weights of a segment between two nodes, a node and a bend, two bends
_HOLD = 1e-3  # keeps a vertex without neighbours where it is


def column_positions(rows: Rows, widths: Sequence[float], gap: float) -> list[float]:
    """Return the centre of every vertex; the leftmost edge is at 0.

    Parameters
    ----------
    rows
        The order.
    widths
        Width of every vertex, including bends.
    gap
        Minimum gap between neighbours in a row.
    """
    n_nodes = rows.n_vertices - sum(max(len(chain) - 2, 0) for chain in rows.chains)
    pull = {(upper, lower): _PULL[(upper >= n_nodes) + (lower >= n_nodes)] for upper, lower in rows.pieces}
    pull |= {(lower, upper): weight for (upper, lower), weight in pull.items()}
    above, below = neighbours(rows.n_vertices, rows.pieces)
    positions = [0.0] * rows.n_vertices
    offsets = [_offsets(row, widths, gap) for row in rows.order]
    for row, offset in zip(rows.order, offsets, strict=True):
        for vertex, along in zip(row, offset, strict=True):
            positions[vertex] = along - offset[-1] / 2

    def settle(here: int, sides: Sequence[Sequence[Sequence[int]]]) -> None:
        row = rows.order[here]
        targets, weights = [], []
        for vertex, along in zip(row, offsets[here], strict=True):
            weight, total = _HOLD, _HOLD * positions[vertex]
            for beside in sides:
                for other in beside[vertex]:
                    weight += pull[vertex, other]
                    total += pull[vertex, other] * positions[other]
            targets.append(total / weight - along)
            weights.append(weight)
        for vertex, along, place in zip(row, offsets[here], nearest_ordered(targets, weights), strict=True):
            positions[vertex] = place + along

    everywhere = range(len(rows.order))
    for round_number in range(_ROUNDS):
        # First from one side at a time, which propagates positions through many rows; then from both at once.
        early = round_number < _ROUNDS // 2
        for here in everywhere:
            settle(here, (above,) if early else (above, below))
        for here in reversed(everywhere):
            settle(here, (below,) if early else (above, below))
    for _ in range(_STRAIGHTENINGS):
        _straighten(rows, positions, widths, gap)
    left = min((positions[vertex] - widths[vertex] / 2 for vertex in range(rows.n_vertices)), default=0.0)
    return [position - left for position in positions]


def _straighten(rows: Rows, positions: list[float], widths: Sequence[float], gap: float) -> None:
    """Align the bends of each arc vertically, in as few columns as the free space beside them allows."""
    beside = {
        vertex: (row[place - 1] if place else None, row[place + 1] if place + 1 < len(row) else None)
        for row in rows.order
        for place, vertex in enumerate(row)
    }

    def room(vertex: int) -> tuple[float, float]:
        left, right = beside[vertex]
        low = -math.inf if left is None else positions[left] + (widths[left] + widths[vertex]) / 2 + gap
        high = math.inf if right is None else positions[right] - (widths[right] + widths[vertex]) / 2 - gap
        return low, high

    for chain in rows.chains:
        bends = chain[1:-1]
        start = 0
        while start < len(bends):
            low, high = room(bends[start])
            end = start + 1
            while end < len(bends):
                lower, upper = room(bends[end])
                if max(low, lower) > min(high, upper):
                    break
                low, high, end = max(low, lower), min(high, upper), end + 1
            wanted = sum(positions[bend] for bend in bends[start:end]) / (end - start)
            for bend in bends[start:end]:
                # Rounding may make the free interval empty; then use its left end.
                positions[bend] = max(low, min(high, wanted))
            start = end


def nearest_ordered(targets: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the non-decreasing numbers closest to the targets in weighted least squares.

    Examples
    --------
    >>> nearest_ordered([1.0, 4.0, 2.0, 5.0], [1.0, 1.0, 1.0, 1.0])
    [1.0, 3.0, 3.0, 5.0]
    """
    pools: list[tuple[float, float, int]] = []
    for target, weight in zip(targets, weights, strict=True):
        mean, mass, size = target, weight, 1
        while pools and pools[-1][0] >= mean:
            before, more, members = pools.pop()
            mean = (mean * mass + before * more) / (mass + more)
            mass, size = mass + more, size + members
        pools.append((mean, mass, size))
    return [mean for mean, _, size in pools for _ in range(size)]


def _offsets(row: Sequence[int], widths: Sequence[float], gap: float) -> list[float]:
    """Return the distances of the centres in a row from its first vertex if packed as close as allowed."""
    offsets = [0.0] * len(row)
    for place in range(1, len(row)):
        half = (widths[row[place - 1]] + widths[row[place]]) / 2
        offsets[place] = offsets[place - 1] + half + gap
    return offsets
