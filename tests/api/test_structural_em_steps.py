"""Single steps of structural EM: what each gains, equivalent networks, and the error of draws."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.missing_cells import Holed, holed_tables, with_missing
from reference.structural_em import fit_of_weighted_rows, penalty_of

import qnml
from qnml._api.clock import Clock
from qnml._api.problem import prepare
from qnml._api.run_search import run_search
from qnml._api.search_choice import choose_with_fallback
from qnml._api.structural_em_steps import Completions, Stand, StructuralEmSteps, _standard_error
from qnml._interrupts import Interrupts

SOUND = ("qnml", "bic", "aic", "hqc", "ebic")
ALL_LISTED = Completions(scale=1024, few=10**6, draws=1)
ALL_DRAWN = Completions(scale=1024, few=1, draws=16)


def _steps(table: qnml.Table, score: str, completions: Completions, seed: int = 0) -> StructuralEmSteps:
    problem_of = partial(_problem, score)
    by_level = problem_of(table.with_missing_level())
    return StructuralEmSteps(table, problem_of, by_level, Clock(None, Interrupts()), None, seed, completions)


def _problem(score: str, table: qnml.Table, scale: int = 1):
    return prepare("learn", table, score, None, None, "off", None, 1, {}, scale=scale)


def _search(problem, seconds=None) -> qnml.SearchResult:
    return run_search(problem, choose_with_fallback(problem.search, "exact", "default", 60.0, "canonical"), None, None)


def _fit_on(stand: Stand, masks) -> float:
    """The maximised log-likelihood of a network on the completed rows."""
    completed = stand.completed
    rows = list(zip(*(column.tolist() for column in completed.table.columns), strict=True))
    parents = [tuple(place for place in range(len(masks)) if mask >> place & 1) for mask in masks]
    return fit_of_weighted_rows(rows, (completed.table.weights / completed.scale).tolist(), parents)


def _tuples(masks) -> list[tuple[int, ...]]:
    return [tuple(place for place in range(len(masks)) if mask >> place & 1) for mask in masks]


@settings(max_examples=60)
@given(holed=holed_tables(max_columns=4, max_rows=8), score=st.sampled_from(SOUND))
def test_a_step_gains_at_least_what_the_search_gained(holed, score) -> None:
    """The theorem: with listed completions the score of the observed cells rises at least as much as that on the rows.

    The weights of completions are rounded; that can cost the divergence which is reported, and no more.
    """
    table = holed.table()
    assume(table.n_missing)
    steps = _steps(table, score, ALL_LISTED)
    now = steps.completed(steps.first(steps.required))
    for _ in range(4):
        found = _search(now.problem)
        masks = steps.masks(found.dag)
        gained = _fit_on(now, masks) - penalty_of(holed, _tuples(masks), score)
        gained -= _fit_on(now, now.held.masks) - penalty_of(holed, _tuples(now.held.masks), score)
        assert gained >= -1e-7
        better = steps.fitted(masks, now.completed)
        assert better is not None
        after = steps.completed(better)
        assert after.value >= now.value + gained - now.completed.rounding - 1e-7
        assert after.value == pytest.approx(
            better.log_likelihood - penalty_of(holed, _tuples(masks), score), rel=1e-9, abs=1e-9
        )
        now = after


@settings(max_examples=60)
@given(
    holed=holed_tables(max_columns=4, max_rows=8),
    score=st.sampled_from(SOUND),
    completions=st.sampled_from([ALL_LISTED, ALL_DRAWN]),
    data=st.data(),
)
def test_equivalent_networks_have_the_same_rows_and_scores(holed, score, completions, data) -> None:
    table = holed.table()
    assume(table.n_missing)
    first = holed.dag()
    turned = first
    for _ in range(4):
        covered = turned.covered_arcs()
        if covered:
            turned = turned.reverse_arc(*data.draw(st.sampled_from(covered)))
    assert turned.is_equivalent(first)
    steps = _steps(table, score, completions, seed=3)
    stands = []
    for dag in (first, turned):
        held = steps.fitted(steps.masks(dag), None)
        assert held is not None
        stands.append(steps.completed(held))
    one, other = stands
    if score != "ebic":  # its price of arcs is the same as well, and that of their levels
        assert other.value == pytest.approx(one.value, rel=1e-9, abs=1e-7)
    assert other.completed.table == one.completed.table
    assert (other.completed.draws == one.completed.draws).all()
    assert _search(other.problem).score == pytest.approx(_search(one.problem).score, rel=1e-9, abs=1e-9)


@given(holed=holed_tables(max_columns=4, max_rows=8), seed=st.integers(0, 100))
def test_with_draws_the_score_never_falls_either(holed, seed) -> None:
    table = holed.table()
    assume(table.n_missing)
    steps = _steps(table, "qnml", ALL_DRAWN, seed)
    end = steps.climb(steps.completed(steps.first(steps.required)), _search)
    assert end.trace == tuple(sorted(end.trace))
    assert end.is_settled
    assert end.stand.value == end.trace[-1]


@pytest.mark.parametrize("draws", [8, 32])
def test_the_error_of_draws_is_the_one_reported(draws) -> None:
    """The score of a network on drawn rows scatters among seeds by no more than the standard error says.

    Draws of a row are spread evenly over its values, so they scatter less than independent ones, for which it is.
    """
    table = qnml.datasets.sample("asia", 200, seed=1)
    generator = np.random.default_rng(0)
    holed = with_missing(table, [generator.random(200) < 0.3 for _ in table.names])
    dag = qnml.datasets.load_network("asia").dag
    on_rows, reported = [], []
    for seed in range(60):
        steps = _steps(holed, "qnml", Completions(scale=1024, few=1, draws=draws), seed)
        held = steps.fitted(steps.masks(dag), None)
        assert held is not None
        stand = steps.completed(held)
        on_rows.append(_fit_on(stand, held.masks))
        end = steps.climb(stand, _search)
        reported.append(steps.result(end, {"given": end}, 0.0).structural_em.standard_error)
    scatter = float(np.std(on_rows, ddof=1))
    assert 0.0 < scatter < 1.2 * float(np.mean(reported))
    assert float(np.mean(reported)) < 10 * scatter


def test_draws_become_exact_as_they_grow_in_number() -> None:
    holed = Holed(
        ((0, None, None), (1, 1, None), (1, 0, 1), (None, None, 0)), (6, 5, 4, 3), (2, 2, 2), ((), (0,), (1,))
    )
    exact = _steps(holed.table(), "qnml", ALL_LISTED)
    held = exact.fitted(exact.masks(holed.dag()), None)
    assert held is not None
    expected = _fit_on(exact.completed(held), held.masks)
    errors = []
    for draws in (4, 64, 1024):
        steps = _steps(holed.table(), "qnml", Completions(scale=1024, few=1, draws=draws))
        errors.append(abs(_fit_on(steps.completed(held), held.masks) - expected))
    assert errors[2] < 0.05
    assert errors[2] <= errors[0] + 1e-9


def test_impossible_draws_have_no_part_in_the_error() -> None:
    """After Ctrl-C rows may have been drawn from other parameters than those that are held."""
    logs = np.array([-1.0, -3.0, -np.inf])
    held = SimpleNamespace(
        rows=SimpleNamespace(log_prob=lambda shares, completed: logs), estimate=SimpleNamespace(shares=None)
    )
    counted = SimpleNamespace(weights=np.array([1, 1, 2]))
    completed = SimpleNamespace(draws=np.array([4]), sources=np.array([0, 0, 0]), table=counted)
    assert _standard_error(held, completed, np.array([3.0])) == pytest.approx(3 * np.sqrt(1 / 4))
