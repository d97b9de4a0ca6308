"""What draws tell about the parents to sum over, and about the odds of the others.

Parents that a family can lose without weighing less come and go by themselves, and need not be summed over. Candidates
are those it cannot: that is where groups of parents come and go together, or go over to the other end of an arc that is
turned round, which single steps do not do.
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

# DAGs of each chain whose families are taken apart.
_WEIGHED_DRAWS = 16
# DAGs in which candidates and others are counted.
_COUNTED_DRAWS = 1000
# What counts beside an arc without which the family weighs less: one that would be such if others were turned round,
# and one that was drawn.
_WISHED, _DRAWN = 0.2, 0.1
# Means over a few draws: differences below this say nothing.
_LEAST_WORTH = 0.01
# Where few columns have many parents that matter, they may have so many candidates more than the others.
_MORE = 4
# Guesses of odds at the least and most: proposals must stay possible.
_LEAST_ODDS, _MOST_ODDS = 0.001, 5.0
# By how much log odds of parents outside fall with each candidate that is a parent: before anything was drawn, with the
# weight of so much variance of the number of candidates that are parents; and at the most.
_CROWDING, _CROWDING_WEIGHT, _MOST_CROWDING = 0.2, 0.5, 1.0


def choose(
    problem: SearchProblem,
    allowed: Sequence[Sequence[int]],
    most: int,
    worth: FloatArray,
    is_even: bool,
    control: _core.Control,
) -> list[list[int]]:
    """Candidates of each column: those that are worth most, then those that the score chooses.

    Parameters
    ----------
    problem
        What is to be drawn.
    allowed
        Parents that each column may have besides the required ones.
    most
        Candidates of a column, or as many as give the same number of sets of candidates in all columns together.
    worth
        Of an arc, row parent, column child.
    is_even
        Whether all columns have the same number.
    control
        To stop it.
    """
    if most == 0:
        return [[] for _ in allowed]
    by_score = choose_by_score(problem, most, control)
    ranked = []
    for child, mine in enumerate(allowed):
        liked = set(by_score[child])
        arcs: list[float] = worth[:, child].tolist()
        # Most are worth next to nothing: rounding them all would take most of the time.
        keys = sorted(
            (-(round(arcs[one], 2) if arcs[one] > _LEAST_WORTH else _LEAST_WORTH), one not in liked, one)
            for one in mine
        )
        # The more there are, the more sets come with one more.
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
    """What it is worth to have a parent among the candidates, row parent, column child.

    Parameters
    ----------
    problem
        What is to be drawn.
    model
        By which the draws were made, with parents that are no candidates.
    words
        The draws: chains × draws × nodes × words.
    arcs
        Shares of the arcs in them.
    control
        To stop it; fewer draws count then.
    """
    n = problem.n_variables
    some = np.linspace(0, words.shape[1] - 1, min(words.shape[1], _WEIGHED_DRAWS)).astype(int)
    dags = np.ascontiguousarray(words[:, some]).reshape(-1)
    held, wished = (part.reshape(n, n) for part in _core.arc_strengths(model, dags, problem.n_jobs, control))
    worth: FloatArray = held + _WISHED * wished + _DRAWN * (arcs + _WISHED * arcs.T)
    return worth


def guess_outside(words: NDArray[np.uint64], candidates: Sequence[Sequence[int]], arcs: FloatArray) -> OutsideOdds:
    """By which odds to propose parents that are no candidates.

    The odds of an arc are those of the draws in which it would have closed no cycle. The more candidates are parents,
    the fewer others are: the logarithm of the odds falls with their number, by as much as the number of others does.

    Parameters
    ----------
    words
        Draws: DAGs × nodes × words.
    candidates
        Of each column.
    arcs
        Shares of the arcs in the draws, row parent, column child.
    """
    draws, n, _ = words.shape
    descends = arc_shares(_core.ancestors(words.reshape(-1), n, 1).reshape(words.shape)).T
    # A fifth of a draw with the arc and a whole one without: nothing is impossible for not having been drawn yet.
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
    # The odds are means over the draws; what is kept is for a column without candidates as parents.
    return OutsideOdds(odds / np.exp(-crowding * chosen).mean(axis=0), crowding)


def arc_shares(words: NDArray[np.uint64]) -> FloatArray:
    """In how many of the draws (DAGs × nodes × words) each bit is set, row bit, column node."""
    shares: FloatArray = _bits(words).mean(axis=0, dtype=np.float64).T
    return shares


def _bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """DAGs × nodes × bits."""
    n = words.shape[1]
    bits = np.unpackbits(np.ascontiguousarray(words.astype("<u8")).view(np.uint8), axis=2, bitorder="little")
    return bits[:, :, :n]
