"""The sets of parents that some nodes have in the members of a class, found without listing the members.

All edges of the nodes are directed, one node after another, and Meek's rules are applied after each. A choice that they
do not contradict is that of some member (Perković, Kalisch and Maathuis 2017, semi-local IDA; for a single node of a
CPDAG it is the local rule of Maathuis, Kalisch and Bühlmann 2009). The new parents of a node must be adjacent to each
other, since members have no further v-structures, so only cliques among its neighbours are tried.

References
----------
M. H. Maathuis, M. Kalisch, P. Bühlmann (2009). Estimating high-dimensional intervention effects from observational
data. Annals of Statistics 37.
E. Perković, M. Kalisch, M. H. Maathuis (2017). Interpreting and using CPDAGs with background knowledge. UAI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.graph.meek import PartialOrientation

__all__ = ["parent_choices"]


def parent_choices(
    graph: PartialOrientation, nodes: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], PartialOrientation]]:
    """Yield what the parents of some nodes can be, jointly, and the graph of the members that have them.

    Parameters
    ----------
    graph
        A graph that is closed under Meek's rules.
    nodes
        The nodes.

    Yields
    ------
    parents, members
        The parent mask of each node, and the graph with all edges of these nodes directed.
    """
    if not nodes:
        yield (), graph
        return
    first, *rest = nodes
    for parents in _cliques(graph, graph.neighbours[first]):
        partial = graph.copy()
        if partial.orient_into(first, parents):
            for others, members in parent_choices(partial, rest):
                yield (partial.parents[first], *others), members


def _cliques(graph: PartialOrientation, within: int) -> Iterator[int]:
    """Yield every set of pairwise adjacent nodes, the empty one first."""
    stack = [(0, within)]
    while stack:
        chosen, candidates = stack.pop()
        yield chosen
        for node in reversed([*bits(candidates)]):
            stack.append((chosen | 1 << node, candidates & graph.adjacent[node] & ~((2 << node) - 1)))
