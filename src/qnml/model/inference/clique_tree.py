"""Clique trees: the sets of variables between which messages pass in exact inference.

The moral graph joins the parents of every variable; eliminating its variables one by one, each time one that adds the
fewest edges, makes it chordal. The sets eliminated, without those that others contain, are the cliques of the tree
(Lauritzen and Spiegelhalter, 1988).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CliqueTree", "clique_tree"]


@dataclass(frozen=True)
class CliqueTree:
    """Cliques of node numbers in increasing order, and the edges between them.

    Attributes
    ----------
    cliques : the cliques; every family of the network lies in one.
    edges : pairs of clique numbers; they form a tree on every connected part of the network.
    cells : the number of cells of the tables of all cliques.
    """

    cliques: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...]
    cells: int


def clique_tree(parents: Sequence[Sequence[int]], arities: Sequence[int]) -> CliqueTree:
    """Build a clique tree by the min-fill rule; ties go to the smaller clique, then to the first variable.

    Parameters
    ----------
    parents
        The parents of each node, by number.
    arities
        The number of levels of each node.
    """
    near = _moral(parents)
    remaining = set(range(len(parents)))
    eliminated: list[tuple[int, int]] = []  # a node, and the mask of its neighbours at that time
    while remaining:
        node = min(remaining, key=lambda one: (_fill(near, one), _cells(near[one] | 1 << one, arities), one))
        around = near[node]
        eliminated.append((node, around))
        for other in bits(around):
            near[other] = (near[other] | around) & ~(1 << other) & ~(1 << node)
        remaining.remove(node)
    return _tree(eliminated, arities)


def _moral(parents: Sequence[Sequence[int]]) -> list[int]:
    near = [0] * len(parents)
    for child, members in enumerate(parents):
        for one, other in combinations((*members, child), 2):
            near[one] |= 1 << other
            near[other] |= 1 << one
    return near


def _fill(near: Sequence[int], node: int) -> int:
    """The number of edges that eliminating a node adds, counted twice."""
    around = near[node]
    return sum((around & ~near[other] & ~(1 << other)).bit_count() for other in bits(around))


def _cells(mask: int, arities: Sequence[int]) -> int:
    return math.prod(arities[node] for node in bits(mask))


def _tree(eliminated: Sequence[tuple[int, int]], arities: Sequence[int]) -> CliqueTree:
    turn = {node: place for place, (node, _) in enumerate(eliminated)}
    cliques: list[int] = []
    clique_of: dict[int, int] = {}
    edges: list[tuple[int, int]] = []
    # Backwards, so that the clique to which a new one is attached exists.
    for node, around in reversed(eliminated):
        mask = around | 1 << node
        if not around:
            clique_of[node] = len(cliques)
            cliques.append(mask)
            continue
        above = clique_of[min(bits(around), key=turn.__getitem__)]
        if cliques[above] == around:
            cliques[above] = mask  # the clique above is contained in the new one
            clique_of[node] = above
            continue
        clique_of[node] = len(cliques)
        edges.append((above, len(cliques)))
        cliques.append(mask)
    return CliqueTree(
        tuple(tuple(sorted(bits(mask))) for mask in cliques),
        tuple(edges),
        sum(_cells(mask, arities) for mask in cliques),
    )
