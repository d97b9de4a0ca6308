"""scikit-learn's test suite for estimators, including the checks that are off by default."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from qnml.errors import DataError
from qnml.sklearn import BayesNet, BayesNetClassifier, MarkovBlanketSelector

# The checks fit noise, and thirty different numbers in twenty rows; they are told so, and it is not what they check.
pytestmark = pytest.mark.filterwarnings(
    "ignore::qnml.errors.OverfullWarning", "ignore:No features were selected:UserWarning"
)

ESTIMATORS = [BayesNet(), BayesNetClassifier(), MarkovBlanketSelector()]

_REAL_VALUES = (
    "feeds real values in [0, 1) without rounding them, though the tags say that input is categorical; we refuse real "
    "values and point to the Discretizer. The same is tested below with whole numbers."
)
_OF_ALL = {
    "check_sample_weight_equivalence_on_dense_data": _REAL_VALUES,
    # It subtracts the mean of whole numbers, as floats because NaN are allowed.
    "check_positive_only_tag_during_fit": _REAL_VALUES,
}
EXPECTED_FAILURES = {
    BayesNet: _OF_ALL,
    BayesNetClassifier: {**_OF_ALL, "check_classifiers_one_label_sample_weights": _REAL_VALUES},
    MarkovBlanketSelector: _OF_ALL,
}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator)])
def test_check_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_the_expected_failures_are_refusals_of_real_values(estimator: Any) -> None:
    X = np.random.default_rng(1).random((15, 4))
    with pytest.raises(DataError, match=r"^\w+\.fit: .*real values.*prepare='auto' bins them. Or bin them first"):
        clone(estimator).fit(X, np.arange(15) % 3)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_negative_whole_numbers_are_categories(estimator: Any) -> None:
    """The property of check_positive_only_tag_during_fit, with categories."""
    X = np.random.default_rng(1).integers(0, 3, (30, 4))
    y = (X[:, 0] > 1).astype(int)
    assert clone(estimator).fit(X - 5.0, y).dag_ == clone(estimator).fit(X, y).dag_


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_weighted_rows_are_repeated_rows(estimator: Any) -> None:
    """The property of check_sample_weight_equivalence_on_dense_data, with categories."""
    generator = np.random.default_rng(42)
    X = generator.integers(0, 3, (40, 5))
    X[:, 1] = np.where(generator.random(40) < 0.8, X[:, 0], X[:, 1])
    y = (X[:, 0] + X[:, 2]) % 3
    X[7, 3] = 9  # a level seen in a row of weight 0 only
    weights = generator.integers(0, 5, 40)
    weights[7] = 0
    shuffled = generator.permutation(40)
    weighted = clone(estimator).fit(X[shuffled], y[shuffled], sample_weight=weights[shuffled])
    repeated = clone(estimator).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted.dag_ == repeated.dag_
    assert weighted.certificate_.score == pytest.approx(repeated.certificate_.score, rel=1e-12)
    for method in ("score_samples", "predict_proba", "predict", "transform"):
        if hasattr(estimator, method):
            np.testing.assert_allclose(getattr(weighted, method)(X), getattr(repeated, method)(X), rtol=1e-12)
    unweighted = clone(estimator).fit(X, y)
    assert unweighted.certificate_.score != pytest.approx(repeated.certificate_.score)


def test_classes_of_weight_zero_are_absent() -> None:
    """The property of check_classifiers_one_label_sample_weights, with categories."""
    generator = np.random.default_rng(3)
    X, y = generator.integers(0, 3, (20, 4)), np.arange(20) % 2
    model = BayesNetClassifier().fit(X, y, sample_weight=y)
    assert model.classes_.tolist() == [1]
    np.testing.assert_array_equal(model.predict(X), np.ones(20))
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((20, 1)))


def _names_checks() -> list[tuple[Any, str]]:
    checks = [(estimator, "check_dataframe_column_names_consistency") for estimator in ESTIMATORS]
    for check in (
        "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas",
        "check_get_feature_names_out_error",
        # The two for pandas rebuild a frame from the default output, which they take for an array; ours is a frame.
        "check_set_output_transform",
        "check_set_output_transform_polars",
        "check_global_set_output_transform_polars",
    ):
        checks.append((ESTIMATORS[2], check))
    return [*checks, *((estimator, "check_inplace_ensure_writeable") for estimator in ESTIMATORS)]


@pytest.mark.parametrize(
    ("estimator", "check"), _names_checks(), ids=lambda value: value if isinstance(value, str) else type(value).__name__
)
def test_checks_that_run_only_on_request(estimator: Any, check: str) -> None:
    """scikit-learn applies these to its own estimators; some fit a frame and predict from an array."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X (does not have valid|has) feature names, but MarkovBlanketSelector")
        getattr(estimator_checks, check)(type(estimator).__name__, clone(estimator))
