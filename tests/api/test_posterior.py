"""`posterior`: the paper's appendix, laws of averaging, refused arguments, frames and sentences."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from reference.appendix_d import best_class

import qnml
from qnml import Table
from qnml.errors import InputError, OverfullWarning, TooLargeError, UnknownNameError

ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0)


@pytest.fixture(scope="module")
def iris() -> Table:
    """The four predictors of iris in three bins of equal width, as in Appendix D."""
    whole = qnml.datasets.load("iris")
    return whole.select(whole.names[:4])


@pytest.fixture(scope="module")
def found(iris):
    return qnml.posterior(iris)


def test_appendix_d_the_winner_depends_on_alpha(iris):
    """Appendix D: the posterior of BDq is sensitive to alpha, with one structure per class and equal class priors.

    The paper says that the best structures differ for 0.2, 0.3 and 0.5. On the authors' binned data we find three
    over the range, but the same one for 0.2 and 0.3; no rule for values on the edge of a bin gives another number.
    """
    swept = [qnml.posterior(iris, "bdq", "enumerate", prior="classes", alpha=alpha) for alpha in ALPHAS]
    winners = [one.top_classes(1)[0].graph for one in swept]
    assert len(set(winners)) == 3
    assert winners[1] == winners[2] == winners[3]
    assert len({winners[0], winners[2], winners[4]}) == 3
    for one, alpha in zip(swept, ALPHAS, strict=True):
        assert one.diagnostics == {"dags": 543, "classes": 185}
        best = qnml.learn(iris, "bdq", alpha=alpha, guard="off")
        # With equal class priors, the log weight of a class is the score of any member.
        assert one.top_classes(1)[0].graph == best.cpdag
        assert one.top_classes(1)[0].log_weight == pytest.approx(best.score, abs=1e-9)
    assert all(one.top_classes(1)[0].probability < 0.6 for one in swept)


@pytest.mark.parametrize(
    ("reading", "groups"), [("as defined", [[0.2, 0.3], [0.5]]), ("as programmed", [[0.2], [0.3], [0.5]])]
)
def test_appendix_d_both_readings_in_plain_python(reading, groups, iris):
    """All 543 networks by log-gammas: 0.2 and 0.3 share their best class under BDq's definition, not in its program."""
    columns = [column.tolist() for column in iris.columns]
    winners = {}
    for alpha in (0.2, 0.3, 0.5):
        winners[alpha], lead = best_class(columns, [3] * 4, alpha, reading == "as programmed")
        assert lead > 0.01
    assert [winners[group[0]] for group in groups] == list(dict.fromkeys(winners.values()))
    assert all(winners[alpha] == winners[group[0]] for group in groups for alpha in group)
    if reading == "as defined":
        for alpha, (skeleton, _) in winners.items():
            graph = qnml.posterior(iris, "bdq", "enumerate", prior="classes", alpha=alpha).top_classes(1)[0].graph
            dag = graph.consistent_extension()
            assert {frozenset(map(iris.names.index, arc)) for arc in dag.arcs} == set(skeleton)


def test_appendix_d_averaging_predicts_cells_that_sum_to_one(iris):
    """The predictive distribution of the appendix, over all 81 cells, averaged and by the best structure."""
    cells = Table.from_codes(list(np.indices((3,) * 4).reshape(4, -1)), names=iris.names, levels=iris.levels)
    for alpha in (0.2, 0.5):
        one = qnml.posterior(iris, "bdq", "enumerate", prior="classes", alpha=alpha)
        assert np.exp(one.predict_log_prob(cells)).sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("score", "options"), [("bdeu", {"ess": 1}), ("bdeu", {"ess": 7}), ("k2", {}), ("bdj", {})])
