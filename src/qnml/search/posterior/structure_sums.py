"""Exact sums over all structures: total weight, probabilities of parent sets, arcs and paths, and exact draws.

The priors ``"uniform"`` and ``"sparse"`` take about 3^n steps, ``"order"`` about n² 2^n. See
``docs/posterior-algorithms.md`` for the formulas, the proofs and the bound on the error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from qnml import _core
from qnml.errors import InputError, QnmlError, TooLargeError, unknown_name
from qnml.search.posterior.sums_deadline import SumsOutlook
from qnml.search.posterior.sums_forecast import SUMMED_PRIORS, forecast_sums
from qnml.search.priors import prior_term
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["Stopped", "StructureSums", "family_scores", "sum_scores", "sum_structures"]

MOST_ERROR = 1e-9
"""Largest accepted bound on the error of a probability."""

_OUT_OF_MEMORY = "posterior: memory ran out during the sums. Set memory_limit, or use method='mcmc'."

_CoreSums: TypeAlias = _core.DagSums | _core.OrderSums


@dataclass(frozen=True)
class Stopped:
    """Why and where the sums stopped before they were complete.

    Attributes
    ----------
    reason : ``"time limit"`` or ``"interrupted"``.
    stage : the stage of the core that was running.
    share : completed share of that stage.
    interruptions : number of times Ctrl-C was pressed.
    """

    reason: str
    stage: str
    share: float
    interruptions: int = 0


@dataclass(frozen=True, eq=False)
class StructureSums:
    """The sums, as the core returns them.

    Attributes
    ----------
    log_total : log of the sum of all weights.
    parent_set_probabilities : n × 2^(n−1), by child and by parent set as a mask of the *other* variables: the bits
        above the child's are shifted down by one.
    edges : probability of the arc i → j in row i, column j.
    ancestors : probability of a directed path from i to j; None for the prior ``"order"``.
    error_bound : upper bound on the error of every probability, given the local scores.
    discrepancy : largest difference between equal quantities that were computed in different ways.
    """

    log_total: float
    parent_set_probabilities: FloatArray
    edges: FloatArray
    ancestors: FloatArray | None
    error_bound: float
    discrepancy: float
    _core_sums: _CoreSums = field(repr=False)
    _n_jobs: int = field(repr=False)

    def draw(self, count: int, seed: int) -> list[Masks]:
        """Draw DAGs independently by their exact probabilities.

        Parameters
        ----------
        count : number of DAGs.
        seed : equal seeds give equal DAGs, whatever the number of threads.
        """
        masks = self._core_sums.draw(count, seed, self._n_jobs).reshape(count, len(self.edges))
        return [tuple(row) for row in masks.tolist()]


def sum_structures(
    problem: SearchProblem, time_limit: float | None = None, watch: Watch | None = None, kept_back: float = 0.0
) -> tuple[StructureSums | None, Stopped | None]:
    """Score all families and sum over all structures.

    Parameters
    ----------
    problem : with one of the priors `SUMMED_PRIORS`.
    time_limit : seconds. A partial sum is worthless, so nothing is returned once the time is over.
    watch : called with the stage and the completed share of it, or None.
    kept_back : seconds at the end of the time limit in which the sums run only if they are expected to finish.

    Returns
    -------
    tuple
        The sums, or None and why there are none.

    Raises
    ------
    TooLargeError
        Before any work, with the plan and a method that would fit.
    QnmlError
        If the bound on the error is above `MOST_ERROR`.
    """
    plan = forecast_sums(problem)
    if not plan.fits:
        raise TooLargeError(f"posterior: {plan.sentence()}")
    control = _core.Control()
    outlook = None
    if time_limit is not None:
        control.set_deadline(time_limit)
        outlook = SumsOutlook(time_limit, kept_back)

    def look(stage: str, share: float) -> None:
        if watch is not None:
            watch(stage, share)
        if outlook is not None and outlook.is_hopeless(stage, share):
            control.stop()

    def work() -> StructureSums | None:
        scores = family_scores(problem, control)
        return None if scores is None else _sum_scores(scores, problem.prior == "order", problem.n_jobs, control)

    found, interruptions = interruptible(work, control, look, _OUT_OF_MEMORY)
    if found is not None:
        return found, None
    reason = "interrupted" if interruptions else "time limit"
    return None, Stopped(reason, control.stage, min(1.0, control.share_done), interruptions)


def family_scores(problem: SearchProblem, control: _core.Control) -> FloatArray | None:
    """Local scores of all families with a modular prior, n × 2^(n−1) as in `StructureSums`; None when stopped."""
    flat = _core.family_log_scores(problem.core, control)
    return flat.reshape(problem.n_variables, -1) if flat.size else None


def sum_scores(scores: FloatArray, prior: str = "uniform", n_jobs: int = 1) -> StructureSums:
    """Sum over all structures, given the local scores, to which the prior is added.

    Parameters
    ----------
    scores : n × 2^(n−1) local scores, by child and parent set as in `StructureSums`; −infinity if not admitted.
    prior : one of `SUMMED_PRIORS`.
    n_jobs : number of threads; results do not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> sums = sum_scores(np.zeros((3, 4)))  # every DAG has weight one: there are 25
    >>> round(float(np.exp(sums.log_total)))
    25
    >>> sums.edges[0, 1].round(6)  # 8 of 25
    np.float64(0.32)
    """
    if prior not in SUMMED_PRIORS:
        raise unknown_name("sum_scores", "prior", prior, SUMMED_PRIORS)
    weights = np.array(scores, dtype=np.float64)
    if prior == "sparse":
        n = len(weights)
        weights += np.array([prior_term(prior, n, size) for size in range(n)])[_set_sizes(n - 1)]
    found = _sum_scores(weights, prior == "order", n_jobs, _core.Control())
    if found is None:  # nothing could have stopped it
        raise AssertionError("the sums ended early")
    return found


def _sum_scores(weights: FloatArray, by_order: bool, n_jobs: int, control: _core.Control) -> StructureSums | None:
    """Sum over all structures, or over all orders; None if stopped."""
    n = len(weights)
    sums = _compute(weights, by_order, n_jobs, control)
    if sums is None:
        return None
    if sums.error_bound > MOST_ERROR:
        raise QnmlError(
            f"posterior: terms of the sum over structures of {n} variables cancel so much that a probability could be "
            f"off by {sums.error_bound:.1g}; at most {MOST_ERROR:g} is accepted. Use method='mcmc' or prior='order', "
            "or select fewer columns."
        )
    return StructureSums(
        log_total=sums.log_total,
        parent_set_probabilities=sums.take_parent_sets().reshape(n, -1),
        edges=sums.edges.reshape(n, n),
        ancestors=sums.ancestors.reshape(n, n) if isinstance(sums, _core.DagSums) else None,
        error_bound=sums.error_bound,
        discrepancy=sums.discrepancy,
        _core_sums=sums,
        _n_jobs=n_jobs,
    )


def _compute(weights: FloatArray, by_order: bool, n_jobs: int, control: _core.Control) -> _CoreSums | None:
    """The sums in the core; None if stopped."""
    sums: _CoreSums
    try:
        sums = (_core.OrderSums if by_order else _core.DagSums)(weights.reshape(-1), len(weights))
        return sums if sums.compute(control, n_jobs) else None
    except OverflowError as problem:
        advice = "Exact sums cannot represent such weights: use method='mcmc'."
        raise InputError(f"posterior: {problem}. {advice}") from None
    except ValueError as problem:
        raise InputError(f"posterior: {problem}.") from None


def _set_sizes(bits: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Size of every subset of a set with this number of members."""
    sizes = np.zeros(1, dtype=np.int64)
    for _ in range(bits):
        sizes = np.concatenate([sizes, sizes + 1])
    return sizes
