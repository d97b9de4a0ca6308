"""Facts are plain: they go into JSON as they are and come back the same."""

import json
import math

import numpy as np
import pytest

import qnml
from qnml.report import (
    comparison_facts,
    explanation_facts,
    information_facts,
    registry_facts,
    regret_facts,
    scoring_facts,
)


@pytest.fixture(scope="module")
def table():
    """Two hundred rows of a bundled network."""
    return qnml.datasets.sample("asia", 200, seed=3)


@pytest.fixture(scope="module")
def dag():
    """The structure they were drawn from."""
    return qnml.datasets.load_network("asia").dag


def every_document(table, dag):
    other = qnml.Dag.empty(dag.names)
    explanation = qnml.explain(table, dag)
    score = {"name": "qnml", "value": 1.0, "explanation": explanation_facts(explanation)}
    yield scoring_facts(table, "t.csv", dag, "n.bif", levels_from_network=True, scores=[score])
    yield regret_facts([1, 2], [3, 4.5, 1e300], {"exact": np.arange(6.0).reshape(2, 3)})
    yield comparison_facts(
        qnml.compare(dag, other), sources=("a", "b"), dags=(dag, other), class_sizes=(1, 1), equivalent=False
    )
    yield information_facts(table, "t.csv", has_missing=False)
    yield registry_facts(qnml.SCORES.values())


def test_facts_survive_json_unchanged(table, dag):
    documents = list(every_document(table, dag))
    assert len(documents) == 5
    for document in documents:
        # Tuples, numpy numbers and names of other kinds would come back different, or not go out at all.
        assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_an_explanation_keeps_every_number(table, dag):
    explanation = qnml.explain(table, dag)
    facts = explanation_facts(explanation)
    for made, given in zip(facts["families"], explanation.families, strict=True):
        assert made == {**vars(given), "parents": list(given.parents)}
    assert [arc["removal_cost_bits"] for arc in facts["arcs"]] == [arc.removal_cost_bits for arc in explanation.arcs]
    assert facts["overfull"] == [family.child for family in explanation.overfull]


def test_regrets_are_paired_in_order():
    facts = regret_facts([10, 20], [2.0, 2.5], {"exact": np.array([[1.0, 2.0], [3.0, 4.0]])})
    assert facts["values"] == [
        {"n": 10, "r": 2, "exact": 1.0},
        {"n": 10, "r": 2.5, "exact": 2.0},
        {"n": 20, "r": 2, "exact": 3.0},
        {"n": 20, "r": 2.5, "exact": 4.0},
    ]
    # A whole number that a double cannot tell from its neighbours is not dressed up as exact.
    huge = regret_facts([1], [1e300], {})["values"][0]["r"]
    assert isinstance(huge, float)
    assert huge == 1e300


def test_a_level_called_like_a_missing_one_is_a_level_where_nothing_is_missing():
    table = qnml.Table.from_codes([[0, 1, 1]], names=["A"], levels=[["a", "?"]])
    complete = information_facts(table, "t", has_missing=False)["variables"][0]
    assert (complete["labels"], complete["missing"]) == (["a", "?"], 0)
    holed = information_facts(table, "t", has_missing=True)["variables"][0]
    assert (holed["labels"], holed["missing"]) == (["a"], 2)


def test_distinct_rows_are_counted(table):
    rows = {tuple(row) for row in zip(*(column.tolist() for column in table.columns), strict=True)}
    facts = information_facts(table, "t", has_missing=False)
    assert facts["distinct_rows"] == len(rows)
    assert facts["rows"] == facts["total"] == 200
    for variable, codes in zip(facts["variables"], table.columns, strict=True):
        assert variable["n_observed"] == len(set(codes.tolist()))
    assert math.prod([2] * facts["lattice"]["log2_subsets"]) == 256
