"""The members of an equivalence class: their number and their enumeration.

Examples
--------
>>> from qnml.graph import Dag, class_size, enumerate_class
>>> chain = Dag.from_modelstring("[A][B|A][C|B]").to_cpdag()
>>> class_size(chain)
3
>>> for member in enumerate_class(chain):
...     print(member)
[A][B|A][C|B]
[B][A|B][C|B]
[C][B|C][A|B]
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

from qnml._checks import checked_whole_number
from qnml.errors import bad_argument
from qnml.graph.clique_picking import count_orientations
from qnml.graph.cpdag import Cpdag
from qnml.graph.dag import Dag
from qnml.graph.orientations import orientations

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["class_size", "enumerate_class"]


def class_size(graph: Cpdag | Dag) -> int:
    """Return the number of DAGs in an equivalence class, an exact integer of any size, in polynomial time.

    Parameters
    ----------
    graph
        The class, or any member of it.

    References
    ----------
    M. Wienöbst, M. Bannach, M. Liśkiewicz (2021). Polynomial-time algorithms for counting and sampling Markov
    equivalent DAGs. AAAI.
    """
    return count_orientations(_as_cpdag("class_size", graph).neighbour_masks)


def enumerate_class(graph: Cpdag | Dag, limit: int | None = None) -> Iterator[Dag]:
    """Yield all DAGs of an equivalence class, each once and always in the same order.

    The order is lexicographic: undirected edges are sorted by the positions of their nodes, and each is first
    directed from the earlier node to the later, then the opposite way. Members are generated lazily.

    Parameters
    ----------
    graph
        The class, or any member of it.
    limit
        Stop after this many members; None for all of them. `class_size` counts them.
    """
    cpdag = _as_cpdag("enumerate_class", graph)
    if limit is not None:
        limit = checked_whole_number("enumerate_class", "limit", limit, 0, sys.maxsize, or_none=True)
    return islice(_members(cpdag), limit)


def _members(cpdag: Cpdag) -> Iterator[Dag]:
    for masks in orientations(cpdag.neighbour_masks):
        yield Dag._trusted(
            cpdag.names, [fixed | chosen for fixed, chosen in zip(cpdag.parent_masks, masks, strict=True)]
        )


def _as_cpdag(call: str, graph: Cpdag | Dag) -> Cpdag:
    if isinstance(graph, Dag):
        return graph.to_cpdag()
    if not isinstance(graph, Cpdag):
        raise bad_argument(call, "graph", graph, "a Cpdag or a Dag")
    return graph
