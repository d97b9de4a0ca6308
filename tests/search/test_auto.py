"""``method="auto"``: never worse than the methods it chooses from, equal if proven, and it says if not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qnml
from qnml import Table
from qnml._api.problem import prepare
from qnml._api.search_choice import choose_search, choose_with_fallback
from qnml.search import Knowledge, auto
from qnml.search.auto import AutoRequest
from qnml.search.running.certificate import GIVEN_UP


def dependent(n: int, n_rows: int, seed: int) -> Table:
    """Columns of two or three levels that depend on up to three earlier ones."""
    generator = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    for place in range(n):
        arity = int(generator.integers(2, 4))
        column = generator.integers(0, arity, n_rows)
        for _ in range(min(place, 3)):
            other = columns[int(generator.integers(place))]
            column = np.where(generator.random(n_rows) < 0.35, other % arity, column)
        columns.append(column)
    return Table.from_codes(columns)


def request(table: Table, **options):
    problem = prepare("learn", table, options.pop("score", "bic"), None, options.pop("limit", None), "off", None, 2, {})
    return choose_with_fallback(
        problem.search, "auto", options.get("effort", "default"), options.get("seconds", 3600.0)
    )


@settings(max_examples=15, deadline=None)
@given(
    n=st.integers(5, 26),
    seed=st.integers(0, 1000),
    limit=st.integers(1, 3),
    score=st.sampled_from(["bic", "bdeu", "qnml", "fnml"]),
    most=st.sampled_from([100.0, 3000.0, 1e6]),
)
def test_it_is_never_worse_than_the_search_over_orders(n, seed, limit, score, most) -> None:
    table = dependent(n, 120, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(auto._MOST_STATES, "default", most)
        ours = qnml.learn(table, score, max_parents=limit, guard="off", seed=3)
    order = qnml.learn(table, score, "order", max_parents=limit, guard="off", seed=3)
    assert ours.score >= order.score - 1e-9 * abs(order.score)
    assert ours.certificate.bound >= ours.score
    assert all(len(ours.dag.parents(name)) <= limit for name in table.names)
    if not ours.certificate.optimal:
        assert ours.certificate.stop_reason == GIVEN_UP


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "k2"])
@pytest.mark.parametrize(("n", "limit"), [(21, 2), (23, 3), (21, None)])
def test_what_is_proven_is_what_the_exact_search_finds(score, n, limit) -> None:
    table = dependent(n, 200, seed=n)
    assert isinstance(request(table, score=score, limit=limit), AutoRequest)
    ours = qnml.learn(table, score, max_parents=limit, guard="off", seed=1)
    exact = qnml.learn(table, score, "exact", max_parents=limit, guard="off")
    assert ours.certificate.optimal
    assert ours.dag == exact.dag
    assert ours.score == exact.score
    assert (ours.certificate.method, ours.certificate.ties) == (exact.certificate.method, exact.certificate.ties)


def test_ties_are_broken_alike() -> None:
    # A copy of a column, and an independent one: many networks have the same score.
    table = dependent(20, 60, seed=5)
    codes = [table.codes(name) for name in table.names]
    table = Table.from_codes([*codes, codes[0], codes[7]])
    ours, exact = (qnml.learn(table, "bic", method, max_parents=2, guard="off", seed=1) for method in ("auto", "exact"))
    assert ours.certificate.optimal
    assert ours.certificate.ties
    assert ours.dag == exact.dag


@pytest.mark.parametrize("name", ["_MOST_STATES", "_LEAST_SETS"])
def test_a_search_that_outgrows_its_forecast_is_given_up(name, monkeypatch) -> None:
    table = dependent(24, 300, seed=2)
    if name == "_MOST_STATES":
        monkeypatch.setitem(auto._MOST_STATES, "default", 500.0)
    else:
        monkeypatch.setattr(auto, "_LEAST_SETS", 100.0)
        monkeypatch.setattr(auto, "_MOST_TIMES", 0.0)
    # Under bic the order search would prove its network itself.
    ours, order, exact = (
        qnml.learn(table, "fnml", method, max_parents=3, guard="off", seed=4) for method in ("auto", "order", "exact")
    )
    certificate = ours.certificate
    assert ours.dag == order.dag
    assert certificate.method == "order"
    assert not certificate.optimal
    assert certificate.stop_reason == GIVEN_UP
    assert exact.score <= certificate.bound + 1e-9 * abs(exact.score)
    assert certificate.bound <= order.certificate.bound + 1e-9 * abs(exact.score)
    assert "exact search" in certificate.seconds
    assert "An exact search was given up after" in ours.sentence()
    assert "effort='thorough'" in ours.sentence()


def test_rules_are_obeyed_on_both_ways(monkeypatch) -> None:
    table = dependent(22, 200, seed=8)
    known = Knowledge(required=[(table.names[20], table.names[0])], forbidden=[(table.names[0], table.names[1])])
    for most in (100.0, math.inf):
        monkeypatch.setitem(auto._MOST_STATES, "default", most)
        result = qnml.learn(table, "fnml", knowledge=known, max_parents=2, guard="off")
        assert known.admits(result.dag)
        assert result.certificate.optimal == math.isinf(most)


@pytest.mark.parametrize("seconds", [0.0, 1e-3])
def test_no_time_is_the_time_limit_of_the_first_search(seconds) -> None:
    result = qnml.learn(dependent(24, 300, seed=2), "bic", max_parents=3, guard="off", time_limit=seconds)
    assert result.certificate.method == "order"
    assert result.certificate.stop_reason == "time limit"


def test_the_plan_says_what_comes_first() -> None:
    both = qnml.plan(dependent(24, 300, seed=2), "bic", max_parents=3)
    assert both.is_exact
    assert "A search over orders of the variables comes first" in both.sentence()
    small = qnml.plan(dependent(8, 300, seed=2), "bic")
    assert "comes first" not in small.sentence()


def test_replicates_are_not_searched_exactly_where_that_is_not_forecast_to_end() -> None:
    # 45 variables with two parents are counted quickly; the search over orders takes long.
    problem = prepare("bootstrap", dependent(45, 100, seed=1), "bic", None, 2, "off", None, 2, {})
    chosen = choose_search(problem.search, "auto", "default", 3600.0 / 10)
    assert chosen.plan.method == "order"
