"""Exact sums over structures, against enumeration, integer arithmetic, numbers of DAGs, and identities."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from reference.exact import subsets
from reference.structure_sums import (
    dag_polynomial,
    enumerate_posterior,
    permuted,
    place_of,
    total_by_sinks,
    value_and_arcs,
)

from qnml import _core
from qnml.errors import InputError, QnmlError, UnknownNameError
from qnml.graph.enumerate import count_dags
from qnml.search.posterior import structure_sums
from qnml.search.posterior.structure_sums import sum_scores
from qnml.search.posterior.sums_forecast import SUMMED_PRIORS


def random_scores(n: int, spread: float, seed: int, forbidden: float = 0.0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    scores = spread * generator.normal(size=(n, 2 ** (n - 1)))
    out = generator.random(scores.shape) < forbidden
    out[:, 0] = False
    scores[out] = -np.inf
    return scores


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
@pytest.mark.parametrize("spread", [0.1, 3.0, 40.0, 3000.0])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_against_all_networks(n, spread, prior) -> None:
    for forbidden in (0.0, 0.5) if n < 5 else (0.0,) if spread == 3.0 else (0.5,):
        scores = random_scores(n, spread, n, forbidden)
        given = scores.copy()
        sums = sum_scores(scores, prior, n_jobs=2)
        slow = enumerate_posterior(scores, prior)
        np.testing.assert_array_equal(scores, given)
        assert sums.log_total == pytest.approx(slow.log_total, rel=1e-13, abs=1e-12)
        np.testing.assert_allclose(sums.parent_set_probabilities, slow.parent_sets, rtol=0, atol=1e-13)
        np.testing.assert_allclose(sums.edges, slow.edges, rtol=0, atol=1e-13)
        if prior == "order":
            assert sums.ancestors is None
        else:
            np.testing.assert_allclose(sums.ancestors, slow.ancestors, rtol=0, atol=1e-13)
        assert sums.error_bound < 1e-12


@pytest.mark.parametrize("prior", ["uniform", "sparse"])
def test_the_best_families_form_cycles(prior) -> None:
    """The families that break the cycle weigh thousands of nats less, beyond the range of doubles, and decide."""
    scores = random_scores(4, 2.0, 1)
    for child in range(4):
        others = frozenset(range(4)) - {child}
        for parents in subsets(others):
            scores[child, place_of(child, parents)] += 4000.0 * len(parents) - 9000.0 * (not parents)
    slow = enumerate_posterior(scores, prior)
    sums = sum_scores(scores, prior)
    assert sums.log_total == pytest.approx(slow.log_total, rel=1e-14)
    np.testing.assert_allclose(sums.edges, slow.edges, atol=1e-10)
    np.testing.assert_allclose(sums.ancestors, slow.ancestors, atol=1e-10)
    assert (slow.edges > 0.01).sum() > 6


@pytest.mark.parametrize("n", [*range(1, 15), *(pytest.param(n, marks=pytest.mark.slow) for n in range(15, 21))])
def test_without_data_the_dags_are_counted(n) -> None:
    sums = sum_scores(np.zeros((n, 2 ** (n - 1))), n_jobs=2)
    assert sums.log_total == pytest.approx(math.log(count_dags(n)), rel=1e-14, abs=1e-14)
    # The mean number of arcs is known too, and all pairs are exchangeable.
    counts = dag_polynomial(n)
    arcs = Fraction(sum(arcs * count for arcs, count in enumerate(counts)), sum(counts))
    apart = ~np.eye(n, dtype=bool)
    np.testing.assert_allclose(sums.edges[apart], float(arcs) / max(n * (n - 1), 1), rtol=1e-12)
    assert np.ptp(sums.ancestors[apart]) < 1e-12 if n > 1 else sums.ancestors[0, 0] == 0


def test_the_count_of_dags_by_arcs_is_right() -> None:
    """OEIS A081064."""
    assert dag_polynomial(3) == (1, 6, 12, 6)
    assert dag_polynomial(4) == (1, 12, 60, 152, 186, 108, 24)
    assert sum(dag_polynomial(7)) == count_dags(7)


@pytest.mark.parametrize("exponent", [-1, -5, -20, -40])
@pytest.mark.parametrize("n", [9, 13])
def test_rare_arcs_where_terms_cancel_most(n, exponent) -> None:
    """Nearly all weight on the empty network: the 2^n terms of a sum are nearly equal, with alternating signs."""
    weight = Fraction(2) ** exponent
    total, arcs = value_and_arcs(n, weight)
    sizes = structure_sums._set_sizes(n - 1)
    sums = sum_scores(np.tile(sizes * math.log(weight), (n, 1)), n_jobs=2)
    assert sums.log_total == pytest.approx(math.log(total.numerator) - math.log(total.denominator), abs=1e-13)
    np.testing.assert_allclose(sums.edges[~np.eye(n, dtype=bool)], float(arcs) / (n * (n - 1)), rtol=1e-11)
    np.testing.assert_allclose(sums.parent_set_probabilities.sum(axis=1), 1.0, rtol=1e-13)


def test_against_whole_numbers() -> None:
    """Six variables without rounding; an arc's probability from the total in which families without it weigh zero."""
    n = 6
    generator = np.random.default_rng(5)
    everyone = frozenset(range(n))
    weights = {
        (child, parents): int(generator.integers(1, 9)) if generator.random() < 0.3 or not parents else 0
        for child in range(n)
        for parents in subsets(everyone - {child})
    }
    scores = np.full((n, 2 ** (n - 1)), -np.inf)
    for (child, parents), weight in weights.items():
        if weight:
            scores[child, place_of(child, parents)] = math.log(weight)
    total = total_by_sinks(weights, n)
    sums = sum_scores(scores)
    assert sums.log_total == pytest.approx(math.log(total), rel=1e-14)
    for parent, child in [(0, 1), (5, 2), (3, 4)]:
        with_arc = {key: weight for key, weight in weights.items() if key[0] != child or parent in key[1]}
        assert sums.edges[parent, child] == pytest.approx(total_by_sinks(with_arc, n) / total, rel=1e-12)


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_what_is_computed_twice_is_the_same(prior) -> None:
    n = 11
    sums = sum_scores(random_scores(n, 6.0, 3, 0.2), prior)
    probabilities = sums.parent_set_probabilities
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)
    sets = np.arange(2 ** (n - 1))
    for child in range(n):
        for parent in set(range(n)) - {child}:
            contains = sets >> (parent - (parent > child)) & 1 == 1
            total = math.fsum(probabilities[child, contains])
            assert sums.edges[parent, child] == pytest.approx(total, abs=1e-13)
    assert (sums.edges + sums.edges.T).max() <= 1 + 1e-13
    assert sums.discrepancy < 1e-13
    if sums.ancestors is not None:
        # An arc is a path, and there are no paths both ways.
        assert (sums.ancestors - sums.edges).min() > -1e-13
        assert (sums.ancestors + sums.ancestors.T).max() < 1 + 1e-13


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_the_order_of_the_columns_does_not_matter(prior) -> None:
    n = 8
    scores = random_scores(n, 5.0, 8)
    order = [3, 7, 0, 5, 1, 6, 2, 4]
    sums, turned = sum_scores(scores, prior), sum_scores(permuted(scores, order), prior)
    assert turned.log_total == pytest.approx(sums.log_total, abs=1e-12)
    np.testing.assert_allclose(turned.edges, sums.edges[np.ix_(order, order)], atol=1e-13)
    if sums.ancestors is not None:
        np.testing.assert_allclose(turned.ancestors, sums.ancestors[np.ix_(order, order)], atol=1e-13)


