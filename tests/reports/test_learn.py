"""A learned network, as facts and as a page."""

import json

import pytest

import qnml
from qnml.reports import learn_facts, learn_page


@pytest.fixture(scope="module")
def asia():
    """Learned from 1000 patients: seven arcs, two of them undirected, and asia by itself."""
    return qnml.learn(qnml.datasets.sample("asia", 1000, seed=1))


@pytest.fixture
def facts(asia):
    return learn_facts(asia, "asia.csv")


def test_facts_are_those_of_the_result(asia, facts):
    assert facts["data"] == {"source": "asia.csv", "rows": 1000, "total": 1000, "variables": 8, "preparation": None}
    assert facts["score"] == {"label": "qnml", "value": asia.score}
    assert facts["network"]["variables"] == list(asia.dag.names)
    assert [(arc["parent"], arc["child"]) for arc in facts["network"]["arcs"]] == list(asia.dag.arcs)
    assert facts["network"]["isolated"] == ["asia"]
    directed = {(edge["first"], edge["second"]) for edge in facts["cpdag"] if edge["directed"]}
    free = {frozenset((edge["first"], edge["second"])) for edge in facts["cpdag"] if not edge["directed"]}
    assert directed == set(asia.cpdag.directed)
    assert free == set(map(frozenset, asia.cpdag.undirected))
    assert len(free) == 2
    assert facts["binning"] is None
    certificate = facts["certificate"]
    assert certificate["optimal"] is True
    assert (certificate["score"], certificate["bound"], certificate["gap"]) == (asia.score, asia.score, 0.0)
    assert certificate["sentence"] == asia.sentence()
    assert sum(certificate["seconds"].values()) == certificate["total_seconds"]
    json.dumps(facts, allow_nan=False)


def test_bins_learned_with_the_network_are_told(printed):
    columns = {"x": [0.1 * i for i in range(60)], "k": [int(i > 25) for i in range(60)]}
    result = qnml.learn(qnml.read_table(columns, columns={"x": "bins"}), discretize="joint")
    facts = learn_facts(result, "x.csv")
    binning = facts["binning"]
    assert binning["code_length"] == result.binning.code_length
    assert binning["columns"] == [{"column": "x", "bins": 2, "cuts": [pytest.approx(2.55)]}]
    assert [one["chosen"] for one in binning["trace"]] == [stage for stage, _ in result.binning.trace]
    assert {one["start"] for one in binning["starts"]} == {"nml", "frequency"}
    assert facts["certificate"]["sentence"] == f"For these bins: {result.certificate.sentence()}"
    json.dumps(facts, allow_nan=False)
    words = " ".join(printed(learn_page(facts, penalty_saturates=True)).split())
    assert "2.55" in words
    assert " ".join(result.sentence().split()) in words


def test_strengths_are_what_the_score_loses(asia, facts):
    table = asia.table
    bits = [edge["removal_cost_bits"] for edge in facts["cpdag"]]
    assert bits == sorted(bits, reverse=True)
    for arc in facts["network"]["arcs"]:
        thinner = asia.dag.remove_arc(arc["parent"], arc["child"])
        lost = (asia.score - qnml.score(table, thinner)) / 0.6931471805599453
        assert arc["removal_cost_bits"] == pytest.approx(lost, abs=1e-8)


def test_people_see_arcs_edges_and_the_certificate(asia, facts, printed):
    text = printed(learn_page(facts, penalty_saturates=True))
    words = " ".join(text.split())
    assert "bronc -> dysp" in text
    assert "smoke -- bronc" in text or "bronc -- smoke" in text
    assert "7 arcs, 2 of them undirected" in words
    assert "cannot tell the direction" in words
    assert "Without arcs: asia" in text
    assert " ".join(asia.sentence().split()) in words
    assert f"{asia.score:.4f}" in text
    assert "Over-full" not in text
    strongest = facts["cpdag"][0]
    assert text.index(strongest["first"] + " ->") < text.index("tub ->")
    assert max(map(len, text.splitlines())) <= 80


def test_a_directed_network_has_no_word_on_directions(facts, printed):
    edges = [{**edge, "directed": True} for edge in facts["mpdag"]]
    text = printed(learn_page({**facts, "mpdag": edges}, penalty_saturates=True))
    assert "--" not in text
    assert "direction" not in text


def test_overfull_families_are_warned_of_unless_silenced(facts, printed):
    family = {"child": "xray", "parents": ["either", "tub"], "cells": 800, "log_z": 3.25}
    full = {**facts, "overfull": [family]}
    text = printed(learn_page(full, penalty_saturates=True))
    for words in ("Over-full", "xray", "either, tub", "800", "3.250", "--guard cap"):
        assert words in text
    assert "Over-full" not in printed(learn_page({**full, "guard": "off"}, penalty_saturates=True))
    assert "Over-full" not in printed(learn_page(full, penalty_saturates=False))


def test_copies_are_named(asia, facts, printed):
    assert facts["copies"] == []
    assert "Copies" not in printed(learn_page(facts, penalty_saturates=True))
    twice = asia.table.select(["asia", "bronc", "dysp", "lung"])
    again = qnml.Table.from_codes([*twice.columns, 1 - twice.columns[1]], names=[*twice.names, "cough"])
    learned = learn_facts(qnml.learn(again, guard="off"), "asia.csv")
    assert learned["copies"] == [["bronc", "cough"]]
    assert "bronc = cough" in printed(learn_page(learned, penalty_saturates=True))


def test_an_empty_network_is_no_empty_page(facts, printed):
    text = printed(learn_page({**facts, "mpdag": []}, penalty_saturates=True))
    assert "independent" in text
    assert "bits" not in text


def test_arcs_that_were_required_are_explained(facts, printed):
    edges = [{**facts["mpdag"][0], "removal_cost_bits": -5.0}]
    optimal = {**facts, "mpdag": edges}
    assert "required" in printed(learn_page(optimal, penalty_saturates=True))
    # A search that was stopped may have other reasons.
    stopped = {**optimal, "certificate": {**facts["certificate"], "optimal": False}}
    assert "required" not in printed(learn_page(stopped, penalty_saturates=True))


def test_names_are_shown_and_not_obeyed(facts, printed):
    edges = [
        {"first": "[red]a[/]", "second": "b\x1b[2J", "directed": True, "removal_cost_bits": 1.0, "by_knowledge": False}
    ]
    files = [{"path": "a\nb.json", "holds": "network"}]
    text = printed(learn_page({**facts, "mpdag": edges, "files": files}, penalty_saturates=True))
    assert "[red]a[/] -> b\\x1b[2J" in text
    assert "a\\nb.json" in text
