"""Rankings of the most probable DAGs and equivalence classes with proof.

The most probable DAGs are those with the best sums of score and log prior. Under the uniform and the sparse prior the
search for the k best networks lists them with proof. The weight of a class is the sum over its admitted members, so a
class with few good members can have less weight than one with many slightly worse members. Classes are therefore listed
by their best member. Their ranking by weight is proven when no unlisted class could reach the same weight, even with
the largest possible number of members, n!.

Under any prior whose total weight is known, an unlisted structure cannot be more probable than all unlisted structures
together: one minus the sum of the listed probabilities.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph import Dag, enumerate_class
from qnml.search.exact.k_best import KBestRequest, make_plan, run_k_best
from qnml.search.posterior.family_weights import dag_log_weights
from qnml.search.posterior.interface import ScoredStructure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["best_classes", "best_dags", "outweigh_the_rest", "ranked", "weigh_class"]

# A ranking that takes longer comes from draws and is not called proven.
_MOST_SECONDS = 10.0
_LEAST_CLASSES = 100
_MOST_MEMBERS = 2000
# Allowance for rounding in a sum of probabilities.
_ROUNDING = 1e-9
# Log weights of equivalent DAGs differ in the last digits; weights equal to this many decimals are ties.
_SAME_DECIMALS = 7


def ranked(structures: Iterable[ScoredStructure]) -> list[ScoredStructure]:
    """Structures by decreasing log weight; ties by their masks."""
    return sorted(structures, key=lambda one: (-round(one.log_weight, _SAME_DECIMALS), one.masks))


def best_dags(problem: SearchProblem, k: int, log_total: float) -> tuple[list[ScoredStructure], bool]:
    """The k most probable DAGs, best first, and whether the list is complete.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``.
    k
        Length of the list.
    log_total
        Log of the sum of all weights.
    """
    found, whole = _listed(problem, k, by_class=False)
    weights = dag_log_weights(problem, found).tolist()
    scored = (
        ScoredStructure(masks, weight, math.exp(weight - log_total))
        for masks, weight in zip(found, weights, strict=True)
    )
    return ranked(scored), whole


def outweigh_the_rest(listed: Sequence[ScoredStructure], k: int) -> bool:
    """Whether the k-th structure is at least as probable as all unlisted structures together.

    Parameters
    ----------
    listed
        Structures with their probabilities, best first.
    k
        A rank, from 1.
    """
    shares = [one.probability or 0.0 for one in listed]
    return len(shares) >= k and shares[k - 1] >= 1.0 - math.fsum(shares) + _ROUNDING


def best_classes(
    problem: SearchProblem, k: int, log_total: float, also: Iterable[Masks] = ()
) -> tuple[list[ScoredStructure], bool]:
    """The k classes of highest weight among those with the best members, and whether no other class has more weight.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``.
    k
        Length of the list.
    log_total
        Log of the sum of all weights.
    also
        Members of further classes to rank.
    """
    count = max(_LEAST_CLASSES, 4 * k)
    found, whole = _listed(problem, count, by_class=True)
    names = [str(place) for place in range(problem.n_variables)]
    # Members of one class of the core may differ in arcs that interventions tell: then it has not listed all classes.
    whole = whole and len(set(problem.parts)) <= 1
    classes = list(dict.fromkeys(problem.class_of(Dag.from_masks(names, masks)) for masks in (*found, *also)))
    weighed = [weigh_class(problem, names, cpdag.consistent_extension().parent_masks) for cpdag in classes]
    known = [one for one in weighed if one is not None]
    every = ranked(ScoredStructure(masks, weight, math.exp(weight - log_total)) for masks, weight in known)
    result = every[:k]
    if outweigh_the_rest(every, k):
        return result, True
    if not whole or len(known) < len(weighed):
        return result, False
    if len(found) < count:  # there are no other classes
        return result, True
    most = dag_log_weights(problem, found[-1:])[0] + math.lgamma(problem.n_variables + 1)
    return result, len(result) == k and result[-1].log_weight >= most


def weigh_class(problem: SearchProblem, names: list[str], member: Masks) -> tuple[Masks, float] | None:
    """The first admitted member of a class and the log of its total weight; None if it has too many members."""
    members = [
        dag.parent_masks for dag in enumerate_class(problem.class_of(Dag.from_masks(names, member)), _MOST_MEMBERS + 1)
    ]
    if len(members) > _MOST_MEMBERS:
        return None
    weights = dag_log_weights(problem, members)
    top = float(weights.max())
    total = top + math.log(math.fsum(np.exp(weights - top).tolist()))
    return members[int(np.argmax(np.isfinite(weights)))], total


def _listed(problem: SearchProblem, count: int, *, by_class: bool) -> tuple[list[Masks], bool]:
    """The best structures by score, and whether the list is complete: `count` structures, or all there are."""
    plan = make_plan(problem)
    if not plan.fits:
        return [], False
    found, reason = run_k_best(KBestRequest(problem, plan, count, by_class), _MOST_SECONDS, None)
    return [tuple(masks) for masks in found.parents], reason is None
