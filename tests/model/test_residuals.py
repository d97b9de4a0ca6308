"""The residual dependence of pairs against sums written out, and on data made for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import qnml
from qnml.model.residuals import residual_dependence


def test_it_is_the_likelihood_ratio_of_each_pair() -> None:
    table = qnml.datasets.sample("cancer", 200, seed=3)
    net = qnml.learn(table, progress=False).fit()
    for one in residual_dependence(net, table):
        first, second = table.labels(one.first), table.labels(one.second)
        expected = 0.0
        for a in table.levels[one.first]:
            for b in table.levels[one.second]:
                count = int(np.sum((first == a) & (second == b)))
                if count:
                    p = net.query([one.first, one.second])[a, b]
                    expected += 2 * count * math.log(count / (table.n_rows * p))
        assert one.statistic == pytest.approx(max(expected, 0.0), abs=1e-9)
        assert one.freedom == 1
        # The chi-squared distribution with one degree of freedom is that of a squared normal variable.
        assert one.p_value == pytest.approx(math.erfc(math.sqrt(one.statistic / 2)), rel=1e-9)


def test_a_missing_arc_is_found() -> None:
    rng = np.random.default_rng(1)
    a, c = rng.integers(0, 2, 1000), rng.integers(0, 3, 1000)
    b = np.where(rng.random(1000) < 0.9, a, 1 - a)
    table = qnml.read_table({"a": a, "b": b, "c": c})
    empty = qnml.fit(table, qnml.Dag.empty(["a", "b", "c"]))
    found = residual_dependence(empty, table)
    assert (found[0].first, found[0].second) == ("a", "b")
    assert found[0].p_value < 1e-50
    assert all(one.p_value > 1e-4 for one in found[1:])
    right = qnml.fit(table, qnml.Dag.from_modelstring("[a][b|a][c]"))
    assert all(one.p_value > 1e-4 for one in residual_dependence(right, table))


def test_weights_count_and_missing_cells_do_not() -> None:
    rows = {"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]}
    weighted = qnml.read_table({**rows, "w": [8, 1, 1, 8]}, weights="w")
    spread = qnml.read_table({name: np.repeat(cells, [8, 1, 1, 8]) for name, cells in rows.items()})
    net = qnml.fit(spread, qnml.Dag.empty(["a", "b"]))
    assert residual_dependence(net, weighted) == residual_dependence(net, spread)
    holed = qnml.read_table({"a": [*rows["a"], None], "b": [*rows["b"], "u"]}, missing="em")
    whole = qnml.read_table(rows)
    assert residual_dependence(net, holed) == residual_dependence(net, whole)
