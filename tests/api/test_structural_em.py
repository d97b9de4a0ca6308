"""Structural EM: its answers against brute force, and everything around it. Single steps: test_structural_em_steps."""

from __future__ import annotations

import math
import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.exact import all_networks
from reference.missing_cells import Holed, holed_tables, with_missing
from reference.structural_em import fit_of_weighted_rows, highest_log_likelihood, penalty_of

import qnml
from qnml.errors import InputError, TooLargeError

SOUND = ("qnml", "bic", "aic", "hqc", "ebic")
UNSOUND = ("fnml", "bdeu", "bdq", "bds", "bdj", "k2")


def _learn(table, score="qnml", **options):
    return qnml.learn(table, score, **{"n_jobs": 1, "progress": False, "guard": "off", **options})


def _holed(table: qnml.Table, share: float, seed: int) -> qnml.Table:
    generator = np.random.default_rng(seed)
    return with_missing(table, [generator.random(table.n_rows) < share for _ in table.names])


def _dependent(seed: int) -> Holed:
    """Three binary columns, the second a noisy copy of the first and the third one of the second."""
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 2, 40)
    second = first ^ (generator.random(40) < 0.1)
    third = second ^ (generator.random(40) < 0.2)
    holes = generator.random((40, 3)) < 0.25
    rows = [
        tuple(None if hole else int(code) for code, hole in zip(*pair, strict=True))
        for pair in zip(zip(first, second, third, strict=True), holes, strict=True)
    ]
    distinct = list(dict.fromkeys(rows))
    return Holed(tuple(distinct), tuple(rows.count(row) for row in distinct), (2, 2, 2), ((), (), ()))


def _parents(result: qnml.SearchResult, holed: Holed) -> list[tuple[int, ...]]:
    return [tuple(holed.names.index(parent) for parent in result.dag.parents(name)) for name in holed.names]


def _completed_rows(result: qnml.SearchResult) -> tuple[list[tuple[int, ...]], np.ndarray]:
    completed = result.structural_em.completed
    rows = zip(*(column.tolist() for column in completed.table.columns), strict=True)
    return list(rows), completed.table.weights / completed.scale


@pytest.fixture(scope="module")
def asia() -> qnml.Table:
    return _holed(qnml.datasets.sample("asia", 300, seed=1), 0.25, 1)


@pytest.fixture(scope="module")
def drawn() -> qnml.Table:
    """Some rows lack so much that their cells are drawn."""
    return _holed(qnml.datasets.sample("asia", 300, seed=3), 0.85, 2)


@settings(max_examples=40)
@given(holed=holed_tables(max_columns=3), score=st.sampled_from(SOUND))
def test_the_score_is_the_likelihood_of_the_observed_cells_less_the_penalty(holed, score) -> None:
    table = holed.table()
    if not table.n_missing:
        return
    result = _learn(table, score)
    parents = _parents(result, holed)
    known = result.structural_em
    assert known.penalty == pytest.approx(penalty_of(holed, parents, score), rel=1e-9, abs=1e-9)
    assert result.score == pytest.approx(known.log_likelihood - known.penalty)
    # The likelihood is reached, and cannot be exceeded.
    highest = highest_log_likelihood(holed, parents, starts=2, steps=50, seed=0)
    assert known.log_likelihood <= highest + 1e-2
    assert known.trace == tuple(sorted(known.trace))


@settings(max_examples=40)
@given(holed=holed_tables(max_columns=3), score=st.sampled_from(SOUND))
def test_no_network_is_better_on_the_completed_rows(holed, score) -> None:
    table = holed.table()
    if not table.n_missing:
        return
    result = _learn(table, score)
    rows, weights = _completed_rows(result)
    assert weights.sum() == pytest.approx(sum(holed.weights))
    values = {
        network: fit_of_weighted_rows(rows, weights, [tuple(sorted(one)) for one in network])
        - penalty_of(holed, [tuple(sorted(one)) for one in network], score)
        for network in all_networks(len(holed.levels))
    }
    assert result.certificate.bound >= max(values.values()) - 1e-7
    if result.certificate.optimal:
        mine = values[tuple(frozenset(one) for one in _parents(result, holed))]
        assert mine == pytest.approx(max(values.values()), abs=1e-7)
        assert result.certificate.score == pytest.approx(mine, abs=1e-7)


