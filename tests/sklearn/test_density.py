"""`BayesNet`: the density against products of tables by hand, the same answer from every container, sampling."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError

import qnml
from qnml.errors import DataError, InputError, UnknownNameError
from qnml.sklearn import BayesNet

if TYPE_CHECKING:
    from collections.abc import Mapping


def _log_probability(net: qnml.Network, row: Mapping[str, Any]) -> float:
    """The definition, one look-up at a time."""
    total = 0.0
    for name in net.names:
        place = tuple(net.levels[member].index(row[member]) for member in (*net.dag.parents(name), name))
        total += math.log(net.table(name)[place])
    return total


def test_the_structure_and_parameters_are_those_of_the_front_doors(frame: pl.DataFrame) -> None:
    model = BayesNet("bic", parameters="laplace", max_parents=1).fit(frame)
    result = qnml.learn(frame, "bic", max_parents=1)
    assert model.dag_ == result.dag
    assert model.cpdag_ == result.cpdag
    assert model.certificate_.optimal
    assert model.certificate_.score == result.score
    assert model.network_ == result.fit("laplace")
    assert model.result_.score_name == result.score_name
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == frame.columns


def test_the_prior_is_that_of_the_search(frame: pl.DataFrame) -> None:
    for prior in ("auto", "uniform", "sparse"):
        model = BayesNet(prior=prior).fit(frame)
        result = qnml.learn(frame, prior=prior)
        assert model.result_.prior == result.prior == ("sparse" if prior == "sparse" else "uniform")
        assert model.certificate_.score == result.objective


def test_rows_of_the_adjacency_matrix_are_parents(frame: pl.DataFrame) -> None:
    model = BayesNet(knowledge=qnml.Knowledge(required=[("coin", "shade")])).fit(frame)
    assert model.adjacency_matrix_[0, 1] == 1
    assert model.adjacency_matrix_[1, 0] == 0
    assert model.adjacency_matrix_.sum() == model.dag_.n_arcs


def test_score_samples_is_the_product_of_the_tables(frame: pl.DataFrame) -> None:
    model = BayesNet().fit(frame)
    expected = [_log_probability(model.network_, row) for row in frame.iter_rows(named=True)]
    np.testing.assert_allclose(model.score_samples(frame), expected, rtol=1e-12)
    assert model.score(frame) == pytest.approx(sum(expected) / len(expected), rel=1e-12)


def test_the_density_sums_to_one(frame: pl.DataFrame) -> None:
    model = BayesNet().fit(frame)
    domain = pl.DataFrame(list(itertools.product(*model.network_.levels.values())), frame.columns, orient="row")
    assert np.exp(model.score_samples(domain)).sum() == pytest.approx(1.0, abs=1e-12)


def _containers(frame: pl.DataFrame) -> dict[str, Any]:
    pandas = pd.DataFrame({name: frame[name].to_list() for name in frame.columns})
    return {
        "pandas": pandas,
        "categories": pandas.astype("category"),
        "arrow": frame.to_arrow(),
        "lazy": frame.lazy(),
        "objects": pandas.to_numpy(dtype=object),
        "lists": pandas.to_numpy(dtype=object).tolist(),
    }


@pytest.mark.parametrize("kind", ["pandas", "categories", "arrow", "lazy", "objects", "lists"])
def test_every_container_gives_the_same_answer(frame: pl.DataFrame, kind: str) -> None:
    other = _containers(frame)[kind]
    model, expected = BayesNet().fit(other), BayesNet().fit(frame)
    assert model.adjacency_matrix_.tolist() == expected.adjacency_matrix_.tolist()
    np.testing.assert_array_equal(model.score_samples(other), expected.score_samples(frame))
    assert hasattr(model, "feature_names_in_") == (kind not in ("objects", "lists"))


def test_declared_levels_count(frame: pl.DataFrame) -> None:
    """An Enum with an unobserved level changes the score; the same labels as text do not declare it."""
    shades = ["dark", "middle", "pale", "white"]
    declared = BayesNet().fit(frame.with_columns(pl.col("shade").cast(pl.Enum(shades))))
    assert declared.network_.levels["shade"] == tuple(shades)
    assert declared.certificate_.score < BayesNet().fit(frame).certificate_.score


def test_a_frame_after_an_array_goes_by_position(frame: pl.DataFrame) -> None:
    array = frame.to_numpy()
    expected = BayesNet().fit(frame).score_samples(frame)
    with pytest.warns(UserWarning, match="X has feature names, but BayesNet was fitted without"):
        np.testing.assert_array_equal(BayesNet().fit(array).score_samples(frame), expected)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(BayesNet().fit(frame).score_samples(array), expected)
    with pytest.raises(ValueError, match="feature names should match"):
        BayesNet().fit(frame).score_samples(frame.rename({"coin": "penny"}))


def test_labels_not_seen_count_as_one_of_equal_levels(frame: pl.DataFrame) -> None:
    model = BayesNet(knowledge=qnml.Knowledge(required=[("tree", "shade")], leaves=["coin"])).fit(frame)
    strange = frame[:5].with_columns(pl.lit("green").alias("shade"))
    got = model.score_samples(strange)
    rest = [
        _log_probability(model.network_, row) - _own_term(model.network_, "shade", row)
        for row in frame[:5].iter_rows(named=True)
    ]
    assert not model.dag_.children("shade")
    np.testing.assert_allclose(got, np.array(rest) - math.log(3), rtol=1e-12)
    with pytest.raises(DataError, match=r"green.*Known: 'dark', 'middle', 'pale'"):
        model.set_params(handle_unknown="raise").score_samples(strange)


def _own_term(net: qnml.Network, name: str, row: Mapping[str, Any]) -> float:
    place = tuple(net.levels[member].index(row[member]) for member in (*net.dag.parents(name), name))
    return math.log(net.table(name)[place])


def test_missing_cells_are_estimated_in_fit_and_refused_later(frame: pl.DataFrame) -> None:
    holed = frame.with_columns(pl.when(pl.col("coin") == 1).then(None).otherwise(pl.col("size")).alias("size"))
    model = BayesNet().fit(holed)
    assert model.network_ == qnml.learn(holed, missing="em", n_jobs=1).fit()
    assert model.result_.structural_em.n_missing == holed["size"].null_count()
    with pytest.raises(DataError, match="missing, in 'size'"):
        model.score_samples(holed)
    with pytest.raises(InputError, match=r"BayesNet.scoring_method='bdeu'.: must be one of qnml, bic.*missing"):
        BayesNet("bdeu").fit(holed)


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        (np.full(300, 0.5), "whole numbers.*Row 0 .* has 0.5.*multiply the weights by a common factor"),
        (0.5, "whole numbers"),
        (-np.ones(300), "has -1.0"),
        (np.full(300, np.nan), "has nan"),
        (np.ones(299), r"shape == \(299,\), expected \(300,\)"),
        (["a"] * 300, "Their type is"),
        (np.zeros(300), "all sample weights are zero"),
    ],
)
def test_weights_that_count_no_rows(frame: pl.DataFrame, weights: Any, match: str) -> None:
    with pytest.raises(InputError, match=match):
        BayesNet().fit(frame, sample_weight=weights)


def test_one_weight_for_all_rows(frame: pl.DataFrame) -> None:
    assert BayesNet().fit(frame, sample_weight=2).result_.table.total == 600


def test_settings_are_checked_in_fit(frame: pl.DataFrame) -> None:
    for settings in ({"handle_unknown": "ignore"}, {"scoring_method": "qmnl"}, {"parameters": "mle"}, {"guard": "no"}):
        with pytest.raises(UnknownNameError):
            BayesNet(**settings).fit(frame)
    assert BayesNet(max_parents=np.int64(1)).fit(frame).adjacency_matrix_.sum(axis=0).max() == 1


def test_the_number_of_threads_does_not_matter(frame: pl.DataFrame) -> None:
    one, two, every = (BayesNet(n_jobs=number).fit(frame) for number in (1, 2, -1))
    assert one.network_ == two.network_ == every.network_


def test_nothing_before_fit(frame: pl.DataFrame) -> None:
    for method, argument in (("score_samples", frame), ("score", frame), ("sample", 3)):
        with pytest.raises(NotFittedError):
            getattr(BayesNet(), method)(argument)


def test_drawn_rows_follow_the_network(frame: pl.DataFrame) -> None:
    model = BayesNet(random_state=5).fit(frame)
    drawn = model.sample(20_000)
    assert drawn.columns == frame.columns
    domain = pl.DataFrame(list(itertools.product(*model.network_.levels.values())), frame.columns, orient="row")
    found = dict.fromkeys(domain.iter_rows(), 0)
    for row in drawn.with_columns(pl.col(pl.Enum).cast(pl.String)).iter_rows():
        found[row] += 1
    counts = np.array(list(found.values()))
    expected = np.exp(model.score_samples(domain)) * 20_000
    assert stats.chisquare(counts, expected).pvalue > 1e-4
    # the test must be able to fail: independent columns do not fit these counts
    independent = BayesNet(max_parents=0).fit(frame)
    assert stats.chisquare(counts, np.exp(independent.score_samples(domain)) * 20_000).pvalue < 1e-9


def test_drawn_rows_come_in_the_container_of_fit(frame: pl.DataFrame) -> None:
    containers = _containers(frame)
    for kind, expected in (("pandas", pd.DataFrame), ("objects", np.ndarray), ("arrow", type(frame.to_arrow()))):
        model = BayesNet(random_state=1).fit(containers[kind])
        drawn = model.sample(7)
        assert type(drawn) is expected
        assert len(drawn) == 7
        assert model.score_samples(drawn).shape == (7,)
    numbers = np.random.default_rng(2).integers(0, 3, (50, 2))
    drawn = BayesNet().fit(numbers).sample(4)
    assert (drawn.dtype, drawn.shape) == (np.int64, (4, 2))
    assert BayesNet().fit(numbers > 0).sample(4).dtype == bool
    by_number = BayesNet().fit(pd.DataFrame(numbers)).sample(3)
    assert by_number.columns.tolist() == [0, 1]
    assert by_number.dtypes.tolist() == [np.int64, np.int64]


def test_random_state_decides_what_is_drawn(frame: pl.DataFrame) -> None:
    fixed = BayesNet(random_state=3).fit(frame)
    assert fixed.sample(50).equals(fixed.sample(50))
    going_on = BayesNet(random_state=np.random.RandomState(3)).fit(frame)
    assert not going_on.sample(50).equals(going_on.sample(50))
    fresh = BayesNet().fit(frame)
    assert not fresh.sample(50).equals(fresh.sample(50))
