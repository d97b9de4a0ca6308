"""The choice of candidate parents and of proposal odds for the others, from draws of trial runs.

A parent that can leave a family without loss of weight is added and removed by single moves, and need not be a
candidate. Candidates are the parents whose removal costs weight: there, groups of parents change together, or move to
the other end of a reversed arc, which single moves cannot do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search.chains.candidate_sets import OutsideOdds, choose_by_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.problem import SearchProblem

__all__ = ["arc_shares", "choose", "guess_outside", "worth_of_arcs"]

# DAGs of each chain whose families are analysed.
_WEIGHED_DRAWS = 16
# DAGs in which candidates and other parents are counted.
_COUNTED_DRAWS = 1000
# Worth relative to an arc whose removal costs weight: an arc that would be one if others were reversed, and an arc that
# was drawn.
_POTENTIAL, _DRAWN = 0.2, 0.1
# Worths are means over few draws: differences below this are noise.
_LEAST_WORTH = 0.01
# If a few columns have many important parents, they may have this many candidates more than the others.
_MORE = 4
# Bounds on the estimated odds: every proposal must stay possible.
_LEAST_ODDS, _MOST_ODDS = 0.001, 5.0
# Decrease of the log odds of other parents with each candidate that is a parent: its prior value, the weight of that
# value as a variance of the number of candidates that are parents, and its upper bound.
_CROWDING, _CROWDING_WEIGHT, _MOST_CROWDING = 0.2, 0.5, 1.0


def choose(
    problem: SearchProblem,
    allowed: Sequence[Sequence[int]],
    most: int,
    worth: FloatArray,
    is_even: bool,
    control: _core.Control,
) -> list[list[int]]:
    """Candidates of each column: the parents of highest worth, then those that the score chooses.

    Parameters
    ----------
    problem
        The problem to sample from.
    allowed
        Allowed parents of each column without the required ones.
    most
        Number of candidates of a column; unless `is_even`, an average by the total number of candidate sets.
    worth
        Worth of each arc, row parent, column child.
    is_even
        Whether all columns have the same number of candidates.
    control
        Can stop it.
    """
    if most == 0:
        return [[] for _ in allowed]
    by_score = choose_by_score(problem, most, control)
    ranked = []
    for child, mine in enumerate(allowed):
        liked = set(by_score[child])
        arcs: list[float] = worth[:, child].tolist()
        # Most arcs have negligible worth: rounding them all would take most of the time.
        keys = sorted(
            (-(round(arcs[one], 2) if arcs[one] > _LEAST_WORTH else _LEAST_WORTH), one not in liked, one)
            for one in mine
        )
        # Each further candidate doubles the number of sets.
        ranked += [(value / 2 ** (place / 2), place, child, one) for place, (value, _, one) in enumerate(keys)]
    found: list[list[int]] = [[] for _ in allowed]
    limit = most if is_even else most + _MORE
    left = len(allowed) * (2**most - 1)
    for _, place, child, one in sorted(ranked):
        if place < limit and 2**place <= left:
            found[child].append(one)
            left -= 2**place
    return [sorted(mine) for mine in found]


def worth_of_arcs(
    problem: SearchProblem,
    model: _core.StructureModel,
    words: NDArray[np.uint64],
    arcs: FloatArray,
    control: _core.Control,
) -> FloatArray:
    """Worth of each arc, row parent, column child: how much it matters that the parent is a candidate.

    Parameters
    ----------
    problem
        The problem to sample from.
    model
        The model of the draws, in which not all parents are candidates.
    words
        The draws: chains × draws × nodes × words.
    arcs
        Shares of the arcs in them.
    control
        Can stop it; then fewer draws count.
    """
    n = problem.n_variables
    some = np.linspace(0, words.shape[1] - 1, min(words.shape[1], _WEIGHED_DRAWS)).astype(int)
    dags = np.ascontiguousarray(words[:, some]).reshape(-1)
    present, potential = (part.reshape(n, n) for part in _core.arc_strengths(model, dags, problem.n_jobs, control))
    worth: FloatArray = present + _POTENTIAL * potential + _DRAWN * (arcs + _POTENTIAL * arcs.T)
    return worth


def guess_outside(words: NDArray[np.uint64], candidates: Sequence[Sequence[int]], arcs: FloatArray) -> OutsideOdds:
    """Proposal odds of parents that are not candidates.

    The odds of an arc are those among the draws in which it would close no cycle. The more candidates are parents, the
    fewer other parents there are: the log odds decrease with the number of candidates at the rate of the latter.

    Parameters
    ----------
    words
        Draws: DAGs × nodes × words.
    candidates
        Candidate parents of each column.
    arcs
        Shares of the arcs in the draws, row parent, column child.
    """
    draws, n, _ = words.shape
    descends = arc_shares(_core.ancestors(words.reshape(-1), n, 1).reshape(words.shape)).T
    # Pseudo-counts of a fifth of a draw with the arc and one without: an arc that was never drawn is not impossible.
    free = np.maximum(1.0 - descends, arcs)
    odds = np.clip((arcs * draws + 0.2) / ((free - arcs) * draws + 1.0), _LEAST_ODDS, _MOST_ODDS)

    inside = np.zeros((n, n), dtype=bool)
    for child, mine in enumerate(candidates):
        inside[child, list(mine)] = True
    parents = _bits(words[:: max(1, draws // _COUNTED_DRAWS)])
    chosen = (parents & inside).sum(axis=2, dtype=np.float64)
    others = (parents & ~inside).sum(axis=2, dtype=np.float64)
    mean, number = chosen.mean(axis=0), np.maximum(others.mean(axis=0), 0.05)
    falls = -((chosen - mean) * (others - others.mean(axis=0))).mean(axis=0) / number
    crowding = (falls + _CROWDING_WEIGHT * _CROWDING) / (chosen.var(axis=0) + _CROWDING_WEIGHT)
    crowding = np.clip(crowding, 0.0, _MOST_CROWDING)
    # The odds are means over the draws; they are stored for a column without candidates as parents.
    return OutsideOdds(odds / np.exp(-crowding * chosen).mean(axis=0), crowding)


def arc_shares(words: NDArray[np.uint64]) -> FloatArray:
    """Share of the draws (DAGs × nodes × words) in which each bit is set, row bit, column node."""
    shares: FloatArray = _bits(words).mean(axis=0, dtype=np.float64).T
    return shares


def _bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """DAGs × nodes × bits."""
    n = words.shape[1]
    bits = np.unpackbits(np.ascontiguousarray(words.astype("<u8")).view(np.uint8), axis=2, bitorder="little")
    return bits[:, :, :n]
