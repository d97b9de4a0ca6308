"""One run of the Markov chains: preparations, draws, and early stops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search.chains.allowance import Allowance
from qnml.search.chains.candidate_sets import allowed_parents, make_model
from qnml.search.chains.draws import ChainDraws
from qnml.search.chains.settings import LEAST_KEPT, LEAST_RECORDED
from qnml.search.chains.space import ChainSpace, TrialRun, find_space, start_states
from qnml.search.chains.state import to_document, to_outside, to_states
from qnml.search.chains.state_check import checked_state
from qnml.search.running.interruptible import interruptible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.chains.settings import ChainSettings
    from qnml.search.posterior.method import RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["ChainRunner", "FinishedRun"]

# Seconds for the smallest number of draws; after that, the last draw is repeated for the missing ones.
_LEAST_SECONDS = 0.1
# Seconds after Ctrl-C for a run that has no draws yet.
_AFTER_INTERRUPTION = 0.15
_OUT_OF_MEMORY = "posterior: memory ran out in the chains. Set max_parents, or select fewer columns."


@dataclass(frozen=True)
class FinishedRun:
    """The draws of a run, with those of the burn-in.

    Attributes
    ----------
    states : where the chains stopped.
    words : the draws as bits: chains × draws × nodes × words.
    log_weights : of the draws: chains × draws.
    space : candidates and model of the run.
    is_hurried : whether the time limit cut the preparations short.
    """

    states: list[_core.ChainState]
    words: NDArray[np.uint64]
    log_weights: FloatArray
    space: ChainSpace
    is_hurried: bool


class ChainRunner:
    """One run of the chains; its work is done in a thread that Ctrl-C can stop.

    Parameters
    ----------
    problem : with a modular prior.
    options : samples, time limit, watch and state.
    settings : how to run the chains.
    starts : start networks that an interrupted run found; None to search for them.
    """

    def __init__(
        self,
        problem: SearchProblem,
        options: RunOptions,
        settings: ChainSettings,
        starts: list[list[list[int]]] | None = None,
    ) -> None:
        self.problem, self.options, self.settings, self.starts = problem, options, settings, starts
        self.state = None if options.state is None else checked_state(options.state, problem, settings.chains)
        self.kept, self.recorded = settings.draws_per_chain(options.samples)
        if self.state is not None:
            self.recorded = self.kept
        self.time_limit = options.time_limit
        if options.stopped == "interrupted":
            self.time_limit = min(_AFTER_INTERRUPTION, math.inf if self.time_limit is None else self.time_limit)
        self.is_prepared = False

    def run(self) -> tuple[FinishedRun | None, str | None, int]:
        """The draws, why there are fewer than requested, and how often Ctrl-C was pressed."""
        control = _core.Control()
        # Preparations run several searches, whose own stages would only confuse: `_report` names two.
        watch = None if self.options.watch is None else self._report
        found, interruptions = interruptible(lambda: self._work(control), control, watch, _OUT_OF_MEMORY)
        return found, "time limit" if control.is_timed_out else None, interruptions

    def to_draws(self, found: FinishedRun, reason: str | None) -> ChainDraws:
        """The draws after burn-in.

        Parameters
        ----------
        found
            What `run` returned.
        reason
            Why there are fewer draws than requested, or None.
        """
        burnt = self._burnt(found.words.shape[1])
        space = found.space
        others = [
            tuple(parent for parent in allowed if parent not in mine)
            for mine, allowed in zip(space.candidates, allowed_parents(self.problem), strict=True)
        ]
        return ChainDraws(
            words=found.words[:, burnt:],
            log_weights=found.log_weights[:, burnt:],
            candidates=tuple(map(tuple, space.candidates)),
            others=tuple(others),
            burn_in=burnt,
            sweeps_per_draw=self.settings.sweeps_per_draw,
            stop_reason=reason,
            is_hurried=found.is_hurried,
            state=to_document(self.problem, space.candidates, space.outside, space.model.log_totals, found.states),
        )

    def _burnt(self, made: int) -> int:
        """Number of draws of each chain to discard; none if the chains were continued."""
        if self.state is not None:
            return 0
        if made == self.recorded:
            return made - self.kept
        return min(math.ceil(made * self.settings.burn_in), made - LEAST_KEPT)

    def _report(self, _: str, share: float) -> None:
        if self.options.watch is not None:
            self.options.watch("chains" if self.is_prepared else "preparations", share)

    def _work(self, control: _core.Control) -> FinishedRun | None:
        """All stages; None if interrupted before anything was drawn."""
        allowance = Allowance(self.time_limit, control, self.starts)
        space = self._space(allowance)
        self.starts = allowance.starts
        if space is None:
            return None
        if self.state is not None:
            states = to_states(self.state, space.model.log_totals)
        else:
            states = start_states(space, self.settings.chains, self.problem.seed)
        self.is_prepared = True
        is_hurried = allowance.cut_short
        parts: list[tuple[NDArray[np.uint64], FloatArray]] = []
        first = min(self.recorded, LEAST_RECORDED)
        for count in (first, self.recorded - first):
            allowance.begin(1.0, 0.0 if parts else _LEAST_SECONDS)
            states, part = self._draw(space, states, count, self.settings.sweeps_per_draw, control)
            parts.append(part)
            if parts[0][0].shape[1] < first:
                parts[0] = self._completed(space, states, *parts[0], first)
        words, log_weights = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
        return FinishedRun(states, words, log_weights, space, is_hurried)

    def _draw(
        self, space: ChainSpace, states: list[_core.ChainState], count: int, sweeps: int, control: _core.Control
    ) -> tuple[list[_core.ChainState], tuple[NDArray[np.uint64], FloatArray]]:
        """Run the chains for some draws; the states after them, and equally many draws of each chain."""
        n = self.problem.n_variables
        schedule = self.settings.schedule(n, space.outside is None)
        states, dags, log_weights = _core.run_chains(
            space.model, states, schedule, count, sweeps, self.problem.n_jobs, control
        )
        # Chains that were stopped have different lengths.
        shortest = min(map(len, log_weights))
        words = np.stack([one.reshape(-1, n, (n + 63) // 64)[:shortest] for one in dags])
        return states, (words, np.stack([one[:shortest] for one in log_weights]))

    def _completed(
        self,
        space: ChainSpace,
        states: list[_core.ChainState],
        words: NDArray[np.uint64],
        log_weights: FloatArray,
        count: int,
    ) -> tuple[NDArray[np.uint64], FloatArray]:
        """The first draws of chains that were stopped; the current DAG of each chain replaces the missing ones."""
        # Without a sweep: a record of where the chains are.
        _, (here, weights) = self._draw(space, states, 1, 0, _core.Control())
        missing = count - words.shape[1]
        return (
            np.concatenate([words, here.repeat(missing, axis=1)], axis=1),
            np.concatenate([log_weights, weights.repeat(missing, axis=1)], axis=1),
        )

    def _space(self, allowance: Allowance) -> ChainSpace | None:
        """Candidates and model: those of the earlier run if the chains are continued, else newly chosen."""
        problem, settings = self.problem, self.settings
        n = problem.n_variables
        if self.state is not None:
            candidates = self.state["candidates"]
            outside = to_outside(self.state)
            model = make_model(problem, candidates, outside, allowance.control)
            return None if model is None else ChainSpace(model, candidates, outside, None)
        warm_up = (self.recorded - self.kept) // 2
        is_even = settings.candidates is not None
        run = TrialRun(settings.chains, settings.schedule(n, False), warm_up, settings.sweeps_per_draw, is_even)
        space = find_space(problem, settings.most_candidates(n), run, allowance)
        if space is not None and space.outside is not None:
            self.recorded -= warm_up
        return space
