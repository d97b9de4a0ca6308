"""Exact sums over all structures: total weight, probabilities of parent sets, arcs and paths, and exact draws.

The weight of a structure is exp(score) times what the prior gives it, up to a constant:

- ``"uniform"``: every DAG alike;
- ``"sparse"``: a DAG by the product over its variables of 1 / C(n − 1, number of parents);
- ``"order"``: a DAG by the number of orders of the variables it agrees with, which favours DAGs with few arcs and is
  not the same for equivalent ones.

The first two take about 3^n steps, the third about n² 2^n. See ``docs/posterior-algorithms.md`` for the formulas, the
proofs and the bound on the error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from qnml import _core
from qnml.errors import InputError, QnmlError, TooLargeError, unknown_name
from qnml.search.plan import Plan, refused
from qnml.search.posterior.sums_deadline import SumsOutlook
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from qnml._types import FloatArray
    from qnml.search.problem import SearchProblem

__all__ = [
    "SUMMED_PRIORS",
    "Stopped",
    "StructureSums",
    "forecast_sums",
    "sum_scores",
    "sum_structures",
]

SUMMED_PRIORS = ("uniform", "sparse", "order")
STAGES = {0: "starting", 1: "counting", 2: "sums", 3: "completions", 4: "probabilities"}
MOST_ERROR = 1e-9
"""Probabilities that could be further off than this are not given."""

_MOST_VARIABLES = {"uniform": 20, "sparse": 20, "order": 25}
# Seconds of one thread for one step, measured.
_SECONDS_PER_TRIPLE = 2.0e-8
_SECONDS_PER_ADDITION = 2.0e-8

_Sums: TypeAlias = _core.DagSums | _core.OrderSums


@dataclass(frozen=True)
class Stopped:
    """Why and where sums ended before they were done.

    Attributes
    ----------
    reason : ``"time limit"`` or ``"interrupted"``.
    stage : one of `STAGES`.
    share : how much of that stage was done.
    interruptions : how many times Ctrl-C was pressed.
    """

    reason: str
    stage: str
    share: float
    interruptions: int = 0


@dataclass(frozen=True)
class StructureSums:
    """The posterior over structures, summed exactly.

    Attributes
    ----------
    prior : one of `SUMMED_PRIORS`.
    log_total : log of the sum of all weights.
    parent_set_probabilities : n × 2^(n−1), by child and by the set of its parents as a mask of the *other* variables:
        the bits above the child's are moved down by one.
    edges : probability of the arc i → j in row i, column j.
    ancestors : probability of a directed path from i to j; None for the prior ``"order"``.
    error_bound : no probability of parents, arcs or paths is further off than this, given the local scores.
    discrepancy : how far apart numbers are that should be equal and were computed in different ways.
    """

    prior: str
    log_total: float
    parent_set_probabilities: FloatArray
    edges: FloatArray
    ancestors: FloatArray | None
    error_bound: float
    discrepancy: float
    n_jobs: int = field(default=1, repr=False, compare=False)
    _sums: _Sums = field(repr=False, compare=False, kw_only=True)

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.parent_set_probabilities)

    @property
    def adjacencies(self) -> FloatArray:
        """Probability of an arc between i and j, either way."""
        return self.edges + self.edges.T

    def parent_sets(self, child: int, most: int | None = None) -> list[tuple[int, float]]:
        """Masks of parents with their probabilities, best first, without those of probability zero.

        Parameters
        ----------
        child : number of the variable.
        most : how many to list; None lists all.
        """
        probabilities = self.parent_set_probabilities[child]
        best = np.argsort(-probabilities, kind="stable")[:most]
        low = (1 << child) - 1
        return [
            ((index & low) | (index & ~low) << 1, float(probabilities[index]))
            for index in best.tolist()
            if probabilities[index] > 0
        ]

    def sample_dags(self, count: int, seed: int) -> list[tuple[int, ...]]:
        """DAGs drawn independently by their exact probabilities, each as the masks of the parents of the variables.

        Parameters
        ----------
        count : how many.
        seed : the same seed draws the same DAGs, whatever the number of threads.
        """
        masks = self._sums.draw(count, seed, self.n_jobs).reshape(count, self.n_variables)
        return [tuple(row) for row in masks.tolist()]


def forecast_sums(problem: SearchProblem) -> Plan:
    """Forecast what the sums need, and whether they may start.

    Parameters
    ----------
    problem : what to sum over; its prior is one of `SUMMED_PRIORS`.
    """
    n, prior, jobs = problem.n_variables, problem.prior, problem.n_jobs
    if prior not in SUMMED_PRIORS:
        raise unknown_name("posterior", "prior", prior, SUMMED_PRIORS)
    if n > max(_MOST_VARIABLES.values()):
        return refused(problem, "exact", _advice(n, prior, True), f"exact sums with the prior '{prior}'")
    by_order = prior == "order"
    steps = n * n * 2.0**n / 4 if by_order else 3.0**n
    families = n * 2.0 ** (n - 1)
    scale = max(problem.n_rows, 50) / 1000
    counting = 3e-6 * families * scale if problem.is_direct else 2.0**n * (4e-7 * scale + 4e-9 * n)
    seconds = (counting + steps * (_SECONDS_PER_ADDITION if by_order else _SECONDS_PER_TRIPLE)) / jobs
    core = _core.OrderSums if by_order else _core.DagSums
    walk = 8.0 * 2.0**n * (1 + problem.config_classes)
    needed = 8.0 * families + max(walk, core.bytes(n, jobs))
    has_memory = needed <= problem.memory_limit
    fits = n <= _MOST_VARIABLES[prior] and has_memory
    return Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="exact",
        sets=2.0**n,
        families=families,
        memory_bytes=needed,
        memory_limit=problem.memory_limit,
        seconds=seconds,
        fits=fits,
        advice="" if fits else _advice(n, prior, has_memory),
        work=f"exact sums with the prior '{prior}' in {steps:.2g} steps",
    )


def sum_structures(
    problem: SearchProblem, time_limit: float | None = None, watch: Watch | None = None, kept_back: float = 0.0
) -> tuple[StructureSums | None, Stopped | None]:
    """Score all families and sum over all structures.

    Parameters
    ----------
    problem : what to sum over.
    time_limit : seconds; half a sum tells nothing, so that None comes back when they are over.
    watch : told the stage and the share of it that is done, or None.
    kept_back : seconds; the sums end so much before their time is over unless they look like being done by then.

    Returns
    -------
    tuple
        The sums, or None and why there are none.

    Raises
    ------
    TooLargeError
        Before any work, with the forecast and what would fit.
    QnmlError
        When the bound on the error is above `MOST_ERROR`.
    """
    plan = forecast_sums(problem)
    if not plan.fits:
        raise TooLargeError(f"posterior: {plan.sentence()}")
    constraints = problem.constraints()
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    outlook = None if time_limit is None else SumsOutlook(time_limit, kept_back)

    def look(stage: str, share: float) -> None:
        if watch is not None:
            watch(stage, share)
        if outlook is not None and outlook.is_hopeless(stage, share):
            control.stop()

    def work() -> StructureSums | None:
        flat = _core.family_log_scores(
            problem.columns, problem.kind, problem.parameter, constraints, problem.n_jobs, control
        )
        if not flat.size:
            return None
        scores = flat.reshape(problem.n_variables, -1)
        return _sum_scores(scores, problem.prior, problem.n_jobs, control)

    out_of_memory = "posterior: memory ran out during the sums. Set memory_limit, or use method='mcmc'."
    found, interruptions = interruptible(work, control, look, STAGES, out_of_memory)
    if found is not None:
        return found, None
    reason = "interrupted" if interruptions else "time limit"
    return None, Stopped(reason, STAGES[control.stage], min(1.0, control.share_done), interruptions)


def sum_scores(scores: FloatArray, prior: str = "uniform", n_jobs: int = 1) -> StructureSums:
    """The same from local scores that are at hand.

    Parameters
    ----------
    scores : n × 2^(n−1) local scores, by child and by the set of its parents as in `StructureSums`; −infinity where
        not admitted.
    prior : one of `SUMMED_PRIORS`.
    n_jobs : threads; no result depends on it.

    Examples
    --------
    >>> import numpy as np
    >>> sums = sum_scores(np.zeros((3, 4)))  # every DAG weighs one: there are 25
    >>> round(float(np.exp(sums.log_total)))
    25
    >>> sums.edges[0, 1].round(6)  # 8 of 25
    np.float64(0.32)
    """
    if prior not in SUMMED_PRIORS:
        raise unknown_name("sum_scores", "prior", prior, SUMMED_PRIORS)
    found = _sum_scores(np.array(scores, dtype=np.float64), prior, n_jobs, _core.Control())
    if found is None:  # nothing could have stopped it
        raise AssertionError("the sums ended early")
    return found


def _sum_scores(scores: FloatArray, prior: str, n_jobs: int, control: _core.Control) -> StructureSums | None:
    """Sum over the structures; the scores are changed."""
    n = len(scores)
    if prior == "sparse":
        scores -= np.log([float(math.comb(n - 1, size)) for size in range(n)])[_set_sizes(n - 1)]
    sums: _Sums
    try:
        sums = (_core.OrderSums if prior == "order" else _core.DagSums)(scores.reshape(-1), n)
        if not sums.compute(control, n_jobs):
            return None
    except OverflowError as problem:
        advice = "Exact sums cannot hold such weights: use method='mcmc'."
        raise InputError(f"posterior: {problem}. {advice}") from None
    except ValueError as problem:
        raise InputError(f"posterior: {problem}.") from None
    if sums.error_bound > MOST_ERROR:
        raise QnmlError(
            f"posterior: terms of the sum over structures of {n} variables cancel so much that a probability could be "
            f"off by {sums.error_bound:.1g}; at most {MOST_ERROR:g} is accepted. Use method='mcmc' or prior='order', "
            "or select fewer columns."
        )
    return StructureSums(
        prior=prior,
        log_total=sums.log_total,
        parent_set_probabilities=sums.take_parent_sets().reshape(n, -1),
        edges=sums.edges.reshape(n, n),
        ancestors=sums.ancestors.reshape(n, n) if isinstance(sums, _core.DagSums) else None,
        error_bound=sums.error_bound,
        discrepancy=sums.discrepancy,
        n_jobs=n_jobs,
        _sums=sums,
    )


def _set_sizes(bits: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Number of members of each subset of so many."""
    sizes = np.zeros(1, dtype=np.int64)
    for _ in range(bits):
        sizes = np.concatenate([sizes, sizes + 1])
    return sizes


def _advice(n: int, prior: str, has_memory: bool) -> str:
    if prior != "order" and n <= _MOST_VARIABLES["order"] and has_memory:
        return (
            f"At most {_MOST_VARIABLES[prior]} variables are summed over exactly with this prior: use method='mcmc', "
            "or prior='order' if its weights suit you."
        )
    if n <= _MOST_VARIABLES[prior]:
        return "Use method='mcmc', raise memory_limit, or select fewer columns."
    return "Use method='mcmc', or select fewer columns."
