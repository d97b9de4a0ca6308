"""Preparations of the Markov chains: start networks, candidate parents, and proposal odds of the other parents.

Local searches give the start networks. The score makes a first choice of candidate parents. Trial runs from the starts,
two short ones and the first half of the burn-in, then revise it: the parents that matter most in their draws, or would
matter if arcs were reversed, become candidates. That chains expand their own search space is an idea of J. Kuipers,
P. Suter, G. Moffa, "Efficient sampling and structure learning of Bayesian networks", Journal of Computational and
Graphical Statistics 31(3), 2022. Nothing here decides which DAGs can be drawn or how often, since other parents are
drawn one at a time. It decides how fast the chains mix.
"""

from __future__ import annotations

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
    from qnml.search.chains.allowance import Allowance
    from qnml.search.problem import SearchProblem

__all__ = ["ChainSpace", "TrialRun", "find_space", "start_states", "without_fallen"]

_TRIAL_DRAWS = 40
_LEAST_TRIAL_DRAWS = 4
_TRIAL_CANDIDATES = 8
# Shares of the time limit after which each stage has to end; the chains get the rest.
_SEARCHES_UNTIL, _TRIALS_UNTIL, _SUMS_UNTIL, _FEWER_UNTIL = 0.1, 0.4, 0.6, 0.7
# An arc may be reversed in other draws: the worth of a reversed arc relative to that of the arc itself.
_REVERSED = 0.3
# A chain is abandoned when all its draws are this many nats below all draws of another.
_HOPELESS = 20.0
# Proposal odds before anything was drawn.
_FIRST_ODDS = 0.02


@dataclass(frozen=True)
class TrialRun:
    """How trial runs are made; the chains themselves run in the same way.

    Attributes
    ----------
    chains : number of chains.
    schedule : moves of each kind in a sweep.
    warm_up : draws of each chain before the final choice of candidates.
    sweeps_per_draw : sweeps from one draw to the next during the warm-up.
    is_even : whether all columns have the same number of candidates.
    """

    chains: int
    schedule: Sequence[int]
    warm_up: int
    sweeps_per_draw: int
    is_even: bool


@dataclass(frozen=True)
class ChainSpace:
    """Where the chains start and what they propose.

    Attributes
    ----------
    model : sums over sets of candidates, and weights of all other families.
    candidates : candidate parents of each column.
    outside : proposal odds of parents that are not candidates; None if all allowed parents are candidates.
    starts : a start network for each chain, as the parents of each column without the required ones; None for random
        starts.
    """

    model: _core.StructureModel
    candidates: list[list[int]]
    outside: OutsideOdds | None
    starts: list[list[list[int]]] | None


def find_space(problem: SearchProblem, most: int, run: TrialRun, allowance: Allowance) -> ChainSpace | None:
    """Prepare the chains; None if interrupted.

    Parameters
    ----------
    problem
        The problem to sample from.
    most
        Number of candidates of each column, or on average; fewer if time is short.
    run
        How the chains will run.
    allowance
        The time limit.
    """
    allowed = allowed_parents(problem)
    if all(len(mine) <= most for mine in allowed):
        allowance.begin(_TRIALS_UNTIL)
        model = make_model(problem, allowed, None, allowance.control)
        if allowance.end() and model is not None:
            return ChainSpace(model, allowed, None, None)
    # Starts of an interrupted run are used again; there is no time for trial runs then.
    has_trials = allowance.starts is None
    preparations = _Preparations(problem, allowed, most, run, allowance)
    preparations.run_trials(has_trials)
    return preparations.final_space()


