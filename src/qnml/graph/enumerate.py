"""Every DAG there is on a handful of nodes, for brute-force checks, and how many there are on more."""

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
_MOST_SHOWN = 12  # more nodes have more DAGs than a line of text can say
# The numbers have n² bits and n² of them are added: a second for these, minutes for a thousand nodes.
_MOST_COUNTED = 250


def all_dags(names: Iterable[str]) -> Iterator[Dag]:
    """Go through all DAGs on up to five named nodes, each once.

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
            f"At most {_MOST_NODES} nodes are gone through; count_dags counts for more."
        )
    return (Dag._trusted(plain, masks) for masks in _acyclic_masks((), len(plain)))


def count_dags(n: int) -> int:
    """Number of DAGs on `n` named nodes (Robinson 1973, OEIS A003024), an exact integer.

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
        # Inclusion and exclusion over the sets of k nodes without parents.
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
