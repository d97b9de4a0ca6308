"""The members of an equivalence class, or those that background knowledge leaves: their number, their list, draws.

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
>>> class_size(chain.orient([("B", "A")]))
2
"""

from __future__ import annotations

import random
import sys
from itertools import islice
from typing import TYPE_CHECKING

from qnml._checks import checked_whole_number
from qnml.errors import TooLargeError, bad_argument
from qnml.graph.cpdag import Cpdag
from qnml.graph.dag import Dag
from qnml.graph.meek import PartialOrientation
from qnml.graph.mpdag import Mpdag
from qnml.graph.orientation_counts import MemberCounts, OutOfWorkError
from qnml.graph.orientations import orientations

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["class_size", "enumerate_class", "sample_class"]

# Some milliseconds each on a hundred nodes.
_MOST_STEPS = 10_000
_MOST_DRAWS = 1_000_000


def class_size(graph: Cpdag | Mpdag | Dag) -> int:
    """Return the number of DAGs in an equivalence class, an exact integer of any size.

    It takes polynomial time for a whole class; for the members that background knowledge leaves there is no such way,
    and the work is limited.

    Parameters
    ----------
    graph
        The class, or any member of it; or an `Mpdag`, whose members are counted.

    Raises
    ------
    TooLargeError
        If an `Mpdag` would take too long to count.

    References
    ----------
    M. Wienöbst, M. Bannach, M. Liśkiewicz (2021). Polynomial-time algorithms for counting and sampling Markov
    equivalent DAGs. AAAI.
    """
    return _counted("class_size", _as_class("class_size", graph))[1]


def enumerate_class(graph: Cpdag | Mpdag | Dag, limit: int | None = None) -> Iterator[Dag]:
    """Yield all DAGs of an equivalence class, each once and always in the same order.

    The order is lexicographic: undirected edges are sorted by the positions of their nodes, and each is first
    directed from the earlier node to the later, then the opposite way. Members are generated lazily.

    Parameters
    ----------
    graph
        The class, or any member of it; or an `Mpdag`, whose members are listed.
    limit
        Stop after this many members; None for all of them. `class_size` counts them.
    """
    members = _as_class("enumerate_class", graph)
    if limit is not None:
        limit = checked_whole_number("enumerate_class", "limit", limit, 0, sys.maxsize, or_none=True)
    found = orientations(members.parent_masks, members.neighbour_masks)
    return islice((Dag._trusted(members.names, masks) for masks in found), limit)


def sample_class(graph: Cpdag | Mpdag | Dag, m: int = 1, seed: int | None = None) -> list[Dag]:
    """Draw members of an equivalence class independently, each with the same probability.

    Parameters
    ----------
    graph
        As for :func:`class_size`.
    m
        How many, up to a million.
    seed
        A whole number from 0; the same seed gives the same members. By default it is random.

    Raises
    ------
    TooLargeError
        As for :func:`class_size`.

    Examples
    --------
    >>> sample_class(Dag.from_modelstring("[A][C][B|A:C]"), 2)
    [Dag(3 nodes, 2 arcs: A -> B, C -> B), Dag(3 nodes, 2 arcs: A -> B, C -> B)]
    """
    members = _as_class("sample_class", graph)
    m = checked_whole_number("sample_class", "m", m, 1, _MOST_DRAWS)
    if seed is not None:
        seed = checked_whole_number("sample_class", "seed", seed, 0, sys.maxsize, or_none=True)
    counts, _ = _counted("sample_class", members)
    whole = PartialOrientation(members.parent_masks, members.neighbour_masks)
    chance = random.Random(seed)
    try:
        return [Dag._trusted(members.names, counts.draw(whole, chance)) for _ in range(m)]
    except OutOfWorkError:
        raise _too_large("sample_class", members) from None


def _counted(call: str, members: Cpdag | Mpdag) -> tuple[MemberCounts, int]:
    counts = MemberCounts(_MOST_STEPS)
    try:
        return counts, counts.total(PartialOrientation(members.parent_masks, members.neighbour_masks))
    except OutOfWorkError:
        raise _too_large(call, members) from None


def _too_large(call: str, members: Cpdag | Mpdag) -> TooLargeError:
    return TooLargeError(
        f"{call}: {len(members.undirected)} undirected edges among directed ones are too many to count their "
        f"orientations in {_MOST_STEPS:,} steps. enumerate_class lists some members, and to_cpdag() can be counted."
    )


def _as_class(call: str, graph: Cpdag | Mpdag | Dag) -> Cpdag | Mpdag:
    if isinstance(graph, Dag):
        return graph.to_cpdag()
    if not isinstance(graph, Cpdag | Mpdag):
        raise bad_argument(call, "graph", graph, "a Cpdag, an Mpdag or a Dag")
    return graph
