"""Every method through `posterior`, on tables small enough for enumeration."""

from __future__ import annotations

import json

import numpy as np
import pytest
from reference.structure_problems import five_columns

import qnml
from qnml import Knowledge, Table


@pytest.fixture(scope="module")
def table() -> Table:
    return five_columns()


KNOWN = Knowledge(required=[("a", "c")], forbidden=[("b", "c")], max_parents={"d": 1})


@pytest.mark.parametrize("knowledge", [None, KNOWN], ids=["free", "known"])
@pytest.mark.parametrize("prior", ["uniform", "sparse"])
@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bds"])
def test_exact_sums_are_those_of_all_structures(score, prior, knowledge, table):
    options = {"prior": prior, "knowledge": knowledge, "guard": "cap"}
    every, summed = (qnml.posterior(table, score, method, **options) for method in ("enumerate", "exact"))
    for name in ("edges", "adjacencies", "ancestors"):
        assert np.allclose(getattr(summed, name), getattr(every, name), rtol=0, atol=1e-10)
    assert summed.log_total == pytest.approx(every.log_total, abs=1e-8)
    assert summed.standard_errors is None
    for variable in table.names:
        truth = dict(every.parent_sets(variable))
        found = dict(summed.parent_sets(variable))
        assert all(abs(truth[parents] - share) < 1e-10 for parents, share in found.items())
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-9)
    best, expected = summed.top_dags(3), every.top_dags(3)
    assert [one.probability for one in best] == pytest.approx([one.probability for one in expected], abs=1e-9)
    if prior == "uniform":
        assert summed.ranking_is_proven("dags", 3)
    classes, expected = summed.top_classes(4), every.top_classes(4)
    assert [one.probability for one in classes] == pytest.approx([one.probability for one in expected], abs=1e-9)
    assert every.ranking_is_proven("classes", 4)


def test_averages_over_draws_stay_within_their_errors(table):
    every = qnml.posterior(table, "bdeu")
    truth, forced = every.predict_log_prob(table), every.effect("e", "d")
    for method in ("exact", "mcmc"):
        drawn = qnml.posterior(table, "bdeu", method, samples=2000, seed=4)
        values, errors = drawn.predict_log_prob(table, errors=True)
        if method == "mcmc":
            assert np.all(np.abs(values - truth) <= 5 * errors)
            assert 0 < errors.max() < 0.1
        effect = drawn.effect("e", "d")
        assert np.all(np.abs(effect.values - forced.values) <= 5 * effect.standard_errors)


@pytest.mark.parametrize("knowledge", [None, KNOWN], ids=["free", "known"])
@pytest.mark.parametrize("prior", ["uniform", "sparse"])
@pytest.mark.parametrize(("score", "rule"), [("bdeu", None), ("qnml", None), ("bds", "laplace"), ("bdeu", "ml")])
def test_predictions_of_exact_sums_are_averages_over_all_structures(score, rule, prior, knowledge, table):
    """Without draws: compared with the sum over every DAG; also for rows of probability zero."""
    options = {"prior": prior, "knowledge": knowledge, "guard": "off"}
    every, summed = (qnml.posterior(table, score, method, **options) for method in ("enumerate", "exact"))
    rows = Table.from_codes([np.arange(6) % a for a in table.arities], names=table.names, levels=table.levels)
    values, errors = summed.predict_log_prob(rows, parameters=rule, errors=True)
    assert not errors.any()
    assert values == pytest.approx(every.predict_log_prob(rows, parameters=rule), abs=1e-9)


def test_predictions_under_the_order_prior(table):
    """The probabilities of all cells sum to one."""
    found = qnml.posterior(table, "bdeu", prior="order", samples=4000, seed=1)
    cells = Table.from_codes(list(np.indices(table.arities).reshape(5, -1)), names=table.names, levels=table.levels)
    values = found.predict_log_prob(cells)
    assert np.exp(values).sum() == pytest.approx(1.0, abs=1e-9)
    # Compared with draws, whose error is at most the square root of the cell's share over their number.
    dags = found.sample_dags(4000, seed=2)
    single = {dag: qnml.fit(table, dag, "bpp").log_prob(cells) for dag in set(dags)}
    drawn = np.mean([np.exp(single[dag]) for dag in dags], axis=0)
    assert np.abs(drawn - np.exp(values)).max() < 5 * np.sqrt(np.exp(values).max() / 4000)
    uniform = qnml.posterior(table, "bdeu").predict_log_prob(cells)
    assert np.abs(uniform - values).max() > 1e-3


def test_chains_agree_within_their_errors_and_go_on(table):
    every = qnml.posterior(table, "bdeu")
    first = qnml.posterior(table, "bdeu", "mcmc", samples=2000, seed=2)
    later = qnml.posterior(table, "bdeu", "mcmc", samples=2000, seed=2, state=json.loads(json.dumps(first.state)))
    for chains in (first, later):
        for name in ("edges", "adjacencies", "ancestors"):
            errors = getattr(chains.standard_errors, name)
            off = np.abs(getattr(chains, name) - getattr(every, name))
            assert np.all(off <= 5 * errors)
            # Negative control: the errors do not cover everything.
            assert not np.all(off + 0.2 * (1 - np.eye(5)) <= 5 * errors)
        assert "forward_error" in chains.to_frame().columns
        assert "standard errors" in chains.sentence()
    assert first.sample_dags(50) != later.sample_dags(50)


def test_the_order_of_columns_does_not_matter(table):
    mixed = table.select(["c", "e", "a", "d", "b"])
    for method, prior in (("exact", "uniform"), ("exact", "order"), ("mcmc", "uniform")):
        one, other = (qnml.posterior(data, "bdeu", method, prior=prior, samples=400) for data in (table, mixed))
        assert dict(one.edge_probabilities) == dict(other.edge_probabilities)
        assert one.sample_dags(20, seed=3) == other.sample_dags(20, seed=3)


def test_the_order_prior_is_another_one_and_says_so(table):
    by_order = qnml.posterior(table, "bdeu", prior="order", samples=500)
    uniform = qnml.posterior(table, "bdeu")
    assert by_order.method == "exact"
    assert "orders of the variables" in by_order.sentence()
    assert np.abs(by_order.edges - uniform.edges).max() > 0.01
    # Paths and whole structures are drawn.
    assert by_order.standard_errors.ancestors.max() > 0
    assert sum(one.probability for one in by_order.top_dags(10_000)) == pytest.approx(1.0)


def test_auto(table):
    more = Table.from_codes([*table.columns, *table.columns[:2]], names=list("abcdefg"))
    assert qnml.posterior(more, guard="off").method == "exact"
    # No sum finishes in time; chains draw a few DAGs and warn that they are few.
    with pytest.warns(UserWarning, match="There are only 16 draws"):
        assert qnml.posterior(more, guard="off", time_limit=0.0, samples=100).method == "mcmc"
