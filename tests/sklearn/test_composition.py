"""The estimators inside scikit-learn's machinery: pipelines, cross-validation, grid search, clones, pickles."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import has_fit_parameter

from qnml import Discretizer, Knowledge
from qnml.sklearn import BayesNet, BayesNetClassifier, MarkovBlanketSelector

if TYPE_CHECKING:
    from pathlib import Path

ESTIMATORS = [
    BayesNet("bic", knowledge=Knowledge(forbidden=[("coin", "size")]), random_state=1),
    BayesNetClassifier(parameters="jeffreys", max_parents=2),
    MarkovBlanketSelector(guard="off"),
]


@pytest.mark.parametrize("library", ["numpy", "pandas", "polars"])
def test_real_values_through_a_discretizer(library: str) -> None:
    X, y = load_iris(return_X_y=True)
    given: Any = X
    if library != "numpy":
        named = {name: X[:, place] for place, name in enumerate("abcd")}
        given = pd.DataFrame(named) if library == "pandas" else pl.DataFrame(named)
    model = make_pipeline(Discretizer(), BayesNetClassifier())
    scores = cross_val_score(model, given, y, cv=5)
    assert scores.shape == (5,)
    assert scores.mean() > 0.9
    log_losses = cross_val_score(model, given, y, cv=5, scoring="neg_log_loss")
    assert log_losses.mean() > -0.5 > np.log(1 / 3)


def test_the_selector_in_a_pipeline(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"].to_list()
    ours = make_pipeline(MarkovBlanketSelector(), BayesNetClassifier()).fit(X, y)
    assert ours[-1].feature_names_in_.tolist() == ["shade", "size"]
    theirs = make_pipeline(MarkovBlanketSelector(), OneHotEncoder(), LogisticRegression())
    assert cross_val_score(theirs, X.to_pandas(), y).mean() > 0.7


def test_cross_validated_density(frame: pl.DataFrame) -> None:
    dependent = cross_val_score(BayesNet(), frame)
    independent = cross_val_score(BayesNet(max_parents=0), frame)
    assert dependent.mean() > independent.mean()


def test_a_label_that_only_one_fold_has_seen() -> None:
    generator = np.random.default_rng(0)
    X = pd.DataFrame({"a": generator.choice(["x", "y"], 60), "b": generator.choice(["x", "y"], 60)})
    X.loc[3, "a"] = "rare"
    y = generator.integers(0, 2, 60)
    for estimator in (BayesNet(), BayesNetClassifier()):
        assert np.isfinite(cross_val_score(estimator, X, y, error_score="raise")).all()
    with pytest.raises(ValueError, match="rare"):
        cross_val_score(BayesNetClassifier(handle_unknown="raise"), X, y, error_score="raise")


def test_grid_search(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"].to_list()
    grid = {"scoring_method": ["qnml", "bic"], "max_parents": np.arange(2), "parameters": ["snml", "laplace"]}
    search = GridSearchCV(BayesNetClassifier(), grid, error_score="raise", scoring="neg_log_loss").fit(X, y)
    assert search.best_params_["max_parents"] == 1
    assert search.predict(X[:3]).shape == (3,)
    density = GridSearchCV(BayesNet(), {"max_parents": [0, 1]}, error_score="raise").fit(frame)
    assert density.best_params_ == {"max_parents": 1}


def test_meta_estimators(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree").to_pandas(), frame["tree"].to_list()
    out_of_fold = cross_val_predict(BayesNetClassifier(), X, y, method="predict_proba")
    np.testing.assert_allclose(out_of_fold.sum(axis=1), 1.0)
    codes = X.apply(lambda column: column.astype("category").cat.codes)
    bagged = BaggingClassifier(BayesNetClassifier(), n_estimators=3, random_state=1).fit(codes.to_numpy(), y)
    assert bagged.score(codes.to_numpy(), y) > 0.7


def test_what_scikit_learn_can_ask_about_them() -> None:
    assert is_classifier(BayesNetClassifier())
    for estimator in ESTIMATORS:
        tags = estimator.__sklearn_tags__()
        assert tags.input_tags.categorical
        assert tags.input_tags.string
        assert tags.input_tags.allow_nan
        assert not tags.input_tags.sparse
        assert has_fit_parameter(estimator, "sample_weight")
    assert ESTIMATORS[0].__sklearn_tags__().estimator_type == "density_estimator"
    assert ESTIMATORS[2].__sklearn_tags__().target_tags.required


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_clones_and_pickles(estimator: Any, frame: pl.DataFrame, tmp_path: Path) -> None:
    X, y = frame.drop("tree"), frame["tree"].to_list()
    fitted = clone(estimator).fit(X, y)
    assert {name: repr(value) for name, value in clone(fitted).get_params().items()} == {
        name: repr(value) for name, value in estimator.get_params().items()
    }
    assert not hasattr(clone(fitted), "dag_")
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        assert copy.dag_ == fitted.dag_
        assert copy.certificate_ == fitted.certificate_
        for method in ("score_samples", "predict_proba"):
            if hasattr(fitted, method):
                np.testing.assert_array_equal(getattr(copy, method)(X), getattr(fitted, method)(X))


def test_settings_are_stored_untouched() -> None:
    knowledge, state = Knowledge(), np.random.RandomState(1)
    model = BayesNetClassifier("no such score", knowledge=knowledge, random_state=state, max_parents="many")
    assert model.knowledge is knowledge
    assert model.random_state is state
    assert model.get_params()["max_parents"] == "many"
