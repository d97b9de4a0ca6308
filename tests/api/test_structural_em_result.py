"""What structural EM reports of the observed cells, recomputed with NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import qnml


def _table(n_rows: int, seed: int, copied: bool):
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 2, n_rows)
    second = first if copied else generator.integers(0, 3, n_rows)
    columns = {"a": first, "b": second}
    missing = {name: generator.random(n_rows) < 0.3 for name in columns}
    cells = {
        name: [None if missing[name][k] else f"v{codes[k]}" for k in range(n_rows)] for name, codes in columns.items()
    }
    return cells, qnml.read_table(cells, missing="em")


def test_without_arcs_the_likelihood_is_that_of_the_observed_cells():
    cells, table = _table(60, 1, copied=False)
    result = qnml.learn(table, seed=0)
    assert result.dag.arcs == ()
    counted = [np.unique([cell for cell in column if cell], return_counts=True)[1] for column in cells.values()]
    expected = sum(float((counts * np.log(counts / counts.sum())).sum()) for counts in counted)
    found = result.structural_em
    assert found is not None
    assert found.log_likelihood == pytest.approx(expected, rel=1e-9)
    # With no arcs, the penalty of qNML is the regret of each column over all rows.
    penalty = sum(float(qnml.regret(60, len(counts))) for counts in counted)
    assert found.penalty == pytest.approx(penalty, rel=1e-9)
    assert result.score == pytest.approx(expected - penalty, rel=1e-9)
    missing = [sum(cell is None for cell in column) for column in cells.values()]
    assert found.n_missing == sum(missing)
    assert found.n_incomplete == sum(None in row for row in zip(*cells.values(), strict=True))


def test_dependent_columns_are_joined_and_the_score_never_falls():
    _, table = _table(200, 2, copied=True)
    found = qnml.learn(table, seed=0)
    assert len(found.dag.arcs) == 1
    known = found.structural_em
    assert known is not None
    assert known.is_settled
    assert all(
        after >= before - 1e-9 * abs(before) for before, after in zip(known.trace, known.trace[1:], strict=False)
    )
    assert known.trace[-1] == pytest.approx(found.score)
    # Each row is a pair of equal values: what is left of one shows the other, and rows without either say nothing.
    rows = [row for row in zip(_cells(table, "a"), _cells(table, "b"), strict=True) if row != (None, None)]
    values = [first if first is not None else second for first, second in rows]
    counts = np.unique(values, return_counts=True)[1]
    assert known.log_likelihood == pytest.approx(float((counts * np.log(counts / counts.sum())).sum()), abs=0.01)
    assert math.isfinite(known.penalty)


def _cells(table, name):
    return table.to_frame()[name].to_list()
