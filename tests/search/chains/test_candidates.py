"""Which parents the chains sum over: strengths of arcs against a reference version, and the choice by strength."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference.structure_problems import make_problem, small_table

from qnml import _core
from qnml.search.chains.candidate_sets import OutsideOdds, allowed_parents, make_model
from qnml.search.chains.candidates import arc_shares, choose, guess_outside
from qnml.search.chains.space import without_fallen

N = 5
# Parents of each column; the last is a parent of the first.
DAGS = ([set(), {0}, {0, 1}, {1, 2, 4}, {0}], [{4}, {0}, {1, 4}, {2, 0}, set()])


@pytest.fixture(scope="module")
def table():
    return small_table(N, 60, seed=3)


@pytest.fixture(scope="module")
def local(table, local_of):
    return local_of(table, "bdeu")


def words_of(dags):
    return np.array([[sum(1 << one for one in mine) for mine in dag] for dag in dags], dtype=np.uint64)[:, :, None]


def core(local, child, parents):
    """The family without parents whose removal does not lower its weight, best first; strengths of the others."""
    parents = set(parents)
    while True:
        losses = {one: local(child, frozenset(parents)) - local(child, frozenset(parents - {one})) for one in parents}
        if not losses or min(losses.values()) > 0:
            return {one: 1 - math.exp(-loss) for one, loss in losses.items()}
        parents.remove(min(losses, key=losses.__getitem__))


def climbed(local, child, family):
    while True:
        rest = set(range(N)) - {child} - set(family)
        gains = {one: local(child, frozenset([*family, one])) - local(child, frozenset(family)) for one in rest}
        if not gains or max(gains.values()) <= 0:
            return family
        family = core(local, child, [*family, max(gains, key=gains.__getitem__)])


def strengths(local, dag):
    present, potential = np.zeros((N, N)), np.zeros((N, N))
    cores = [core(local, child, parents) for child, parents in enumerate(dag)]

    def wish(child, family):
        for one, strength in family.items():
            potential[one, child] = max(potential[one, child], strength)

    for child, family in enumerate(cores):
        for one, strength in family.items():
            present[one, child] = strength
        wish(child, climbed(local, child, family))
        for parent in family:
            both = (set(cores[parent]) | set(family)) - {parent}
            wish(child, core(local, child, both))
            wish(parent, core(local, parent, both | {child}))
    return present, potential


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_strengths_of_arcs(table, local, n_jobs):
    problem = make_problem(table)
    odds = OutsideOdds(np.full((N, N), 0.3), np.zeros(N))
    model = make_model(problem, [[mine[0]] for mine in allowed_parents(problem)], odds, _core.Control())
    found = _core.arc_strengths(model, words_of(DAGS).reshape(-1), n_jobs, _core.Control())
    expected = np.mean([strengths(local, dag) for dag in DAGS], axis=0)
    assert np.allclose([part.reshape(N, N) for part in found], expected, atol=1e-8)
    assert 0 < (expected[0] > 0.05).sum() < (expected[1] > 0.05).sum()


def test_places_go_where_parents_matter(table):
    problem, control = make_problem(small_table(8, 60, seed=3)), _core.Control()
    allowed = allowed_parents(problem)
    worth = np.zeros((8, 8))
    assert [len(mine) for mine in choose(problem, allowed, 3, worth, False, control)] == [3] * 8
    worth[[1, 2, 5, 6], 0] = 0.5
    found = choose(problem, allowed, 3, worth, False, control)
    assert {1, 2, 5, 6} <= set(found[0])
    assert sum(2 ** len(mine) for mine in found) <= 8 * 2**3
    even = choose(problem, allowed, 3, worth, True, control)
    assert [len(mine) for mine in even] == [3] * 8
    assert set(even[0]) <= {1, 2, 5, 6}


def test_odds_of_other_parents_fall_with_the_candidates():
    """The parents of column 3 are the candidate 0, or 1 and 2, which are not candidates."""
    dags = [[set(), set(), set(), {0} if k % 2 else {1, 2}] for k in range(400)]
    words = words_of(dags)
    guess = guess_outside(words, [[], [], [], [0]], arc_shares(words))
    assert guess.crowding[3] > 0.5
    assert guess.crowding[0] == pytest.approx(0.2)
    # On average over the draws as often as they were drawn.
    mean = np.mean([guess.odds[1, 3] * math.exp(-guess.crowding[3] * (k % 2)) for k in range(400)])
    assert mean == pytest.approx(1.0, abs=0.01)
    assert guess.odds[2, 0] < 0.01


def test_chains_far_below_go_on_from_the_best():
    """Only if all their draws are more than twenty nats below all draws of the best chain."""
    offsets = np.array([[0.0, 1.0, 3.0]])
    levels = np.array([[-100.0], [-60.0], [-81.0], [-84.0]])
    assert without_fallen(levels + offsets) == [1, 1, 2, 1]
    assert without_fallen(np.zeros((3, 4))) == [0, 1, 2]
