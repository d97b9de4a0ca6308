"""What Markov chains need before they run: starts, candidates, and a guess of what else is probable.

Searches for good networks give the starts. The score makes a first choice of candidates, and trial runs from the starts
mend it, two short ones and the first half of what is burnt: the parents that matter most in their draws, or would if
arcs were turned round, become candidates. That chains widen their own search space is an idea of J. Kuipers, P. Suter,
G. Moffa, "Efficient sampling and structure learning of Bayesian networks", Journal of Computational and Graphical
Statistics 31(3), 2022. Nothing here has a say in which DAGs can be drawn, or how often: other parents are drawn one at
a time. It decides how fast the chains get about.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.graph.masks import bits
from qnml.search.chains.candidate_sets import OutsideOdds, allowed_parents, make_model, masks_of
from qnml.search.chains.candidates import arc_shares, choose, guess_outside, worth_of_arcs
from qnml.search.local import local_search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.problem import SearchProblem

__all__ = ["Allowance", "ChainSpace", "TrialRun", "find_space", "start_states", "without_fallen"]

_TRIAL_DRAWS = 40
_LEAST_TRIAL_DRAWS = 4
_TRIAL_CANDIDATES = 8
# Shares of the time by which a stage has to be over; what is left belongs to the chains.
_SEARCHES_UNTIL, _TRIALS_UNTIL, _SUMS_UNTIL, _FEWER_UNTIL = 0.1, 0.4, 0.6, 0.7
# An arc may be the other way round in other draws: how much one that is counts, against one that is as it should be.
_REVERSED = 0.3
# Nats by which all draws of a chain have to be below all draws of another before it is given up.
_HOPELESS = 20.0
# A guess of odds, before anything was drawn.
_FIRST_ODDS = 0.02


class Allowance:
    """A time limit that is dealt out to one stage after another.

    Parameters
    ----------
    limit : seconds, or None.
    control : what the stages look at.
    starts : networks that searches have found already, one for each chain; None before that.
    """

    def __init__(
        self, limit: float | None, control: _core.Control, starts: list[list[list[int]]] | None = None
    ) -> None:
        self.limit, self.control, self.starts = limit, control, starts
        self.started = time.perf_counter()
        self.cut_short = False

    def begin(self, until: float, least: float = 0.0) -> None:
        """A stage begins that has to be over after this share of the time; it has so many seconds at least."""
        if self.limit is not None:
            self.control.set_deadline(max(least, until * self.limit - (time.perf_counter() - self.started)))

    def end(self) -> bool:
        """The stage is over; whether it could do all its work."""
        whole = not self.control.is_timed_out
        self.control.lift_deadline()
        self.cut_short |= not whole
        return whole


@dataclass(frozen=True)
class TrialRun:
    """How trial runs go, as the chains themselves will.

    Attributes
    ----------
    chains : how many.
    schedule : moves of a sweep.
    warm_up : draws of each chain before the candidates are chosen for good.
    sweeps_per_draw : of the warm-up.
    is_even : whether all columns have the same number of candidates.
    """

    chains: int
    schedule: Sequence[int]
    warm_up: int
    sweeps_per_draw: int
    is_even: bool


@dataclass(frozen=True)
class ChainSpace:
    """Where chains start and what they propose.

    Attributes
    ----------
    model : sums over sets of candidates, and weights of all other families.
    candidates : of each column.
    outside : a guess of the odds of parents that are no candidates; None where all that are allowed are.
    starts : the parents of each column but for the required ones, a network for each chain; None for random ones.
    """

    model: _core.StructureModel
    candidates: list[list[int]]
    outside: OutsideOdds | None
    starts: list[list[list[int]]] | None


def find_space(problem: SearchProblem, most: int, run: TrialRun, seed: int, allowance: Allowance) -> ChainSpace | None:
    """All preparations; None when interrupted.

    Parameters
    ----------
    problem
        What is to be drawn.
    most
        Candidates of each column, or on average; fewer where time is short.
    run
        How the chains will run.
    seed
        Of searches and trial runs.
    allowance
        The time.
    """
    control = allowance.control
    allowed = allowed_parents(problem)
    if all(len(mine) <= most for mine in allowed):
        allowance.begin(_TRIALS_UNTIL)
        model = make_model(problem, allowed, None, control)
        if allowance.end() and model is not None:
            return ChainSpace(model, allowed, None, None)
    allowance.begin(_SEARCHES_UNTIL)
    # Those of a run that was interrupted serve again; there is no time for trial runs then.
    has_trials = allowance.starts is None
    starts = allowance.starts or [_search(problem, seed + chain, control) for chain in range(run.chains)]
    allowance.starts = starts
    allowance.end()
    arcs = _arcs_of(starts, problem.n_variables)
    worth, drawn = arcs + _REVERSED * arcs.T, None
    few = min(most, _TRIAL_CANDIDATES)
    trials = ((few, _TRIAL_DRAWS, 1), (few, _TRIAL_DRAWS, 1), (most, run.warm_up, run.sweeps_per_draw))
    allowance.begin(_TRIALS_UNTIL)
    for size, draws, sweeps in trials if has_trials else ():
        if control.is_stopped:
            break
        candidates = choose(problem, allowed, size, worth, run.is_even, control)
        outside = _guess(drawn, candidates, arcs)
        model = make_model(problem, candidates, outside, control)
        if model is None:
            break
        states = start_states(ChainSpace(model, candidates, outside, starts), run.chains, seed)
        trial = _trial(problem, model, states, run.schedule, draws, sweeps, control)
        if trial is None:
            break
        words, log_weights = trial
        middle = words.shape[1] // 2
        kept = without_fallen(log_weights[:, middle:])
        starts = [_parents_of(problem, words[chain, -1]) for chain in kept]
        half = words[sorted(set(kept)), middle:]
        drawn = half.reshape(-1, *words.shape[2:])
        arcs = arc_shares(drawn)
        worth = worth_of_arcs(problem, model, half, arcs, control) if candidates != allowed else arcs
    allowance.end()
    for size, until in ((most, _SUMS_UNTIL), (_TRIAL_CANDIDATES // 2, _FEWER_UNTIL), (0, None)):
        if control.is_interrupted:
            return None
        if until is not None:
            allowance.begin(until)
            if control.is_stopped:
                allowance.end()
                continue
        candidates = choose(problem, allowed, min(size, most), worth, run.is_even, control)
        outside = _guess(drawn, candidates, arcs)
        model = make_model(problem, candidates, outside, control)
        if allowance.end() and model is not None:
            return ChainSpace(model, candidates, outside, starts)
    return None


def _guess(drawn: NDArray[np.uint64] | None, candidates: Sequence[Sequence[int]], arcs: FloatArray) -> OutsideOdds:
    n = len(candidates)
    if drawn is None:
        return OutsideOdds(np.full((n, n), _FIRST_ODDS), np.zeros(n))
    return guess_outside(drawn, candidates, arcs)


def _trial(
    problem: SearchProblem,
    model: _core.StructureModel,
    states: list[_core.ChainState],
    schedule: Sequence[int],
    draws: int,
    sweeps: int,
    control: _core.Control,
) -> tuple[NDArray[np.uint64], FloatArray] | None:
    """Draws of each chain, the same number of all (chains × draws × nodes × words); None where there are too few.

    With their log weights (chains × draws).
    """
    n = problem.n_variables
    _, dags, log_weights = _core.run_chains(model, states, schedule, draws, sweeps, problem.n_jobs, control)
    drawn = min(map(len, log_weights))
    if drawn < _LEAST_TRIAL_DRAWS:
        return None
    words = np.stack([one.reshape(-1, n, (n + 63) // 64)[:drawn] for one in dags])
    return words, np.stack([one[:drawn] for one in log_weights])


def without_fallen(log_weights: FloatArray) -> list[int]:
    """For each chain which one to go on from: itself, or the best where its draws are hopelessly below.

    A search may end in a network from which no way leads to much better ones. What is drawn there has no share in the
    posterior, and the chains would disagree for ever.

    Parameters
    ----------
    log_weights
        Of the draws: chains × draws.
    """
    best = int(np.argmax(np.median(log_weights, axis=1)))
    fallen = log_weights.max(axis=1) < log_weights[best].min() - _HOPELESS
    return [best if is_fallen else chain for chain, is_fallen in enumerate(fallen)]


def _parents_of(problem: SearchProblem, words: NDArray[np.uint64]) -> list[list[int]]:
    """A DAG (nodes × words) as the parents of each column but for the required ones."""
    (masks,) = masks_of(words[None])
    return [list(bits(mask & ~required)) for mask, required in zip(masks, problem.compiled.required, strict=True)]


def start_states(space: ChainSpace, chains: int, seed: int) -> list[_core.ChainState]:
    """Chains at their starts.

    Parameters
    ----------
    space
        With as many starts as chains, or none.
    chains
        How many.
    seed
        Of the random numbers of all chains.
    """
    states = [_core.start_chain(space.model, seed, chain) for chain in range(chains)]
    for state, network in zip(states, space.starts or (), strict=space.starts is not None):
        pairs = list(zip(space.candidates, network, strict=True))
        state.dag = [sum(1 << k for k, one in enumerate(mine) if one in parents) for mine, parents in pairs]
        state.outside = [sorted(set(parents) - set(mine)) for mine, parents in pairs]
    return states


def _search(problem: SearchProblem, seed: int, control: _core.Control) -> list[list[int]]:
    """A good network: for each column its parents besides the required ones."""
    small = replace(problem, memory_limit=problem.memory_limit / 4, seed=seed)
    request = local_search.LocalRequest(small, local_search.make_plan(small, "order", "quick"), "quick")
    found = _core.learn_local(small.columns, request.task(), small.memory_limit, control, small.n_jobs)
    return [
        [parent for parent in mine if not required >> parent & 1]
        for mine, required in zip(found.parents, problem.compiled.required, strict=True)
    ]


def _arcs_of(networks: Sequence[Sequence[Sequence[int]]], n: int) -> FloatArray:
    """How often each arc is there, row parent, column child."""
    shares = np.zeros((n, n))
    for network in networks:
        for child, mine in enumerate(network):
            shares[mine, child] += 1 / len(networks)
    return shares
