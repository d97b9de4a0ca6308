"""`BayesNetClassifier`: probabilities against enumeration and naive Bayes, classes of every kind."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB

from qnml import Knowledge
from qnml.errors import DataError, UnknownNameError
from qnml.sklearn import BayesNetClassifier

if TYPE_CHECKING:
    from qnml import Network


def _joint(net: Network, row: dict[str, Any]) -> float:
    places = {name: net.levels[name].index(label) for name, label in row.items()}
    return math.prod(
        float(net.table(name)[tuple(places[member] for member in (*net.dag.parents(name), name))]) for name in net.names
    )


@pytest.mark.parametrize("parameters", ["snml", "bpp", "laplace", "jeffreys"])
def test_probabilities_are_those_of_the_joint(frame: pl.DataFrame, parameters: str) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    model = BayesNetClassifier(parameters=parameters).fit(X, y)
    got = model.predict_proba(X)
    for row, probabilities in zip(X[:40].iter_rows(named=True), got, strict=False):
        joint = np.array([_joint(model.network_, {**row, "tree": label}) for label in model.classes_])
        np.testing.assert_allclose(probabilities, joint / joint.sum(), rtol=1e-12)
    np.testing.assert_allclose(got.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(model.predict_log_proba(X), np.log(got))
    np.testing.assert_array_equal(model.predict(X), model.classes_[got.argmax(axis=1)])


def test_given_the_arcs_of_naive_bayes_it_is_naive_bayes() -> None:
    """Balanced classes, because scikit-learn does not smooth their probabilities and we do."""
    generator = np.random.default_rng(11)
    y = np.arange(240) % 3
    X = np.column_stack([(y * generator.integers(0, 2, 240) + generator.integers(0, 2, 240)) % 4 for _ in range(5)])
    star = Knowledge(required=[("y", f"X{place}") for place in range(1, 6)], max_parents=1)
    ours = BayesNetClassifier(parameters="laplace", knowledge=star).fit(X, y)
    theirs = CategoricalNB(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-10)


def test_only_the_blanket_is_looked_at(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    model = BayesNetClassifier().fit(X, y)
    assert model.target_name_ == "tree"
    assert model.blanket_ == ("shade", "size")
    flipped = X.with_columns((1 - pl.col("coin")).alias("coin"))
    np.testing.assert_array_equal(model.predict_proba(flipped), model.predict_proba(X))
    assert model.score(X, y) > 0.7


@pytest.mark.parametrize("labels", [["ash", "birch", "cedar"], [-1, 0, 7], [1.0, 2.0, 3.0]])
def test_classes_of_every_kind(frame: pl.DataFrame, labels: list[Any]) -> None:
    X = frame.drop("tree")
    codes = frame["tree"].cast(pl.Enum(["ash", "birch", "cedar"])).to_physical().to_numpy()
    expected = BayesNetClassifier().fit(X, codes)
    y = np.array(labels)[codes]
    model = BayesNetClassifier().fit(X, y)
    np.testing.assert_array_equal(model.classes_, labels)
    assert model.classes_.dtype == model.predict(X).dtype == y.dtype
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])


def test_two_classes_as_booleans(frame: pl.DataFrame) -> None:
    y = (frame["size"] == "large").to_numpy()
    model = BayesNetClassifier().fit(frame.drop("size"), y)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(frame.drop("size")).dtype == bool


def test_the_class_of_a_pandas_categorical_or_a_list(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"].to_list()
    expected = BayesNetClassifier().fit(X, y)
    assert expected.target_name_ == "y"
    for other in (
        pd.Series(pd.Categorical(y, ["zelkova", "cedar", "birch", "ash"]), name="wood"),
        pl.Series("wood", y, dtype=pl.Enum(["zelkova", "cedar", "birch", "ash"])),
    ):
        model = BayesNetClassifier().fit(X, other)
        assert model.target_name_ == "wood"
        assert model.classes_.tolist() == ["ash", "birch", "cedar"]
        np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_a_class_named_as_a_column(frame: pl.DataFrame) -> None:
    X = frame.drop("tree").rename({"coin": "tree", "size": "y"})
    assert BayesNetClassifier().fit(X, frame["tree"]).target_name_ == "tree_"
    assert BayesNetClassifier().fit(X, frame["tree"].to_list()).target_name_ == "y_"


def test_labels_not_seen_do_not_crash(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    model = BayesNetClassifier().fit(X, y)
    strange = X[:6].with_columns(pl.lit("green").alias("shade"), pl.lit(99).alias("coin"))
    probabilities = model.predict_proba(strange)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)
    with pytest.raises(DataError, match=r"99|green"):
        model.set_params(handle_unknown="raise").predict(strange)
    with pytest.raises(UnknownNameError, match="handle_unknown"):
        BayesNetClassifier(handle_unknown="crash").fit(X, y)


def test_rows_that_maximum_likelihood_holds_impossible() -> None:
    """Parameters of 0 can make every class impossible; the answer is then the prior of the classes."""
    X = np.array([[0, 0]] * 10 + [[1, 1]] * 30)
    y = np.repeat([0, 1], [10, 30])
    star = Knowledge(required=[("y", "X1"), ("y", "X2")], max_parents=1)
    model = BayesNetClassifier(parameters="ml", knowledge=star).fit(X, y)
    probabilities = model.predict_proba(np.array([[0, 0], [0, 1]]))
    np.testing.assert_allclose(probabilities[0], [1, 0])
    np.testing.assert_allclose(probabilities[1], [0.25, 0.75])
    assert model.predict_log_proba(X)[0].tolist() == [0.0, -np.inf]


@pytest.mark.parametrize(
    ("y", "match"),
    [
        (None, "requires y to be passed"),
        (np.linspace(0, 1, 300), "continuous"),
        ([0, 1], "inconsistent numbers of samples"),
        ([None, *["a"] * 299], "y contains NaN"),
        ([np.nan, *[1.0] * 299], "y contains NaN"),
    ],
)
def test_targets_that_are_no_classes(frame: pl.DataFrame, y: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        BayesNetClassifier().fit(frame, y)


def test_nothing_before_fit(frame: pl.DataFrame) -> None:
    for method in ("predict", "predict_proba", "predict_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(BayesNetClassifier(), method)(frame)


def test_the_class_of_a_tree_augmented_classifier_is_the_parent_of_all_features(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    model = BayesNetClassifier(shape="tan").fit(X, y)
    assert model.dag_.parents("tree") == ()
    assert set(model.blanket_) == set(X.columns)
    assert all(1 <= len(model.dag_.parents(name)) <= 2 for name in X.columns)
    assert model.certificate_.among == "tree-augmented classifiers"
    assert BayesNetClassifier(shape="forest").fit(X, y).certificate_.among == "forests"


@pytest.mark.parametrize("contained", [np.asarray, pd.DataFrame])
def test_missing_cells_in_fit_and_predict(contained: Any) -> None:
    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 300)
    X = np.column_stack([(y + (generator.random(300) < share)) % 2 for share in (0.1, 0.2, 0.3)]).astype(float)
    full = BayesNetClassifier().fit(contained(X), y)
    X[generator.random((300, 3)) < 0.2] = np.nan
    model = BayesNetClassifier().fit(contained(X), y)
    assert model.result_.structural_em.n_missing == np.isnan(X).sum()
    assert model.score(contained(X), y) > 0.8
    assert model.score(contained(X), y) == pytest.approx(full.score(contained(X), y), abs=0.03)
    # A row without cells gets the shares of the classes, also alone.
    empty = np.full((1, 3), np.nan)
    shares = model.network_.query(["y"])
    assert model.predict_proba(contained(empty))[0] == pytest.approx([shares[0], shares[1]])
    with pytest.raises(ValueError, match="infinity"):
        BayesNetClassifier().fit(np.where(np.isnan(X), np.inf, X), y)
