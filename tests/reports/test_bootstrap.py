"""A bootstrap, as facts and as a page."""

import json

import pytest

import qnml
from qnml.reports import bootstrap_facts, bootstrap_page


@pytest.fixture(scope="module")
def found(table):
    return qnml.bootstrap(table, 20, seed=1)


def test_facts_are_those_of_the_result(found, table):
    facts = bootstrap_facts(found, table, "asia.csv")
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    strengths = [pair["strength"] for pair in facts["pairs"]]
    assert strengths == sorted(strengths, reverse=True)
    assert all(pair["strength"] == pytest.approx(pair["forward"] + pair["backward"]) for pair in facts["pairs"])
    joined = {frozenset((pair["first"], pair["second"])) for pair in facts["pairs"] if pair["is_joined"]}
    assert joined == {frozenset(arc) for arc in found.dag.arcs}


def test_the_page_names_arcs_that_were_left_out(found, table, printed):
    facts = bootstrap_facts(found, table, "asia.csv")
    arc = {"parent": "a", "child": "b"}
    network = {**facts["network"], "undecided": [arc], "left_out": [arc]}
    text = printed(bootstrap_page({**facts, "network": network}))
    assert "Direction undecided: a -> b" in text
    assert "Left out because they would close a cycle: a -> b" in text
    assert " ".join(found.sentence().split()) in " ".join(text.split())
