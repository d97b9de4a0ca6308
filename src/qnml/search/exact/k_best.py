"""Running the search for the k best networks: forecast, limits, interruption. See ``docs/k-best.md``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml import _core
from qnml.errors import TooLargeError
from qnml.search.plan import Plan, refused
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem

__all__ = ["Found", "KBestRequest", "make_plan", "run_k_best"]

Found = _core.KBestResult

_MOST_VARIABLES = 24
_DIRECT_UP_TO = 8  # variables: the first networks are found before a thread would pay off


@dataclass(frozen=True)
class KBestRequest:
    """One search for the best networks or equivalence classes.

    Attributes
    ----------
    problem : the problem.
    plan : forecast until the first network is listed.
    k : how many to list.
    by_class : whether to list equivalence classes instead of networks.
    """

    problem: SearchProblem
    plan: Plan
    k: int
    by_class: bool


def make_plan(problem: SearchProblem) -> Plan:
    """Forecast memory and time until the first network; listing further networks needs more.

    Parameters
    ----------
    problem
        The problem.
    """
    n, limit = problem.n_variables, problem.memory_limit
    advice = "Select fewer columns, or use learn for the best network alone."
    if n > _MOST_VARIABLES:
        return refused(problem, "k-best", f"The search takes at most {_MOST_VARIABLES} variables. {advice}")
    families = n * 2.0 ** (n - 1)
    # Seconds per family, measured on a laptop: to rank it, to bound it for each other variable, to count it alone.
    each = 2.5e-7 + 1e-8 * n + (2e-8 * problem.n_rows if problem.is_direct else 0.0)
    memory = _core.k_best_bytes(n, problem.config_classes, problem.n_jobs)
    return Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="k-best",
        sets=2.0**n,
        families=families,
        memory_bytes=memory,
        memory_limit=limit,
        seconds=families * each / problem.n_jobs,
        fits=memory <= limit,
        advice="" if memory <= limit else advice,
        work=f"{families:.3g} families to rank before the first network",
    )


def run_k_best(request: KBestRequest, time_limit: float | None, watch: Watch | None) -> tuple[Found, str | None]:
    """Run the core; return also why it stopped early, or None. The networks listed by then are proven all the same.

    Raises
    ------
    TooLargeError
        Before any work, if the plan does not fit.
    """
    problem = request.problem
    if not request.plan.fits:
        raise TooLargeError(f"{problem.call}: {request.plan.sentence()}")
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    options = _core.KBestOptions()
    options.k = request.k
    options.by_class = request.by_class

    def work() -> Found:
        return _core.k_best(problem.core, options, control)

    is_quick = problem.n_variables <= _DIRECT_UP_TO and request.k <= 1000 and watch is None
    memory = f"{problem.call}: memory ran out during the search. Set memory_limit, max_parents or guard='cap'."
    found, interrupted = (work(), False) if is_quick else interruptible(work, control, watch, memory)
    if len(found.scores) == request.k or found.is_exhausted:
        return found, None
    if interrupted:
        return found, "interrupted"
    if found.is_out_of_range:
        return found, "score limit"
    return found, "time limit" if control.is_timed_out else "memory limit"
