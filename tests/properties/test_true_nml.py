"""Where qNML is the true NML: exactly on networks whose connected components are tournaments (Appendix C).

The true NML is a sum over all data sets; `tests/scores/test_whole_network.py` checks that sum one data set at
a time. Both scores share the likelihood, so their difference is the same for all data of a size.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from reference.scores import nml_score

from qnml._api.scoring import score
from qnml.data import Table
from qnml.graph import Dag, all_dags, count_tournament_networks, is_tournament_union

PAPER_SEQUENCE = [1, 1, 3, 13, 73, 501, 4051, 37633, 394353, 4596553]


def random_table(arities: tuple[int, ...], n_rows: int, seed: int = 0) -> Table:
    generator = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(len(arities))]
    return Table.from_codes(generator.integers(0, arities, (n_rows, len(arities))), names=names, levels=arities)


def difference(table: Table, dag: Dag, name: str = "qnml") -> float:
    return score(table, dag, name, n_jobs=1) - score(table, dag, "nml", n_jobs=1)


def partition_formula(n: int) -> int:
    """The paper's a(n): over the partitions of n, n! divided by the factorials of the multiplicities."""

    def partitions(rest: int, largest: int) -> list[list[int]]:
        if rest == 0:
            return [[]]
        return [
            [part, *others] for part in range(min(rest, largest), 0, -1) for others in partitions(rest - part, part)
        ]

    return sum(
        math.factorial(n) // math.prod(math.factorial(times) for times in Counter(parts).values())
        for parts in partitions(n, n)
    )


def test_number_of_such_networks() -> None:
    assert [count_tournament_networks(n) for n in range(10)] == PAPER_SEQUENCE
    assert [partition_formula(n) for n in range(10)] == PAPER_SEQUENCE
    for n in range(5):
        assert sum(map(is_tournament_union, all_dags([f"x{i}" for i in range(n)]))) == PAPER_SEQUENCE[n]


@pytest.mark.parametrize(
    ("arities", "n_rows"),
    [
        ((2, 2), 5),
        ((2, 2, 2), 2),
        ((2, 2, 2), 3),
        ((2, 2, 2), 5),
        ((2, 2, 2), 6),
        ((3, 2, 2), 4),
        ((3, 3), 6),
    ],
)
def test_equal_exactly_on_unions_of_tournaments(arities: tuple[int, ...], n_rows: int) -> None:
    table = random_table(arities, n_rows)
    equal = 0
    for dag in all_dags(table.names):
        apart = abs(difference(table, dag))
        if is_tournament_union(dag):
            assert apart < 1e-11, dag
            equal += 1
        else:
            assert apart > 1e-3, dag
    assert equal == PAPER_SEQUENCE[len(arities)]


@pytest.mark.parametrize("n_rows", [4, 5])
def test_four_binary_variables(n_rows: int) -> None:
    table = random_table((2, 2, 2, 2), n_rows)
    dags = [dag for dag in all_dags(table.names) if is_tournament_union(dag)]
    assert len(dags) == 73
    for dag in dags:
        assert abs(difference(table, dag)) < 1e-11, dag
    for text in ("[x0][x1|x0][x2|x1][x3|x2]", "[x0][x1][x2|x0:x1][x3]", "[x0][x1|x0][x2|x0][x3|x1:x2]"):
        assert abs(difference(table, Dag.from_modelstring(text))) > 1e-3


@pytest.mark.parametrize("text", ["[x0][x1]", "[x0][x1|x0]", "[x0|x1][x1]"])
def test_every_data_set_of_two_coins(text: str) -> None:
    """All 4^3 data sets of three rows, with the true NML summed in plain Python."""
    dag = Dag.from_modelstring(text)
    parents = {dag.index(name): [dag.index(parent) for parent in dag.parents(name)] for name in dag.names}
    for rows in itertools.product(itertools.product((0, 1), repeat=2), repeat=3):
        table = Table.from_codes(np.array(rows), names=["x0", "x1"], levels=[2, 2])
        assert score(table, dag, n_jobs=1) == pytest.approx(nml_score(rows, (2, 2), parents), rel=1e-12)


def test_difference_is_the_same_for_all_data() -> None:
    chain = Dag.from_modelstring("[x0][x1|x0][x2|x1]")
    apart = [difference(random_table((2, 2, 2), 5, seed), chain) for seed in range(8)]
    assert max(apart) - min(apart) < 1e-11
    assert abs(apart[0]) > 1e-3


@pytest.mark.parametrize("n_rows", [2, 4])
def test_fnml_is_the_true_nml_only_without_arcs(n_rows: int) -> None:
    data = [random_table((2, 2, 2), n_rows, seed) for seed in range(6)]
    for dag in all_dags(data[0].names):
        apart = max(abs(difference(table, dag, "fnml")) for table in data)
        if dag.n_arcs:
            assert apart > 1e-3, dag
        else:
            assert apart < 1e-12
