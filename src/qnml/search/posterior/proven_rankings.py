"""The most probable DAGs and classes with proof: by the search for the k best networks, or by what is left.

Under the uniform prior the most probable DAGs are those with the best scores, which that search lists with proof. A
class weighs as much as all its admitted members, so one of few good members can be outweighed by one of many slightly
worse ones: classes are listed by their best member, and their ranking by weight is proven when no class that is not
listed could weigh as much, even with as many members as a class can have.

Under any prior, with the total of all weights known, no structure that is not listed can be more probable than all of
these together: what is left of the probability when that of the listed ones is taken off.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph import Dag, enumerate_class
from qnml.search.exact.k_best import KBestRequest, make_plan, run_k_best
from qnml.search.posterior.family_weights import dag_log_weights
from qnml.search.posterior.structure_posterior import ScoredStructure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.search.posterior.structure_posterior import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["best_classes", "best_dags", "outweigh_the_rest", "weigh_class"]

# A ranking that is not there by then is taken from draws, and says so.
_MOST_SECONDS = 10.0
_LEAST_CLASSES = 100
_MOST_MEMBERS = 2000
# Of a sum of probabilities.
_ROUNDING = 1e-9


def best_dags(problem: SearchProblem, k: int, log_total: float) -> tuple[list[ScoredStructure], bool]:
    """The k most probable DAGs under the uniform prior, best first, and whether all k are there.

    Parameters
    ----------
    problem
        With the prior ``"uniform"``.
    k
        How many.
    log_total
        Log of the sum of all weights.
    """
    found, whole = _listed(problem, k, by_class=False)
    weights = dag_log_weights(problem, found).tolist()
    ranked = [
        ScoredStructure(masks, weight, math.exp(weight - log_total))
        for masks, weight in zip(found, weights, strict=True)
    ]
    return sorted(ranked, key=lambda one: (-round(one.log_weight, 7), one.masks)), whole


def outweigh_the_rest(listed: Sequence[ScoredStructure], k: int) -> bool:
    """Whether the k-th is at least as probable as all structures together that are not listed.

    Parameters
    ----------
    listed
        Best first, with their probabilities.
    k
        A place among them.
    """
    shares = [one.probability or 0.0 for one in listed]
    return len(shares) >= k and shares[k - 1] >= 1.0 - math.fsum(shares) + _ROUNDING


def best_classes(
    problem: SearchProblem, k: int, log_total: float, also: Iterable[Masks] = ()
) -> tuple[list[ScoredStructure], bool]:
    """The k classes of the highest weight among those with the best members, and whether no other weighs more.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``; under the latter none are listed but those given.
    k
        How many.
    log_total
        Log of the sum of all weights.
    also
        Members of further classes to look at.
    """
    count = max(_LEAST_CLASSES, 4 * k)
    found, whole = _listed(problem, count, by_class=True) if problem.prior == "uniform" else ([], False)
    names = [str(place) for place in range(problem.n_variables)]
    classes = list(dict.fromkeys(Dag.from_masks(names, masks).to_cpdag() for masks in (*found, *also)))
    weighed = [weigh_class(problem, names, cpdag.consistent_extension().parent_masks) for cpdag in classes]
    known = [one for one in weighed if one is not None]
    ranked = sorted(known, key=lambda one: (-round(one[1], 7), one[0]))
    every = [ScoredStructure(masks, weight, math.exp(weight - log_total)) for masks, weight in ranked]
    result = every[:k]
    if outweigh_the_rest(every, k):
        return result, True
    if not whole or len(known) < len(weighed):
        return result, False
    if len(found) < count:  # there are no others
        return result, True
    most = dag_log_weights(problem, found[-1:])[0] + math.lgamma(problem.n_variables + 1)
    return result, len(result) == k and result[-1].log_weight >= most


def weigh_class(problem: SearchProblem, names: list[str], member: Masks) -> tuple[Masks, float] | None:
    """The first admitted member of a class and the log weight of all of them; None where they are too many."""
    members = [dag.parent_masks for dag in enumerate_class(Dag.from_masks(names, member), _MOST_MEMBERS + 1)]
    if len(members) > _MOST_MEMBERS:
        return None
    weights = dag_log_weights(problem, members)
    top = float(weights.max())
    total = top + math.log(math.fsum(np.exp(weights - top).tolist()))
    return members[int(np.argmax(np.isfinite(weights)))], total


def _listed(problem: SearchProblem, count: int, *, by_class: bool) -> tuple[list[Masks], bool]:
    """The best by score; whether as many as asked for, or all there are."""
    plan = make_plan(problem)
    if not plan.fits:
        return [], False
    request = KBestRequest(problem, plan, count, by_class)
    found, reason = run_k_best(request, _MOST_SECONDS, None)
    return [tuple(masks) for masks in found.parents], reason is None
