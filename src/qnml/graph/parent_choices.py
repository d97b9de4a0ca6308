"""The sets of parents that a variable has in the members of a class.

Each undirected edge of a variable is directed one way or the other; Meek's rules tell what follows, and whether it
contradicts what is known. A choice that does not contradict them belongs to a member (Meek 1995, theorem 4). This is
the local step of the IDA method for effects over a class (Maathuis, Kalisch and Bühlmann, 2009).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.graph.partly_directed import PartlyDirected

__all__ = ["parent_choices"]


def parent_choices(graph: PartlyDirected, node: int) -> Iterator[int]:
    """Yield the sets of parents of a node in the members of a class, as masks, each once.

    Parameters
    ----------
    graph
        A Cpdag or an Mpdag.
    node
        The number of the variable.
    """
    whole = PartialOrientation(graph.parent_masks, graph.neighbour_masks)
    yield from _chosen(whole, node, list(bits(whole.neighbours[node])))


def _chosen(oriented: PartialOrientation, node: int, undecided: list[int]) -> Iterator[int]:
    """Decide the undirected edges one by one; what the rules have decided meanwhile needs no choice."""
    left = [other for other in undecided if oriented.neighbours[node] >> other & 1]
    if not left:
        yield oriented.parents[node]
        return
    other, *rest = left
    for tail, head in ((other, node), (node, other)):
        changed = oriented.copy()
        if changed.orient(tail, head):
            yield from _chosen(changed, node, rest)
