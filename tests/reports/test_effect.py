"""Effects, as facts and as a page."""

import json

import qnml
from qnml.reports import effect_facts, effect_page


def test_facts_are_those_of_the_effect_and_the_page_of_the_facts(printed):
    net = qnml.learn(qnml.datasets.sample("asia", 1000, seed=1)).fit()
    effect = net.effect("bronc", "dysp")
    facts = effect_facts(net, "asia.json", effect, {"yes": 1.0, "no": 0.0})
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["sentence"] == effect.sentence()
    assert [one["parents"] for one in facts["variants"]] == [list(one.parents) for one in effect.variants]
    assert facts["means"][0]["low"] == facts["range"][0]["low"][0]
    text = printed(effect_page(facts))
    assert "do(bronc)" in text
    assert "P(dysp=yes)" in text
    # Names and labels are text, whatever they look like.
    odd = {**facts, "cause": "[red]x[/]", "variants": facts["variants"] * 20, "is_single": False}
    shown = printed(effect_page(odd))
    assert "[red]x[/]" in shown
    assert "more; --json gives all." in shown


def test_numbers_as_labels_have_means():
    dag = qnml.Dag.from_modelstring("[a][b|a]")
    net = qnml.Network(dag, {"a": [0, 1], "b": [1, 2]}, {"a": [0.5, 0.5], "b": [[0.5, 0.5], [0.25, 0.75]]})
    facts = effect_facts(net, "net.json", net.effect("a", "b"))
    assert facts["means"] == [{"label": 0, "low": 1.5, "high": 1.5}, {"label": 1, "low": 1.75, "high": 1.75}]
