"""The best networks in order, as facts and as a page."""

import json

import pytest

import qnml
from qnml.reports import k_best_facts, k_best_page


@pytest.mark.parametrize("what", ["classes", "dags"])
def test_facts_and_page(table, printed, what):
    small = table.select(table.names[:4])
    found = qnml.k_best(small, 3, what=what)
    facts = k_best_facts(found, small, "asia.csv", warnings=["mind the gap"])
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert [entry["rank"] for entry in facts["entries"]] == [1, 2, 3]
    for entry, one in zip(facts["entries"], found, strict=True):
        assert entry["score"] == one.score
        assert [(arc["parent"], arc["child"]) for arc in entry["dag"]] == list(one.dag.arcs)
        assert (entry["log_prior"], entry["objective"]) == (one.log_prior, one.objective)
    assert facts["prior"] == "uniform"
    text = printed(k_best_page(facts), width=120)
    assert "Best: " in text
    assert "mind the gap" in text
    assert found.sentence() in text


def test_the_others_are_compared_with_the_best(printed):
    def entry(rank, arcs):
        directed = [{"parent": parent, "child": child} for parent, child in arcs]
        return {"rank": rank, "score": -1.0 * rank, "log_weight": 1.0 - rank, "directed": directed, "undirected": []}

    data = {"source": "t.csv", "rows": 1, "total": 1, "variables": 3, "preparation": None}
    entries = [entry(1, [("a", "b")]), entry(2, [("c", "b")])]
    text = printed(k_best_page({"data": data, "prior": "uniform", "sentence": "", "entries": entries, "warnings": []}))
    assert "with c -> b; without a -> b" in text
