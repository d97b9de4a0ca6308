"""What results say about directions that background knowledge adds."""

from __future__ import annotations

import numpy as np
import pytest

import qnml
from qnml.graph import enumerate_class
from qnml.reports import k_best_facts, posterior_facts

KNOWN = qnml.Knowledge(tiers=[["asia", "smoke"], ["lung", "bronc", "tub"], ["either"], ["xray", "dysp"]])


@pytest.fixture(scope="module")
def table():
    return qnml.datasets.sample("asia", 1000, seed=1)


@pytest.fixture(scope="module")
def told(table):
    return qnml.learn(table, knowledge=KNOWN)


def test_the_members_that_knowledge_admits(told, table):
    assert told.knowledge == KNOWN
    assert ("smoke", "lung") in told.mpdag.directed
    assert told.cpdag.undirected != ()
    admitted = {one for one in enumerate_class(told.cpdag) if KNOWN.admits(one)}
    assert set(enumerate_class(told.mpdag)) == admitted
    free = qnml.learn(table)
    assert free.knowledge is None
    assert (free.mpdag.directed, free.mpdag.undirected) == (free.cpdag.directed, free.cpdag.undirected)


def test_other_results_show_it(table):
    four = table.select(["smoke", "lung", "bronc", "dysp"])
    known = qnml.Knowledge(tiers=[["smoke"], ["lung", "bronc"], ["dysp"]])
    [first, *_] = best = qnml.k_best(four, 2, knowledge=known)
    assert first.mpdag == known.orient(first.dag)
    facts = k_best_facts(best, four, "asia.csv")
    assert {(edge["parent"], edge["child"]) for edge in facts["entries"][0]["directed"]} == set(first.mpdag.directed)
    found = qnml.posterior(four, knowledge=known)
    top = found.top_classes(1)[0]
    assert top.graph == first.mpdag
    # Its probability is that of the admitted members alone.
    members = set(enumerate_class(top.graph))
    everyone = {one.graph: one.probability for one in found.top_dags(600)}
    assert top.probability == pytest.approx(sum(everyone[member] for member in members))
    assert posterior_facts(found, "asia.csv")["top_classes"][0]["undirected"] == []
    assert isinstance(qnml.posterior(four).top_classes(1)[0].graph, qnml.Cpdag)


def test_shares_of_a_bootstrap_follow_the_rules():
    # smoke -> lung is known; that lung -> xray follows, though no rule names xray.
    chance = np.random.default_rng(1)
    smoke = chance.integers(0, 2, 500)
    lung = smoke ^ (chance.random(500) < 0.1)
    xray = lung ^ (chance.random(500) < 0.1)
    known = qnml.Knowledge(required=[("smoke", "lung")])
    often = qnml.bootstrap({"smoke": smoke, "lung": lung, "xray": xray}, 20, seed=1, knowledge=known)
    place = often.names.index
    # Where the third arc is found as well, xray and lung may be either way round.
    thirds = sum(dag.n_arcs == 3 for dag in often.dags)
    assert 0 < thirds < 5
    assert often.edges[place("lung"), place("xray")] == pytest.approx(1 - thirds / 2 / 20)
    assert often.edges[place("xray"), place("lung")] == pytest.approx(thirds / 2 / 20)
