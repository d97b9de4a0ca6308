"""The differences between two networks, as facts and as a page."""

import json

import qnml
from qnml.reports import compare_facts, compare_page


def test_facts_survive_json_unchanged(network):
    dag, other = network.dag, qnml.Dag.empty(network.dag.names)
    facts = compare_facts(
        qnml.compare(dag, other), sources=("a", "b"), dags=(dag, other), class_sizes=(1, 1), equivalent=False
    )
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["first"] == {"source": "a", "variables": 8, "arcs": 8, "class_size": 1}


def test_class_sizes_of_any_magnitude(printed):
    net = {"source": "n", "variables": 2, "arcs": 1, "class_size": 2 * 10**2000}
    small = {**net, "class_size": 999}
    facts = {
        "first": net, "second": small, "on": "cpdag", "shd": 0, "equivalent": False,
        "sid": {"lower": 0, "upper": 2, "is_exact": False},
        "skeleton": {"precision": None, "recall": 1.0, "f1": None},
        "arrowheads": {"precision": 0.5, "recall": 0.5, "f1": 0.5},
        "matching": [{}], "missing": [], "extra": [], "wrongly_oriented": [],
    }  # fmt: skip
    text = printed(compare_page(facts), width=120)
    assert "about 10^2000" in text
    assert "999" in text
    assert "1 edge in common" in text
    assert "Structural intervention distance 0 to 2 of 2: so many effects" in text
    assert "no member need reach these bounds" in text
