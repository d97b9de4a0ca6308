"""Appendix D in plain Python: every network of four variables scored by BDq, and the best class.

Two readings. As defined, BDq of a family is log D(parents and child) − log D(parents), where D(S) is the probability of
the columns S under a Dirichlet distribution with the same α for each cell of S. As programmed by the authors (bene,
``ls_BDq.c``), configurations of the parents that never occur are omitted from both sums over cells, but not from the
terms of the prior.
"""

from __future__ import annotations

import itertools
from collections import Counter
from math import lgamma, prod

__all__ = ["best_class"]


def best_class(columns, levels, alpha, as_programmed):
    """The best class as its skeleton and colliders, and its lead over the next class."""
    n = len(columns)
    best = {}
    for parents in _networks(n):
        score = sum(_family(columns, levels, child, parents[child], alpha, as_programmed) for child in range(n))
        key = _class(parents)
        best[key] = max(score, best.get(key, -1e300))
    first, second = sorted(best, key=best.__getitem__)[:-3:-1]
    return first, best[first] - best[second]


def _family(columns, levels, child, parents, alpha, as_programmed):
    score = _set(columns, levels, (*parents, child), alpha) - _set(columns, levels, parents, alpha)
    if as_programmed:
        seen = len(set(zip(*(columns[p] for p in parents), strict=True))) if parents else 1
        # Each omitted configuration has r cells with log Γ(α), and a term of its own that is subtracted.
        score -= (prod(levels[p] for p in parents) - seen) * (levels[child] - 1) * lgamma(alpha)
    return score


def _set(columns, levels, members, alpha):
    rows = len(columns[0])
    cells = prod(levels[member] for member in members)
    seen = Counter(zip(*(columns[member] for member in members), strict=True)) if members else Counter({(): rows})
    score = lgamma(cells * alpha) - lgamma(rows + cells * alpha) - cells * lgamma(alpha)
    return score + sum(lgamma(alpha + count) for count in seen.values()) + (cells - len(seen)) * lgamma(alpha)


def _networks(n):
    """All acyclic choices of parents."""
    sets = [
        [parents for size in range(n) for parents in itertools.combinations([p for p in range(n) if p != child], size)]
        for child in range(n)
    ]
    for parents in itertools.product(*sets):
        left = set(range(n))
        while ready := {child for child in left if not left & set(parents[child])}:
            left -= ready
        if not left:
            yield parents


def _class(parents):
    skeleton = frozenset(frozenset((p, child)) for child, mine in enumerate(parents) for p in mine)
    colliders = frozenset(
        (frozenset(pair), child)
        for child, mine in enumerate(parents)
        for pair in itertools.combinations(mine, 2)
        if frozenset(pair) not in skeleton
    )
    return skeleton, colliders
