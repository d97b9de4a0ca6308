"""Rows drawn from a network, as facts and as a page."""

import json

from qnml.reports import sample_facts, sample_page


def test_facts_and_page(network, printed):
    facts = sample_facts(
        network,
        "asia.bif",
        {"dysp": "yes"},
        {},
        network.sample(10, seed=3),
        seed=3,
        output="rows.csv",
        notes=["mind the gap"],
    )
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["network"] == {"source": "asia.bif", "variables": 8, "arcs": 8}
    text = printed(sample_page(facts))
    for words in ("Given: dysp = yes", "10 rows written to rows.csv; seed 3.", "mind the gap"):
        assert words in text
