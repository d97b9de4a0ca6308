"""All families up to a number of parents, scored, without those that cannot occur in an optimal network.

A parent set that does not score higher than one of its subsets is never needed: the subset scores as much and closes
no other cycles. The remaining families are what other exact solvers need to find the same optimum.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.errors import TooLargeError
from qnml.scores.local import beyond_doubles
from qnml.scores.local_score_lists import LocalScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml.counts import MemoryCounts
    from qnml.scores.registry import BoundScore

__all__ = ["MOST_FAMILIES", "best_families"]

MOST_FAMILIES = 30_000_000


def best_families(
    call: str,
    counts: MemoryCounts,
    names: Sequence[str],
    bound: BoundScore,
    *,
    max_parents: int | None,
    n_jobs: int,
) -> LocalScores:
    """Score all families and keep those that no subset matches.

    Parameters
    ----------
    call
        Who asks, for error messages.
    counts
        The data.
    names
        Of the columns.
    bound
        The score.
    max_parents
        Limit for every variable; None for no limit.
    n_jobs
        Threads.

    Raises
    ------
    TooLargeError
        Before any work, if there are too many families.
    """
    n = len(names)
    most = n - 1 if max_parents is None else min(max_parents, n - 1)
    families = n * sum(math.comb(n - 1, size) for size in range(most + 1))
    if families > MOST_FAMILIES:
        raise TooLargeError(
            f"{call}: {n} variables with up to {most} parents have {families:,} families, more than the "
            f"{MOST_FAMILIES:,} allowed. Set max_parents lower, or select fewer columns."
        )
    return LocalScores({name: _of_child(counts, names, bound, i, most, n_jobs) for i, name in enumerate(names)})


def _of_child(
    counts: MemoryCounts, names: Sequence[str], bound: BoundScore, child: int, most: int, n_jobs: int
) -> dict[frozenset[str], float]:
    others = np.array([i for i in range(len(names)) if i != child], dtype=np.int32)
    kept: dict[frozenset[str], float] = {}
    best = np.empty(0)  # for each set of the previous size, the best score of its subsets and itself
    for size in range(most + 1):
        sets = _all_sets(len(others), size)
        scores = _core.local_scores(
            counts.columns,
            np.full(len(sets), child, dtype=np.int32),
            np.arange(len(sets) + 1, dtype=np.int64) * size,
            np.ascontiguousarray(others[sets]).reshape(-1),
            bound.score.kind,
            bound.value,
            len(names),
            n_jobs,
            bound.scale,
        )
        # Minus infinity, for too many parameters, is below the score of any subset. Nothing else is not a number.
        if np.isnan(scores).any():
            bad = int(np.flatnonzero(np.isnan(scores))[0])
            raise beyond_doubles(counts.arities, names, bound, child, others[sets[bad]].tolist())
        below = np.full(len(sets), -np.inf)
        for left_out in range(size):
            below = np.maximum(below, best[_ranks(np.delete(sets, left_out, axis=1), len(others))])
        for i in np.flatnonzero(scores > below):
            kept[frozenset(names[others[j]] for j in sets[i])] = float(scores[i])
        best = np.maximum(scores, below)
    return kept


def _all_sets(n: int, size: int) -> NDArray[np.int32]:
    """All sets of a size in lexicographic order, one per row."""
    members = itertools.chain.from_iterable(itertools.combinations(range(n), size))
    return np.fromiter(members, dtype=np.int32, count=math.comb(n, size) * size).reshape(math.comb(n, size), size)


def _ranks(sets: NDArray[np.int32], n: int) -> NDArray[np.int64]:
    """Ranks of sets in that order, counted from the end."""
    size = sets.shape[1]
    ranks = np.full(len(sets), math.comb(n, size) - 1, dtype=np.int64)
    for place in range(size):
        later = np.array([math.comb(n - 1 - first, size - place) for first in range(n)], dtype=np.int64)
        ranks -= later[sets[:, place]]
    return ranks
