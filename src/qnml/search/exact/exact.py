"""Running the exact search of the core: forecast, limits, interruption.

There are two ways to find the candidates. ``"lattice"`` traverses all 2^n sets of variables once; their sums give the
score of every family. ``"families"`` counts only the admitted families, which are fewer if the number of parents is
limited. The order search is the same for both. See ``docs/exact-learning.md`` for the algorithms and the proofs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from qnml import _core
from qnml._memory import peak_memory
from qnml.search.plan import Plan, refused
from qnml.search.running.certificate import GIVEN_UP, Certificate
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from qnml.gpu import Runtime
    from qnml.search.problem import SearchProblem

__all__ = [
    "TIE_RULES",
    "ExactRequest",
    "Found",
    "exact_certificate",
    "make_plan",
    "orders_seconds",
    "run_many",
    "run_one",
]

TIE_RULES = {
    "canonical": _core.TieRule.simplest,
    "larger": _core.TieRule.largest,
    "random": _core.TieRule.random,
}

Found = _core.ExactResult
_Answer = TypeVar("_Answer")

_MOST_FAMILIES = 2e8
_DIRECT_UP_TO = 12  # variables: finished before a thread would pay off


def make_plan(problem: SearchProblem) -> Plan:
    """Forecast both methods and choose the cheaper one that fits.

    For ``"families"``, the penalties of the score alone bound the number of parent sets that are kept. Sets that are
    scored and then dropped add to this number, and sets that the fit prunes reduce it.
    """
    n, n_rows, n_jobs, limit = problem.n_variables, problem.n_rows, problem.n_jobs, problem.memory_limit
    is_direct = problem.is_direct
    if n > _core.MOST_MASK_VARIABLES:
        return refused(
            problem,
            "families",
            f"Exact search takes at most {_core.MOST_MASK_VARIABLES} variables: select fewer columns.",
        )
    if problem.n_products > _core.MOST_LEVEL_PRODUCTS:
        return refused(problem, "families", "The columns have too many different numbers of levels: select fewer.")
    # Seconds per set on one core, measured on runs with 20 to 30 variables. For the lattice: the rows visited and, for
    # the candidates, the steps of the transforms. For the families: counting the rows.
    scale = max(n_rows, 50) / 1000
    orders = orders_seconds(n, n_jobs)
    lattice_seconds = 2.0**n * (4e-7 * scale + 5e-10 * n * n) / n_jobs + orders
    lattice_bytes = _core.dense_bytes(n, problem.config_classes, n_jobs)
    lattice = Plan(
        n_variables=n,
        n_rows=n_rows,
        method="lattice",
        sets=2.0**n,
        families=n * 2.0 ** (n - 1),
        memory_bytes=lattice_bytes,
        memory_limit=limit,
        seconds=lattice_seconds,
        fits=n <= _core.MOST_LATTICE_VARIABLES and lattice_bytes <= limit and not is_direct,
        advice="",
    )
    if n <= _DIRECT_UP_TO and lattice.fits:
        return _worded(lattice)
    families = _core.forecast_families(problem.core)
    sets = min(2 * families, 2.0**n)
    counted = replace(
        lattice,
        method="families",
        sets=sets,
        families=families,
        memory_bytes=_core.BYTES_PER_PARENT_SET * sets,
        seconds=(4e-6 * sets * scale + 1e-6 * families + (4e-6 * families * scale if is_direct else 0.0)) / n_jobs
        + orders,
        fits=_core.BYTES_PER_PARENT_SET * sets <= limit and families <= _MOST_FAMILIES,
    )
    if counted.fits and (not lattice.fits or counted.seconds <= lattice.seconds):
        return _worded(counted)
    if lattice.fits:
        return _worded(lattice)
    cheaper = min(counted, lattice, key=lambda plan: plan.memory_bytes)
    return _worded(replace(cheaper, fits=False, advice=_advice(is_direct)))


def orders_seconds(n: int, n_jobs: int) -> float:
    """Forecast of the order search: on data with structure it keeps about 2^(3n/4) sets, a million per second."""
    return math.exp2(min(0.75 * n, 1000.0)) * 1e-6 / n_jobs  # beyond a thousand variables it is forever, too


def _worded(plan: Plan) -> Plan:
    return replace(plan, work=f"{plan.sets:.3g} sets of variables to count, {plan.families:.3g} families to score")


def _advice(is_direct: bool) -> str:
    if is_direct:
        return "This score is counted family by family: set max_parents (2 or 3), or use another score."
    return (
        "Set max_parents (3, say), or guard='cap', which admits only families that the data can fill; "
        "or select fewer columns."
    )


@dataclass(frozen=True)
class ExactRequest:
    """One exact search.

    Attributes
    ----------
    problem : the problem.
    plan : how to solve it.
    ties : the tie-breaking rule, one of `TIE_RULES`.
    known : the parents of each variable in a network to start from; empty for none.
    most_sets : number of sets to count at a time above which the search is given up.
    most_states : number of states of the order search, as far as it can be foreseen, above which it is given up.
    card : where sets are counted and compared; None for the CPU.
    """

    problem: SearchProblem
    plan: Plan
    ties: str = "canonical"
    known: tuple[int, ...] = ()
    most_sets: float = math.inf
    most_states: float = math.inf
    card: Runtime | None = None

    def options(self) -> _core.ExactOptions:
        """The options of the search as the core takes them."""
        is_lattice = self.plan.method == "lattice"
        return _core.ExactOptions(TIE_RULES[self.ties], is_lattice, list(self.known), self.most_sets, self.most_states)


def run_one(request: ExactRequest, time_limit: float | None, watch: Watch | None) -> tuple[Found, str | None]:
    """Run the core; return also why it stopped early, or None. Ctrl-C makes it return the best network so far."""
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    problem, options = request.problem.core, request.options()

    if request.card is None:
        work = partial(_core.learn_exact, problem, options, control)
    else:
        from qnml.gpu import find_candidates

        source = partial(find_candidates, request.card)
        work = partial(_core.learn_exact_from, problem, options, control, source)
    is_quick = request.problem.n_variables <= _DIRECT_UP_TO and watch is None and request.card is None
    found, interrupted = (work(), False) if is_quick else _interruptible(work, control, watch)
    if found.optimal:
        return found, None
    if interrupted:
        return found, "interrupted"
    if control.is_timed_out:
        return found, "time limit"
    if found.outgrown:
        return found, GIVEN_UP
    return found, "memory limit" if found.out_of_memory else None


def _interruptible(work: Callable[[], _Answer], control: _core.Control, watch: Watch | None) -> tuple[_Answer, int]:
    problem = "learn: memory ran out during the search. Set memory_limit, max_parents or guard='cap'."
    return interruptible(work, control, watch, problem)


def exact_certificate(
    found: Found, score: float, request: ExactRequest, ties: bool | None, reason: str | None
) -> Certificate:
    """The certificate of the network found.

    Parameters
    ----------
    found
        The result of the core.
    score
        The score of the network, computed independently.
    request
        The search.
    ties
        Whether another equivalence class has the same score, or None if that was not examined.
    reason
        Why the search stopped early, or None.
    """
    return Certificate(
        optimal=found.optimal,
        score=score,
        bound=score if found.optimal else max(found.bound, score),
        ties=ties,
        tie_rule=request.ties,
        method=request.plan.method,
        stop_reason=reason,
        families_scored=found.families_scored,
        families_pruned=max(found.families_scored - found.candidates, 0),
        candidates=found.candidates,
        states=found.states,
        visits=found.visits,
        seconds=dict(found.seconds),
        peak_memory=peak_memory(),
        n_proven=request.problem.n_variables if found.optimal else 0,
    )


def run_many(requests: Sequence[Sequence[ExactRequest]], n_jobs: int) -> list[list[Found]]:
    """Run searches on many tables, `n_jobs` tables at a time with one thread each.

    The requests for one table may differ in all but the table; they share one traversal of the lattice.
    """
    if not requests:
        return []
    control = _core.Control()
    limit = min(request.problem.memory_limit for group in requests for request in group)
    groups = [
        [(request.problem.core_for(request.problem.columns, limit, 1), request.options()) for request in group]
        for group in requests
    ]
    found, interrupted = _interruptible(partial(_core.learn_exact_many, groups, control, n_jobs), control, None)
    if interrupted:
        raise KeyboardInterrupt
    return found
