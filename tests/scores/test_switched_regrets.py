"""Approximate regrets as in the paper's experiments: scores against plain counting, and what they give up."""

import math
from collections import Counter

import numpy as np
import pytest

import qnml
from qnml import Dag, Table, regret
from qnml.errors import InputError, QnmlError
from qnml.graph import all_dags


def plain_local(table, child, parents, score, method):
    """The definition, with counts in dictionaries."""
    columns = [column.tolist() for column in table.columns]
    rows = list(zip(*columns, strict=True))
    cells = Counter((tuple(row[p] for p in parents), row[child]) for row in rows)
    configs = Counter(tuple(row[p] for p in parents) for row in rows)
    fit = sum(n * math.log(n) for n in cells.values()) - sum(n * math.log(n) for n in configs.values())
    r, q = table.arities[child], math.prod(table.arities[p] for p in parents)
    if score == "qnml":
        how = method if q * r >= 100 else "exact"
        return fit - regret(len(rows), q * r, how) + regret(len(rows), q, how)
    return fit - sum(regret(n, r, method if n > 2000 else "exact") for n in configs.values())


def random_table(levels, n_rows, seed=1):
    rng = np.random.default_rng(seed)
    return Table.from_codes([rng.integers(r, size=n_rows) for r in levels], levels=list(levels))


@pytest.mark.parametrize("method", ["szpankowski", "szpankowski-weinberger"])
@pytest.mark.parametrize("score", ["qnml", "fnml"])
@pytest.mark.parametrize("n_rows", [60, 7000])
def test_a_score_is_that_of_plain_counts(score, method, n_rows):
    table = random_table((4, 5, 6, 3), n_rows)
    dag = Dag(table.names, [("X1", "X2"), ("X1", "X3"), ("X2", "X3"), ("X3", "X4")])
    expected = sum(
        plain_local(table, i, [dag.index(p) for p in dag.parents(name)], score, method)
        for i, name in enumerate(dag.names)
    )
    assert qnml.score(table, dag, score, regret=method) == pytest.approx(expected, rel=1e-12)
    differs = score == "qnml" or n_rows > 2000
    assert (qnml.score(table, dag, score, regret=method) != qnml.score(table, dag, score)) == differs
    assert qnml.score(table, dag, score, regret="exact") == qnml.score(table, dag, score)


@pytest.mark.parametrize("method", ["szpankowski", "szpankowski-weinberger"])
@pytest.mark.parametrize("score", ["qnml", "fnml"])
def test_exact_search_finds_the_best_of_all_networks(score, method):
    table = random_table((3, 6, 7, 4), 30, seed=4)
    result = qnml.learn(table, score, regret=method, guard="off", method="exact")
    best = max(qnml.score(table, dag, score, regret=method) for dag in all_dags(table.names))
    assert result.certificate.optimal
    assert result.score == pytest.approx(best, abs=1e-9)
    assert result.score_name == f"{score}(regret={method})"
    # The explanation is of the same score.
    assert result.explanation.score == pytest.approx(result.score, abs=1e-9)


def test_equivalent_networks_differ_where_formulas_switch():
    table = random_table((30, 4, 2), 80)
    forward = Dag(table.names, [("X1", "X2"), ("X2", "X3"), ("X1", "X3")])
    backward = Dag(table.names, [("X3", "X2"), ("X2", "X1"), ("X3", "X1")])
    assert qnml.score(table, forward) == pytest.approx(qnml.score(table, backward), abs=1e-9)
    apart = [qnml.score(table, dag, regret="szpankowski-weinberger") for dag in (forward, backward)]
    assert abs(apart[0] - apart[1]) > 1e-3


def test_small_tables_have_exact_regrets_throughout():
    table = random_table((3, 3, 3), 50)
    for score in ("qnml", "fnml"):
        exact, switched = (qnml.learn(table, score, guard="off", regret=how) for how in ("exact", "szpankowski"))
        assert switched.score == pytest.approx(exact.score, abs=1e-9)
    assert qnml.learn(table).score_name == "qnml"


def test_other_words_are_refused():
    table = random_table((2, 2), 10)
    with pytest.raises(QnmlError, match="one of exact, szpankowski, szpankowski-weinberger"):
        qnml.learn(table, regret="rissanen")
    with pytest.raises(InputError, match="score 'bic' takes no parameter 'regret'; 'qnml' and 'fnml' do"):
        qnml.learn(table, "bic", regret="exact")
