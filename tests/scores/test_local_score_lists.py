"""`LocalScores`: what is given is checked, and where families come from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import qnml
from qnml import LocalScores
from qnml.errors import InputError, TooLargeError, UnknownNameError


def constant(_child: str, _parents: frozenset[str]) -> float:
    return 1.0


def test_families_may_be_any_collections() -> None:
    scores = LocalScores.of(lambda child, given: len(given) + (child == "a"), {"a": [(), ["b"]], "b": [set()]})
    assert scores == LocalScores({"a": {frozenset(): 1.0, frozenset("b"): 2.0}, "b": {frozenset(): 0.0}})


@pytest.mark.parametrize(
    ("families", "told"),
    [
        ({"a": ["b"], "b": []}, "set of names"),
        ({"a": [["a"]]}, "its own parents"),
        ({"a": [["x"]]}, "x"),
        ([("a", [])], "for every variable"),
        ({"a": 1}, "for every variable"),
    ],
)
def test_wrong_families_are_refused(families: Any, told: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=told):
        LocalScores.of(constant, families)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e301, "many", None, 1 + 2j])
def test_what_is_no_score_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="score of a given b must be a number"):
        LocalScores.of(lambda *_: value, {"a": [["b"]], "b": []})
    with pytest.raises(InputError, match="score of a given b must be a number"):
        qnml.learn(LocalScores({"a": {frozenset("b"): value}, "b": {frozenset(): 0.0}}))


@pytest.mark.parametrize(
    "families",
    [None, [("a", {})], {"a": [frozenset()]}, {1: {frozenset(): 0.0}}, {"a": {("b",): 0.0}, "b": {}}],
)
def test_what_is_no_dictionary_of_frozensets_is_refused(families: Any) -> None:
    with pytest.raises(InputError, match="LocalScores"):
        LocalScores(families)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "names"),
        ({"names": ["a", "a"]}, "distinct"),
        ({"names": ["a", 1]}, "names"),
        ({"names": ["a", "b"], "max_parents": -1}, "max_parents"),
    ],
)
def test_wrong_names_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        LocalScores.of(constant, **given)


def test_too_many_families_are_refused_before_the_function_is_called() -> None:
    with pytest.raises(TooLargeError, match="Set max_parents lower"):
        LocalScores.of(lambda *_: pytest.fail("called"), names=[f"v{k}" for k in range(40)])


def test_numbers_of_other_libraries_are_numbers() -> None:
    scores = LocalScores.of(lambda *_: np.float32(0.5), names=["a", "b"])
    assert qnml.learn(scores).score == 1.0