@pytest.mark.parametrize("prior", SUMMED_PRIORS)
def test_threads_change_nothing(prior) -> None:
    scores = random_scores(12, 10.0, 2)
    one, several = sum_scores(scores, prior, 1), sum_scores(scores, prior, 3)
    assert one.log_total == several.log_total
    np.testing.assert_array_equal(one.parent_set_probabilities, several.parent_set_probabilities)
    np.testing.assert_array_equal(one.edges, several.edges)
    if one.ancestors is not None:
        np.testing.assert_array_equal(one.ancestors, several.ancestors)


def test_the_bound_on_the_error_grows_with_what_cancels_and_is_acted_on(monkeypatch) -> None:
    free = sum_scores(np.zeros((14, 2**13)))
    lonely = np.full((14, 2**13), -600.0)
    lonely[:, 0] = 0.0
    alone = sum_scores(lonely)
    # 14 variables in an ordered sequence of groups: the number of ways bounds how errors grow.
    assert free.error_bound < alone.error_bound < 1e-13
    assert np.abs(alone.edges).max() < 1e-200
    monkeypatch.setattr(structure_sums, "MOST_ERROR", 1e-20)
    with pytest.raises(QnmlError, match=r"14 variables cancel so much that a probability could be off by \d.*'mcmc'"):
        sum_scores(lonely)


def test_what_cannot_be_summed_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"sum_scores.*'flat'.*Known: uniform, sparse, order"):
        sum_scores(np.zeros((2, 2)), "flat")
    with pytest.raises(InputError, match="every child must have an admitted family"):
        sum_scores(np.array([[0.0, 0.0], [-np.inf, -np.inf]]))
    with pytest.raises(InputError, match="no acyclic structure is admitted"):
        sum_scores(np.array([[-np.inf, 0.0], [-np.inf, 0.0]]))
    with pytest.raises(InputError, match="no acyclic structure is admitted"):
        sum_scores(np.array([[-np.inf, 0.0], [-np.inf, 0.0]]), "order")
    with pytest.raises(InputError, match="finite or minus infinity"):
        sum_scores(np.array([[0.0, np.nan], [0.0, 0.0]]))
    with pytest.raises(InputError, match=r"differ by more than 10\^8 nats\. .*use method='mcmc'"):
        sum_scores(np.array([[0.0, -1e9], [0.0, 0.0]]))
    with pytest.raises(ValueError, match=r"n \* 2\^\(n-1\)"):
        _core.DagSums(np.zeros(7), 2)
