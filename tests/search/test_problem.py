"""The `SearchProblem` and the `Plan` that all searches share."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from reference.structure_problems import make_problem, small_table, widened

import qnml
from qnml.search import Plan
from qnml.search.chains import partition_mcmc
from qnml.search.exact import exact, k_best
from qnml.search.local import local_search
from qnml.search.posterior import enumerated, summed

PLANNERS = {
    "exact": exact.make_plan,
    "k_best": k_best.make_plan,
    "local": lambda problem: local_search.make_plan(problem, "order", "quick"),
    "enumerate": enumerated.forecast,
    "sums": summed.forecast,
    "mcmc": partition_mcmc.forecast,
}


@pytest.fixture(scope="module")
def problem():
    return make_problem(small_table(5, 100, seed=1), "bic")


def test_a_problem_knows_its_table(problem) -> None:
    assert problem.arities == (2, 2, 3, 2, 2)
    assert (problem.n_variables, problem.n_rows) == (5, 100)


def test_a_problem_cannot_be_changed(problem) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.n_jobs = 3


def test_weighted_rows_count_once() -> None:
    table = qnml.Table.from_codes(np.array([[0, 1], [1, 0]]), weights=np.array([3, 4], dtype=np.uint64))
    assert make_problem(table).n_rows == 2


def test_flags_of_the_score_reach_the_plan() -> None:
    table = small_table(5, 100, seed=1)
    flags = {name: make_problem(table, name) for name in ("bic", "qnml", "k2")}
    for name, problem in flags.items():
        score = qnml.SCORES[name]
        assert problem.is_direct == (not score.has_cell_sums)
        assert problem.config_classes == (2 if score.has_own_configurations else 0)


def test_a_large_family_is_admitted_only_where_it_is_required() -> None:
    table = small_table(3, 50, seed=1)
    known = qnml.Knowledge(required=[("c", "a")])
    problem = make_problem(table, "bic", knowledge=known, most_cells=5)
    assert problem.admits(0, 0b100)
    assert not problem.admits(0, 0b110)
    assert problem.admits(1, 0b001)
    assert not problem.admits(1, 0b100)


@pytest.mark.parametrize("name", PLANNERS)
def test_every_search_plans_in_the_same_words(name, problem) -> None:
    plan = PLANNERS[name](problem)
    assert isinstance(plan, Plan)
    assert plan.fits
    assert plan.work
    assert plan.sentence().startswith(f"5 variables, 100 rows: {plan.work}, ")
    assert "of memory" in plan.sentence()
    assert ": fits." in plan.sentence()


@pytest.mark.parametrize("name", PLANNERS)
def test_every_plan_keeps_to_the_memory_limit(name, problem) -> None:
    plan = PLANNERS[name](dataclasses.replace(problem, memory_limit=10.0))
    assert not plan.fits
    assert "10 bytes may be used): does not fit." in plan.sentence().replace(f", about {plan.seconds:.2g} s", "")


@pytest.mark.parametrize("name", ["exact", "k_best", "enumerate", "sums"])
def test_too_many_variables_are_refused_with_advice(name, problem) -> None:
    plan = PLANNERS[name](widened(problem, 2000))
    assert not plan.fits
    assert plan.sentence().startswith("2000 variables, 100 rows: ")
    assert "at most" in plan.sentence() or "mcmc" in plan.sentence()


def test_indicators_of_missing_cells_have_no_children() -> None:
    generator = np.random.default_rng(3)
    x = generator.integers(0, 2, 2000)
    y = np.where(generator.random(2000) < 0.8, x, 1 - x).astype(object)
    y[(x == 1) & (generator.random(2000) < 0.7)] = None
    raw = {"x": x, "y": y}
    table = qnml.read_table(raw, missing="indicator").with_missing_level()
    result = qnml.learn(table)
    assert result.dag.children("y is missing") == ()
    assert result.dag.parents("y is missing")
    with pytest.raises(qnml.errors.InputError, match="y is missing"):
        qnml.learn(table, knowledge=qnml.Knowledge(required=[("y is missing", "x")]))
