"""The exact search against all networks of at most five variables, for every decomposable score."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.exact import admitted, best_network, optimal_networks, scored_networks
from reference.knowledge import demands, renamed
from reference.tables import PlainTable, plain_tables

import qnml
from qnml import Table
from qnml.search import Knowledge

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)
SET_FUNCTIONS = sorted(name for name, entry in qnml.SCORES.items() if entry.is_set_function)


def table_of(plain: PlainTable) -> Table:
    return Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)


def assert_optimal(result, best: float) -> None:
    assert result.score == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert result.certificate.optimal
    assert result.certificate.bound == result.score
    assert result.certificate.gap == 0


# The reference versions themselves.


def test_the_twins_agree_with_each_other() -> None:
    generator = np.random.default_rng(0)
    for n in (1, 2, 3, 4):
        values: dict[tuple[int, frozenset[int]], float] = {}

        def local(child: int, parents: frozenset[int], values=values) -> float:
            return values.setdefault((child, parents), float(generator.normal()))

        scored = scored_networks(n, local)
        # Robinson's counts of labelled acyclic graphs.
        assert len(scored) == {1: 1, 2: 3, 3: 25, 4: 543}[n]
        best, network = best_network(n, local)
        assert best == pytest.approx(scored[0][0], abs=1e-12)
        assert network == scored[0][1]


# Random tables.


@pytest.mark.parametrize("score", DECOMPOSABLE)
@settings(max_examples=12)
@given(plain=st.one_of(dependent_tables(), plain_tables(max_columns=4)))
def test_best_of_all_networks(score, plain, local_of, checked_learn, network_of) -> None:
    table = table_of(plain)
    best, optimal = optimal_networks(len(table.names), local_of(table, score))
    result = checked_learn(table, score, method="exact")
    assert_optimal(result, best)
    assert network_of(result.dag, table) in optimal


@pytest.mark.parametrize(
    ("score", "parameters"),
    [
        ("bdeu", {"ess": 100}),
        ("bdeu", {"ess": 0.001}),
        ("bds", {"ess": 10}),
        ("bdq", {"alpha": 3}),
        ("ebic", {"gamma": 2}),
    ],
)
@settings(max_examples=8)
@given(plain=dependent_tables(max_columns=4))
def test_parameters_reach_the_search(score, parameters, plain, local_of, checked_learn) -> None:
    table = table_of(plain)
    best, _ = optimal_networks(len(table.names), local_of(table, score, **parameters))
    assert_optimal(checked_learn(table, score, method="exact", **parameters), best)


@given(plain=dependent_tables(min_columns=2), limit=st.integers(0, 4), score=st.sampled_from(DECOMPOSABLE))
@settings(max_examples=25)
def test_a_limit_on_parents(plain, limit, score, local_of, checked_learn) -> None:
    table = table_of(plain)
    every = local_of(table, score)
    best, _ = optimal_networks(
        len(table.names), lambda child, parents: every(child, parents) if len(parents) <= limit else -math.inf
    )
    result = checked_learn(table, score, max_parents=limit)
    assert_optimal(result, best)
    assert max(mask.bit_count() for mask in result.dag.parent_masks) <= limit


@given(data=st.data(), plain=dependent_tables(max_columns=4), score=st.sampled_from(DECOMPOSABLE))
@settings(max_examples=40)
def test_knowledge_is_obeyed_and_the_best_that_obeys_is_found(data, plain, score, local_of, checked_learn) -> None:
    table = table_of(plain)
    n = len(table.names)
    wanted = data.draw(demands(n))
    best, _ = optimal_networks(n, local_of(table, score), lambda network: admitted(network, **wanted))
    known = Knowledge(**renamed(wanted, table.names))
    result = checked_learn(table, score, knowledge=known)
    assert_optimal(result, best)
    assert known.violations(result.dag) == []


@given(data=st.data(), plain=dependent_tables(min_columns=2, max_columns=4))
@settings(max_examples=10)
def test_knowledge_and_a_limit_of_the_call_hold_together(data, plain, local_of, checked_learn) -> None:
    table = table_of(plain)
    n = len(table.names)
    forbidden = data.draw(st.lists(st.sampled_from([(a, b) for a in range(n) for b in range(n) if a != b])))
    best, _ = optimal_networks(
        n, local_of(table), lambda network: admitted(network, forbidden=forbidden, max_parents=1)
    )
    names = table.names
    known = Knowledge(forbidden=[(names[a], names[b]) for a, b in forbidden])
    assert_optimal(checked_learn(table, knowledge=known, max_parents=1), best)


@given(plain=dependent_tables(min_columns=2), score=st.sampled_from(DECOMPOSABLE))
@settings(max_examples=25)
def test_the_cap_admits_what_it_says(plain, score, local_of, checked_learn) -> None:
    table = table_of(plain)
    best, _ = optimal_networks(len(table.names), local_of(table, score, cap=True))
    result = checked_learn(table, score, guard="cap")
    assert_optimal(result, best)
    assert result.overfull == ()
    assert not qnml.explain(table, result.dag, score).overfull


# Corners.


CORNERS = {
    "one variable": Table.from_codes([[0, 1, 1]]),
    "one variable, one row": Table.from_codes([[0]], levels=[3]),
    "one row": Table.from_codes([[0], [1], [2], [0]], levels=[2, 2, 3, 4]),
    "one row, a million times": Table.from_codes([[0], [1], [2]], levels=[2, 2, 3], weights=[10**6]),
    "all columns of one level": Table.from_codes(np.zeros((5, 4), dtype=int)),
    "a column of one level": Table.from_codes([[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 0]], levels=[1, 2, 2]),
    "constant columns": Table.from_codes([[1] * 20, [0] * 20, [0, 1] * 10, [2] * 20], levels=[2, 2, 2, 3]),
    "the same column five times": Table.from_codes([[0, 1, 1, 0, 1, 0, 0, 0] * 3] * 5),
    "unseen levels": Table.from_codes([[0, 1] * 9, [0, 1] * 9, [0, 0, 1] * 6], levels=[2, 7, 5]),
    "a thousand levels": Table.from_codes(
        [np.arange(1000), np.arange(1000) % 2, np.arange(1000) % 3, np.arange(1000) % 7 // 2]
    ),
    "a thousand declared levels": Table.from_codes(
        [[0, 1, 2] * 10, [0, 1] * 15, [1, 0, 0] * 10], levels=[1000, 2, 2]
    ),
    "great weights": Table.from_codes(
        [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]], weights=[10**6, 3, 2 * 10**6, 10**5]
    ),
}  # fmt: skip


@pytest.mark.parametrize("corner", CORNERS)
def test_corners(corner, local_of, checked_learn) -> None:
    table = CORNERS[corner]
    for score in DECOMPOSABLE:
        best, _ = optimal_networks(len(table.names), local_of(table, score))
        assert_optimal(checked_learn(table, score), best)
        best, _ = optimal_networks(len(table.names), local_of(table, score, cap=True))
        assert_optimal(checked_learn(table, score, guard="cap"), best)


# Larger ones, against the plain dynamic programme.


@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_eight_variables(score, local_of, checked_learn) -> None:
    generator = np.random.default_rng(8)
    arities = [2, 3, 2, 4, 2, 3, 2, 2]
    columns = [generator.integers(0, 2, 200)]
    for place, arity in enumerate(arities[1:]):
        source = columns[int(generator.integers(place + 1))]
        columns.append(np.where(generator.random(200) < 0.5, source % arity, generator.integers(0, arity, 200)))
    table = Table.from_codes(columns, levels=arities)
    every = local_of(table, score)
    assert_optimal(checked_learn(table, score), best_network(8, every)[0])
    limited = best_network(8, lambda child, parents: every(child, parents) if len(parents) <= 2 else -math.inf)
    assert_optimal(checked_learn(table, score, max_parents=2), limited[0])
    capped = best_network(8, local_of(table, score, cap=True))
    assert_optimal(checked_learn(table, score, guard="cap"), capped[0])


@settings(max_examples=6)
@given(plain=dependent_tables(min_columns=6, max_columns=7), score=st.sampled_from(DECOMPOSABLE))
def test_six_and_seven_variables(plain, score, local_of, checked_learn) -> None:
    table = table_of(plain)
    assert_optimal(checked_learn(table, score), best_network(len(table.names), local_of(table, score))[0])


def test_batches_give_what_single_calls_give() -> None:
    generator = np.random.default_rng(3)
    tables = [Table.from_codes(generator.integers(0, 3, (50, n))) for n in (1, 3, 4, 5, 5)]
    for score in ("qnml", "fnml"):
        together = qnml.learn_many(tables, score, guard="off")
        assert len(together) == len(tables)
        for table, result in zip(tables, together, strict=True):
            alone = qnml.learn(table, score, guard="off")
            assert result.dag == alone.dag
            assert result.score == alone.score
            assert result.certificate.optimal
    assert qnml.learn_many([], "qnml") == []


def test_scores_that_share_the_counting_give_what_single_calls_give() -> None:
    generator = np.random.default_rng(4)
    tables = [Table.from_codes(generator.integers(0, 3, (40, n))) for n in (2, 4, 9, 13)]
    scores = ("bdeu", "bic", "fnml", "qnml", "bds", "k2")
    for ties, seeds in (("canonical", None), ("larger", None), ("random", [3, 1, 4, 1])):
        together = qnml.learn_many(tables, scores, ties=ties, seed=seeds, ess=2.0, max_parents=4)
        for number, (table, results) in enumerate(zip(tables, together, strict=True)):
            for score, result in zip(scores, results, strict=True):
                parameters = {"ess": 2.0} if score in ("bdeu", "bds") else {}
                seed = None if seeds is None else seeds[number]
                alone = qnml.learn(table, score, guard="off", ties=ties, seed=seed, max_parents=4, **parameters)
                assert (result.dag, result.score) == (alone.dag, alone.score)
                assert result.score_name == alone.score_name


def test_batches_refuse_what_does_not_belong() -> None:
    table = Table.from_codes([[0, 1], [1, 1]])
    with pytest.raises(ValueError, match="ess"):
        qnml.learn_many([table], ("bic", "qnml"), ess=1.0)
    with pytest.raises(ValueError, match="seed"):
        qnml.learn_many([table], "qnml", ties="random", seed=[1, 2])
    with pytest.raises(ValueError, match="score"):
        qnml.learn_many([table], [])
