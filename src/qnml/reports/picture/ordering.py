"""The order of nodes within the rows of a layered drawing, chosen for few crossings.

An arc over several rows gets a bend in each row it passes, so that every segment joins neighbouring rows. The rows are
then sorted repeatedly by the mean position of each vertex's neighbours in the row above, or below (the barycentre
method of Sugiyama, Tagawa and Toda, 1981), and the order with the fewest crossings is kept.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from qnml.reports.picture.layering import neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Rows", "crossings", "ordered_rows"]

_MOST_BENDS = 4000
_SWEEPS = 24
_PATIENCE = 8
_MOST_PASSES = 8


@dataclass(frozen=True)
class Rows:
    """An order of the vertices: the nodes, followed by the bends.

    Attributes
    ----------
    order : for each row its vertices from left to right.
    chains : for each arc the vertices it passes, from its upper end to its lower.
    n_vertices : number of nodes and bends.
    """

    order: list[list[int]]
    chains: list[list[int]]
    n_vertices: int

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """Return the segments of arcs between neighbouring rows (longer ones only where bends were left out)."""
        return [pair for chain in self.chains for pair in pairwise(chain)]


def ordered_rows(rows: Sequence[int], arcs: Sequence[tuple[int, int]]) -> Rows:
    """Order the nodes and the bends of the arcs, given the row of each node."""
    row_of, chains = _with_bends(rows, arcs)
    n_vertices = len(row_of)
    above, below = neighbours(n_vertices, [pair for chain in chains for pair in pairwise(chain)])
    starts = (_depth_first(row_of, below), _depth_first([-row for row in row_of], above)[::-1])
    found = [
        _with_few_crossings(order, above, below, downwards)
        for order, downwards in zip(starts, (True, False), strict=True)
    ]
    return Rows(min(found, key=lambda order: crossings(order, below)), chains, n_vertices)


def _with_few_crossings(
    order: list[list[int]], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]], downwards: bool
) -> list[list[int]]:
    """Sweep down and up in turn, and keep the order with the fewest crossings."""
    best = order
    fewest, since = crossings(best, below), 0
    for _ in range(_SWEEPS):
        order = _swept(order, above if downwards else below, downwards)
        order = _transposed(order, above, below)
        downwards = not downwards
        count = crossings(order, below)
        since += 1
        if count < fewest:
            best, fewest, since = order, count, 0
        if not fewest or since == _PATIENCE:
            break
    return best


def crossings(order: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """Count the pairs of arcs that cross between neighbouring rows."""
    total = 0
    for upper, lower in pairwise(order):
        place = {vertex: position for position, vertex in enumerate(lower)}
        passed: list[int] = []
        for vertex in upper:
            ends = sorted(place[other] for other in below[vertex] if other in place)
            # All arcs of one vertex are counted before any is added: they share an end and do not cross.
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _with_bends(rows: Sequence[int], arcs: Sequence[tuple[int, int]]) -> tuple[list[int], list[list[int]]]:
    """Assign every vertex its row; if there would be too many bends, the longest arcs get none."""
    row_of = list(rows)
    chains: dict[int, list[int]] = {}
    left = _MOST_BENDS
    for which in sorted(range(len(arcs)), key=lambda one: rows[arcs[one][1]] - rows[arcs[one][0]]):
        upper, lower = arcs[which]
        between = range(rows[upper] + 1, rows[lower])
        left -= len(between)
        bends = range(len(row_of), len(row_of) + len(between)) if left >= 0 else range(0)
        chains[which] = [upper, *bends, lower]
        row_of += between if left >= 0 else ()
    return row_of, [chains[which] for which in range(len(arcs))]


def _depth_first(row_of: Sequence[int], below: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return an initial order by depth-first search from the first row, which keeps connected vertices together."""
    first = min(row_of, default=0)
    order: list[list[int]] = [[] for _ in range(max(row_of, default=-1) - first + 1)]
    seen = [False] * len(row_of)
    for root in sorted(range(len(row_of)), key=lambda vertex: row_of[vertex]):
        stack = [root]
        while stack:
            vertex = stack.pop()
            if not seen[vertex]:
                seen[vertex] = True
                order[row_of[vertex] - first].append(vertex)
                stack += reversed(below[vertex])
    return order


def _swept(order: list[list[int]], towards: Sequence[Sequence[int]], downwards: bool) -> list[list[int]]:
    result = [list(row) for row in order]
    walk = range(1, len(order)) if downwards else range(len(order) - 2, -1, -1)
    for here in walk:
        fixed = result[here - 1 if downwards else here + 1]
        place = {vertex: position for position, vertex in enumerate(fixed)}
        # Positions as fractions of the row: a vertex without neighbours stays about where it is.
        own = {vertex: position * len(fixed) / len(result[here]) for position, vertex in enumerate(result[here])}

        def wanted(vertex: int, place: dict[int, int] = place, own: dict[int, float] = own) -> float:
            spots = [place[other] for other in towards[vertex] if other in place]
            return sum(spots) / len(spots) if spots else own[vertex]

        result[here].sort(key=wanted)
    return result


def _transposed(
    order: list[list[int]], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Swap neighbours in a row where that removes crossings."""
    result = [list(row) for row in order]
    place = {vertex: position for row in result for position, vertex in enumerate(row)}
    for _ in range(_MOST_PASSES):
        has_swapped = False
        for row in result:
            for left in range(len(row) - 1):
                one, other = row[left], row[left + 1]
                change = sum(
                    _crossed(beside[other], beside[one], place) - _crossed(beside[one], beside[other], place)
                    for beside in (above, below)
                )
                if change < 0:
                    row[left], row[left + 1] = other, one
                    place[one], place[other] = left + 1, left
                    has_swapped = True
        if not has_swapped:
            break
    return result


def _crossed(left: Sequence[int], right: Sequence[int], place: dict[int, int]) -> int:
    """Count the crossings between the arcs of two vertices, the first on the left."""
    return sum(1 for a in left for b in right if place[a] > place[b])