@pytest.mark.parametrize("prior", ["uniform", "sparse", "classes"])
def test_predictions_are_ratios_of_evidence(score, options, prior, iris):
    """For marginal likelihoods, P(row | rows) = P(rows and row) / P(rows): two normalizing sums, no averaging."""
    seen = Table.from_codes([column[:40] for column in iris.columns], names=iris.names, levels=iris.levels)
    before = qnml.posterior(seen, score, prior=prior, **options)
    for place in (41, 77, 140):
        more = [np.append(column[:40], column[place]) for column in iris.columns]
        after = qnml.posterior(
            Table.from_codes(more, names=iris.names, levels=iris.levels), score, prior=prior, **options
        )
        row = Table.from_codes([column[[place]] for column in iris.columns], names=iris.names, levels=iris.levels)
        assert before.predict_log_prob(row)[0] == pytest.approx(after.log_total - before.log_total, abs=1e-8)


def test_averages_by_another_rule(iris, found):
    """A structure with all the weight predicts like its own network."""
    dag = qnml.Dag.from_arcs(iris.names, [(iris.names[2], iris.names[3])])
    known = qnml.Knowledge(required=dag.arcs, max_parents={name: len(dag.parents(name)) for name in iris.names})
    only = qnml.posterior(iris, knowledge=known)
    assert only.diagnostics == {"dags": 1, "classes": 1}
    for rule, options in (("snml", {}), ("bpp", {"ess": 3.0}), ("laplace", {})):
        expected = qnml.fit(iris, dag, rule, **options).log_prob(iris)
        assert np.allclose(only.predict_log_prob(iris, parameters=rule, **options), expected, rtol=1e-12)
    effect = only.effect(iris.names[2], iris.names[3])
    assert effect.path_probability == pytest.approx(1.0)
    label = iris.levels[2][1]
    forced = qnml.fit(iris, dag).query(iris.names[3], do={iris.names[2]: label})
    assert np.allclose(effect[label].values, forced.values)
    nothing = only.effect(iris.names[3], iris.names[2])
    assert nothing.path_probability == 0
    assert np.allclose(nothing.values, nothing.values[0])
    with pytest.raises(UnknownNameError, match="takes no option"):
        only.predict_log_prob(iris, parameters="ml", ess=2.0)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("qnml", "NML weights"),
        ("fnml", "NML weights"),
        ("bdeu", "posterior probabilities"),
        ("k2", "posterior probabilities"),
        ("bdq", "score weights"),
        ("bic", "score weights"),
    ],
)
def test_what_the_weights_are_is_said(score, words, iris):
    found = qnml.posterior(iris, score)
    assert found.weights_are == words
    assert found.sentence().lower().startswith(words.lower())
    assert "543" in found.sentence()
    assert repr(found).startswith("Posterior(4 variables")


def test_frame(found):
    frame = found.to_frame()
    assert frame.columns == ["first", "second", "forward", "backward", "adjacent", "absent"]
    assert len(frame) == 6
    assert frame["adjacent"].to_list() == sorted(frame["adjacent"], reverse=True)
    for row in frame.iter_rows(named=True):
        assert row["forward"] == found.edge_probabilities[row["first"], row["second"]]
        assert row["backward"] == found.edge_probabilities[row["second"], row["first"]]
        assert row["forward"] + row["backward"] + row["absent"] == pytest.approx(1.0)
    assert frame.schema["first"] == pl.String


def test_matrices_cannot_be_changed(found):
    for matrix in (found.edges, found.adjacencies, found.ancestors):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 1] = 0.5
    with pytest.raises(TypeError):
        found.edge_probabilities["a", "b"] = 1.0


