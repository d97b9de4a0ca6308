"""Regrets, as facts and as a page."""

import json

import numpy as np

from qnml.reports import regret_facts, regret_page


def test_facts_survive_json_unchanged():
    facts = regret_facts([1, 2], [3, 4.5, 1e300], {"exact": np.arange(6.0).reshape(2, 3)})
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_regrets_are_paired_in_order():
    facts = regret_facts([10, 20], [2.0, 2.5], {"exact": np.array([[1.0, 2.0], [3.0, 4.0]])})
    assert facts["values"] == [
        {"n": 10, "r": 2, "exact": 1.0},
        {"n": 10, "r": 2.5, "exact": 2.0},
        {"n": 20, "r": 2, "exact": 3.0},
        {"n": 20, "r": 2.5, "exact": 4.0},
    ]
    # An integer that a double cannot tell from its neighbours is not shown as exact.
    huge = regret_facts([1], [1e300], {})["values"][0]["r"]
    assert isinstance(huge, float)
    assert huge == 1e300


def test_infinite_regrets_are_printed(printed):
    facts = {"methods": ["exact"], "values": [{"n": 1, "r": 2, "exact": float("inf")}]}
    assert "inf" in printed(regret_page(facts))
