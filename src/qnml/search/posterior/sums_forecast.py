"""Forecast of exact sums over all structures, before they start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml import _core
from qnml.errors import unknown_name
from qnml.search.plan import Plan, refused

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem

__all__ = ["SUMMED_PRIORS", "forecast_sums"]

SUMMED_PRIORS = ("uniform", "sparse", "order")

_MOST_VARIABLES = {"uniform": 20, "sparse": 20, "order": 25}
# Seconds of one thread per step, measured.
_SECONDS_PER_TRIPLE = 2.0e-8
_SECONDS_PER_ADDITION = 2.0e-8


def forecast_sums(problem: SearchProblem) -> Plan:
    """Forecast the sums, and decide whether they may start.

    Parameters
    ----------
    problem : with one of the priors `SUMMED_PRIORS`.
    """
    n, prior = problem.n_variables, problem.prior
    if prior not in SUMMED_PRIORS:
        raise unknown_name("posterior", "prior", prior, SUMMED_PRIORS)
    if n > max(_MOST_VARIABLES.values()):
        return refused(problem, "exact", _advice(n, prior, True), f"exact sums with the prior '{prior}'")
    steps = n * n * 2.0**n / 4 if prior == "order" else 3.0**n
    needed = _bytes(problem)
    has_memory = needed <= problem.memory_limit
    fits = n <= _MOST_VARIABLES[prior] and has_memory
    return Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="exact",
        sets=2.0**n,
        families=n * 2.0 ** (n - 1),
        memory_bytes=needed,
        memory_limit=problem.memory_limit,
        seconds=_seconds(problem, steps),
        fits=fits,
        advice="" if fits else _advice(n, prior, has_memory),
        work=f"exact sums with the prior '{prior}' in {steps:.2g} steps",
    )


def _seconds(problem: SearchProblem, steps: float) -> float:
    n = problem.n_variables
    scale = max(problem.n_rows, 50) / 1000
    families = n * 2.0 ** (n - 1)
    counting = 3e-6 * families * scale if problem.is_direct else 2.0**n * (4e-7 * scale + 4e-9 * n)
    per_step = _SECONDS_PER_ADDITION if problem.prior == "order" else _SECONDS_PER_TRIPLE
    return (counting + steps * per_step) / problem.n_jobs


def _bytes(problem: SearchProblem) -> float:
    """Peak memory: the scores of all families, and the larger of the needs of counting and of summing."""
    n = problem.n_variables
    core = _core.OrderSums if problem.prior == "order" else _core.DagSums
    counting = 8.0 * 2.0**n * (1 + problem.config_classes)
    return 8.0 * (n * 2.0 ** (n - 1)) + max(counting, core.bytes(n, problem.n_jobs))


def _advice(n: int, prior: str, has_memory: bool) -> str:
    if prior != "order" and n <= _MOST_VARIABLES["order"] and has_memory:
        return (
            f"At most {_MOST_VARIABLES[prior]} variables are summed over exactly with this prior: use method='mcmc', "
            "or prior='order' if its weights suit you."
        )
    if n <= _MOST_VARIABLES[prior]:
        return "Use method='mcmc', raise memory_limit, or select fewer columns."
    return "Use method='mcmc', or select fewer columns."
