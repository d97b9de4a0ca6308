"""What a choice of candidate parents leaves out, estimated one arc at a time.

Let v → i be an arc to a parent that is no candidate. Every DAG with this arc, and candidates only otherwise, comes from
just one DAG of candidates by adding it. So were v a candidate of i as well, the odds of the arc would be the mean, over
draws G, of the ratio of weights w(G with the arc) / w(G), taken as 0 where the arc closes a cycle or is not admitted.
With several arcs added at once they compete, so the sum over arcs is rather too high than too low.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search.structure_posterior import prior_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.search.structure_posterior import Masks, StructureProblem

__all__ = ["left_out_shares"]

_MOST_FAMILIES = 100_000
_MOST_DRAWS = 100
# Of a log ratio; the odds are then as good as infinite.
_HIGHEST = 600.0


def left_out_shares(
    problem: StructureProblem, dags: Sequence[Masks], candidates: Sequence[Sequence[int]]
) -> FloatArray:
    """Estimated probabilities of arcs to parents that are no candidates, row parent, column child.

    Parameters
    ----------
    problem
        What the DAGs were drawn for.
    dags
        The draws; some of them, evenly spread, are looked at.
    candidates
        The parents each column could have.
    """
    n = problem.n_variables
    outside = [_outside(problem, child, mine) for child, mine in enumerate(candidates)]
    odds = np.zeros((n, n))
    per_draw = sum(map(len, outside))
    if not per_draw:
        return odds
    count = min(len(dags), _MOST_DRAWS, max(2, _MOST_FAMILIES // per_draw))
    for place in np.linspace(0, len(dags) - 1, count).round().astype(int).tolist():
        odds += _ratios(problem, dags[place], outside) / count
    shares: FloatArray = odds / (1.0 + odds)
    return shares


def _outside(problem: StructureProblem, child: int, mine: Sequence[int]) -> list[int]:
    inside = problem.compiled.required[child] | sum(1 << one for one in mine)
    possible = problem.compiled.allowed[child] & ~inside
    return [parent for parent in range(problem.n_variables) if possible >> parent & 1]


def _ratios(problem: StructureProblem, masks: Masks, outside: Sequence[Sequence[int]]) -> FloatArray:
    n = problem.n_variables
    above = _ancestors(masks)
    arcs = [
        (parent, child)
        for child in range(n)
        for parent in outside[child]
        if not above[parent] >> child & 1 and problem.admits(child, masks[child] | 1 << parent)
    ]
    families = [(child, masks[child]) for child in range(n)]
    families += [(child, masks[child] | 1 << parent) for parent, child in arcs]
    scores = _log_weights(problem, families)
    gains = scores[n:] - scores[[child for _, child in arcs]]
    ratios = np.zeros((n, n))
    for (parent, child), gain in zip(arcs, gains.tolist(), strict=True):
        ratios[parent, child] = math.exp(min(gain, _HIGHEST))
    return ratios


def _ancestors(masks: Masks) -> list[int]:
    above = list(masks)
    for middle in range(len(above)):
        for node, mask in enumerate(above):
            if mask >> middle & 1:
                above[node] |= above[middle]
    return above


def _log_weights(problem: StructureProblem, families: Sequence[tuple[int, int]]) -> FloatArray:
    n = problem.n_variables
    parents = [[j for j in range(n) if mask >> j & 1] for _, mask in families]
    scores = _core.local_scores(
        problem.columns,
        np.array([child for child, _ in families], dtype=np.int32),
        np.concatenate([[0], np.cumsum([len(mine) for mine in parents])]).astype(np.int64),
        np.array([parent for mine in parents for parent in mine], dtype=np.int32),
        problem.kind,
        problem.parameter,
        n,
        problem.n_jobs,
    )
    weights: FloatArray = scores + np.array([prior_term(problem.prior, n, len(mine)) for mine in parents])
    return weights
