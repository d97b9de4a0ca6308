"""Answers that depend on arbitrary directions are told of, with their range; others are not."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import qnml
from qnml.errors import InputError, UnidentifiedEffectError, UnidentifiedEffectWarning
from qnml.model.inference import class_effects


@pytest.fixture(scope="module")
def learned():
    return qnml.learn(qnml.datasets.sample("asia", 1000, seed=1)).fit()


def test_a_learned_network_tells_of_arbitrary_directions(learned):
    effect = learned.effect("smoke", "lung")
    low, high = effect.low[0, 0], effect.high[0, 0]
    assert low < high
    words = rf"Network\.query: .*smoke -- lung.*P\(lung=yes\) lies between {low:.4g} and {high:.4g} in its members"
    with pytest.warns(UnidentifiedEffectWarning, match=words) as caught:
        answer = learned.query("lung", do={"smoke": "yes"})
    assert caught[0].filename == __file__
    with pytest.raises(UnidentifiedEffectError, match=words):
        learned.query("lung", do={"smoke": "yes"}, on_unidentified="raise")
    assert learned.query("lung", do={"smoke": "yes"}, on_unidentified="ignore") == answer


@pytest.mark.filterwarnings("error")
def test_what_does_not_depend_on_them_is_said_without_a_word(learned):
    learned.query("lung")
    learned.query("xray", do={"either": "yes"})
    learned.query("dysp", {"xray": "yes"}, do={"bronc": "yes", "either": "no"})
    learned.query("lung", do={"xray": "yes"})
    bare = learned.with_mpdag(None)
    assert bare.query("lung", do={"smoke": "yes"})["yes"] < 0.06
    assert qnml.datasets.load_network("asia").mpdag is None
    # A direction that became known answers the question.
    known = learned.with_mpdag(learned.mpdag.orient([("lung", "smoke")]))
    assert known.query("lung", do={"smoke": "yes"}) == bare.query("lung", do={"smoke": "yes"})


def test_evidence_is_part_of_the_question(learned):
    # Of lung alone nothing depends on directions at either, but smoke was seen as well.
    with pytest.warns(UnidentifiedEffectWarning, match=r"P\(lung="):
        learned.query("lung", {"bronc": "yes"}, do={"smoke": "yes"})
    # Uncertain evidence that says as much as certain evidence has the same range.
    with pytest.warns(UnidentifiedEffectWarning) as hard:
        learned.query("lung", {"bronc": "yes"}, do={"smoke": "yes"})
    with pytest.warns(UnidentifiedEffectWarning) as soft:
        learned.query("lung", likelihood={"bronc": {"yes": 1.0, "no": 1e-12}}, do={"smoke": "yes"})
    assert str(hard[0].message) == str(soft[0].message)
    with pytest.warns(UnidentifiedEffectWarning, match=r"Network\.marginals: .* lies between"):
        learned.marginals({"bronc": ["yes", "no"]}, do={"smoke": "yes"}, targets="lung")
    with pytest.warns(UnidentifiedEffectWarning, match=r"The probability of the evidence lies between"):
        learned.log_evidence({"lung": "yes"}, do={"smoke": "yes"})


def test_other_ways_to_ask(learned):
    for call, ask in (
        ("do", lambda: learned.do({"smoke": "yes"})),
        ("sample", lambda: learned.sample(5, seed=1, do={"smoke": "yes"})),
        ("most_probable", lambda: learned.most_probable(do={"smoke": "yes"})),
    ):
        with pytest.warns(UnidentifiedEffectWarning, match=rf"Network\.{call}: the answer depends") as caught:
            ask()
        assert caught[0].filename == __file__
    with pytest.raises(UnidentifiedEffectError, match=r"Network\.do"):
        learned.do({"smoke": "yes"}, on_unidentified="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cut = learned.do({"smoke": "yes"}, on_unidentified="ignore")
    assert cut.mpdag is None
    with pytest.raises(InputError, match=r"on_unidentified='no'"):
        learned.do({"smoke": "yes"}, on_unidentified="no")


def test_knowledge_makes_it_known():
    known = qnml.Knowledge(tiers=[["asia", "smoke"], ["lung", "bronc", "tub"]])
    net = qnml.learn(qnml.datasets.sample("asia", 1000, seed=1), knowledge=known).fit()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert net.query("lung", do={"smoke": "yes"})["yes"] > 0.08


def test_the_class_travels_with_the_network(learned, tmp_path):
    qnml.write_network(learned, tmp_path / "net.json")
    again = qnml.read_network(tmp_path / "net.json")
    assert again.mpdag == learned.mpdag
    assert pickle.loads(pickle.dumps(learned)).mpdag == learned.mpdag
    assert learned.update(qnml.datasets.sample("asia", 10, seed=2)).mpdag == learned.mpdag
    assert qnml.fit(qnml.datasets.sample("asia", 10, seed=2), learned).mpdag == learned.mpdag
    assert qnml.fit(qnml.datasets.sample("asia", 10, seed=2), learned.dag).mpdag is None
    graph = qnml.model.to_networkx(learned, tables=True)
    assert qnml.model.from_networkx(graph).mpdag == learned.mpdag
    qnml.write_network(learned, tmp_path / "net.bif")
    assert qnml.read_network(tmp_path / "net.bif").mpdag is None


def test_ranges_too_large_to_compute_are_still_told(learned, monkeypatch):
    monkeypatch.setattr(class_effects, "MOST_CHOICES", 2)
    with pytest.warns(UnidentifiedEffectWarning, match="The range over the members takes too much work"):
        learned.query("lung", do={"smoke": "yes"})


def test_deterministic_arcs():
    dag = qnml.Dag.from_modelstring("[a][b|a]")
    given = {"a": [0.5, 0.5], "b": np.eye(2)}
    net = qnml.Network(dag, {"a": [0, 1], "b": [0, 1]}, given, mpdag=dag.to_cpdag().orient([]))
    with pytest.warns(UnidentifiedEffectWarning, match="In some members it is not defined"):
        net.query("b", do={"a": 1})
