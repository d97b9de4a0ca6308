"""Weights of draws under other priors, against counting orders and members one by one."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from reference.structure_problems import make_problem

from qnml import Dag, Knowledge, Table
from qnml.errors import InputError
from qnml.graph.enumerate import all_dags
from qnml.search.chains.diagnostics import estimate_shares, estimate_weighted_shares, weights_size
from qnml.search.posterior.prior_weights import class_weights, order_weights, prior_weights

if TYPE_CHECKING:
    from qnml.search import SearchProblem

NAMES = ("a", "b", "c", "d")


def problem_of(prior: str, knowledge: Knowledge | None = None) -> SearchProblem:
    table = Table.from_codes(np.random.default_rng(1).integers(0, 2, (30, 4)), names=NAMES)
    return make_problem(table, "bic", prior, knowledge, memory_limit=1e12)


def orders_of(dag: Dag) -> int:
    return sum(all(order.index(a) < order.index(b) for a, b in dag.arcs) for order in permutations(NAMES))


def pattern(dag: Dag) -> tuple[frozenset[frozenset[str]], frozenset[tuple[frozenset[str], str]]]:
    """Skeleton and colliders of parents that are not joined: the same exactly for equivalent DAGs (Verma, Pearl)."""
    skeleton = frozenset(frozenset(arc) for arc in dag.arcs)
    colliders = frozenset(
        (frozenset((a, b)), c)
        for a, c in dag.arcs
        for b, d in dag.arcs
        if c == d and a != b and frozenset((a, b)) not in skeleton
    )
    return skeleton, colliders


def test_orders_are_right_on_average():
    dags = list(all_dags(NAMES))
    truth = np.array([orders_of(dag) for dag in dags], dtype=float)
    masks = [dag.parent_masks for dag in dags]
    estimates = np.stack([order_weights(masks, seed) * 24.0 for seed in range(200)])  # the empty DAG has 24, always
    empty = truth.argmax()
    assert np.all(estimates[:, empty] == estimates[0, empty])
    scaled = estimates / estimates[0, empty] * 24.0
    error = scaled.std(axis=0, ddof=1) / np.sqrt(200)
    assert np.all(np.abs(scaled.mean(axis=0) - truth) <= 5 * error + 1e-9)
    # Negative control: one order more or less would be seen for most DAGs.
    assert (np.abs(scaled.mean(axis=0) - truth - 1) > 5 * error).mean() > 0.9


def test_the_seed_decides():
    masks = [dag.parent_masks for dag in all_dags(NAMES)]
    assert np.array_equal(order_weights(masks, 1), order_weights(masks, 1))
    assert not np.array_equal(order_weights(masks, 1), order_weights(masks, 2))
    with pytest.raises(InputError, match="DAGs on 63 columns"):
        order_weights([(0,) * 63], 1)


@pytest.mark.parametrize("knowledge", [None, Knowledge(forbidden=[("a", "b")], max_parents=2)], ids=["free", "known"])
def test_classes_count_alike(knowledge):
    known = knowledge or Knowledge()
    dags = [dag for dag in all_dags(NAMES) if known.admits(dag)]
    members = Counter(map(pattern, dags))
    weights = class_weights(problem_of("classes", knowledge), [dag.parent_masks for dag in dags])
    assert weights == pytest.approx([1 / members[pattern(dag)] for dag in dags])
    relative = prior_weights(problem_of("classes", knowledge), [dag.parent_masks for dag in dags], 0)
    assert relative.mean() == pytest.approx(1.0)
    assert relative / relative[0] == pytest.approx(weights / weights[0])


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
    """Draws of two kinds, the second with ten times the weight: shares from sample to sample."""
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
