"""The steps of structural EM: parameters for a network, completed rows, and the next network."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from qnml._api.explanation import explain_families
from qnml._api.network_families import NetworkFamilies
from qnml._api.structural_em_result import StructuralEm
from qnml.errors import TooLargeError
from qnml.graph.masks import bits
from qnml.model.incomplete import IncompleteData
from qnml.scores import SCORES, BoundScore, local_scores
from qnml.search.running.interruptible import Control, interruptible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._api.clock import Clock
    from qnml._api.problem import Problem
    from qnml._api.run_search import Solve
    from qnml._api.search_result import SearchResult
    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.model.incomplete import Completed, Estimate, StructuredRows
    from qnml.search import Certificate
    from qnml.search.running.interruptible import Watch

__all__ = ["Completions", "End", "Fitted", "Prepare", "Stand", "StructuralEmSteps"]

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


@dataclass(frozen=True)
class Fitted:
    """A network, as the parents of each variable, with parameters of the highest likelihood."""

    masks: tuple[int, ...]
    rows: StructuredRows
    estimate: Estimate

    @property
    def log_likelihood(self) -> float:
        """Of the observed cells."""
        return self.estimate.trace[-1]


@dataclass(frozen=True)
class Stand:
    """A network, its objective for the observed cells, and completed rows with their search problem."""

    held: Fitted
    value: float
    completed: Completed
    problem: Problem


@dataclass(frozen=True)
class End:
    """Where the steps from one start ended, with the result of the last search."""

    stand: Stand
    result: SearchResult
    trace: tuple[float, ...]
    is_settled: bool


class StructuralEmSteps:
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
        self.required: tuple[int, ...] = tuple(by_level.search.compiled.required)
        self._indicated = _indicated(table, self._data.names)
        self._searches = 0
        self._tolerance = _ROUNDING * table.total * math.log(table.total + 1) * len(table.names)

    def masks(self, dag: Dag) -> tuple[int, ...]:
        """The parents of each variable, variables in order of their names."""
        places = {name: place for place, name in enumerate(self._data.names)}
        return tuple(sum(1 << places[parent] for parent in dag.parents(name)) for name in self._data.names)

    def first(self, masks: tuple[int, ...]) -> Fitted:
        """A network to begin with; its missing cells are estimated by the frequencies of each column at first."""
        # Nothing may stop this step, so that there always is a network.
        control = Control()
        rows = self._rows(masks, control)
        begun = Fitted(masks, rows, rows.climb(rows.spread_counts(), _TOLERANCE, 1, control))
        if not any(masks):
            return begun  # the first step is the last
        return self.fitted(masks, None) or begun

    def simplified(self, dag: Dag, *, drops_arcs: bool = True) -> Fitted | None:
        """A network learned with missing cells as levels, fitted; None if it is too large, or for lack of time.

        Where "missing" was the second level of a variable, that has one level now, and its arcs go. So does the arc
        from a column to the indicator of its missing cells: the level "missing" knows these, and the cells do not.
        Networks of a given shape keep all arcs.
        """
        if not drops_arcs:
            return self.fitted(self.masks(dag), None)
        constants = sum(1 << place for place, levels in enumerate(self._data.arities) if levels == 1)
        masks = tuple(
            required if constants >> child & 1 else (mask & ~constants & ~self._indicated[child]) | required
            for child, (mask, required) in enumerate(zip(self.masks(dag), self.required, strict=True))
        )
        try:
            return self.fitted(masks, None)
        except TooLargeError:
            return None

    def fitted(self, masks: tuple[int, ...], completed: Completed | None) -> Fitted | None:
        """The parameters of a network by EM from the counts of completed rows; None if there was not the time for it.

        Raises
        ------
        TooLargeError
            If the missing cells of a row depend on each other too much for exact sums.
        """
        control = Control()
        left = self._clock.left()
        if left is not None:
            control.set_deadline(left)

        def work() -> tuple[StructuredRows, Estimate] | None:
            rows = self._rows(masks, control)
            if control.is_stopped:
                return None  # the rows are not all prepared
            counts = rows.spread_counts() if completed is None else rows.completed_counts(completed)
            return rows, rows.climb(counts, _TOLERANCE, _MOST_STEPS, control)

        found, _ = interruptible(work, control, self._watch, _OUT_OF_MEMORY)
        return Fitted(masks, *found) if found is not None and found[1].trace else None

    def climb(self, now: Stand, solve: Solve, before: Sequence[float] = ()) -> End:
        """Search, fit and complete again until the score of the observed cells no longer rises.

        Parameters
        ----------
        now : where to start.
        solve : the search.
        before : scores of the observed cells that led there.
        """
        trace = [*before, now.value]
        while True:
            result = solve(now.problem, self._clock.left())
            self._searches += 1
            log_prior = now.problem.search.log_prior(now.held.masks)
            on_rows = math.fsum(self._families(now.problem, now.held.masks, now.problem.score)) + log_prior
            better: Fitted | None = None
            is_settled = True
            if result.objective > on_rows + self._tolerance:
                better, is_settled = self._improved(now, self.masks(result.dag))
            if better is None:
                certificate = _of_held(result.certificate, on_rows)
                result = replace(result, dag=now.problem.dag(now.held.masks), certificate=certificate)
                return End(now, result, tuple(trace), is_settled and not self._clock.is_over)
            value = self._value(better, now.problem)
            trace.append(value)
            if self._clock.is_over:
                return End(replace(now, held=better, value=value), result, tuple(trace), is_settled=False)
            now = self.completed(better)

    def _improved(self, now: Stand, masks: tuple[int, ...]) -> tuple[Fitted | None, bool]:
        """The network with its parameters if it scores higher; and if not, whether that is certain."""
        try:
            better = self.fitted(masks, now.completed)
        except TooLargeError:
            return None, False
        if better is None:
            return None, False
        # If it does not, only the error of the draws preferred it.
        return (better if self._value(better, now.problem) > now.value + self._tolerance else None), True

    def result(self, best: End, ends: Mapping[str, End], began: float) -> SearchResult:
        """The result of the best end."""
        held, problem, completed = best.stand.held, best.stand.problem, best.stand.completed
        families = tuple((child, tuple(bits(mask))) for child, mask in enumerate(held.masks))
        dag = problem.dag(held.masks)
        explained = explain_families(
            NetworkFamilies(problem.table, dag, problem.counts, families, self._n_jobs),
            problem.score,
            problem.search.prior,
        )
        log_prior = problem.search.log_prior(held.masks)
        score = best.stand.value - log_prior
        drawn = completed.draws > 0
        weights = self._data.table.weights
        assert weights is not None
        em = StructuralEm(
            log_likelihood=held.log_likelihood,
            penalty=held.log_likelihood - score,
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
            score=score,
            log_prior=log_prior,
            certificate=self._clock.with_reason(best.result.certificate),
            table=self._table,
            bound_score=replace(problem.score, scale=1),
            structural_em=em,
        )

    def _rows(self, masks: tuple[int, ...], control: Control) -> StructuredRows:
        return self._data.under(self._call, [[*bits(mask)] for mask in masks], self._n_jobs, control)

    def completed(self, held: Fitted) -> Stand:
        """Complete the rows under a network."""
        by = self._completions
        completed = held.rows.complete(held.estimate.shares, by.scale, by.few, by.draws, self._seed)
        problem = self._prepare(completed.table, by.scale)
        return Stand(held, self._value(held, problem), completed, problem)

    def _value(self, held: Fitted, problem: Problem) -> float:
        """The objective of the observed cells: any problem of completed rows has the penalty, whatever the counts."""
        fit = BoundScore(SCORES["loglik"], 0.0, problem.score.scale)
        fits, scores = (self._families(problem, held.masks, one) for one in (fit, problem.score))
        return held.log_likelihood - math.fsum(fits - scores) + problem.search.log_prior(held.masks)

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


def _indicated(table: Table, names: Sequence[str]) -> tuple[int, ...]:
    """For each variable the one whose missing cells it indicates, as a mask; 0 if it is no indicator."""
    made = table.preparation
    of = {} if made is None else {name: made.columns[name].of for name in made.indicators}
    places: dict[str | None, int] = {name: place for place, name in enumerate(names)}
    return tuple(1 << places[of[name]] if name in of and of[name] in places else 0 for name in names)


def _of_held(certificate: Certificate, score: float) -> Certificate:
    """The certificate of a network that a search did not improve, or whose improvement was by chance of the draws."""
    if certificate.score <= score:
        return replace(certificate, score=score, bound=max(certificate.bound, score))
    return replace(certificate, optimal=False, score=score, bound=max(certificate.bound, certificate.score), n_proven=0)


def _standard_error(held: Fitted, completed: Completed, weights: FloatArray) -> float:
    """Of the score of a network on drawn rows, by the spread of the log-probabilities among the draws of each row.

    If the search is stopped, rows may have been drawn from other parameters than those that are held. Draws that are
    impossible under these have no finite log-probability and are left out.
    """
    all_logs = held.rows.log_prob(held.estimate.shares, completed)
    drawn = (completed.draws[completed.sources] > 0) & np.isfinite(all_logs)
    if not drawn.any():
        return 0.0
    counted = completed.table.weights
    assert counted is not None
    sources = completed.sources[drawn]
    shares = counted[drawn].astype(np.float64)
    logs = all_logs[drawn]
    rows = len(weights)
    totals = np.bincount(sources, shares, rows)
    used = totals > 0
    means = np.bincount(sources, shares * logs, rows)[used] / totals[used]
    spread = np.zeros(rows)
    spread[used] = means
    squares = np.bincount(sources, shares * (logs - spread[sources]) ** 2, rows)[used] / totals[used]
    return math.sqrt(float(np.sum(weights[used] ** 2 * squares / completed.draws[used])))