class _Preparations:
    """Start networks, and evidence from them and from trial runs about the parents of each column."""

    def __init__(
        self,
        problem: SearchProblem,
        allowed: list[list[int]],
        most: int,
        run: TrialRun,
        allowance: Allowance,
    ) -> None:
        self.problem, self.allowed, self.most, self.run = problem, allowed, most, run
        self.allowance, self.control = allowance, allowance.control
        allowance.begin(_SEARCHES_UNTIL)
        self.starts = allowance.starts or [_search(problem, chain, self.control) for chain in range(run.chains)]
        allowance.starts = self.starts
        allowance.end()
        self.arcs = _arcs_of(self.starts, problem.n_variables)
        self.worth: FloatArray = self.arcs + _REVERSED * self.arcs.T
        self.drawn: NDArray[np.uint64] | None = None

    def run_trials(self, has_trials: bool) -> None:
        """Revise starts and worths of arcs by trial runs, as far as time allows."""
        few = min(self.most, _TRIAL_CANDIDATES)
        warm_up = (self.most, self.run.warm_up, self.run.sweeps_per_draw)
        trials = ((few, _TRIAL_DRAWS, 1), (few, _TRIAL_DRAWS, 1), warm_up)
        self.allowance.begin(_TRIALS_UNTIL)
        for size, draws, sweeps in trials if has_trials else ():
            if self.control.is_stopped or not self._run_trial(size, draws, sweeps):
                break
        self.allowance.end()

    def final_space(self) -> ChainSpace | None:
        """The space of the chains, with fewer candidates if time is short; None if interrupted."""
        for size, until in ((self.most, _SUMS_UNTIL), (_TRIAL_CANDIDATES // 2, _FEWER_UNTIL), (0, None)):
            if self.control.is_interrupted:
                return None
            if until is not None:
                self.allowance.begin(until)
                if self.control.is_stopped:
                    self.allowance.end()
                    continue
            space = self._space_of(min(size, self.most))
            if self.allowance.end() and space is not None:
                return space
        return None

    def _run_trial(self, size: int, draws: int, sweeps: int) -> bool:
        """One trial run with this number of candidates; whether it made enough draws to learn from."""
        space = self._space_of(size)
        if space is None:
            return False
        states = start_states(space, self.run.chains, self.problem.seed)
        trial = _trial(self.problem, space.model, states, self.run.schedule, draws, sweeps, self.control)
        if trial is None:
            return False
        words, log_weights = trial
        middle = words.shape[1] // 2
        kept = without_fallen(log_weights[:, middle:])
        self.starts = [_parents_of(self.problem, words[chain, -1]) for chain in kept]
        half = words[sorted(set(kept)), middle:]
        self.drawn = half.reshape(-1, *words.shape[2:])
        self.arcs = self.worth = arc_shares(self.drawn)
        if space.candidates != self.allowed:
            self.worth = worth_of_arcs(self.problem, space.model, half, self.arcs, self.control)
        return True

    def _space_of(self, size: int) -> ChainSpace | None:
        """The space with this number of candidates; None if stopped."""
        candidates = choose(self.problem, self.allowed, size, self.worth, self.run.is_even, self.control)
        outside = _guess(self.drawn, candidates, self.arcs)
        model = make_model(self.problem, candidates, outside, self.control)
        return None if model is None else ChainSpace(model, candidates, outside, self.starts)


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
    """Equally many draws of each chain (chains × draws × nodes × words) and their log weights (chains × draws).

    None if there are too few.
    """
    n = problem.n_variables
    _, dags, log_weights = _core.run_chains(model, states, schedule, draws, sweeps, problem.n_jobs, control)
    drawn = min(map(len, log_weights))
    if drawn < _LEAST_TRIAL_DRAWS:
        return None
    words = np.stack([one.reshape(-1, n, (n + 63) // 64)[:drawn] for one in dags])
    return words, np.stack([one[:drawn] for one in log_weights])


def without_fallen(log_weights: FloatArray) -> list[int]:
    """The chain to continue from, for each chain: itself, or the best chain if its own draws are far below.

    A search may end in a local optimum that the chain cannot leave. Draws there have negligible posterior probability,
    and the chains would never agree.

    Parameters
    ----------
    log_weights
        Log weights of the draws: chains × draws.
    """
    best = int(np.argmax(np.median(log_weights, axis=1)))
    fallen = log_weights.max(axis=1) < log_weights[best].min() - _HOPELESS
    return [best if is_fallen else chain for chain, is_fallen in enumerate(fallen)]


def _parents_of(problem: SearchProblem, words: NDArray[np.uint64]) -> list[list[int]]:
    """A DAG (nodes × words) as the parents of each column without the required ones."""
    (masks,) = masks_of(words[None])
    return [list(bits(mask & ~required)) for mask, required in zip(masks, problem.compiled.required, strict=True)]


def start_states(space: ChainSpace, chains: int, seed: int) -> list[_core.ChainState]:
    """The chains in their start states.

    Parameters
    ----------
    space
        With a start for every chain, or without starts.
    chains
        Number of chains.
    seed
        Seed of the random numbers of all chains.
    """
    states = [_core.start_chain(space.model, seed, chain) for chain in range(chains)]
    for state, network in zip(states, space.starts or (), strict=space.starts is not None):
        pairs = list(zip(space.candidates, network, strict=True))
        state.dag = [sum(1 << k for k, one in enumerate(mine) if one in parents) for mine, parents in pairs]
        state.outside = [sorted(set(parents) - set(mine)) for mine, parents in pairs]
    return states


def _search(problem: SearchProblem, chain: int, control: _core.Control) -> list[list[int]]:
    """A good network: the parents of each column without the required ones."""
    seed = (problem.seed + chain) % 2**64
    small = replace(problem, memory_limit=problem.memory_limit / 4, seed=seed)
    request = local_search.LocalRequest(small, local_search.make_plan(small, "order", "quick"), "quick")
    found = _core.learn_local(small.core, request.options(), control)
    return [
        [parent for parent in mine if not required >> parent & 1]
        for mine, required in zip(found.parents, problem.compiled.required, strict=True)
    ]


def _arcs_of(networks: Sequence[Sequence[Sequence[int]]], n: int) -> FloatArray:
    """Share of the networks that contain each arc, row parent, column child."""
    shares = np.zeros((n, n))
    for network in networks:
        for child, mine in enumerate(network):
            shares[mine, child] += 1 / len(networks)
    return shares
