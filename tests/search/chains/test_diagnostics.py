"""Diagnostics of Markov chains: formulas by hand, series with known autocorrelation, and arviz-stats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from arviz_stats.base import array_stats
from scipy.stats import norm, rankdata

from qnml.search.chains.diagnostics import (
    effective_sizes,
    estimate_shares,
    estimate_weighted_shares,
    rank_normalised,
    split_r_hat,
    weights_size,
)
from qnml.search.posterior.dag_draws import share_errors


def autoregressive(correlation, chains, draws, seed):
    """Normal draws of variance one with correlation^k at lag k."""
    generator = np.random.default_rng(seed)
    series = np.empty((chains, draws, 1))
    series[:, 0, 0] = generator.normal(size=chains)
    for step in range(1, draws):
        noise = generator.normal(size=chains) * math.sqrt(1 - correlation**2)
        series[:, step, 0] = correlation * series[:, step - 1, 0] + noise
    return series


def test_r_hat_by_hand():
    """Two chains of four draws make four halves of two: means 1, 3, 2, 6, variances 2, 2, 0, 8."""
    series = np.array([[0.0, 2.0, 2.0, 4.0], [2.0, 2.0, 4.0, 8.0]])[:, :, None]
    between = np.var([1.0, 3.0, 2.0, 6.0], ddof=1)
    assert split_r_hat(series)[0] == pytest.approx(math.sqrt(1 / 2 + between / 3.0))


def test_r_hat_sees_a_drift_that_all_chains_share():
    drift = np.tile(np.linspace(0, 1, 100)[None, :, None], (4, 1, 1))
    assert split_r_hat(drift)[0] > 1.5
    assert split_r_hat(autoregressive(0.0, 4, 1000, seed=1))[0] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.5, 0.9])
def test_effective_sizes_of_autoregressive_series(correlation):
    """N (1 - rho) / (1 + rho) for correlations rho^k."""
    found = effective_sizes(autoregressive(correlation, 8, 10_000, seed=2))[0]
    assert found == pytest.approx(80_000 * (1 - correlation) / (1 + correlation), rel=0.15)


def indicator(correlation):
    """An arc that is present in about a third of the draws."""
    return (autoregressive(correlation, 4, 1000, seed=6) > 0.5).astype(float)


@pytest.mark.parametrize(
    "series", [*(autoregressive(rho, 4, 1000, seed=5) for rho in (-0.3, 0.0, 0.9)), indicator(0.0), indicator(0.7)]
)
def test_diagnostics_agree_with_arviz(series):
    """R-hat to the last digits; effective sizes to 1 %, since the sums of autocorrelations end at other lags."""
    one = series[:, :, 0]
    assert split_r_hat(series)[0] == pytest.approx(array_stats.rhat(one, method="split"), rel=1e-12)
    of_ranks = split_r_hat(rank_normalised(series))[0]
    assert of_ranks == pytest.approx(array_stats.rhat(one, method="z_scale"), rel=1e-9)
    assert effective_sizes(series)[0] == pytest.approx(array_stats.ess(one, method="mean"), rel=0.01)


def test_chains_apart_are_worth_few_draws():
    apart = autoregressive(0.0, 4, 1000, seed=3) + np.array([0.0, 0.0, 0.0, 20.0])[:, None, None]
    assert effective_sizes(apart)[0] < 20
    assert split_r_hat(apart)[0] > 5


def test_normal_scores_are_those_of_scipy():
    series = np.round(autoregressive(0.3, 3, 50, seed=4), 1)
    expected = norm.ppf((rankdata(series.reshape(-1)) - 0.375) / (series.size + 0.25))
    assert np.allclose(rank_normalised(series).reshape(-1), expected, atol=1e-12)


def test_ranks_change_nothing_for_two_values():
    series = (autoregressive(0.6, 4, 300, seed=5) > 0.7).astype(float)
    assert split_r_hat(rank_normalised(series)) == pytest.approx(split_r_hat(series))
    assert effective_sizes(rank_normalised(series)) == pytest.approx(effective_sizes(series))


def test_standard_errors_are_the_spread_of_repeated_estimates():
    shares = [(autoregressive(0.7, 4, 400, seed) > 1.0).astype(float).mean() for seed in range(150)]
    told = [
        estimate_shares((autoregressive(0.7, 4, 400, seed) > 1.0).astype(float)).standard_errors[0]
        for seed in range(0, 150, 10)
    ]
    assert np.mean(told) == pytest.approx(np.std(shares), rel=0.2)


def test_what_never_changed_has_an_error_but_no_r_hat():
    moving = (autoregressive(0.0, 4, 500, seed=6) > 0).astype(float)
    series = np.concatenate([moving, np.zeros_like(moving), np.ones_like(moving)], axis=2)
    found = estimate_shares(series)
    assert np.isnan(found.r_hat).tolist() == [False, True, True]
    size = np.minimum(found.effective_sizes[:1], 2000)
    assert found.standard_errors[1] == pytest.approx(share_errors(np.array([0.0]), size)[0])
    assert found.standard_errors[1] == pytest.approx(found.standard_errors[2])
    assert 0 < found.standard_errors[1] < 0.002
    alone = estimate_shares(np.zeros((4, 500, 1)))
    assert alone.standard_errors[0] == pytest.approx(math.sqrt(1 / 2002 * (2001 / 2002) / 2000))


def test_equal_weights_change_nothing():
    series = np.random.default_rng(2).random((4, 500, 3)) < [0.0, 0.2, 0.7]
    plain, weighted = (
        estimate_shares(series.astype(float)),
        estimate_weighted_shares(series.astype(float), np.full((4, 500), 3.0)),
    )
    assert np.array_equal(plain.values, weighted.values)
    assert np.all(weighted.standard_errors >= plain.standard_errors * (1 - 1e-9))
    assert weighted.standard_errors == pytest.approx(plain.standard_errors, rel=0.1)
    assert weights_size(np.full(7, 3.0)) == pytest.approx(7.0)


def test_errors_of_weighted_shares_fit_how_these_vary():
    """Draws of two kinds, the second with ten times the weight: the standard deviation of shares over samples."""
    random = np.random.default_rng(3)
    values, errors = [], []
    for _ in range(300):
        heavy = random.random((4, 250)) < 0.1
        ones = random.random((4, 250)) < np.where(heavy, 0.7, 0.2)
        found = estimate_weighted_shares(ones[:, :, None].astype(float), np.where(heavy, 10.0, 1.0))
        values.append(found.values[0])
        errors.append(found.standard_errors[0])
    truth = (0.9 * 0.2 + 0.1 * 10 * 0.7) / (0.9 + 0.1 * 10)
    assert np.mean(values) == pytest.approx(truth, abs=5 * np.std(values) / np.sqrt(300))
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)
    # Negative control: 1000 draws of equal weight would have a smaller error by half.
    assert np.mean(errors) > 1.4 * np.sqrt(truth * (1 - truth) / 1000)
