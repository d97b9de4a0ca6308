"""Layers of an acyclic graph: rows such that arcs point down, the order within them, and horizontal positions.

The steps are those of Sugiyama, Tagawa and Toda (1981); the core carries them out. Nodes are numbers, and arcs are
pairs (upper, lower).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from qnml import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Layers", "column_positions", "components", "neighbours", "ordered_layers", "rows_of"]


@dataclass(frozen=True)
class Layers:
    """An order of the vertices: the nodes, followed by the bends.

    An arc over several rows gets a bend in each row it passes, so that every segment joins neighbouring rows.

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

    The total length of the arcs, in rows, is the smallest there is.
    """
    return _core.layer_rows(n_nodes, arcs)


def ordered_layers(rows: Sequence[int], arcs: Sequence[tuple[int, int]]) -> Layers:
    """Order the nodes and the bends of the arcs for few crossings, given the row of each node.

    If there would be too many bends, the longest arcs get none.
    """
    return Layers(*_core.order_layers(rows, arcs))


def column_positions(layers: Layers, widths: Sequence[float], gap: float) -> list[float]:
    """Return the centre of every vertex; the leftmost edge is at 0.

    Parameters
    ----------
    layers
        The order.
    widths
        Width of every vertex, including bends.
    gap
        Minimum gap between neighbours in a row.
    """
    return _core.layer_columns(layers.order, layers.chains, widths, gap)
