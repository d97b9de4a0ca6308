"""Slices of the lattice: the same answers as with all values at once, and as the core's."""

from __future__ import annotations

import numpy as np
import pytest

from gpu.problems import dependent_columns, on_card, on_cpu, problem_of
from qnml.errors import TooLargeError
from qnml.gpu import Forecast, streaming
from qnml.gpu.streaming import Stream, stream_candidates

LEVELS = [2, 3, 2, 4, 2, 2, 3, 2, 2, 3]


def streamed(problem, card, stream: Stream):
    return on_card(problem, card, lambda runtime, lattice: stream_candidates(runtime, lattice, stream))


@pytest.mark.parametrize("stream", [Stream(1, 1), Stream(2, 3), Stream(2, 10), Stream(1, 4)])
@pytest.mark.parametrize("score", ["qnml", "bdeu", "fnml", "loglik"])
def test_the_same_answer_as_the_core(card, score, stream) -> None:
    problem = problem_of(dependent_columns(LEVELS, 100, seed=1), LEVELS, score)
    assert streamed(problem, card, stream) == on_cpu(problem)


RULES = {
    "required": {"required": {2: 0b1000010001, 5: 0b10, 9: 0b1}},
    "all": {"required": {2: 0b10001}, "forbidden": {9: 0b10110}, "max_parents": 3, "most_cells": 60.0},
    "a prior": {"prior": "sparse"},
}


@pytest.mark.parametrize("rules", RULES)
def test_rules_are_renumbered(card, rules) -> None:
    for score in ("qnml", "k2"):
        problem = problem_of(dependent_columns(LEVELS, 100, seed=2), LEVELS, score, **RULES[rules])
        assert streamed(problem, card, Stream(2, 4)) == on_cpu(problem)


TIED = {
    "copies": ([np.arange(40) % 3] * 4 + dependent_columns([2] * 6, 40, 3), [3] * 4 + [2] * 6),
    "few rows": (dependent_columns([2] * 10, 10, 4), [2] * 10),
    "one row": ([np.zeros(1)] * 8, [2, 3, 2, 2, 4, 2, 2, 2]),
}


@pytest.mark.parametrize("name", TIED)
@pytest.mark.parametrize("score", ["qnml", "loglik", "bdeu"])
def test_ties_across_slices_are_settled_in_full(card, name, score) -> None:
    columns, levels = TIED[name]
    problem = problem_of(columns, levels, score)
    assert streamed(problem, card, Stream(1, 2)) == on_cpu(problem)


def test_too_many_to_keep_is_told(card, monkeypatch) -> None:
    columns, levels = TIED["copies"]
    problem = problem_of(columns, levels, "loglik")
    monkeypatch.setattr(streaming, "_MOST_SETTLED", 5)
    with pytest.raises(TooLargeError, match="too many ties"):
        streamed(problem, card, Stream(1, 2))
    monkeypatch.setattr(streaming, "_ROOM", 5)
    with pytest.raises(TooLargeError, match="too many candidates"):
        streamed(problem, card, Stream(1, 2))


@pytest.mark.parametrize("n", [10, 33, 36])
@pytest.mark.parametrize("high_bits", [1, 2])
@pytest.mark.parametrize("together", [1, 3, 40])
def test_groups_take_every_child_once_and_never_as_a_highest_bit(n, high_bits, together) -> None:
    taken = []
    for order, places in Stream(high_bits, together).groups(n):
        assert sorted(order) == list(range(n))
        assert order[:6] == list(range(6))  # the low block stays
        assert len(places) <= together
        assert max(places) < n - high_bits
        taken += [order[place] for place in places]
    assert sorted(taken) == list(range(n))


def test_a_lattice_that_does_not_fit_is_cut(emulated, monkeypatch) -> None:
    problem = problem_of(dependent_columns([2] * 12, 60, seed=5), [2] * 12)
    expected = on_cpu(problem)
    emulated.launches.clear()
    assert on_card(problem, emulated) == expected
    assert "take_larger" not in emulated.launches
    cut = Forecast(0.0, 0.0, 0.0, stream=Stream(2, 5))
    monkeypatch.setattr("qnml.gpu.learning.forecast", lambda *_: cut)
    assert on_card(problem, emulated) == expected
    assert "take_larger" in emulated.launches
