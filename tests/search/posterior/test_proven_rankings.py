"""Rankings with proof: the search for the k best, and the probability left for unlisted structures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from reference.structure_problems import four_column_problem

import qnml
from qnml.graph import enumerate_class
from qnml.search.posterior.enumerated import run
from qnml.search.posterior.interface import ScoredStructure
from qnml.search.posterior.method import RunOptions
from qnml.search.posterior.proven_rankings import outweigh_the_rest
from qnml.search.posterior.structure_sums import sum_structures
from qnml.search.posterior.summed import SummedPosterior

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
    sums, _ = sum_structures(problem)
    return SummedPosterior(replace(problem, seed=5), sums, RunOptions(4000))


def test_classes_are_proven_when_no_other_could_weigh_as_much(summed, exact):
    """Four variables have 185 classes: if all are listed, nothing is left; with a hundred, there is a bound."""
    every, proven = summed.top_classes(50)
    assert proven
    truth, _ = exact.top_classes(50)
    assert [one.log_weight for one in every] == pytest.approx([one.log_weight for one in truth], rel=1e-12)
    for k in (1, 3, 20):
        found, _ = summed.top_classes(k)
        assert [one.log_weight for one in found] == pytest.approx([one.log_weight for one in truth[:k]], rel=1e-12)
    # Listing by the best member is not ranking by weight: the two orders differ here.
    sizes = [len(list(enumerate_class(qnml.Dag.from_masks(list("abcd"), one.masks)))) for one in every]
    best_members = [one.log_weight - np.log(size) for one, size in zip(every, sizes, strict=True)]
    assert best_members != sorted(best_members, reverse=True)
    # Six coins, few rows: hundreds of classes are nearly as good as the best.
    coins = qnml.Table.from_codes(np.random.default_rng(3).integers(0, 2, (20, 6)))
    flat = qnml.posterior(coins, "bdeu", "exact", samples=100)
    assert flat.ranking_is_proven("dags", 5)
    assert not flat.ranking_is_proven("classes", 5)


@pytest.mark.parametrize("prior", ["uniform", "sparse"])
def test_rankings_are_proven_where_the_rest_is_less_probable(prior):
    """With strong dependences one class of five DAGs has nearly all the probability; with coins none has much."""
    generator = np.random.default_rng(4)
    columns = [generator.integers(0, 3, 300)]
    for _ in range(4):
        columns.append(np.where(generator.random(300) < 0.2, generator.integers(0, 3, 300), columns[-1]))
    linked = qnml.Table.from_codes(columns)
    found, every = (qnml.posterior(linked, "bdeu", method, prior=prior) for method in ("exact", "enumerate"))
    for what, k in (("dags", 5), ("classes", 1)):
        assert found.ranking_is_proven(what, k)
        best, truth = (getattr(one, f"top_{what}")(k) for one in (found, every))
        assert [one.probability for one in best] == pytest.approx([one.probability for one in truth], abs=1e-9)
    coins = qnml.Table.from_codes(np.random.default_rng(3).integers(0, 2, (20, 6)))
    assert not qnml.posterior(coins, "bdeu", "exact", prior=prior, samples=100).ranking_is_proven("classes", 5)


def test_what_is_left_is_what_is_not_listed():
    def listed(*shares: float) -> list[ScoredStructure]:
        return [ScoredStructure((place,), 0.0, share) for place, share in enumerate(shares)]

    assert [outweigh_the_rest(listed(0.5, 0.2, 0.1), k) for k in (1, 2, 3, 4)] == [True, False, False, False]
    assert outweigh_the_rest(listed(0.5, 0.2, 0.11), 2)
    # Equal probabilities: rounding could make it larger.
    assert not outweigh_the_rest(listed(0.5), 1)
