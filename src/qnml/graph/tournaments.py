"""Networks whose connected components are tournaments: those for which qNML is the true NML.

In a tournament all nodes are adjacent. An acyclic tournament is an order of its nodes, so such a network is a
partition of the nodes into ordered lists.
"""

from __future__ import annotations

from qnml._checks import checked_whole_number
from qnml.errors import bad_argument
from qnml.graph.dag import Dag
from qnml.graph.masks import bits, child_masks

__all__ = ["count_tournament_networks", "is_tournament_union"]

# The number has about n log n digits, and the work is n times that: a second at this limit, minutes at ten times it.
_MOST_NODES = 30_000


def count_tournament_networks(n: int) -> int:
    """Return the number of DAGs on `n` named nodes in which every connected component is a tournament.

    The sequence a(n) of the paper, OEIS A000262: a(n) = (2n − 1)·a(n − 1) − (n − 1)(n − 2)·a(n − 2).

    Parameters
    ----------
    n : from 0 to 30,000.

    Examples
    --------
    >>> [count_tournament_networks(n) for n in range(8)]
    [1, 1, 3, 13, 73, 501, 4051, 37633]
    """
    n = checked_whole_number("count_tournament_networks", "n", n, 0, _MOST_NODES)
    before, current = 0, 1
    for size in range(1, n + 1):
        before, current = current, (2 * size - 1) * current - (size - 1) * (size - 2) * before
    return current


def is_tournament_union(dag: Dag) -> bool:
    """Return whether every connected component of a graph is complete; an isolated node is complete.

    Examples
    --------
    >>> is_tournament_union(Dag.from_modelstring("[A][B|A][C|A:B][D]"))
    True
    >>> is_tournament_union(Dag.from_modelstring("[A][B|A][C|B]"))
    False
    """
    if not isinstance(dag, Dag):
        raise bad_argument("is_tournament_union", "dag", dag, "a Dag")
    parents = dag.parent_masks
    children = child_masks(parents)
    closed = [up | down | 1 << node for node, (up, down) in enumerate(zip(parents, children, strict=True))]
    # A component is complete if neighbours have the same closed neighbourhood.
    return all(closed[other] == mask for mask in closed for other in bits(mask))
