"""The candidate parents that chains choose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reference.structure_problems import make_problem, small_table

import qnml
from qnml import _core


def chosen_by(problem, most):
    return _core.choose_candidates(problem.core, most, _core.Control())


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
    some = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6
    compiled = replace(
        problem.compiled,
        allowed=(some, some | 1 << 7, 1 << 0 | 1 << 1, 0, 0, 0, 0, 0),
        required=(0, 1 << 7, 0, 0, 0, 0, 0, 0),
        max_parents=(2,) * 8,
    )
    # Column 2 has three levels: with a child of two levels it fits, with a child of three it would not.
    found = chosen_by(replace(problem, compiled=compiled), 3)
    assert set(found[0]) <= {2, 3, 5, 6}
    assert len(found[0]) == 3
    # With the required parent there are four cells already, and a third column makes eight or more.
    assert found[1] == []
    assert found[2] == [0, 1]
