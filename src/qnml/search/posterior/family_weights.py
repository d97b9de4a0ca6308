"""Log weights of families and DAGs: local scores plus the log of a modular prior."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.graph.masks import bits
from qnml.search.priors import prior_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["dag_log_weights", "family_log_weights"]


def family_log_weights(problem: SearchProblem) -> FloatArray:
    """Log weights of all families, n × 2^n by child and by the mask of its parents.

    The weight is −infinity if a family is not admitted or the mask contains the child.
    """
    n = problem.n_variables
    families = [
        (child, parents)
        for child in range(n)
        for parents in range(1 << n)
        if not parents >> child & 1 and problem.admits(child, parents)
    ]
    weights = np.full((n, 1 << n), -np.inf)
    for (child, parents), weight in zip(families, _log_weights(problem, families), strict=True):
        weights[child, parents] = weight
    return weights


def dag_log_weights(problem: SearchProblem, dags: Sequence[Masks]) -> FloatArray:
    """Log weights of DAGs under a modular prior; −infinity for DAGs that are not admitted."""
    used = sorted({family for masks in dags for family in enumerate(masks)})
    families = [family for family in used if problem.admits(*family)]
    weight = dict.fromkeys(used, -math.inf)
    weight.update(zip(families, _log_weights(problem, families).tolist(), strict=True))
    return np.array([math.fsum(weight[family] for family in enumerate(masks)) for masks in dags])


def _log_weights(problem: SearchProblem, families: Sequence[tuple[int, int]]) -> FloatArray:
    members = [list(bits(parents)) for _, parents in families]
    sizes = [len(parents) for parents in members]
    scores = _core.local_scores(
        problem.columns,
        np.array([child for child, _ in families], dtype=np.int32),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array([parent for parents in members for parent in parents], dtype=np.int32),
        problem.kind,
        problem.parameter,
        problem.n_variables,
        problem.n_jobs,
        problem.score.scale,
    )
    priors = np.array([prior_term(problem.prior, problem.n_variables, size) for size in sizes])
    weights: FloatArray = scores + priors
    return weights
