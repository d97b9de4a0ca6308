"""The posterior from exact sums, against enumeration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from reference.structure_problems import five_columns, four_column_problem, make_problem

import qnml
from qnml.search.posterior.enumerated import run
from qnml.search.posterior.method import RunOptions
from qnml.search.posterior.structure_sums import sum_structures
from qnml.search.posterior.summed import SummedPosterior
from qnml.search.posterior.summed import run as run_sums

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem


@pytest.fixture(scope="module")
def problem() -> SearchProblem:
    return four_column_problem()


@pytest.fixture(scope="module")
def exact(problem):
    return run(problem, RunOptions())


@pytest.fixture(scope="module")
def summed(problem):
    """Exact sums without those over paths, so that paths come from draws."""
    sums, _ = sum_structures(problem)
    return SummedPosterior(replace(problem, seed=5), replace(sums, ancestors=None), RunOptions(4000))


def within_error(estimate, truth, times=5.0):
    return np.all(np.abs(estimate.values - truth) <= times * estimate.standard_errors + 1e-15)


def test_sums_are_exact_and_paths_have_errors(summed, exact):
    assert summed.edges.standard_errors is None
    assert np.allclose(summed.edges.values, exact.edges.values, rtol=0, atol=1e-13)
    assert np.allclose(summed.adjacencies.values, exact.adjacencies.values, rtol=0, atol=1e-13)
    assert summed.log_total == pytest.approx(exact.log_total, rel=1e-14)
    assert within_error(summed.ancestors, exact.ancestors.values)
    # Negative control: the error does not cover everything.
    assert not within_error(summed.ancestors, exact.ancestors.values + 0.1 * (1 - np.eye(4)))


def test_parent_sets_are_listed_best_first(summed, exact):
    for child in range(4):
        listed = summed.parent_sets(child)
        assert dict(listed) == pytest.approx(dict(exact.parent_sets(child)), abs=1e-13)
        assert [share for _, share in listed] == sorted((share for _, share in listed), reverse=True)
        assert not any(mask >> child & 1 for mask, _ in listed)


def test_the_share_of_large_families_is_that_of_the_list():
    """Exact sums compute it without listing all parent sets, which would take longer than any time limit."""
    found = run_sums(make_problem(five_columns()), RunOptions())
    levels = [2, 3, 2, 4, 2]
    for child in range(5):
        for most in (0, 5, 11, 50, 10**6):
            expected = super(SummedPosterior, found).share_of_large(child, levels, most)
            assert found.share_of_large(child, levels, most) == pytest.approx(expected, abs=1e-12)
    assert 0 < found.share_of_large(0, levels, 5) < 1


def test_best_structures_with_proof(summed, exact):
    dags, proven = summed.top_dags(10)
    truth, _ = exact.top_dags(10)
    assert proven
    assert [one.log_weight for one in dags] == pytest.approx([one.log_weight for one in truth], rel=1e-12)
    assert [one.probability for one in dags] == pytest.approx([one.probability for one in truth], abs=1e-9)
    classes, _ = summed.top_classes(5)
    expected, _ = exact.top_classes(5)
    assert [one.log_weight for one in classes] == pytest.approx([one.log_weight for one in expected], rel=1e-12)
    assert [one.probability for one in classes] == pytest.approx([one.probability for one in expected], abs=1e-9)


def test_mixtures(summed, exact):
    everything = exact.mixture(10_000)
    assert (len(everything.dags), everything.left_out, everything.effective_size) == (543, 0.0, None)
    few = exact.mixture(5)
    assert len(few.dags) == 5
    assert few.shares.sum() == pytest.approx(1)
    assert few.left_out == pytest.approx(1 - sum(one.probability for one in exact.top_dags(5)[0]))
    drawn = summed.mixture(10_000)
    assert drawn.effective_size == 4000
    assert len(set(drawn.dags)) == len(drawn.dags)
    assert drawn.shares.sum() == pytest.approx(1)
    assert summed.mixture(100).effective_size == 100


def test_predictions_of_sums_have_no_errors(summed, exact):
    table = qnml.Table.from_codes(list(np.random.default_rng(8).integers(0, 2, (4, 60))), names=list("abcd"))
    whole = qnml.posterior(table, "bdeu")
    by_sums, by_enumeration = replace(whole, found=summed), replace(whole, found=exact)
    truth, none = by_enumeration.predict_log_prob(table, errors=True)
    values, errors = by_sums.predict_log_prob(table, errors=True)
    assert not none.any()
    assert not errors.any()
    assert values == pytest.approx(truth, abs=1e-9)
    effect, sure = (one.effect("a", "d") for one in (by_sums, by_enumeration))
    assert sure.standard_errors is None
    assert np.all(np.abs(effect.values - sure.values) <= 5 * effect.standard_errors + 1e-12)
    assert by_sums.standard_errors.edges.max() == 0
    assert by_sums.standard_errors.ancestors.max() > 0
