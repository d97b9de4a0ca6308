"""Searches on counts in units of a fraction of an observation: the same networks, scores and bounds."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from reference.exact import optimal_networks
from reference.structure_problems import make_problem, small_table

from qnml.counts import MemoryCounts
from qnml.graph.masks import bits
from qnml.scores import BoundScore, local_scores
from qnml.search.exact import exact
from qnml.search.local import local_search

SCORES = ("qnml", "bic", "ebic", "aic")
WAYS = ("lattice", "families", "order", "ges")


def scaled(problem, columns, scale: int):
    score = BoundScore(problem.score.score, problem.score.value, scale)
    return dataclasses.replace(problem, columns=columns, score=score)


def searched(problem, way: str) -> tuple[list[int], float, float]:
    """Parent masks, score and bound."""
    if way in ("lattice", "families"):
        plan = dataclasses.replace(exact.make_plan(problem), method=way)
        found, _ = exact.run_one(exact.ExactRequest(problem, plan), None, None)
        assert found.optimal
        return list(found.parents), found.score, found.bound
    request = local_search.LocalRequest(problem, local_search.make_plan(problem, way, "default"), "default")
    found, _ = local_search.run(request, None, None)
    for _, score in found.trace:
        assert score <= found.score + 1e-6
    return local_search.masks_of(found, problem), found.score, found.bound


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("way", WAYS)
def test_whole_observations_change_nothing(score: str, way: str) -> None:
    table = small_table(5, 200, seed=3)
    problem = make_problem(table, score)
    masks, value, bound = searched(problem, way)
    assert any(masks)
    for scale in (3, 4096):
        many = MemoryCounts(table.with_weights(np.full(200, scale, np.uint64))).columns
        found = searched(scaled(problem, many, scale), way)
        assert found[0] == masks
        assert found[1:] == pytest.approx((value, bound), rel=1e-9)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("way", WAYS)
def test_fractional_counts_against_all_networks(score: str, way: str) -> None:
    table = small_table(4, 60, seed=4)
    scale = 100
    generator = np.random.default_rng(7)
    weights = generator.integers(1, 2 * scale, 60).astype(np.uint64)
    weights[0] += (-int(weights.sum())) % scale
    counts = MemoryCounts(table.with_weights(weights))
    problem = scaled(make_problem(table, score), counts.columns, scale)

    def local(child: int, parents: frozenset[int]) -> float:
        family = [(child, sorted(parents))]
        return float(local_scores(counts, family, problem.score, n_variables=4, n_jobs=1)[0])

    best, _ = optimal_networks(4, local)
    masks, value, bound = searched(problem, way)
    again = math.fsum(local(child, frozenset(bits(mask))) for child, mask in enumerate(masks))
    assert value == pytest.approx(best, rel=1e-9)
    assert again == pytest.approx(best, rel=1e-9)
    assert bound == pytest.approx(best, rel=1e-6)
