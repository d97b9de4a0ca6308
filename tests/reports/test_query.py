"""Answers of a network, as facts and as a page."""

import json
import math

import pytest
from reference.preparations import BINS, example

from qnml.reports import mpe_facts, mpe_page, query_facts, query_page


def test_a_distribution(network, printed):
    answer = network.query(["lung"], {"xray": "yes"}, {"smoke": "no"})
    facts = query_facts(network, "asia.bif", answer, {"xray": "yes"}, {"smoke": "no"})
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert sum(entry["probability"] for entry in facts["probabilities"]) == pytest.approx(1.0)
    text = printed(query_page(facts))
    assert "asia.bif: 8 variables, 8 arcs" in text
    assert "Given: xray = yes" in text
    assert "Set: smoke = no" in text


def test_long_answers_are_cut_to_the_most_probable(network, printed):
    facts = query_facts(network, "asia.bif", network.query(list(network.names)), {}, {})
    text = printed(query_page(facts), width=160)
    assert "The 60 most probable of 256; --json gives all." in text
    assert f"{max(entry['probability'] for entry in facts['probabilities']):.6f}" in text


def test_the_most_probable_explanation(network, printed):
    seen = {"dysp": "yes"}
    answer = network.most_probable(seen)
    facts = mpe_facts(network, "asia.bif", [answer], network.log_evidence(seen), seen, {})
    assert facts["assignment"]["dysp"] == "yes"
    probability = math.exp(facts["log_probability_given_evidence"])
    text = printed(mpe_page(facts))
    assert f"probability {probability:.6f} given the evidence" in text
    assert ["dysp", "yes", "given"] in [row.split() for row in text.splitlines()]


def test_raw_values_are_shown_beside_their_levels(printed):
    network = example()
    answer = network.query("score", {"age": 54.2, "town": "Rome"}, {"sex": "f"})
    facts = query_facts(network, "n.json", answer, {"age": "54.2", "town": "Rome"}, {"sex": "f"})
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert (facts["evidence"], facts["do"]) == ({"age": BINS[2], "town": "Rome"}, {"sex": "f"})
    assert facts["raw"] == {"age": "54.2"}
    lines = printed(query_page(facts)).splitlines()
    assert "Given: age = (50, inf), town = Rome" in lines
    assert "Raw values: age 54.2 is (50, inf)" in lines