def test_independent_coins_are_warned_of_when_families_are_overfull():
    coins = Table.from_codes(list(np.random.default_rng(1).integers(0, 2, (5, 20))), names=list("abcde"))
    with pytest.warns(OverfullWarning, match="posterior: families with more cells than half the 20 rows"):
        loose = qnml.posterior(coins)
    assert qnml.posterior(coins, guard="off").edges.tolist() == loose.edges.tolist()
    assert qnml.posterior(coins, guard="cap").adjacencies.sum() < loose.adjacencies.sum()
    assert qnml.posterior(coins, "bdeu").weights_are == "posterior probabilities"  # and there is nothing to warn about


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"score": "qmnl"}, "Did you mean 'qnml'"),
        ({"score": "nml"}, "decomposable"),
        ({"method": "enumerated"}, r"posterior\(method='enumerated'\): unknown.*Did you mean 'enumerate'"),
        ({"prior": "flat"}, "Known: auto, uniform, sparse, classes, order"),
        ({"guard": "maybe"}, "Known: warn, cap, off"),
        ({"max_parents": -1}, "max_parents=-1"),
        ({"samples": 1}, r"samples=1\): must be a whole number from 2 to"),
        ({"seed": -3}, "seed=-3"),
        ({"time_limit": -1}, "time_limit=-1"),
        ({"memory_limit": 0}, "memory_limit=0"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"ess": 3}, "takes no parameter"),
        ({"state": {}}, "only chains can continue"),
        ({"method": "enumerate", "prior": "order"}, "prior='order'"),
    ],
)
def test_bad_arguments(options, words, iris):
    with pytest.raises(InputError, match=words):
        qnml.posterior(iris, **options)


def test_too_many_variables_are_refused_with_their_number():
    table = qnml.datasets.sample("asia", 50, seed=1)
    with pytest.raises(TooLargeError, match=r"8 variables, 50 rows: 783,702,329,343 DAGs: .* takes at most 6"):
        qnml.posterior(table, method="enumerate")
    wide = Table.from_codes(list(np.zeros((300, 4), dtype=int)), levels=[2] * 300)
    with pytest.raises(TooLargeError, match=r"300 variables, 4 rows: more than 10\^\d+ DAGs"):
        qnml.posterior(wide, method="enumerate")
    with pytest.raises(TooLargeError, match=r"29,281 DAGs, .* MiB of memory"):
        qnml.posterior(qnml.datasets.load("iris"), method="enumerate", memory_limit=1e6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda one: one.top_dags(0), r"Posterior.top_dags\(k=0\)"),
        (lambda one: one.top_classes(True), r"Posterior.top_classes\(k=True\)"),
        (lambda one: one.parent_sets("petal"), "Did you mean"),
        (lambda one: one.sample_dags(3, seed=-1), "seed=-1"),
        (lambda one: one.effect("petal_width", "petal_width"), "another variable"),
        (lambda one: one.effect("petal_width", "wings"), r"target='wings'"),
        (lambda one: one.effect("petal_width", "petal_length")["huge"], r"label='huge'"),
        (lambda one: one.plot("pie"), "Known: graph, heat map"),
        (lambda one: one.plot(threshold=2), "threshold=2"),
    ],
)
def test_bad_questions(call, words, found):
    with pytest.raises(InputError, match=words):
        call(found)


def test_best_networks_are_those_that_learn_finds(iris):
    for score in ("qnml", "bdeu", "bic"):
        found = qnml.posterior(iris, score, guard="off")
        best = qnml.learn(iris, score, guard="off")
        top = found.top_dags(1)[0]
        assert top.log_weight == pytest.approx(best.score, abs=1e-8)
        assert top.graph.to_cpdag() == best.cpdag
        assert math.exp(top.log_weight - found.log_total) == pytest.approx(top.probability, rel=1e-9)


def test_scores_too_far_apart_for_sums_come_with_advice_that_helps():
    """A billion copies of each of four rows: the weights are beyond the range of exact sums, not of the chains."""
    rows = [[0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    table = Table.from_codes(np.array(rows), levels=[2] * 4, weights=np.full(4, 10**9))
    with pytest.raises(InputError, match=r"differ by more than 10\^8 nats\. .*use method='mcmc'"):
        qnml.posterior(table, method="exact")
    found = qnml.posterior(table, method="mcmc", seed=1)
    assert found.edges == pytest.approx(qnml.posterior(table, method="enumerate").edges, abs=0.1)
