"""A posterior, as facts and as a page."""

import json
from dataclasses import replace

import numpy as np
import pytest

import qnml
from qnml.reports import posterior_facts, posterior_page
from qnml.search.posterior.interface import Estimate


@pytest.fixture(scope="module")
def found():
    iris = qnml.datasets.load("iris")
    return qnml.posterior(iris.select(iris.names[:4]))


def test_facts_are_those_of_the_result(found):
    facts = posterior_facts(found, "iris.csv", top=2)
    assert facts["data"] == {"source": "iris.csv", "rows": 150, "total": 150, "variables": 4, "preparation": None}
    assert (facts["method"], facts["prior"], facts["weights_are"]) == ("enumerate", "uniform", "NML weights")
    assert facts["log_total"] == found.log_total
    assert facts["rankings_are_proven"] is True
    assert len(facts["pairs"]) == 6
    for pair in facts["pairs"]:
        assert pair["forward"] == found.edge_probabilities[pair["first"], pair["second"]]
        assert pair["forward_error"] is None
    assert len(facts["paths"]) == 12
    assert facts["paths"][0]["probability"] == found.ancestors[0, 1]
    [best, second] = facts["top_classes"]
    cpdag = found.top_classes(1)[0].graph
    assert best["directed"] == [list(edge) for edge in cpdag.directed]
    assert best["undirected"] == [list(edge) for edge in cpdag.undirected]
    assert best["probability"] >= second["probability"]
    assert facts["top_dags"][0]["arcs"] == [list(arc) for arc in found.top_dags(1)[0].graph.arcs]
    assert json.loads(json.dumps(facts)) == facts


def test_page(found, printed):
    text = printed(posterior_page(posterior_facts(found, "iris.csv", files=[("x.svg", "picture")])), width=100)
    assert "iris.csv: 150 rows, 4 columns" in text
    assert "NML weights by qnml, every DAG equally probable a priori" in text
    assert "petal_length, petal_width" in text
    shares = found.edges[0, 2], found.edges[2, 0], found.adjacencies[0, 2], 1 - found.adjacencies[0, 2]
    row = ["sepal_length,", "petal_length", *(f"{share:.3f}" for share in shares)]
    assert row in [one.split() for one in text.splitlines()]
    assert "Most probable equivalence classes (a -- b: either direction):" in text
    assert "Written: x.svg (picture)" in text
    assert "other pair" not in text


def test_improbable_pairs_are_left_out_of_the_page(found, printed):
    text = printed(posterior_page(posterior_facts(found, "iris.csv", least=0.5)), width=100)
    assert "2 other pairs: joined with a probability below 0.5." in text
    nothing = qnml.posterior(found.table, max_parents=0)
    text = printed(posterior_page(posterior_facts(nothing, "iris.csv")), width=100)
    assert "All pairs: joined with a probability below 0.1." in text
    assert "no edges" in text


def test_estimates_show_their_errors(found, printed):
    class Estimated:
        def __getattr__(self, name):
            return getattr(found.found, name)

        @property
        def edges(self):
            return Estimate(found.found.edges.values, np.full((4, 4), 0.0123))

    drawn = replace(found, found=Estimated(), method="mcmc")
    facts = posterior_facts(drawn, "iris.csv")
    assert facts["pairs"][0]["forward_error"] == 0.0123
    text = printed(posterior_page(facts), width=100)
    assert "± 0.012" in text
    assert "standard errors of up to 0.012" in text


def test_warnings_are_on_the_page(found, printed):
    assert "mind the gap" in printed(posterior_page(posterior_facts(found, "x", warnings=["mind the gap"])), width=100)
