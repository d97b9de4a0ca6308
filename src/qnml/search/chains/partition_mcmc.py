"""Sampling DAGs from their posterior by Markov chains over ordered partitions, for any number of columns.

The chains draw every DAG by its own weight: no DAG counts more for being consistent with many orders, and none is
excluded. Parent sets are summed over for a few candidate parents of each column, up to 17 columns for all other
columns; further parents are drawn one by one. The moves and the proofs are in ``docs/mcmc.md``.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from qnml.errors import MixingWarning
from qnml.search.chains.candidate_sets import BYTES_PER_SET, kept_bytes
from qnml.search.chains.posterior import ChainPosterior
from qnml.search.chains.runner import ChainRunner
from qnml.search.chains.settings import ChainSettings
from qnml.search.plan import Plan
from qnml.search.posterior.prior_weights import prior_weights
from qnml.search.priors import MODULAR_PRIORS

if TYPE_CHECKING:
    from qnml.search.chains.draws import ChainDraws
    from qnml.search.posterior.method import RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["forecast", "run"]

# Seconds, measured on a laptop; accurate to a factor of two or three.
_SECONDS_PER_SET = 5e-6
_SECONDS_PER_SHARED_SET = 7e-7  # independent of the number of rows
_SECONDS_PER_STEP = 3e-6
_SECONDS_PER_ARC = 1e-7


def forecast(problem: SearchProblem, options: RunOptions | None = None) -> Plan:
    """What the chains would need; without options, for the default number of draws."""
    settings = ChainSettings()
    n = problem.n_variables
    kept, recorded = settings.draws_per_chain(None if options is None else options.samples)
    sets = sum(2.0 ** min(settings.most_candidates(n), mask.bit_count()) for mask in problem.compiled.allowed)
    is_complete = settings.most_candidates(n) >= n - 1
    draws = 8.0 * settings.chains * recorded * n * ((n + 63) // 64)
    # The draws are held again as ancestors, and column by column as numbers.
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
        seconds=_seconds(problem, settings, sets, recorded),
        fits=needed <= problem.memory_limit,
        advice="",
        work=f"{settings.chains} chains of {recorded:,} draws",
    )


def _seconds(problem: SearchProblem, settings: ChainSettings, sets: float, recorded: int) -> float:
    n = problem.n_variables
    is_complete = settings.most_candidates(n) >= n - 1
    sweeps = settings.chains * recorded * settings.sweeps_per_draw
    schedule = settings.schedule(n, is_complete)
    rows = max(problem.n_rows, 100) / 1000
    steps = sweeps * (sum(schedule) * _SECONDS_PER_STEP + schedule[-1] * n * rows * _SECONDS_PER_ARC)
    scoring = sets * (_SECONDS_PER_SHARED_SET if is_complete else _SECONDS_PER_SET * rows)
    parallel = max(1, min(problem.n_jobs, settings.chains))
    return scoring / problem.n_jobs + steps / parallel


def run(problem: SearchProblem, options: RunOptions, settings: ChainSettings | None = None) -> ChainPosterior:
    """Draw DAGs, and warn if the chains have not mixed.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``. For other priors the draws are those of ``"uniform"`` with
        importance weights, whose effective number falls with the number of columns.
    options
        `samples` is the number of draws kept from all chains together; 4000 by default. The draws depend on the seed
        and the settings, not on the number of threads. After the time limit or Ctrl-C the draws so far are returned. If
        Ctrl-C came before the first draw, or stopped another method, the chains run for a moment longer. Every chain
        has at least six draws; when the time is over, its current DAG replaces the missing ones. With the `state` of an
        earlier run on the same problem with the same settings, the chains continue as if they had not stopped, without
        burn-in.
    settings
        How to run the chains.

    Raises
    ------
    InputError
        If the state does not belong to this problem.
    KeyboardInterrupt
        If Ctrl-C is pressed a second time before anything was drawn.
    """
    is_weighted = problem.prior not in MODULAR_PRIORS
    drawn_under = replace(problem, prior="uniform") if is_weighted else problem
    draws = _draw(drawn_under, options, settings or ChainSettings())
    if is_weighted:
        draws = draws.weighted(prior_weights(problem, draws.dags, problem.seed))
    found = ChainPosterior(problem, draws, options.instead_of, options.stopped)
    concerns = found.concerns()
    if concerns:
        # Points at the caller of the public function, three calls above this one.
        advice = "Draw more samples, or continue from the state."
        warnings.warn(f"posterior: {' '.join(concerns)} {advice}", MixingWarning, stacklevel=4)
    return found


def _draw(problem: SearchProblem, options: RunOptions, settings: ChainSettings) -> ChainDraws:
    """Run the chains; once more, for a moment, if they were interrupted before the first draw."""
    began = time.perf_counter()
    was_interrupted = options.stopped == "interrupted"
    runner = ChainRunner(problem, options, settings)
    found, reason, interruptions = runner.run()
    if found is None and interruptions == 1 and not was_interrupted:
        limit = options.time_limit
        left = None if limit is None else max(0.0, limit - (time.perf_counter() - began))
        hurried = replace(options, time_limit=left, stopped="interrupted")
        runner = ChainRunner(problem, hurried, settings, runner.starts)
        found, _, interruptions = runner.run()
        was_interrupted = True
    if found is None:
        raise KeyboardInterrupt
    return runner.to_draws(found, "interrupted" if was_interrupted or interruptions else reason)
