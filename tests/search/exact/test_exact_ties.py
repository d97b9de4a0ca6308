"""Ties: which of several optimal networks is returned, and what the certificate says about them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.exact import scored_networks

import qnml
from qnml import Dag, Table

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)


def optimal_set(table: Table, local) -> list[Dag]:
    """The networks whose score is within 1e-9 of the best; None if rounding makes this boundary uncertain."""
    names = table.names
    scored = scored_networks(len(names), local)
    best = scored[0][0]
    border = 1e-9 * abs(best)
    if any(0.99 * border - 1e-13 < best - value < 1.01 * border + 1e-12 for value, _ in scored[1:] if value != best):
        return []
    return [
        Dag.from_parents({names[child]: [names[p] for p in parents] for child, parents in enumerate(network)})
        for value, network in scored
        if best - value <= border
    ]


def size(dag: Dag, table: Table) -> tuple[int, int]:
    return dag.n_parameters(table.arities), dag.n_arcs


@settings(max_examples=200)
@given(plain=dependent_tables(min_columns=2, max_columns=4, max_rows=30), score=st.sampled_from(DECOMPOSABLE))
def test_the_winner_is_the_simplest_and_ties_are_told(plain, score, local_of, checked_learn) -> None:
    table = Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)
    optimal = optimal_set(table, local_of(table, score))
    assume(optimal)
    classes = {dag.to_cpdag() for dag in optimal}
    result = checked_learn(table, score)
    larger = checked_learn(table, score, ties="larger")
    assert result.dag in optimal
    assert larger.dag in optimal
    for seed in (1, 2):
        assert checked_learn(table, score, ties="random", seed=seed).dag in optimal
    assert result.certificate.ties is (len(classes) > 1)
    assert size(result.dag, table) == min(size(dag, table) for dag in optimal)
    assert size(larger.dag, table)[0] == max(size(dag, table)[0] for dag in optimal)


TIED = {
    "the same column four times": Table.from_codes([[0, 1, 1, 0, 1, 0, 0, 0, 1, 1]] * 4, names=list("abcd")),
    "a constant column": Table.from_codes([[0] * 30, [0, 1] * 15, [0, 1, 1] * 10], names=list("abc"), levels=[1, 2, 2]),
    "one row": Table.from_codes([[0], [1], [0]], names=list("abc"), levels=[2, 2, 2]),
}


@pytest.mark.parametrize("case", TIED)
@pytest.mark.parametrize("score", ["qnml", "bic", "loglik", "fnml"])
def test_random_choice_reaches_several(case, score, local_of, checked_learn) -> None:
    table = TIED[case]
    optimal = optimal_set(table, local_of(table, score))
    classes = {dag.to_cpdag() for dag in optimal}
    reached = {checked_learn(table, score, ties="random", seed=seed).cpdag for seed in range(20)}
    assert reached <= classes
    if len(classes) > 1:
        assert len(reached) > 1
    again = [qnml.learn(table, score, guard="off", ties="random", seed=7).dag for _ in range(2)]
    assert again[0] == again[1]


def test_these_cases_do_tie(local_of) -> None:
    table = TIED["the same column four times"]
    assert len({dag.to_cpdag() for dag in optimal_set(table, local_of(table, "qnml"))}) > 1


def test_no_tie_is_said_not_to_be_one(checked_learn) -> None:
    generator = np.random.default_rng(5)
    source = generator.integers(0, 3, 400)
    noisy = np.where(generator.random(400) < 0.2, generator.integers(0, 3, 400), source)
    table = Table.from_codes([source, noisy, generator.integers(0, 2, 400)])
    assert checked_learn(table).certificate.ties is False


@pytest.mark.parametrize("ties", ["first", "", None, 3])
def test_unknown_rule(ties) -> None:
    with pytest.raises(ValueError, match="ties"):
        qnml.learn(TIED["one row"], ties=ties)


ACCIDENTAL = {
    "bic": ("bic", {}, Table.from_codes([[0, 1], [0, 1]], levels=[3, 3])),
    "bdeu": ("bdeu", {"ess": 1000}, Table.from_codes([[0], [0]], levels=[2, 2])),
    # Terms that are logarithms of fractions or of sums: rounding tells these networks apart, the tolerance does not.
    "bdeu by fractions": (
        "bdeu",
        {},
        Table.from_codes([[0, 1, 2, 0], [0, 1, 1, 1]], levels=[3, 2], weights=[2, 2, 1, 1]),
    ),
    "k2": ("k2", {}, Table.from_codes([[0, 1, 0, 0, 0, 1, 1], [1, 1, 3, 3, 0, 3, 2]], levels=[2, 4])),
    "bdj": ("bdj", {}, Table.from_codes([[2, 0, 3, 2, 0, 1, 2, 2], [1, 0, 1, 1, 1, 0, 0, 1]], levels=[4, 2])),
}


@pytest.mark.parametrize("case", ACCIDENTAL)
def test_accidental_ties_are_seen(case, local_of) -> None:
    score, parameters, table = ACCIDENTAL[case]
    optimal = optimal_set(table, local_of(table, score, **parameters))
    classes = {dag.to_cpdag() for dag in optimal}
    assert len(classes) > 1
    result = qnml.learn(table, score, guard="off", **parameters)
    assert result.certificate.ties is True
    assert size(result.dag, table) == min(size(dag, table) for dag in optimal)
