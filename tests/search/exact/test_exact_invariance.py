"""The same data give the same answer in any order of rows, columns and labels, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables

import qnml
from qnml import Table

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)


def shuffled(table: Table, generator: np.random.Generator) -> Table:
    """The rows, columns and levels of a table in another order; the names go with their columns."""
    rows = generator.permutation(table.n_rows)
    order = generator.permutation(len(table.names))
    columns, levels = [], []
    for place in order:
        recode = generator.permutation(table.arities[int(place)])
        columns.append(recode[table.columns[int(place)]][rows])
        levels.append(table.arities[int(place)])
    weights = None if table.weights is None else table.weights[rows]
    return Table.from_codes(columns, names=[table.names[int(p)] for p in order], levels=levels, weights=weights)


def assert_same_answer(first, second) -> None:
    assert second.score == first.score
    assert second.cpdag == first.cpdag
    assert second.certificate.ties == first.certificate.ties
    assert second.certificate.optimal
    assert first.certificate.optimal


@settings(max_examples=40)
@given(
    plain=dependent_tables(min_columns=2, max_columns=6, max_rows=40),
    score=st.sampled_from(DECOMPOSABLE),
    seed=st.integers(0, 1000),
)
def test_order_does_not_matter(plain, score, seed, checked_learn) -> None:
    table = Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)
    other = shuffled(table, np.random.default_rng(seed))
    first = checked_learn(table, score)
    assert_same_answer(first, checked_learn(other, score))
    assert_same_answer(first, checked_learn(table.merged(), score))
    if not qnml.SCORES[score].is_equivalent:
        assert checked_learn(other, score).dag == first.dag


@pytest.fixture(scope="module")
def wider() -> Table:
    generator = np.random.default_rng(12)
    columns = [generator.integers(0, 3, 300)]
    for _ in range(11):
        source = columns[int(generator.integers(len(columns)))]
        columns.append(np.where(generator.random(300) < 0.4, generator.integers(0, 3, 300), source))
    return Table.from_codes(columns)


@pytest.mark.parametrize("score", DECOMPOSABLE)
@pytest.mark.parametrize("options", [{}, {"max_parents": 3}, {"guard": "cap"}], ids=["free", "limited", "capped"])
def test_threads_and_order_at_twelve_variables(score, options, wider, checked_learn) -> None:
    first = checked_learn(wider, score, n_jobs=1, **options)
    assert_same_answer(first, checked_learn(wider, score, n_jobs=2, **options))
    assert_same_answer(first, checked_learn(shuffled(wider, np.random.default_rng(1)), score, **options))


def test_limits_only_lower_the_optimum(wider, checked_learn) -> None:
    for score in ("qnml", "bdeu", "k2"):
        scores = [checked_learn(wider, score, max_parents=limit).score for limit in (0, 1, 2, 3, 11)]
        assert scores == sorted(scores)
        assert scores[-1] == checked_learn(wider, score).score
