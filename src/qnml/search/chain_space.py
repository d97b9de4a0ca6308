"""What Markov chains need before they run: starts, candidates, and a guess of what else is probable.

Searches for good networks give the starts. The score makes a first choice of candidates, and short trial runs from the
starts mend it: the pairs they join most often become candidates. That chains widen their own search space is an idea of
J. Kuipers, P. Suter, G. Moffa, "Efficient sampling and structure learning of Bayesian networks", Journal of
Computational and Graphical Statistics 31(3), 2022. Nothing here has a say in which DAGs can be drawn, or how often:
other parents are drawn one at a time. It decides how fast the chains get about.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search import large
from qnml.search.candidate_sets import allowed_parents, choose_by_score, make_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.structure_posterior import StructureProblem

__all__ = ["Allowance", "ChainSpace", "find_space", "start_states"]

_TRIALS = 2
_TRIAL_DRAWS = 40
_TRIAL_CANDIDATES = 8
# Shares of the time by which a stage has to be over; what is left belongs to the chains.
_SEARCHES_UNTIL, _TRIALS_UNTIL, _SUMS_UNTIL, _FEWER_UNTIL = 0.1, 0.4, 0.6, 0.7
# Guesses of odds, before anything was drawn and at the least and most: proposals must stay possible.
_FIRST_ODDS, _LEAST_ODDS, _MOST_ODDS = 0.02, 0.001, 5.0


class Allowance:
    """A time limit that is dealt out to one stage after another.

    Parameters
    ----------
    limit : seconds, or None.
    control : what the stages look at.
    """

    def __init__(self, limit: float | None, control: _core.Control) -> None:
        self.limit, self.control = limit, control
        self.started = time.perf_counter()
        self.cut_short = False

    def begin(self, until: float) -> None:
        """A stage begins that has to be over after this share of the time."""
        if self.limit is not None:
            self.control.set_deadline(max(0.0, until * self.limit - (time.perf_counter() - self.started)))

    def end(self) -> bool:
        """The stage is over; whether it could do all its work."""
        whole = not self.control.is_timed_out
        self.control.lift_deadline()
        self.cut_short |= not whole
        return whole


@dataclass(frozen=True)
class ChainSpace:
    """Where chains start and what they propose.

    Attributes
    ----------
    model : sums over sets of candidates, and weights of all other families.
    candidates : of each column.
    odds : of parents that are no candidates, a guess; None where all that are allowed are.
    starts : the parents of each column but for the required ones, a network for each chain; None for random ones.
    """

    model: _core.StructureModel
    candidates: list[list[int]]
    odds: FloatArray | None
    starts: list[list[list[int]]] | None


def find_space(
    problem: StructureProblem,
    most: int,
    chains: int,
    schedule: Sequence[int],
    seed: int,
    allowance: Allowance,
) -> ChainSpace | None:
    """All preparations; None when interrupted.

    Parameters
    ----------
    problem
        What is to be drawn.
    most
        Candidates of each column; fewer where time is short.
    chains
        Starts that are wanted.
    schedule
        Moves of the trial runs.
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
    starts = [_search(problem, seed + chain, control) for chain in range(chains)]
    allowance.end()
    n = problem.n_variables
    arcs, odds = _arcs_of(starts, n), np.full((n, n), _FIRST_ODDS)
    joined = arcs + arcs.T
    for _ in range(_TRIALS):
        allowance.begin(_TRIALS_UNTIL)
        few = _choose(problem, allowed, min(most, _TRIAL_CANDIDATES), joined, control)
        model = make_model(problem, few, odds, control)
        if model is None or control.is_interrupted:
            break
        states = start_states(ChainSpace(model, few, odds, starts), chains, seed)
        _, dags, log_weights = _core.run_chains(model, states, schedule, _TRIAL_DRAWS, 1, problem.n_jobs, control)
        drawn = min(map(len, log_weights))
        if drawn < 2:
            break
        words = np.concatenate([one.reshape(-1, n, (n + 63) // 64)[drawn // 2 : drawn] for one in dags])
        joined, odds = _learned(words)
    allowance.end()
    for size, until in ((most, _SUMS_UNTIL), (_TRIAL_CANDIDATES // 2, _FEWER_UNTIL), (0, None)):
        if control.is_interrupted:
            return None
        if until is not None:
            allowance.begin(until)
        candidates = _choose(problem, allowed, min(size, most), joined, control)
        model = make_model(problem, candidates, odds, control)
        if allowance.end() and model is not None:
            return ChainSpace(model, candidates, odds, starts)
    return None


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


def _search(problem: StructureProblem, seed: int, control: _core.Control) -> list[list[int]]:
    """A good network: for each column its parents besides the required ones."""
    plan = large.make_plan(
        problem.arities, problem.n_rows, problem.memory_limit / 4, method="order", effort="quick", exact=None
    )
    request = large.LargeRequest(
        problem.columns,
        problem.kind,
        problem.parameter,
        problem.compiled,
        problem.most_cells,
        plan,
        "quick",
        seed,
        problem.n_jobs,
    )
    found = _core.learn_large(problem.columns, request.task(), plan.memory_limit, control, problem.n_jobs)
    return [
        [parent for parent in mine if not required >> parent & 1]
        for mine, required in zip(found.parents, problem.compiled.required, strict=True)
    ]


def _choose(
    problem: StructureProblem,
    allowed: Sequence[Sequence[int]],
    most: int,
    joined: FloatArray,
    control: _core.Control,
) -> list[list[int]]:
    """Those joined with a column most often, as far as they are known; then those that the score chooses."""
    by_score = choose_by_score(problem, most, control)
    found = []
    for child, mine in enumerate(allowed):
        liked = set(by_score[child])
        # Shares of a few draws: small differences say nothing.
        ranked = sorted(mine, key=lambda one: (-round(float(joined[one, child]), 2), one not in liked, one))
        found.append(sorted(ranked[:most]))
    return found


def _arcs_of(networks: Sequence[Sequence[Sequence[int]]], n: int) -> FloatArray:
    """How often each arc is there, row parent, column child."""
    shares = np.zeros((n, n))
    for network in networks:
        for child, mine in enumerate(network):
            shares[mine, child] += 1 / len(networks)
    return shares


def _learned(words: NDArray[np.uint64]) -> tuple[FloatArray, FloatArray]:
    """From draws, how often columns are joined either way, and odds of arcs where they would close no cycle."""
    draws, n, _ = words.shape
    arcs = _shares(words)
    descends = _shares(_core.ancestors(words.reshape(-1), n, 1).reshape(words.shape)).T
    # A fifth of a draw with the arc and a whole one without: nothing is impossible for not having been drawn yet.
    free = np.maximum(1.0 - descends, arcs)
    odds = (arcs * draws + 0.2) / ((free - arcs) * draws + 1.0)
    return arcs + arcs.T, np.clip(odds, _LEAST_ODDS, _MOST_ODDS)


def _shares(words: NDArray[np.uint64]) -> FloatArray:
    """In how many of the draws each bit is set, row bit, column node."""
    n = words.shape[1]
    bits = np.unpackbits(np.ascontiguousarray(words.astype("<u8")).view(np.uint8), axis=2, bitorder="little")
    shares: FloatArray = bits[:, :, :n].mean(axis=0, dtype=np.float64).T
    return shares
