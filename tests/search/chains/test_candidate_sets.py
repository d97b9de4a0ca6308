"""The candidate parents that chains choose."""

from __future__ import annotations

import numpy as np
from reference.structure_problems import make_problem, small_table

import qnml
from qnml import _core


def chosen_by(problem, most):
    n = problem.n_variables
    others = [[j for j in range(n) if j != i] for i in range(n)]
    limits = _core.ParentLimits(others, [[] for _ in range(n)], [n - 1] * n, problem.most_cells)
    return _core.choose_candidates(problem.columns, problem.kind, problem.parameter, limits, most, 2, _core.Control())


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
