"""Equivalent networks have equal scores, for every score-equivalent score.

Equivalent networks are joined by reversals of covered arcs (Chickering 1995): arcs a → b where b has exactly
the parents of a, and a. The paper's Theorem 1 and Appendix A.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml._api.scoring import score
from qnml.data import Table
from qnml.graph import Dag, enumerate_class
from qnml.scores import SCORES

EQUIVALENT = sorted(name for name, entry in SCORES.items() if entry.is_set_function)
NOT_EQUIVALENT = sorted(name for name, entry in SCORES.items() if not entry.is_equivalent)
VARIANTS = [(name, {}) for name in EQUIVALENT] + [
    ("bdeu", {"ess": 0.01}),
    ("bdeu", {"ess": 100}),
    ("bdq", {"alpha": 3}),
    ("bdq", {"alpha": "watanabe-roos"}),
    ("ebic", {"gamma": 2}),
]


def covered(dag: Dag) -> list[tuple[str, str]]:
    return [(a, b) for a, b in dag.arcs if set(dag.parents(b)) == {*dag.parents(a), a}]


@st.composite
def dags(draw, names: tuple[str, ...]) -> Dag:
    order = draw(st.permutations(names))
    arcs = [(a, b) for i, b in enumerate(order) for a in order[:i] if draw(st.booleans())]
    return Dag.from_arcs(names, arcs)


@st.composite
def tables(draw, most_cells: int = 10**6) -> Table:
    """Tables of 2 to 6 columns whose levels multiply to at most `most_cells`."""
    arities: list[int] = []
    for _ in range(draw(st.integers(2, 6))):
        room = most_cells // math.prod(arities)
        arities.append(draw(st.one_of(st.integers(1, min(4, room)), st.integers(1, min(room, 60_000)))))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([1, 3, 10, 50, 300]))
    common = generator.integers(0, 4, n_rows)
    # Columns share a source, so that they are dependent.
    columns = [
        np.where(generator.random(n_rows) < 0.5, common % arity, generator.integers(0, arity, n_rows))
        for arity in arities
    ]
    weights = generator.integers(1, 10**6, n_rows) if draw(st.booleans()) else None
    return Table.from_codes(columns, levels=arities, weights=weights)


def assert_equal_scores(table: Table, first: Dag, second: Dag) -> None:
    for name, parameters in VARIANTS:
        if name == "bdq" and parameters.get("alpha") == "watanabe-roos" and table.total < 3:
            continue
        one, other = (score(table, dag, name, n_jobs=1, **parameters) for dag in (first, second))
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), (name, parameters)


@given(st.data())
def test_reversals_of_covered_arcs(data) -> None:
    table = data.draw(tables())
    first = data.draw(dags(table.names))
    dag = first
    for _ in range(data.draw(st.integers(1, 12))):
        reversible = covered(dag)
        if not reversible:
            break
        dag = dag.reverse_arc(*data.draw(st.sampled_from(reversible)))
    assert_equal_scores(table, first, dag)


def test_products_of_levels_beyond_every_number() -> None:
    generator = np.random.default_rng(0)
    arities = [60_000, 60_000, 3, 60_000, 60_000, 7]
    columns = [generator.integers(0, arity, 100) for arity in arities]
    table = Table.from_codes(columns, levels=arities)
    order = list(table.names)
    complete = [
        Dag.from_parents({name: turned[:i] for i, name in enumerate(turned)})
        for turned in (order, order[::-1], generator.permutation(order).tolist())
    ]
    assert_equal_scores(table, complete[0], complete[1])
    assert_equal_scores(table, complete[0], complete[2])


def test_a_whole_class() -> None:
    generator = np.random.default_rng(1)
    table = Table.from_codes(generator.integers(0, 3, (200, 5)), names=list("abcde"))
    dag = Dag.from_modelstring("[a][b|a][c|a:b][d|c][e|c:d]")
    members = list(enumerate_class(dag))
    assert len(members) > 10
    for name in EQUIVALENT:
        values = [score(table, member, name) for member in members]
        assert max(values) - min(values) < 1e-10 * abs(values[0])


@pytest.mark.parametrize("n_rows", [1, 2, 4])
def test_true_nml(n_rows: int) -> None:
    generator = np.random.default_rng(n_rows)
    table = Table.from_codes(generator.integers(0, (2, 3, 2), (n_rows, 3)), names=list("abc"), levels=[2, 3, 2])
    for first, second in (("[a][b|a][c|b]", "[a|b][b|c][c]"), ("[a][b|a][c|a:b]", "[a|b:c][b|c][c]")):
        one, other = (score(table, Dag.from_modelstring(text), "nml") for text in (first, second))
        assert one == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize("name", NOT_EQUIVALENT)
def test_scores_not_flagged_have_a_counterexample(name: str) -> None:
    table = Table.from_codes([[0, 0, 0, 1, 1, 0], [0, 1, 2, 2, 2, 0]], names=list("ab"), levels=[2, 4])
    forth, back = (Dag.from_arcs(["a", "b"], [arc]) for arc in (("a", "b"), ("b", "a")))
    assert forth.is_equivalent(back)
    assert abs(score(table, forth, name) - score(table, back, name)) > 0.05


def test_networks_that_are_not_equivalent_differ() -> None:
    # Negative control: reversing an arc that is not covered changes the score.
    generator = np.random.default_rng(2)
    table = Table.from_codes(generator.integers(0, 2, (100, 3)), names=list("abc"))
    chain, collider = (Dag.from_modelstring(text) for text in ("[a][b|a][c|b]", "[a][c][b|a:c]"))
    for name in EQUIVALENT:
        assert abs(score(table, chain, name) - score(table, collider, name)) > 1e-3
