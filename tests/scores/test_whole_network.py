"""The true NML of a whole network, against a sum over every single data set."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from reference.scores import nml_score

from qnml._api.explanation import explain
from qnml._api.scoring import local_score, score
from qnml.data import Table
from qnml.errors import TooLargeError
from qnml.graph import Dag, all_dags
from qnml.scores import network_regret, number_of_tables, regret


def parents_by_index(dag: Dag) -> dict[int, list[int]]:
    return {dag.index(name): [dag.index(p) for p in dag.parents(name)] for name in dag.names}


@pytest.mark.parametrize(
    ("arities", "n_rows"),
    [((2,), 6), ((3, 2), 3), ((2, 2), 5), ((2, 2, 2), 3), ((3, 2, 2), 2), ((1, 3), 4), ((2, 4), 1)],
)
def test_every_network_against_every_data_set(arities: tuple[int, ...], n_rows: int) -> None:
    generator = np.random.default_rng(n_rows)
    rows = generator.integers(0, arities, (n_rows, len(arities)))
    table = Table.from_codes(rows, levels=arities)
    for dag in all_dags(table.names):
        expected = nml_score([tuple(row) for row in rows.tolist()], arities, parents_by_index(dag))
        assert score(table, dag, "nml") == pytest.approx(expected, rel=1e-12), dag


def test_columns_outside_the_network_do_not_matter() -> None:
    table = Table.from_codes([[0, 1, 1], [0, 0, 1], [2, 1, 0]], names=["a", "b", "c"])
    dag = Dag.from_arcs(["b", "a"], [("b", "a")])
    assert score(table, dag, "nml") == pytest.approx(
        nml_score([(0, 0), (1, 0), (1, 1)], (2, 2), {0: [1], 1: []}), rel=1e-13
    )


def test_one_variable_is_the_multinomial_regret() -> None:
    for levels, rows in ((2, 1000), (3, 200), (5, 30), (40, 3), (1, 1000), (2000, 2), (65_536, 1)):
        assert network_regret([levels], [[]], rows) == pytest.approx(regret(rows, levels), rel=1e-12)


def test_many_cells_and_few_rows() -> None:
    # 65,536 joint cells. One row of any kind has maximised likelihood 1.
    assert network_regret([2] * 16, [[] for _ in range(16)], 1) == pytest.approx(16 * math.log(2), rel=1e-13)
    # Without arcs the constant is a product.
    assert network_regret([2] * 11, [[] for _ in range(11)], 2) == pytest.approx(11 * regret(2, 2), rel=1e-12)


def test_no_rows() -> None:
    assert network_regret([2, 3], [[], [0]], 0) == 0


def test_number_of_tables() -> None:
    assert number_of_tables([2, 2], 3) == math.comb(6, 3)
    assert number_of_tables([1, 1], 9) == 1


@pytest.mark.parametrize(("n_columns", "n_rows"), [(3, 1000), (5, 12), (10, 10), (17, 1), (40, 1000)])
def test_refuses_before_the_work(n_columns: int, n_rows: int) -> None:
    table = Table.from_codes(np.zeros((n_rows, n_columns), dtype=int), levels=[2] * n_columns)
    start = time.perf_counter()
    with pytest.raises(TooLargeError, match=rf"{2**n_columns}\^{n_rows} \(about 10\^\d+\) data sets") as caught:
        score(table, Dag.empty(table.names), "nml")
    assert time.perf_counter() - start < 1
    exponent = round(n_rows * n_columns * math.log10(2))
    assert f"about 10^{exponent})" in str(caught.value)


def test_has_no_local_scores() -> None:
    table = Table.from_codes([[0, 1]], names=["a"])
    with pytest.raises(ValueError, match="decomposable"):
        local_score(table, "a", [], "nml")
    with pytest.raises(ValueError, match="decomposable"):
        explain(table, Dag.empty(["a"]), "nml")
