"""Weights of draws under other priors, compared with counts of orders and members one by one."""

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
from qnml.search.posterior.prior_weights import class_weights, order_weights, prior_weights

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem

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
