"""Learning a network from rows with missing cells: structural EM.

For the network at hand, EM finds the parameters of the highest likelihood of the observed cells. Under these, every
incomplete row is replaced by weighted complete rows, and the best network for them is searched for. That is repeated
until the score of the observed cells no longer rises. It never falls, because the penalty of the score does not depend
on counts: see ``docs/missing-cells.md``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml._api.clock import Clock
from qnml._api.structural_em_steps import Completions, Prepare, StructuralEmSteps
from qnml._interrupts import held_interrupts
from qnml.errors import bad_argument
from qnml.scores import SCORES, find_score

if TYPE_CHECKING:
    from collections.abc import Callable

    from qnml._api.problem import Problem
    from qnml._api.run_search import Solve
    from qnml._api.search_result import SearchResult
    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.search.running.interruptible import Watch

__all__ = ["Completions", "Prepare", "Searches", "check_score_of_missing", "learn_by_structural_em"]


@dataclass(frozen=True)
class Searches:
    """How networks of complete tables are learned.

    Attributes
    ----------
    prepare : makes the search problem of a table.
    solve : the search that was asked for.
    solve_quickly : a search for a good network in little time.
    is_shaped : whether networks have a shape that the required arcs alone lack, as trees do.
    """

    prepare: Prepare
    solve: Solve
    solve_quickly: Solve
    is_shaped: bool = False


def check_score_of_missing(call: str, score: str) -> None:
    """Refuse scores for which structural EM is not sound."""
    if find_score(call, score).price_ignores_counts:
        return
    known = ", ".join(name for name, one in SCORES.items() if one.price_ignores_counts)
    raise bad_argument(
        call,
        "score",
        score,
        f"one of {known} where cells are missing",
        "Only their penalty stays the same while cells are estimated, so that no step can lower the score. Make "
        "'missing' a level instead, by table.with_missing_level() or missing='category'.",
    )


def learn_by_structural_em(
    table: Table,
    searches: Searches,
    start: Callable[[Problem], Dag] | None,
    time_limit: float | None,
    watch: Watch | None,
    *,
    by_levels: Dag | None = None,
    seed: int = 0,
    completions: Completions | None = None,
) -> tuple[SearchResult, Problem]:
    """The network with the highest score of the observed cells that structural EM finds.

    Quick searches climb from every start. The search that was asked for continues from the best network they reach, so
    that a long exact search runs once or twice and not at every step.

    Parameters
    ----------
    table : a table with missing cells.
    searches : how networks of complete tables are learned.
    start : makes the network to start from, besides completions by the frequencies of each column, for the problem of
        completed rows; it may refuse. By default one is learned from the table in which missing cells are levels.
    time_limit : seconds after which the best network so far is returned.
    watch : receives the progress.
    by_levels : a network that was learned in this way already, together with bins.
    seed : of the draws.
    completions : how rows are completed.

    Returns
    -------
    tuple
        The result, and the problem of the completed rows on which its network is explained.
    """
    began = time.perf_counter()
    with held_interrupts() as interrupts:
        clock = Clock(time_limit, interrupts)
        by_level = searches.prepare(table.with_missing_level())
        search = StructuralEmSteps(table, searches.prepare, by_level, clock, watch, seed, completions or Completions())
        first = search.completed(search.first(search.required))
        if searches.is_shaped:
            found = searches.solve_quickly(first.problem, clock.left())
            first = search.completed(search.first(search.masks(found.dag)))
        given = None if start is None else start(first.problem)
        ends = {"independent": search.climb(first, searches.solve_quickly)}
        if not clock.is_over:
            if given is not None:
                name, begun = "given", search.fitted(search.masks(given), None)
            elif by_levels is not None:
                name, begun = "bins", search.simplified(by_levels)
            else:
                found = searches.solve_quickly(by_level, clock.left())
                name, begun = "missing as a level", search.simplified(found.dag, drops_arcs=not searches.is_shaped)
            if begun is not None:
                ends[name] = search.climb(search.completed(begun), searches.solve_quickly)
        best = max(ends.values(), key=lambda end: end.stand.value)
        if not clock.is_over and not (best.is_settled and best.result.certificate.optimal):
            best = search.climb(best.stand, searches.solve, best.trace[:-1])
        return search.result(best, ends, began), best.stand.problem
