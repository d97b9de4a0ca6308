"""Enumeration of all DAGs on a few nodes, for brute-force checks, and their number for more nodes."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from qnml._checks import checked_whole_number
from qnml.errors import TooLargeError
from qnml.graph.dag import Dag
from qnml.graph.labels import checked_names
from qnml.graph.masks import ancestors_of, child_masks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["all_dags", "count_dags"]

_MOST_NODES = 5
_MOST_SHOWN = 12  # with more nodes the number of DAGs does not fit on a line
# The numbers have n² bits and n² of them are added: a second for this many nodes, minutes for a thousand.
_MOST_COUNTED = 250


def all_dags(names: Iterable[str]) -> Iterator[Dag]:
    """Yield all DAGs on up to five named nodes, each once.

    The order is lexicographic in the parent masks; the graph without arcs comes first.

    Parameters
    ----------
    names
        Names of the nodes.

    Raises
    ------
    TooLargeError
        With more than five nodes: six already have 3,781,503 DAGs.
    """
    plain = checked_names("all_dags", names)
    if len(plain) > _MOST_NODES:
        number = f"{count_dags(len(plain)):,}" if len(plain) <= _MOST_SHOWN else "too many"
        raise TooLargeError(
            f"all_dags: {len(plain)} nodes have {number} DAGs. "
            f"At most {_MOST_NODES} nodes can be enumerated; count_dags counts the DAGs on more."
        )
    return (Dag._trusted(plain, masks) for masks in _acyclic_masks((), len(plain)))


def count_dags(n: int) -> int:
    """Return the number of DAGs on `n` named nodes (Robinson 1973, OEIS A003024), an exact integer.

    Parameters
    ----------
    n
        From 0 to 250.

    Examples
    --------
    >>> [count_dags(n) for n in range(6)]
    [1, 1, 3, 25, 543, 29281]
    """
    n = checked_whole_number("count_dags", "n", n, 0, _MOST_COUNTED)
    counts = [1]
    for size in range(1, n + 1):
        # Inclusion-exclusion over the sets of k nodes without parents.
        counts.append(
            sum((-1) ** (k + 1) * comb(size, k) * 2 ** (k * (size - k)) * counts[size - k] for k in range(1, size + 1))
        )
    return counts[n]


def _acyclic_masks(chosen: tuple[int, ...], n_nodes: int) -> Iterator[tuple[int, ...]]:
    """Extend the parent masks of the first nodes in every way that keeps the graph acyclic."""
    node = len(chosen)
    if node == n_nodes:
        yield chosen
        return
    children = child_masks([*chosen, *[0] * (n_nodes - node)])
    forbidden = ancestors_of(children, 1 << node)
    for mask in range(1 << n_nodes):
        if not mask & forbidden:
            yield from _acyclic_masks((*chosen, mask), n_nodes)