def test_the_best_network_by_brute_force() -> None:
    """It climbs to a local optimum, never above the best network and parameters, and nearly always there."""
    reached = 0
    for seed in range(5):
        holed = _dependent(seed)
        values = {}
        for network in all_networks(3):
            parents = [tuple(sorted(one)) for one in network]
            if sum(map(len, parents)) == 3 and parents != [(), (0,), (0, 1)]:
                continue  # equivalent to this one
            values[network] = highest_log_likelihood(holed, parents, 1, 50, seed) - penalty_of(holed, parents, "qnml")
        found = _learn(holed.table()).score
        assert found <= max(values.values()) + 1e-3
        reached += found >= max(values.values()) - 1e-2
    assert reached >= 4


@pytest.mark.parametrize("score", UNSOUND)
def test_scores_whose_penalty_depends_on_counts_are_refused(score, asia) -> None:
    with pytest.raises(InputError, match=f"score='{score}'.*one of qnml, bic, .*penalty.*missing='category'"):
        _learn(asia, score)
    with pytest.raises(InputError, match=f"score='{score}'"):
        qnml.plan(asia, score)
    assert _learn(asia.with_missing_level(), score, max_parents=1).structural_em is None


def test_complete_tables_are_searched_once() -> None:
    table = qnml.datasets.sample("asia", 200, seed=1)
    assert _learn(table).structural_em is None
    frame = table.to_frame()
    assert qnml.learn(frame, missing="em", progress=False).dag == _learn(table).dag


def test_the_same_answer_for_all_threads_orders_and_again(drawn) -> None:
    first = _learn(drawn, seed=7)
    assert first.structural_em.n_drawn > 0
    order = np.random.default_rng(0).permutation(drawn.n_rows)
    turned = drawn.select(list(reversed(drawn.names))).take(order)
    for other in (_learn(drawn, seed=7), _learn(drawn, seed=7, n_jobs=2), _learn(turned, seed=7)):
        assert other.dag.is_equivalent(first.dag)
        assert other.score == first.score
        assert other.structural_em.trace == first.structural_em.trace
        assert other.structural_em.completed.table == first.structural_em.completed.table
    assert _learn(drawn, seed=8).structural_em.completed.table != first.structural_em.completed.table


def test_knowledge_and_limits_hold_whatever_they_cost(asia) -> None:
    known = qnml.Knowledge(
        required=[("asia", "bronc")],
        forbidden=[("smoke", "lung")],
        tiers=[["smoke"], [n for n in asia.names if n != "smoke"]],
    )
    for options in ({}, {"time_limit": 1e-9}):
        result = _learn(asia, knowledge=known, max_parents=2, **options)
        assert known.violations(result.dag) == []
        assert ("asia", "bronc") in result.dag.arcs
        assert max(len(result.dag.parents(name)) for name in asia.names) <= 2
    # The required arc lowers the score, and stays.
    generator = np.random.default_rng(0)
    independent = qnml.Table.from_codes([*generator.integers(0, 2, (2, 300))], names=["x", "y"])
    required = qnml.Knowledge(required=[("x", "y")])
    result = _learn(_holed(independent, 0.2, 0), knowledge=required)
    assert result.dag.arcs == (("x", "y"),)
    assert result.score < _learn(_holed(independent, 0.2, 0)).score


def test_variables_of_one_level_have_no_arcs() -> None:
    """As a level "missing" may say something about other columns; as a hole it does not."""
    generator = np.random.default_rng(0)
    first = generator.integers(0, 2, 200)
    table = qnml.Table.from_codes(
        [first, first ^ (generator.random(200) < 0.1), np.zeros(200, int)], names=["a", "b", "c"], levels=[2, 2, 1]
    )
    result = _learn(with_missing(table, [generator.random(200) < 0.2, None, first == 1]))
    assert {*result.dag.arcs[0]} == {"a", "b"}
    assert len(result.dag.arcs) == 1


def test_indicators_are_leaves(asia) -> None:
    frame = asia.to_frame()
    table = qnml.read_table(frame, missing="indicator")
    assert table.n_missing == asia.n_missing
    result = _learn(table)
    assert [arc for arc in result.dag.arcs if arc[0].endswith("is missing")] == []
    assert result.score >= max(value for _, value in result.structural_em.starts) - 1e-6
    # That a cell is missing says nothing of its value, unless it is made a level.
    own = {(name.removesuffix(" is missing"), name) for name in table.names if name.endswith("is missing")}
    assert len(own & {*_learn(table.with_missing_level()).dag.arcs}) > 0
    assert own & {*result.dag.arcs} == set()


