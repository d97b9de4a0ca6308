"""DAGs drawn from a posterior: frequencies against probabilities, with a negative control."""

from __future__ import annotations

import numpy as np
import pytest
from reference.structure_sums import enumerate_posterior
from scipy.stats import chisquare

from qnml.search.posterior.structure_sums import sum_scores
from qnml.search.posterior.sums_forecast import SUMMED_PRIORS

DRAWS = 40_000


def fit_of(draws, slow) -> float:
    """The p-value of the frequencies of all networks, rare ones together."""
    place = {
        tuple(sum(1 << parent for parent in parents) for parents in network): index
        for index, network in enumerate(slow.networks)
    }
    seen = np.bincount([place[masks] for masks in draws], minlength=len(place))
    expected = slow.probabilities * len(draws)
    common = expected > 8
    groups, counts = expected[common], seen[common]
    if not common.all():
        groups, counts = np.append(groups, expected[~common].sum()), np.append(counts, seen[~common].sum())
    return float(chisquare(counts, groups * counts.sum() / groups.sum()).pvalue)


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
@pytest.mark.parametrize("spread", [0.0, 1.0, 4.0])
def test_frequencies_are_probabilities(prior, spread) -> None:
    scores = spread * np.random.default_rng(4).normal(size=(4, 8))
    draws = sum_scores(scores, prior, n_jobs=2).draw(DRAWS, seed=7)
    assert fit_of(draws, enumerate_posterior(scores, prior)) > 1e-4


def test_draws_by_orders_are_not_draws_of_dags_alike() -> None:
    """The negative control: the same test sees the bias of the order prior."""
    scores = np.random.default_rng(4).normal(size=(4, 8))
    by_order = sum_scores(scores, "order").draw(DRAWS, seed=7)
    assert fit_of(by_order, enumerate_posterior(scores, "uniform")) < 1e-12
    assert fit_of(by_order, enumerate_posterior(scores, "order")) > 1e-4


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_only_admitted_families_are_drawn(prior) -> None:
    generator = np.random.default_rng(9)
    scores = 30.0 * generator.normal(size=(6, 32))
    scores[generator.random(scores.shape) < 0.7] = -np.inf
    scores[:, 0] = 0.0
    scores[0, 0] = -np.inf  # variable 0 must have parents
    scores[0, 1] = 0.0
    for masks in set(sum_scores(scores, prior).draw(2000, seed=1)):
        for child, mask in enumerate(masks):
            low = (1 << child) - 1
            assert np.isfinite(scores[child, (mask & low) | (mask >> 1 & ~low)])


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_arcs_and_paths_of_many_draws(prior) -> None:
    """Ten variables: frequencies of arcs and paths within five standard errors of the sums."""
    n, count = 10, 4000
    sums = sum_scores(np.random.default_rng(10).normal(size=(n, 2 ** (n - 1))) * 3.0, prior, n_jobs=2)
    arcs = np.zeros((count, n, n), dtype=bool)
    for place, masks in enumerate(sums.draw(count, seed=3)):
        for child, mask in enumerate(masks):
            arcs[place, [parent for parent in range(n) if mask >> parent & 1], child] = True
    assert_close(arcs.mean(axis=0), sums.edges, count)
    paths = arcs.copy()
    for through in range(n):
        paths |= paths[:, :, through, None] & paths[:, None, through, :]
    assert not paths[:, range(n), range(n)].any()
    if sums.ancestors is not None:
        assert_close(paths.mean(axis=0), sums.ancestors, count)


def assert_close(seen: np.ndarray, probability: np.ndarray, count: int) -> None:
    # A lower limit on the standard error: an event expected once in all draws may occur five times.
    error = np.sqrt(np.clip(probability * (1 - probability), 1.0 / count, None) / count)
    assert (np.abs(seen - probability) / error).max() < 5


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_a_draw_depends_on_the_seed_and_its_number_only(prior) -> None:
    scores = np.random.default_rng(1).normal(size=(7, 64)) * 2.0
    one = sum_scores(scores, prior, n_jobs=1)
    draws = one.draw(300, seed=5)
    assert sum_scores(scores, prior, n_jobs=4).draw(300, seed=5) == draws
    assert one.draw(100, seed=5) == draws[:100]
    assert one.draw(300, seed=6) != draws
    assert one.draw(0, seed=5) == []
    assert len(set(draws)) > 30
