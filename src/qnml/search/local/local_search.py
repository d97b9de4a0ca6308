"""Running the local searches, for networks beyond the reach of exact search: forecast, limits, interruption.

They look for a good network first, and then for a proof that none is better, which they may not find. See
``docs/large-networks.md`` for how they work.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from qnml import _core
from qnml._memory import peak_memory
from qnml.graph.completion import first_of_class
from qnml.graph.masks import bits
from qnml.search.plan import Plan
from qnml.search.running.certificate import SEARCHES, Certificate
from qnml.search.running.copies import gather_copies
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem

__all__ = [
    "EFFORTS",
    "LOCAL_METHODS",
    "OF_CLASSES",
    "LocalRequest",
    "exact_seconds",
    "make_certificate",
    "make_plan",
    "masks_of",
    "run",
]

EFFORTS = {
    "quick": _core.Effort.quick,
    "default": _core.Effort.usual,
    "thorough": _core.Effort.thorough,
}
LOCAL_METHODS = {
    "ges": _core.LocalMethod.greedy_equivalence,
    "hill-climbing": _core.LocalMethod.hill_climbing,
    "order": _core.LocalMethod.order,
}
# Up to this many variables, hill climbing finds a quick answer in less than half the time of order search; beyond, it
# takes more.
_MOST_CLIMBED = 2000
# Searches that move between equivalence classes, which need a score-equivalent score.
OF_CLASSES = frozenset({"ges"})

# Longest forecast of an exact search for which ``method="auto"`` still chooses it.
_EXACT_SECONDS = {"quick": 1.0, "default": 3600.0, "thorough": 86400.0}


@dataclass(frozen=True)
class LocalRequest:
    """One local search.

    Attributes
    ----------
    problem : the problem.
    plan : forecast of its start; its method is one of `LOCAL_METHODS`.
    effort : how much work to spend, one of `EFFORTS`.
    most_work : number of families that a stage may score; 0 for the number that belongs to the effort.
    start : the parents of each variable in a network to start from; empty for the required arcs.
    """

    problem: SearchProblem
    plan: Plan
    effort: str
    most_work: float = 0.0
    start: tuple[int, ...] = ()

    def options(self) -> _core.LocalSearchOptions:
        """The options of the search as the core takes them."""
        start = [[*bits(mask)] for mask in self.start]
        return _core.LocalSearchOptions(LOCAL_METHODS[self.plan.method], EFFORTS[self.effort], self.most_work, start)


def exact_seconds(effort: str) -> float:
    """The longest forecast of an exact search for which ``method="auto"`` still chooses it."""
    return _EXACT_SECONDS[effort]


def make_plan(problem: SearchProblem, method: str, effort: str, exact: Plan | None = None) -> Plan:
    """Forecast the start of a search: the pairs of variables, and the columns a second time as bits.

    Parameters
    ----------
    problem
        The problem.
    method
        One of `LOCAL_METHODS`, or ``"auto"`` for the one that suits the effort.
    effort
        One of `EFFORTS`.
    exact
        The plan of the exact search that was not chosen, or None.
    """
    n, n_rows, limit = problem.n_variables, problem.n_rows, problem.memory_limit
    is_climbed = effort == "quick" and n <= _MOST_CLIMBED
    chosen = method if method != "auto" else "hill-climbing" if is_climbed else "order"
    pairs = n * (n - 1) / 2
    sets = n + pairs
    needed = _core.local_search_bytes(n, n_rows, sum(problem.arities))
    fits = needed <= limit
    if not fits:
        advice = "Allow more memory, or select fewer columns."
    elif exact is None:
        advice = "The answer may not be proven optimal."
    else:
        why = f"would take about {exact.seconds:.2g} s" if exact.fits else "does not fit"
        advice = f"The answer may not be proven optimal: an exact search {why}."
    return Plan(
        n_variables=n,
        n_rows=n_rows,
        method=chosen,
        sets=sets,
        families=float(n * n),
        memory_bytes=needed,
        memory_limit=limit,
        # A rough value for 1000 rows on a laptop: the pairs, and the sets counted after each step of the climb.
        seconds=1e-6 * max(n_rows, 50) / 1000 * n * n * {"quick": 4, "default": 40, "thorough": 400}[effort],
        fits=fits,
        advice=advice,
        work=f"{SEARCHES[chosen]}, which starts with {sets:.3g} sets of variables",
    )


def run(
    request: LocalRequest, time_limit: float | None, watch: Watch | None
) -> tuple[_core.LocalSearchResult, str | None]:
    """Run the core; return also why it stopped early, or None. Ctrl-C makes it return the best network so far."""
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    work = partial(_core.learn_local, request.problem.core, request.options(), control)
    out_of_memory = "learn: memory ran out during the search. Set memory_limit, or select fewer columns."
    found, interrupted = interruptible(work, control, watch, out_of_memory)
    if interrupted:
        return found, "interrupted"
    if control.is_timed_out:
        return found, "time limit"
    return found, "work limit" if found.is_cut and not found.optimal else None


def masks_of(found: _core.LocalSearchResult, problem: SearchProblem) -> list[int]:
    """Parent masks of the first network, by name, of the equivalence class found, if that network is admitted.

    Among networks that differ only in copies of a column, it is the one in which the first copy has the children.

    Parameters
    ----------
    found
        The result of the core.
    problem
        The problem.
    """
    is_equivalent = problem.is_equivalent
    masks = [sum(1 << parent for parent in parents) for parents in found.parents]
    if is_equivalent:
        masks = _first_of_class(masks, problem)
    if not found.copies:
        return masks
    masks = gather_copies(masks, found.copies, problem.compiled)
    return _first_of_class(masks, problem) if is_equivalent else masks


def _first_of_class(masks: list[int], problem: SearchProblem) -> list[int]:
    compiled = problem.compiled
    if any(compiled.required) or math.isfinite(problem.most_cells):
        return masks
    first = first_of_class(masks)
    is_admitted = all(compiled.admits_family(child, mask) for child, mask in enumerate(first))
    return first if is_admitted else masks


def make_certificate(found: _core.LocalSearchResult, score: float, method: str, reason: str | None) -> Certificate:
    """The certificate of the network found.

    Parameters
    ----------
    found
        The result of the core.
    score
        The score of the network, computed independently.
    method
        The search that found it.
    reason
        Why it stopped early, or None.
    """
    return Certificate(
        optimal=found.optimal,
        score=score,
        bound=score if found.optimal else max(found.bound, score),
        ties=None,
        tie_rule="canonical",
        method=method,
        stop_reason=reason,
        families_scored=found.sets_counted,
        families_pruned=0,
        candidates=found.candidates,
        states=0,
        visits=0,
        seconds=dict(found.seconds),
        peak_memory=peak_memory(),
        trace=tuple(found.trace),
        n_proven=found.n_proven,
        most_parents=found.most_parents or None,
    )
