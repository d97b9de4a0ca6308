"""Scores of a given network, as facts and as a page."""

import json

import pytest

import qnml
from qnml.reports import explanation_facts, score_facts, score_page


def family(child, parents, *, cells=4, overfull=False):
    return {
        "child": child, "parents": parents, "score": -12.5, "fit": -10.25, "penalty": 2.25,
        "n_parameters": 10**40, "cells": cells, "is_overfull": overfull, "log_z": 0.125,
    }  # fmt: skip


def scoring(families, arcs, total=100):
    explanation = {"families": families, "arcs": arcs, "overfull": []}
    score = {"name": "qnml", "parameters": {}, "label": "qnml", "value": -1e-9, "explanation": explanation}
    return {
        "data": {
            "source": "t.csv",
            "rows": total,
            "total": total,
            "variables": 3,
            "preparation": None,
            "prepared": False,
        },
        "network": {"source": "n.bif", "variables": 3, "arcs": 2, "levels": "data"},
        "scores": [score, {**score, "label": "other"}],
    }


def test_facts_survive_json_unchanged(table, network):
    explanation = qnml.explain(table, network.dag)
    score = {"name": "qnml", "value": 1.0, "explanation": explanation_facts(explanation)}
    facts = score_facts(
        table, "t.csv", network.dag, "n.bif", levels_from_network=True, is_prepared=False, scores=[score]
    )
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["network"] == {"source": "n.bif", "variables": 8, "arcs": 8, "levels": "network"}


def test_an_explanation_keeps_every_number(table, network):
    explanation = qnml.explain(table, network.dag)
    facts = explanation_facts(explanation)
    for made, given in zip(facts["families"], explanation.families, strict=True):
        assert made == {**vars(given), "parents": list(given.parents)}
    assert [arc["removal_cost_bits"] for arc in facts["arcs"]] == [arc.removal_cost_bits for arc in explanation.arcs]
    assert facts["overfull"] == [family.child for family in explanation.overfull]


@pytest.mark.parametrize("width", [40, 80])
def test_long_names_are_folded_and_not_cut(printed, width):
    parents = [f"a_rather_long_name_{i}" for i in range(12)]
    facts = scoring([family("child_" * 10, parents)], [{"parent": "p" * 70, "child": "c", "removal_cost_bits": 1.0}])
    text = printed(score_page(facts), width)
    assert max(map(len, text.splitlines())) <= width
    letters = "".join(text.split())
    assert text.count("p") >= 70
    assert "…" not in letters
    assert letters.count("_") >= 12 * 4 + 10


def test_numbers_people_can_read(printed):
    text = printed(score_page(scoring([family("A", [])], [])))
    assert "about 10^40" in text
    assert "-12.500" in text
    # A value that rounds to zero has no minus sign.
    assert " -0.0000" not in text


def test_overfull_families_are_told_once_for_all_scores(printed):
    families = [family("A", []), family("B", ["A"], cells=60, overfull=True)]
    text = printed(score_page(scoring(families, [])))
    assert text.count("Over-full") == 1
    assert "0.125" in text
    assert "Over-full" not in printed(score_page(scoring([family("A", [])], [])))
