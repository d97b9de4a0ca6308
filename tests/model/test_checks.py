"""Rows that sum to one: which are kept, which are rescaled, and that rescaling is idempotent."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import InputError
from qnml.graph import Dag
from qnml.model import Network, SparseTable
from qnml.model.checks import EXACT, ROW_SUM_TOLERANCE, unit_rows


@given(st.integers(0, 2**32 - 1), st.integers(1, 3000), st.floats(-ROW_SUM_TOLERANCE, ROW_SUM_TOLERANCE))
@settings(max_examples=150, deadline=None)
def test_rescaling_once_is_enough(seed: int, levels: int, off: float) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(levels, 10.0 ** rng.uniform(-3, 1)), size=3)
    rows = rows / rows.sum(axis=1, keepdims=True) * (1.0 + 0.999 * off)
    once, worst = unit_rows("rows", rows)
    assert worst is None
    again, _ = unit_rows("rows", once)
    assert again is once
    for row, given_row in zip(once, rows, strict=True):
        assert abs(math.fsum(row) - 1.0) <= EXACT
        # Numbers below 1e-307 have fewer digits.
        assert np.allclose(row, given_row / math.fsum(given_row), rtol=1e-14, atol=1e-307)


def test_rescaling_once_is_enough_for_the_most_levels() -> None:
    rng = np.random.default_rng(0)
    for power in (0.1, 1.0, 30.0):
        rows = rng.random((4, 65_536)) ** power
        rows /= rows.sum(axis=1, keepdims=True)
        once, _ = unit_rows("rows", rows * (1 + 1e-7))
        assert unit_rows("rows", once)[0] is once


def test_rows_that_sum_to_one_are_kept_to_the_last_bit() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 100, size=(1000, 7)) + 1.0
    rows = counts / counts.sum(axis=1, keepdims=True)
    assert unit_rows("rows", rows)[0] is rows


def test_the_worst_of_many_rows_is_named() -> None:
    rows = np.full((200_000, 2), 0.5)
    rows[150_001, 0], rows[70_000, 0] = 0.6, 0.55
    assert unit_rows("rows", rows)[1] == 150_001
    rows[180_000, 1] = -1e-9
    with pytest.raises(InputError, match="negative"):
        unit_rows("rows", rows)


def test_sparse_tables_are_rescaled_too() -> None:
    table = SparseTable([[1]], [[0.3333333] * 3], [0.2, 0.3, 0.5000001])
    dag = Dag.from_arcs(["a", "b"], [("a", "b")])
    net = Network(dag, {"a": ["x", "y"], "b": ["x", "y", "z"]}, {"a": [0.5, 0.5], "b": table})
    assert net.table("b").sum(axis=-1).tolist() == pytest.approx([1.0, 1.0], abs=1e-15)
    assert net.conditional("b").rows.tolist()[0] == pytest.approx([1 / 3] * 3, rel=1e-15)
