"""The posterior from chains, with independent draws from an enumeration in their place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from reference.structure_problems import four_column_problem

import qnml
from qnml.search.chains.draws import ChainDraws
from qnml.search.chains.posterior import ChainPosterior
from qnml.search.chains.settings import MOVES
from qnml.search.posterior.enumerated import run
from qnml.search.posterior.method import RunOptions

STATE = {"chains": [{"tried": [1] * len(MOVES), "changed": [0] * len(MOVES)}] * 4}


@pytest.fixture(scope="module")
def problem():
    return four_column_problem()


@pytest.fixture(scope="module")
def exact(problem):
    return run(problem, RunOptions())


@pytest.fixture(scope="module")
def chained(problem, exact):
    words = np.array(exact.sample_dags(4000, 3), dtype=np.uint64).reshape(4, 1000, 4, 1)
    others = tuple(tuple(j for j in range(4) if j != i) for i in range(4))
    draws = ChainDraws(words, np.zeros((4, 1000)), others, ((),) * 4, 0, 1, None, False, STATE)
    return ChainPosterior(problem, draws)


def within_error(estimate, truth, times=5.0):
    return np.all(np.abs(estimate.values - truth) <= times * estimate.standard_errors + 1e-15)


def test_all_figures_are_estimates(chained, exact):
    for name in ("edges", "adjacencies", "ancestors"):
        found, truth = getattr(chained, name), getattr(exact, name).values
        assert within_error(found, truth)
        assert not within_error(found, truth + 0.2 * (1 - np.eye(4)))
        assert not np.diag(found.standard_errors).any()
    assert abs(sum(share for _, share in chained.parent_sets(2)) - 1) < 1e-12
    assert chained.mixture(10_000).effective_size == chained.effective_size
    assert 1000 < chained.effective_size <= 4000


def test_chains_tell_what_they_stand_in_for(chained):
    assert chained.state == STATE
    assert (chained.diagnostics["instead_of"], chained.diagnostics["stop_reason"]) == (None, None)
    standing_in = replace(chained, instead_of="exact sums", stopped="time limit")
    assert standing_in.diagnostics["instead_of"] == "exact sums"
    assert standing_in.diagnostics["stop_reason"] == "time limit"
    # Draws under another prior than the problem's are not a state of it.
    assert replace(chained, problem=replace(chained.problem, prior="order")).state is None


def test_samples_are_draws(chained):
    assert set(chained.sample_dags(100, 1)) <= set(chained.draws.dags)
    assert chained.sample_dags(100, 1) == chained.sample_dags(100, 1) != chained.sample_dags(100, 2)


def test_best_structures_among_draws(chained, exact):
    dags, proven = chained.top_dags(10)
    truth, _ = exact.top_dags(10)
    assert not proven
    assert [one.masks for one in dags] == [one.masks for one in truth]
    assert [one.log_weight for one in dags] == pytest.approx([one.log_weight for one in truth], rel=1e-12)
    assert [one.probability for one in dags] == pytest.approx([one.probability for one in truth], abs=0.05)
    classes, _ = chained.top_classes(5)
    expected, _ = exact.top_classes(5)
    assert [one.log_weight for one in classes] == pytest.approx([one.log_weight for one in expected], rel=1e-12)
    assert [one.probability for one in classes] == pytest.approx([one.probability for one in expected], abs=0.05)


def test_averages_have_errors(chained, exact):
    table = qnml.Table.from_codes(list(np.random.default_rng(8).integers(0, 2, (4, 60))), names=list("abcd"))
    whole = qnml.posterior(table, "bdeu")
    truth = replace(whole, found=exact).predict_log_prob(table)
    values, errors = replace(whole, found=chained).predict_log_prob(table, errors=True)
    assert np.all(np.abs(values - truth) <= 5 * errors)
    assert 0 < errors.max() < 0.05
