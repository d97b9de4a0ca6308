"""Weights of families and their sums in the core, against local scores and sums term by term."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference.structure_problems import make_problem, small_table
from scipy.special import logsumexp

import qnml
from qnml import _core


def model_of(problem, candidates, required=None):
    n = problem.n_variables
    required = required or [[] for _ in range(n)]
    allowed = [[j for j in range(n) if j != i and j not in required[i]] for i in range(n)]
    limits = _core.ParentLimits(allowed, required, [n - 1] * n, problem.most_cells)
    model = _core.structure_model(
        problem.columns,
        problem.kind,
        problem.parameter,
        limits,
        candidates,
        [0.0] * n,
        np.ones(n * n),
        np.zeros(n),
        1e6,
        1,
        _core.Control(),
    )
    assert model is not None
    return model


def chosen_by(problem, most):
    n = problem.n_variables
    others = [[j for j in range(n) if j != i] for i in range(n)]
    limits = _core.ParentLimits(others, [[] for _ in range(n)], [n - 1] * n, problem.most_cells)
    return _core.choose_candidates(problem.columns, problem.kind, problem.parameter, limits, most, 2, _core.Control())


@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bdq", "bds", "bdj", "k2", "bic", "ebic", "aic"])
@pytest.mark.parametrize("width", [6, 8], ids=["one walk for all", "a walk for each"])
def test_weights_are_local_scores(score, width):
    """Also of families from a few columns of a wider table, and with a required parent on top."""
    table = small_table(width, 60, seed=1)
    candidates = [[j for j in range(1, 6) if j not in (i, 5)] for i in range(width)]
    required = [[5]] + [[] for _ in range(width - 1)]
    model = model_of(make_problem(table, score), candidates, required)
    for child in range(width):
        for chosen in range(1 << len(candidates[child])):
            places = [*required[child], *(c for k, c in enumerate(candidates[child]) if chosen >> k & 1)]
            names = [table.names[place] for place in places]
            expected = qnml.local_score(table, table.names[child], names, score)
            assert model.log_weight(child, chosen) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n_rows", [30, 30_000])
def test_sums_over_sets_that_meet_others(n_rows):
    """With many rows the terms span thousands of nats and the sums cannot be had as differences."""
    generator = np.random.default_rng(n_rows)
    base = generator.integers(0, 2, n_rows)
    noisy = [np.where(generator.random(n_rows) < noise, 1 - base, base) for noise in (0.1, 0.2, 0.3, 0.45, 0.5, 0.5)]
    table = qnml.Table.from_codes([base, *noisy], levels=[2] * 7)
    candidates = [[j for j in range(7) if j != i] for i in range(7)]
    model = model_of(make_problem(table), candidates)
    hard = 0
    for child in (0, 1, 6):
        weights = np.array([model.log_weight(child, subset) for subset in range(64)])
        for subset in range(64):
            for meeting in (1, 2, 8, 16, 32, 48, 63):
                inside = [s for s in range(64) if s & ~subset == 0 and s & meeting]
                found = model.log_meeting(child, subset, meeting)
                if not inside:
                    assert found == -math.inf
                    continue
                hard += logsumexp(weights[[s for s in range(64) if s & ~subset == 0]]) - found > math.log(1e6)
                assert found == pytest.approx(logsumexp(weights[inside]), rel=0, abs=5e-6)
    assert (hard > 0) == (n_rows == 30_000)


def test_candidates_are_those_that_explain(tmp_path):
    """A parity of two columns is found next to one of them; noise comes last."""
    generator = np.random.default_rng(3)
    columns = [generator.integers(0, 2, 400) for _ in range(30)]
    flipped = (generator.random(400) < 0.02).astype(int)
    columns[7] = np.where(generator.random(400) < 0.3, columns[3], columns[12]) ^ flipped
    columns[20] = (columns[7] + columns[9]) % 2 ^ flipped
    table = qnml.Table.from_codes(columns, levels=[2] * 30)
    candidates = chosen_by(make_problem(table, "bic"), 5)
    assert all(len(mine) == 5 and mine == sorted(mine) and i not in mine for i, mine in enumerate(candidates))
    assert {3, 12} <= set(candidates[7])
    assert {7} <= set(candidates[3])
    assert chosen_by(make_problem(table, "bic"), 29) == [[j for j in range(30) if j != i] for i in range(30)]


def test_candidates_follow_the_limits():
    table = small_table(8, 200, seed=4)
    problem = make_problem(table, most_cells=7.0)
    # Column 2 has three levels: with a child of two levels it fits, with a child of three it would not.
    limits = _core.ParentLimits([[2, 3, 5, 6]] * 2 + [[0, 1]] + [[]] * 5, [[], [7]] + [[]] * 6, [2] * 8, 7.0)
    found = _core.choose_candidates(problem.columns, problem.kind, problem.parameter, limits, 3, 1, _core.Control())
    assert set(found[0]) <= {2, 3, 5, 6}
    assert len(found[0]) == 3
    # With the required parent there are four cells already, and a third column makes eight or more.
    assert found[1] == []
    assert found[2] == [0, 1]
