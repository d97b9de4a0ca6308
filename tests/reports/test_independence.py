"""The verdict of a test of independence, as facts and as a page."""

import json

import qnml
from qnml.reports import independence_facts, independence_page


def test_facts_and_page(table, printed):
    found = qnml.independence(table, "smoke", "bronc", ["lung"])
    facts = independence_facts(found, table, "asia.csv")
    assert facts["given"] == ["lung"]
    assert facts["bits"] == found.bits
    json.dumps(facts, allow_nan=False)
    text = " ".join(printed(independence_page(facts)).split())
    assert found.sentence() in text
    assert f"{found.mutual_information:.6f} nats" in text
