"""Candidates from a card are those of `dense_candidates`: exact searches with both give the same, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from gpu.problems import dependent_columns, on_card, on_cpu, problem_of
from qnml.gpu import candidates, child

LEVELS = [2, 3, 2, 4, 2, 2, 3, 2, 2]
SCORES = ["loglik", "aic", "bic", "hqc", "ebic", "qnml", "bdq", "bdeu", "fnml", "k2", "bdj"]

RULES = {
    "free": {},
    "required": {"required": {2: 0b10001, 5: 0b10}},
    "forbidden": {"forbidden": {7: 0b10110, 0: 0b111111110}},
    "few parents": {"max_parents": 2},
    "no parents": {"max_parents": 0},
    "few cells": {"most_cells": 40.0, "required": {3: 0b11000010}},
    "all of them": {
        "required": {2: 0b10001},
        "forbidden": {7: 0b10110},
        "max_parents": 3,
        "most_cells": 60.0,
    },
    "a prior": {"prior": "sparse"},
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("score", SCORES)
def test_the_same_answer_as_the_core(card, score, rules) -> None:
    problem = problem_of(dependent_columns(LEVELS, 120, seed=1), LEVELS, score, **RULES[rules])
    assert on_card(problem, card) == on_cpu(problem)


TIED = {
    "the same column five times": ([np.arange(40) % 3] * 5 + dependent_columns([2, 2, 3], 40, 2), [3] * 5 + [2, 2, 3]),
    "one row": ([np.zeros(1)] * 7, [2, 3, 2, 2, 4, 2, 2]),
    "constants": ([np.zeros(30), *dependent_columns([2, 3, 2], 30, 3), np.ones(30)], [3, 2, 3, 2, 2]),
    "independent": ([np.arange(64) // 2**k % 2 for k in range(6)] * 1, [2] * 6),
    "few rows": (dependent_columns([2] * 10, 12, 4), [2] * 10),
}


@pytest.mark.parametrize("name", TIED)
@pytest.mark.parametrize("score", ["qnml", "loglik", "bdeu", "fnml"])
def test_ties(card, name, score) -> None:
    columns, levels = TIED[name]
    problem = problem_of(columns, levels, score)
    assert on_card(problem, card) == on_cpu(problem)


@pytest.mark.parametrize("levels", [[3], [2, 3], [2, 2, 3], [400, 2, 300, 2]])
def test_few_variables(card, levels) -> None:
    problem = problem_of(dependent_columns(levels, 450, seed=5), levels)
    assert on_card(problem, card) == on_cpu(problem)


def test_more_bits_than_a_tile_has(card) -> None:
    """Fourteen bits of parent sets: a tile of twelve and a pass of two."""
    levels = [2, 3, 2, 2, 2, 3, 2, 2, 2, 2, 3, 2, 2, 2, 2]
    for score in ("bic", "fnml"):
        problem = problem_of(dependent_columns(levels, 60, seed=6), levels, score)
        assert on_card(problem, card) == on_cpu(problem)


@pytest.mark.parametrize("order", [1, 5])
def test_candidates_do_not_depend_on_the_order_of_threads(make_card, order, monkeypatch) -> None:
    monkeypatch.setattr(child, "_TILE_BITS", 4)
    monkeypatch.setattr(child, "MOST_SPREAD", 2)
    problem = problem_of(dependent_columns(LEVELS, 120, seed=7), LEVELS)
    card = make_card(order=order)
    assert on_card(problem, card) == on_cpu(problem)
    assert {"spread_1", "spread_2"} >= {name for name in card.launches if name.startswith("spread")} != set()


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 6])
def test_every_pass_of_the_transform(emulated, most, monkeypatch) -> None:
    monkeypatch.setattr(child, "_TILE_BITS", len(LEVELS) - 1 - most)
    problem = problem_of(dependent_columns(LEVELS, 90, seed=8), LEVELS)
    emulated.launches.clear()
    assert on_card(problem, emulated) == on_cpu(problem)
    assert f"spread_{most}" in emulated.launches


def test_little_room_for_candidates_takes_parts(card, monkeypatch) -> None:
    """Under loglik every set is a candidate; with copies most of them tie."""
    monkeypatch.setattr(candidates, "_ROOM", 3)
    monkeypatch.setattr(candidates, "_MOST_ROOM", 16)
    for name in TIED:
        columns, levels = TIED[name]
        problem = problem_of(columns, levels, "loglik")
        assert on_card(problem, card) == on_cpu(problem)


def test_ties_beyond_the_limit_are_left_out_as_in_the_core(card, monkeypatch) -> None:
    """Sixteen copies: more than 16,384 sets tie for a child."""
    columns = [np.arange(12) % 3] * 16
    # The other children have no parents.
    problem = problem_of(columns, [3] * 16, "loglik", forbidden=dict.fromkeys(range(1, 16), 2**16 - 1))
    monkeypatch.setattr(candidates, "_ROOM", 2**10)
    monkeypatch.setattr(candidates, "_MOST_ROOM", 2**12)
    expected = on_cpu(problem)
    assert not expected["ties_examined"]
    assert on_card(problem, card) == expected
