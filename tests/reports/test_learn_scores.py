"""The report of `qnml learn` on local scores."""

import json

import pytest

import qnml
from qnml import LocalScores
from qnml.reports import k_best_facts, learn_scores_facts, learn_scores_page


@pytest.fixture
def scores() -> LocalScores:
    listed = {frozenset(): 1.0, frozenset("b"): 4.0, frozenset("bc"): 9.0}
    return LocalScores({"a": listed, "b": {frozenset(): 0.0}, "c": {frozenset(): 0.0}, "d": {frozenset(): 0.5}})


def test_facts_and_page(scores, printed):
    result = qnml.learn(scores)
    facts = learn_scores_facts(result, "s.jkl", files=[("x.svg", "picture")])
    assert facts["data"] == {"source": "s.jkl", "variables": 4, "families": 6}
    assert facts["score"] == {"label": "local scores", "value": 9.5}
    assert facts["network"]["arcs"] == [
        {"parent": "b", "child": "a", "removal_cost": 8.0},
        {"parent": "c", "child": "a", "removal_cost": 5.0},
    ]
    assert facts["network"]["isolated"] == ["d"]
    assert facts["certificate"]["optimal"] is True
    assert facts["certificate"]["among"] == "networks of the listed families"
    json.dumps(facts, allow_nan=False)
    text = " ".join(printed(learn_scores_page(facts)).split())
    for part in ("6 families of 4 variables", "b -> a 8", "Without arcs: d", "Proven optimal", "x.svg"):
        assert part in text


def test_an_arc_that_cannot_be_left_out_has_no_cost(printed):
    result = qnml.learn(LocalScores({"a": {frozenset("b"): 1.0}, "b": {frozenset(): 0.0}}))
    facts = learn_scores_facts(result, "s.jkl")
    assert facts["network"]["arcs"] == [{"parent": "b", "child": "a", "removal_cost": None}]
    assert "–" in printed(learn_scores_page(facts))


def test_the_best_networks_are_shown_with_the_families(scores):
    facts = k_best_facts(qnml.k_best(scores, 2), scores, "s.jkl")
    assert facts["data"]["families"] == 6
    assert facts["entries"][0]["score"] == 9.5