def test_weights_stand_for_rows(asia) -> None:
    thrice = _learn(asia.with_weights(np.full(asia.n_rows, 3)), "bic")
    listed = _learn(asia.take(np.tile(np.arange(asia.n_rows), 3)), "bic")
    assert thrice.dag == listed.dag
    assert thrice.score == pytest.approx(listed.score)


@pytest.mark.parametrize("method", ["exact", "order", "hill-climbing", "ges", "auto"])
def test_every_search(method, asia) -> None:
    result = _learn(asia, method=method, seed=0)
    assert result.structural_em.is_settled
    assert result.certificate.optimal or method != "exact"
    assert result.score == pytest.approx(_learn(asia).score, abs=1.0)
    assert "For the completed rows" in result.certificate_sentence()
    assert "local optimum" in result.sentence()


def test_a_time_limit_returns_the_best_so_far(asia) -> None:
    result = _learn(asia, time_limit=1e-9)
    assert not result.structural_em.is_settled
    assert not result.certificate.optimal
    assert "Stopped early" in result.structural_em.sentence()
    assert result.score == pytest.approx(result.structural_em.trace[-1])


def test_an_interrupt_returns_the_best_so_far() -> None:
    table = _holed(qnml.datasets.sample("sachs", 20_000, seed=1), 0.3, 0)  # takes several seconds
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = _learn(table)
    timer.join()
    assert not result.structural_em.is_settled
    assert "Stopped early" in result.sentence()
    assert result.score == pytest.approx(max(result.structural_em.trace))


def test_networks_too_large_for_exact_sums_are_passed_over(asia, monkeypatch) -> None:
    monkeypatch.setattr("qnml.model.incomplete._MOST_ROW_ENTRIES", 17)  # enough where all cells are independent
    result = _learn(asia)
    assert result.dag.arcs == ()
    assert not result.structural_em.is_settled
    assert [name for name, _ in result.structural_em.starts] == ["independent"]
    with pytest.raises(TooLargeError, match="learn: a row lacks"):
        _learn(asia, start=[(a, b) for k, a in enumerate(asia.names) for b in asia.names[k + 1 :]])


def test_the_result_says_that_its_proof_is_of_one_step(asia) -> None:
    assert "optimal for the completed rows" in repr(_learn(asia))
    assert "optimal for" not in repr(_learn(asia.with_missing_level()))


def test_parameters_continue_from_the_last_step(drawn) -> None:
    result = _learn(drawn)
    net = result.fit("ml")
    afresh = qnml.fit(drawn, result.dag, "ml")
    rows = qnml.datasets.sample("asia", 50, seed=9)
    assert net.levels == afresh.levels
    assert np.isfinite(result.fit().log_prob(rows)).all()


def test_a_prior_over_structures_is_part_of_what_rises(asia) -> None:
    uniform, sparse = _learn(asia), _learn(asia, prior="sparse")
    known = sparse.structural_em
    assert known.trace == tuple(sorted(known.trace))
    assert known.trace[-1] == pytest.approx(sparse.objective) == pytest.approx(sparse.score + sparse.log_prior)
    assert sparse.score == pytest.approx(known.log_likelihood - known.penalty)
    # Each family costs the logarithm of the number of sets of its size.
    counts = [len(sparse.dag.parents(name)) for name in asia.names]
    assert sparse.log_prior == pytest.approx(-sum(math.log(math.comb(7, count)) for count in counts))
    assert len(sparse.dag.arcs) <= len(uniform.dag.arcs)
    assert "with the sparse prior" in sparse.certificate_sentence()


@pytest.mark.parametrize("options", [{"shape": "tree"}, {"shape": "tan", "target": "a"}])
def test_shapes_are_kept_whatever_they_cost(options) -> None:
    generator = np.random.default_rng(0)
    independent = qnml.Table.from_codes([*generator.integers(0, 2, (3, 100))], names=["a", "b", "c"])
    holed = _holed(independent, 0.2, 0)
    result = _learn(holed, **options)
    assert len(result.dag.arcs) == len(_learn(independent, **options).dag.arcs) > 0
    assert result.score < _learn(holed).score
