"""Drawing DAGs from their posterior by Markov chains over ordered partitions, for any number of columns.

The chains have every DAG with its own weight: no DAG counts more for agreeing with many orders, and none is left out.
Sums over sets of parents are had for a few candidates of each column, up to 17 columns all others; further parents are
drawn one by one. The moves and the proofs are in ``docs/mcmc.md``.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.errors import MixingWarning, bad_argument
from qnml.search.chains.candidate_sets import BYTES_PER_SET, MOST_CANDIDATES, allowed_parents, kept_bytes, make_model
from qnml.search.chains.sampled_chains import SampledChains
from qnml.search.chains.space import Allowance, ChainSpace, TrialRun, find_space, start_states
from qnml.search.chains.state import to_document, to_outside, to_states
from qnml.search.chains.state_check import checked_state
from qnml.search.plan import Plan
from qnml.search.posterior.prior_weights import prior_weights
from qnml.search.running.interruptible import interruptible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.posterior.structure_posterior import RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["DRAWN_PRIORS", "ChainSettings", "forecast", "run"]

DRAWN_PRIORS = ("uniform", "sparse")
"""Products over families: chains draw with these; for others their draws are weighted."""

_DEFAULT_SAMPLES = 4000
_LEAST_DRAWS = 6  # of each chain, whatever the time limit: two are burnt, four make two halves
_LEAST_SECONDS = 0.1  # for these; where they are over, the last one counts for those that are missing
# Sums of all columns together: where they serve all parents, and where others are drawn one by one.
_MOST_SETS = 2.0**21
_MOST_CHOSEN_SETS = 2.0**19
_MOST_CHAINS = 1000
# Seconds after Ctrl-C for what has not drawn anything yet: nobody wants to wait long then.
_AFTER_INTERRUPTION = 0.15
# Seconds, measured on a laptop; good to a factor of two or three.
_SECONDS_PER_SET = 5e-6
_SECONDS_PER_SHARED_SET = 7e-7  # whatever the rows
_SECONDS_PER_STEP = 3e-6
_SECONDS_PER_ARC = 1e-7


@dataclass(frozen=True)
class ChainSettings:
    """How to run the chains; the defaults suit up to a few hundred columns.

    Attributes
    ----------
    chains : independent chains, each from its own start.
    sweeps_per_draw : sweeps from one draw to the next.
    burn_in : share of each chain that is thrown away at its beginning.
    candidates : parents of each column that are summed over, besides the required ones; None takes all up to 17
        columns, else as many as keep all sums together below 2^19, on average 13 at 37 columns and 12 at 100, more for
        columns with more parents that matter.
    moves : moves of each kind in a sweep, per column, in the order of `qnml.search.sampled_chains.MOVES`.
    """

    chains: int = 4
    sweeps_per_draw: int = 2
    burn_in: float = 1 / 3
    candidates: int | None = None
    moves: tuple[float, ...] = field(default=(0.5, 0.25, 0.25, 0.25, 1.0, 5.0, 2.0))

    def __post_init__(self) -> None:
        for name, value, highest in (
            ("chains", self.chains, _MOST_CHAINS),
            ("sweeps_per_draw", self.sweeps_per_draw, math.inf),
            ("candidates", self.candidates, MOST_CANDIDATES),
        ):
            lowest = 0 if name == "candidates" else 1
            if value is not None and not lowest <= value <= highest:
                raise bad_argument("ChainSettings", name, value, f"a whole number from {lowest} to {highest}")
        if not 0 <= self.burn_in < 1:
            raise bad_argument("ChainSettings", "burn_in", self.burn_in, "a share from 0 to less than 1")

    def most_candidates(self, n_variables: int) -> int:
        """Parents of each column that are summed over."""
        if self.candidates is not None:
            return self.candidates
        if n_variables * 2.0 ** (n_variables - 1) <= _MOST_SETS:
            return max(1, n_variables - 1)
        return max(1, math.floor(math.log2(_MOST_CHOSEN_SETS / n_variables)))

    def schedule(self, n_variables: int, is_complete: bool) -> list[int]:
        """Moves of each kind in a sweep; single parents are drawn only where some are no candidates."""
        counts = [math.ceil(n_variables * share) for share in self.moves]
        return [*counts[:-1], 0 if is_complete else counts[-1]]


def forecast(problem: SearchProblem, options: RunOptions | None = None) -> Plan:
    """What the chains would need; by default for as many draws as `run` makes by default."""
    settings = ChainSettings()
    n = problem.n_variables
    kept, recorded = _draws(options, settings)
    sets = sum(2.0 ** min(settings.most_candidates(n), mask.bit_count()) for mask in problem.compiled.allowed)
    sweeps = settings.chains * recorded * settings.sweeps_per_draw
    is_complete = settings.most_candidates(n) >= n - 1
    schedule = settings.schedule(n, is_complete)
    rows = max(problem.n_rows, 100) / 1000
    steps = sweeps * (sum(schedule) * _SECONDS_PER_STEP + schedule[-1] * n * rows * _SECONDS_PER_ARC)
    scoring = sets * (_SECONDS_PER_SHARED_SET if is_complete else _SECONDS_PER_SET * rows)
    parallel = max(1, min(problem.n_jobs, settings.chains))
    draws = 8.0 * settings.chains * recorded * n * ((n + 63) // 64)
    # Draws are held a second time as ancestors, and by column as numbers.
    needed = BYTES_PER_SET * sets + 3 * draws + 64.0 * settings.chains * kept * n
    if not is_complete:
        needed += kept_bytes(problem) + 64.0 * n * n
    return Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="mcmc",
        sets=sets,
        families=sets,
        memory_bytes=needed,
        memory_limit=problem.memory_limit,
        seconds=scoring / problem.n_jobs + steps / parallel,
        fits=needed <= problem.memory_limit,
        advice="",
        work=f"{settings.chains} chains of {recorded:,} draws",
    )


def run(
    problem: SearchProblem,
    options: RunOptions,
    settings: ChainSettings | None = None,
    state: Mapping[str, Any] | None = None,
) -> SampledChains:
    """Draw DAGs, and warn when the chains have not mixed.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``. With others the draws are those of ``"uniform"``, each with its
        weight: the more the columns are, the less such draws are worth.
    options
        `samples` counts the draws that are kept, of all chains together; 4000 by default. The draws depend on the seed
        and the settings, not on the number of threads. After the time limit or Ctrl-C, what was drawn so far; where
        Ctrl-C came before the first draw, or has stopped another method, what can be drawn in a moment. There are
        at least six draws of each chain; where time is over, the place where a chain stands counts several times.
    settings
        How to run the chains.
    state
        The `state` of an earlier run on the same problem with the same settings: the chains go on where they stood,
        just as if they had not stopped, and nothing is burnt.

    Raises
    ------
    InputError
        If the state is not one of this problem.
    KeyboardInterrupt
        When Ctrl-C is pressed a second time before anything was drawn.
    """
    began = time.perf_counter()
    chosen = settings or ChainSettings()
    was_interrupted = options.stopped == "interrupted"
    is_weighted = problem.prior not in DRAWN_PRIORS
    drawn = replace(problem, prior="uniform") if is_weighted else problem
    runner = _Runner(drawn, options, chosen, state)
    found, reason, interruptions = runner.run()
    if found is None and interruptions == 1 and not was_interrupted:
        limit = options.time_limit
        left = None if limit is None else max(0.0, limit - (time.perf_counter() - began))
        starts = runner.starts
        runner = _Runner(drawn, replace(options, time_limit=left, stopped="interrupted"), chosen, state)
        runner.starts = starts
        found, _, interruptions = runner.run()
        was_interrupted = True
    if found is None:
        raise KeyboardInterrupt
    result = _to_result(found, runner, "interrupted" if was_interrupted or interruptions else reason)
    if is_weighted:
        result = result.weighted(prior_weights(problem, result.dags, options.seed))
    concerns = result.concerns()
    if concerns:
        # To the line of whoever asked for the posterior: this function is called through two others.
        advice = "Draw more samples, or go on from the state."
        warnings.warn(f"posterior: {' '.join(concerns)} {advice}", MixingWarning, stacklevel=5)
    return result


@dataclass(frozen=True)
class _Found:
    states: list[_core.ChainState]
    words: NDArray[np.uint64]
    log_weights: FloatArray
    space: ChainSpace
    is_hurried: bool


class _Runner:
    """One run, in the thread that works."""

    def __init__(
        self,
        problem: SearchProblem,
        options: RunOptions,
        settings: ChainSettings,
        state: Mapping[str, Any] | None,
    ) -> None:
        self.problem, self.options, self.settings = problem, options, settings
        self.state = None if state is None else checked_state(state, problem, settings.chains)
        self.kept, self.recorded = _draws(options, settings)
        if state is not None:
            self.recorded = self.kept
        self.time_limit = options.time_limit
        if options.stopped == "interrupted":
            self.time_limit = min(_AFTER_INTERRUPTION, math.inf if self.time_limit is None else self.time_limit)
        self.is_prepared = False
        self.starts: list[list[list[int]]] | None = None

    def run(self) -> tuple[_Found | None, str | None, int]:
        """What was drawn, why it is less than asked for, and how often Ctrl-C was pressed."""
        control = _core.Control()
        words = "posterior: memory ran out in the chains. Set max_parents, or select fewer columns."
        found, interruptions = interruptible(
            lambda: self.work(control), control, self.options.watch, _Stages(self), words
        )
        return found, "time limit" if control.is_timed_out else None, interruptions

    def work(self, control: _core.Control) -> _Found | None:
        """All stages; None when interrupted before anything was drawn."""
        problem, settings, n = self.problem, self.settings, self.problem.n_variables
        allowance = Allowance(self.time_limit, control, self.starts)
        space = self._space(allowance)
        self.starts = allowance.starts
        if space is None:
            return None
        if self.state is not None:
            states = to_states(self.state, space.model.log_totals)
        else:
            states = start_states(space, settings.chains, self.options.seed)
        self.is_prepared = True
        is_hurried = allowance.cut_short
        schedule = settings.schedule(n, space.outside is None)
        parts: list[tuple[NDArray[np.uint64], FloatArray]] = []
        first = min(self.recorded, _LEAST_DRAWS)
        for count in (first, self.recorded - first):
            allowance.begin(1.0, 0.0 if parts else _LEAST_SECONDS)
            states, dags, log_weights = _core.run_chains(
                space.model, states, schedule, count, settings.sweeps_per_draw, problem.n_jobs, control
            )
            # Chains that were stopped are not equally long.
            shortest = min(map(len, log_weights))
            words = np.stack([one.reshape(-1, n, (n + 63) // 64)[:shortest] for one in dags])
            parts.append((words, np.stack([one[:shortest] for one in log_weights])))
            if parts[0][0].shape[1] < first:
                parts[0] = self._completed(space, states, *parts[0], first)
        words, weights = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
        return _Found(states, words, weights, space, is_hurried)

    def _completed(
        self,
        space: ChainSpace,
        states: list[_core.ChainState],
        words: NDArray[np.uint64],
        log_weights: FloatArray,
        count: int,
    ) -> tuple[NDArray[np.uint64], FloatArray]:
        """The first draws of chains that were stopped, with the place where each stands for those that are missing."""
        n = self.problem.n_variables
        schedule = self.settings.schedule(n, space.outside is None)
        # Without a sweep: a record of where they are.
        _, here, weights = _core.run_chains(space.model, states, schedule, 1, 0, self.problem.n_jobs, _core.Control())
        missing = count - words.shape[1]
        last = np.stack([one.reshape(-1, n, (n + 63) // 64) for one in here]).repeat(missing, axis=1)
        return (
            np.concatenate([words, last], axis=1),
            np.concatenate([log_weights, np.stack(weights).repeat(missing, axis=1)], axis=1),
        )

    def _space(self, allowance: Allowance) -> ChainSpace | None:
        problem, settings = self.problem, self.settings
        n = problem.n_variables
        if self.state is None:
            warm_up = (self.recorded - self.kept) // 2
            is_even = settings.candidates is not None
            run = TrialRun(settings.chains, settings.schedule(n, False), warm_up, settings.sweeps_per_draw, is_even)
            space = find_space(problem, settings.most_candidates(n), run, self.options.seed, allowance)
            if space is not None and space.outside is not None:
                self.recorded -= warm_up
            return space
        candidates = self.state["candidates"]
        outside = to_outside(self.state)
        model = make_model(problem, candidates, outside, allowance.control)
        return None if model is None else ChainSpace(model, candidates, outside, None)


class _Stages(Mapping[int, str]):
    """What to call the stages of a run: searches and trial runs count theirs in their own ways."""

    def __init__(self, runner: _Runner) -> None:
        self._runner = runner

    def __getitem__(self, stage: int) -> str:
        return "chains" if self._runner.is_prepared else "preparations"

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _draws(options: RunOptions | None, settings: ChainSettings) -> tuple[int, int]:
    """Draws of each chain that are kept, and that are made."""
    samples = _DEFAULT_SAMPLES if options is None or options.samples is None else options.samples
    kept = max(math.ceil(samples / settings.chains), _LEAST_DRAWS - 2)
    return kept, math.ceil(kept / (1 - settings.burn_in))


def _to_result(found: _Found, runner: _Runner, reason: str | None) -> SampledChains:
    settings = runner.settings
    made = found.words.shape[1]
    if runner.state is not None:
        burnt = 0
    elif made == runner.recorded:
        burnt = made - runner.kept
    else:
        burnt = min(math.ceil(made * settings.burn_in), made - (_LEAST_DRAWS - 2))
    space = found.space
    others = [
        tuple(parent for parent in allowed if parent not in mine)
        for mine, allowed in zip(space.candidates, allowed_parents(runner.problem), strict=True)
    ]
    return SampledChains(
        found.words[:, burnt:],
        found.log_weights[:, burnt:],
        tuple(map(tuple, space.candidates)),
        tuple(others),
        burnt,
        settings.sweeps_per_draw,
        reason,
        found.is_hurried,
        to_document(runner.problem, space.candidates, space.outside, space.model.log_totals, found.states),
    )
