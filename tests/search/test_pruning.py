"""Pruned candidate lists and complete ones give the same answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import qnml
import qnml.errors
from qnml._api.problem import prepare
from qnml._api.search_choice import exact_request
from qnml.scores import SCORES
from qnml.search.exact.exact import run_one

DECOMPOSABLE = [name for name, score in SCORES.items() if score.is_decomposable]


def random_table(seed: int, n: int, rows: int, *, dependent: bool = True) -> qnml.Table:
    generator = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    levels = [int(r) for r in generator.integers(1, 5, n)]
    for r in levels:
        noise = generator.integers(0, r, rows)
        if dependent and columns and generator.random() < 0.7:
            copied = columns[int(generator.integers(len(columns)))] % r
            noise = np.where(generator.random(rows) < 0.8, copied, noise)
        columns.append(noise.astype(np.uint8))
    return qnml.Table.from_codes(columns, names=[f"v{i}" for i in range(n)], levels=levels)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_counting_families_and_walking_the_lattice_agree(name: str) -> None:
    """Scores, networks and statements about ties, with either method for finding candidates."""
    for seed in range(6):
        table = random_table(100 + seed, 9, 40, dependent=seed % 2 == 0)
        request = exact_request(prepare("learn", table, name, None, None, "off", None, 2, {}).search)
        answers = []
        for method in ("families", "lattice") if name != "bds" else ("families",):
            found, reason = run_one(replace(request, plan=replace(request.plan, method=method)), None, None)
            assert reason is None
            assert found.optimal
            answers.append((found.parents, found.score, found.has_ties))
        assert all(answer == answers[0] for answer in answers)


def test_prices_that_grow_let_bic_do_without_a_parent_limit_at_32_variables() -> None:
    table = random_table(7, 32, 200)
    forecast = qnml.plan(table, "bic")
    assert forecast.method == "families"
    assert forecast.families < 2.0**32
    result = qnml.learn(table, "bic")
    assert result.certificate.optimal
    limited = qnml.learn(table, "bic", max_parents=2)
    assert limited.score <= result.score + 1e-9 * abs(result.score)


def test_a_tie_at_the_bound_is_seen_by_both_ways() -> None:
    """The bound of the Dirichlet scores is met exactly when every configuration holds one row."""
    table = qnml.Table.from_codes([[0, 1, 2, 0], [0, 1, 1, 1], [0, 0, 1, 1]], levels=[3, 2, 2])
    for name in ("k2", "bdj", "bds", "bdeu"):
        request = exact_request(prepare("learn", table, name, None, None, "off", None, 2, {}).search)
        ways = ("families",) if name == "bds" else ("families", "lattice")
        found = [run_one(replace(request, plan=replace(request.plan, method=way)), None, None)[0] for way in ways]
        assert len({(tuple(one.parents), one.has_ties) for one in found}) == 1


def test_many_different_numbers_of_levels() -> None:
    generator = np.random.default_rng(3)
    levels = list(range(2, 22))
    columns = [generator.integers(0, r, 60).astype(np.uint8) for r in levels]
    table = qnml.Table.from_codes(columns, levels=levels)
    assert qnml.learn(table, "qnml", max_parents=2, guard="off").certificate.optimal
    wide = qnml.Table.from_codes(columns * 2, levels=list(range(2, 42)))
    with pytest.raises(qnml.errors.TooLargeError, match="different numbers of levels"):
        qnml.learn(wide, "qnml", "exact", max_parents=2)
