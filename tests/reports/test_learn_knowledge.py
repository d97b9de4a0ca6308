"""What is said about directions that background knowledge adds."""

from __future__ import annotations

import pytest

import qnml
from qnml.reports import learn_facts, learn_page

KNOWN = qnml.Knowledge(tiers=[["asia", "smoke"], ["lung", "bronc", "tub"], ["either"], ["xray", "dysp"]])


@pytest.fixture(scope="module")
def patients():
    return qnml.datasets.sample("asia", 1000, seed=1)


def test_tables_and_pictures_show_it(patients, printed):
    told = qnml.learn(patients, knowledge=KNOWN)
    facts = learn_facts(told, "asia.csv")
    by_knowledge = {(edge["first"], edge["second"]) for edge in facts["mpdag"] if edge["by_knowledge"]}
    assert by_knowledge == set(told.mpdag.directed) - set(told.cpdag.directed)
    assert facts["knowledge"] is True
    page = printed(learn_page(facts, penalty_saturates=True))
    assert "smoke -> lung" in page
    assert "smoke -- lung" not in page
    assert "cannot tell" not in page
    assert "Directed by the knowledge, not by the data" in page
    assert told.mpdag.undirected == ()
    assert "No arrowhead" not in told.plot().svg


def test_what_neither_tells(patients, printed):
    result = qnml.learn(patients, knowledge=qnml.Knowledge(forbidden=[("xray", "smoke")]))
    assert result.mpdag.undirected == result.cpdag.undirected != ()
    page = printed(learn_page(learn_facts(result, "asia.csv"), penalty_saturates=True))
    assert "a -- b: neither the data nor the knowledge tells the direction." in page
