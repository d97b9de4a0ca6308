"""Learning a network from rows with missing cells: structural EM.

For the network at hand, EM finds the parameters of the highest likelihood of the observed cells. Under these, every
incomplete row is replaced by weighted complete rows, and the best network for them is searched for. That is repeated
until the score of the observed cells no longer rises. It never falls, because the penalty of the score does not depend
on counts: see ``docs/missing-cells.md``.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from qnml._api.clock import Clock
from qnml._api.explanation import explain_families
from qnml._api.network_families import NetworkFamilies
from qnml._api.structural_em_result import StructuralEm
from qnml._interrupts import held_interrupts
from qnml.errors import TooLargeError, bad_argument
from qnml.graph.masks import bits
from qnml.model.incomplete import IncompleteData
from qnml.scores import SCORES, BoundScore, find_score, local_scores
from qnml.search.running.interruptible import Control, interruptible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._api.problem import Problem
    from qnml._api.run_search import Solve
    from qnml._api.search_result import SearchResult
    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.model.incomplete import Completed, Estimate, StructuredRows
    from qnml.search import Certificate
    from qnml.search.running.interruptible import Watch

__all__ = ["Completions", "Prepare", "Searches", "check_score_of_missing", "learn_by_structural_em"]

# EM for a network that is not the last one ends when a step raises the log-likelihood by no more than this share of it
# (0.01 nats of 100,000), or after so many steps: each raises it, and the next network is searched for anyway.
_TOLERANCE = 1e-7
_MOST_STEPS = 100

# Networks count as equally good if their scores differ by no more than this share of N log N for every variable: sums
# of that size are exact to about 1e-13.
_ROUNDING = 1e-11

_OUT_OF_MEMORY = "learn: memory ran out while missing cells were estimated. Take fewer rows, or set max_parents."


class Prepare(Protocol):
    """Makes the search problem of a table in which every observation has a number of counts."""

    def __call__(self, table: Table, scale: int = 1) -> Problem: ...


@dataclass(frozen=True)
class Searches:
    """How networks of complete tables are learned.

    Attributes
    ----------
    prepare : makes the search problem of a table.
    solve : the search that was asked for.
    solve_quickly : a search for a good network in little time.
    """

    prepare: Prepare
    solve: Solve
    solve_quickly: Solve


@dataclass(frozen=True)
class Completions:
    """How incomplete rows are completed.

    Attributes
    ----------
    scale : weights are multiples of this fraction of an observation.
    few : joint values of the missing cells of a row up to which all are listed.
    draws : how often the cells of other rows are drawn.
    """

    scale: int = 1024
    few: int = 64
    draws: int = 32


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
        "The penalty of other scores depends on the counts, which are not whole when cells are estimated. Make "
        "'missing' a level instead, by table.with_missing_level() or missing='category'.",
    )


def learn_by_structural_em(
    table: Table,
    searches: Searches,
    starts: Mapping[str, Dag],
    time_limit: float | None,
    watch: Watch | None,
    *,
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
    starts : networks to start from, by name, besides completions by the frequencies of each column. If there is none,
        one is learned from the table in which missing cells are levels.
    time_limit : seconds after which the best network so far is returned.
    watch : receives the progress.
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
        search = _StructuralEm(table, searches.prepare, by_level, clock, watch, seed, completions or Completions())
        ends = {"independent": search.climb(search.independent(), searches.solve_quickly)}
        if not starts and not clock.is_over:
            starts = {"missing as a level": searches.solve_quickly(by_level, clock.left()).dag}
        for name, dag in starts.items():
            first = None if clock.is_over else search.fitted(search.masks(dag), None)
            if first is not None:
                ends[name] = search.climb(first, searches.solve_quickly)
        best = max(ends.values(), key=lambda end: end.stand.value)
        if not clock.is_over and not (best.is_settled and best.result.certificate.optimal):
            best = search.climb(best.stand.held, searches.solve, best.trace[:-1])
        return search.result(best, ends, began), best.stand.problem


@dataclass(frozen=True)
class _Fitted:
    """A network, as the parents of each variable, with parameters of the highest likelihood."""

    masks: tuple[int, ...]
    rows: StructuredRows
    estimate: Estimate

    @property
    def log_likelihood(self) -> float:
        """Of the observed cells."""
        return self.estimate.trace[-1]


@dataclass(frozen=True)
class _Stand:
    """A network, its score of the observed cells, and completed rows with their search problem."""

    held: _Fitted
    value: float
    completed: Completed
    problem: Problem


@dataclass(frozen=True)
class _End:
    """Where the steps from one start ended, with the result of the last search."""

    stand: _Stand
    result: SearchResult
    trace: tuple[float, ...]
    is_settled: bool


class _StructuralEm:
    """What all steps share."""

    def __init__(
        self,
        table: Table,
        prepare: Prepare,
        by_level: Problem,
        clock: Clock,
        watch: Watch | None,
        seed: int,
        completions: Completions,
    ) -> None:
        self._table = table
        self._data = IncompleteData(table)
        self._prepare = prepare
        self._clock = clock
        self._watch = watch
        self._seed = seed
        self._completions = completions
        self._call = by_level.search.call
        self._n_jobs = by_level.search.n_jobs
        self._searches = 0
        self._tolerance = _ROUNDING * table.total * math.log(table.total + 1) * len(table.names)

    def masks(self, dag: Dag) -> tuple[int, ...]:
        """The parents of each variable, variables in order of their names."""
        places = {name: place for place, name in enumerate(self._data.names)}
        return tuple(sum(1 << places[parent] for parent in dag.parents(name)) for name in self._data.names)

    def independent(self) -> _Fitted:
        """The network without arcs; its parameters are the frequencies of the observed cells."""
        # One step suffices and nothing may stop it, so that there always is a network.
        rows = self._rows((0,) * len(self._data.names))
        estimate = rows.climb(rows.spread_counts(), _TOLERANCE, _MOST_STEPS, Control())
        return _Fitted((0,) * len(self._data.names), rows, estimate)

    def fitted(self, masks: tuple[int, ...], completed: Completed | None) -> _Fitted | None:
        """The parameters of a network by EM from the counts of completed rows; None if there was not the time for it.

        Raises
        ------
        TooLargeError
            If the missing cells of a row depend on each other too much for exact sums.
        """
        rows = self._rows(masks)
        counts = rows.spread_counts() if completed is None else rows.completed_counts(completed)
        control = Control()
        left = self._clock.left()
        if left is not None:
            control.set_deadline(left)
        estimate, _ = interruptible(
            lambda: rows.climb(counts, _TOLERANCE, _MOST_STEPS, control), control, self._watch, _OUT_OF_MEMORY
        )
        return _Fitted(masks, rows, estimate) if estimate.trace else None

    def climb(self, held: _Fitted, solve: Solve, before: Sequence[float] = ()) -> _End:
        """Search, fit and complete again until the score of the observed cells no longer rises.

        Parameters
        ----------
        held : the network to start from.
        solve : the search.
        before : scores of the observed cells that led to it.
        """
        now = self._completed(held)
        trace = [*before, now.value]
        while True:
            result = solve(now.problem, self._clock.left())
            self._searches += 1
            on_rows = math.fsum(self._families(now.problem, now.held.masks, now.problem.score))
            better: _Fitted | None = None
            is_settled = True
            if result.score > on_rows + self._tolerance:
                better, is_settled = self._improved(now, self.masks(result.dag))
            if better is None:
                certificate = _of_held(result.certificate, on_rows)
                result = replace(result, dag=now.problem.dag(now.held.masks), certificate=certificate)
                return _End(now, result, tuple(trace), is_settled and not self._clock.is_over)
            value = self._value(better, now.problem)
            trace.append(value)
            if self._clock.is_over:
                return _End(replace(now, held=better, value=value), result, tuple(trace), is_settled=False)
            now = self._completed(better)

    def _improved(self, now: _Stand, masks: tuple[int, ...]) -> tuple[_Fitted | None, bool]:
        """The network with its parameters if it scores higher; and if not, whether that is certain."""
        try:
            better = self.fitted(masks, now.completed)
        except TooLargeError:
            return None, False
        if better is None:
            return None, False
        # If it does not, only the error of the draws preferred it.
        return (better if self._value(better, now.problem) > now.value + self._tolerance else None), True

    def result(self, best: _End, ends: Mapping[str, _End], began: float) -> SearchResult:
        """The result of the best end."""
        held, problem, completed = best.stand.held, best.stand.problem, best.stand.completed
        families = tuple((child, tuple(bits(mask))) for child, mask in enumerate(held.masks))
        dag = problem.dag(held.masks)
        explained = explain_families(
            NetworkFamilies(problem.table, dag, problem.counts, families, self._n_jobs), problem.score
        )
        drawn = completed.draws > 0
        weights = self._data.table.weights
        assert weights is not None
        em = StructuralEm(
            log_likelihood=held.log_likelihood,
            penalty=held.log_likelihood - best.stand.value,
            n_missing=self._table.n_missing,
            n_incomplete=self._data.n_incomplete,
            n_drawn=int(weights[drawn].sum()),
            draws=int(completed.draws.max(initial=0)),
            standard_error=_standard_error(held, completed, weights.astype(np.float64)),
            rounding=completed.rounding,
            starts=tuple((name, end.stand.value) for name, end in ends.items()),
            trace=best.trace,
            searches=self._searches,
            is_settled=best.is_settled and not self._clock.is_over,
            seconds=time.perf_counter() - began,
            explanation=explained,
            completed=completed,
        )
        return replace(
            best.result,
            dag=dag.reorder(self._table.names),
            score=best.stand.value,
            certificate=self._clock.with_reason(best.result.certificate),
            table=self._table,
            bound_score=replace(problem.score, scale=1),
            structural_em=em,
        )

    def _rows(self, masks: tuple[int, ...]) -> StructuredRows:
        return self._data.under(self._call, [[*bits(mask)] for mask in masks], self._n_jobs, Control())

    def _completed(self, held: _Fitted) -> _Stand:
        by = self._completions
        completed = held.rows.complete(held.estimate.shares, by.scale, by.few, by.draws, self._seed)
        problem = self._prepare(completed.table, by.scale)
        return _Stand(held, self._value(held, problem), completed, problem)

    def _value(self, held: _Fitted, problem: Problem) -> float:
        """The score of the observed cells: any problem of completed rows has the penalty, whatever the counts."""
        fit = BoundScore(SCORES["loglik"], 0.0, problem.score.scale)
        fits, scores = (self._families(problem, held.masks, one) for one in (fit, problem.score))
        return held.log_likelihood - math.fsum(fits - scores)

    def _families(self, problem: Problem, masks: tuple[int, ...], bound: BoundScore) -> FloatArray:
        values: FloatArray = local_scores(
            problem.counts,
            [(child, [*bits(mask)]) for child, mask in enumerate(masks)],
            bound,
            n_variables=len(masks),
            n_jobs=self._n_jobs,
            names=problem.names,
        )
        return values


def _of_held(certificate: Certificate, score: float) -> Certificate:
    """The certificate of a network that a search did not improve, or whose improvement was by chance of the draws."""
    if certificate.score <= score:
        return replace(certificate, score=score, bound=max(certificate.bound, score))
    return replace(certificate, optimal=False, score=score, bound=max(certificate.bound, certificate.score), n_proven=0)


def _standard_error(held: _Fitted, completed: Completed, weights: FloatArray) -> float:
    """Of the score of a network on drawn rows, by the spread of the log-probabilities among the draws of each row."""
    drawn = completed.draws[completed.sources] > 0
    if not drawn.any():
        return 0.0
    counted = completed.table.weights
    assert counted is not None
    sources = completed.sources[drawn]
    shares = counted[drawn].astype(np.float64)
    logs = held.rows.log_prob(held.estimate.shares, completed)[drawn]
    rows = len(weights)
    totals = np.bincount(sources, shares, rows)
    used = totals > 0
    means = np.bincount(sources, shares * logs, rows)[used] / totals[used]
    spread = np.zeros(rows)
    spread[used] = means
    squares = np.bincount(sources, shares * (logs - spread[sources]) ** 2, rows)[used] / totals[used]
    return math.sqrt(float(np.sum(weights[used] ** 2 * squares / completed.draws[used])))
