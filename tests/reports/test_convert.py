"""A network in another file format, as facts and as a page."""

import json

from qnml.reports import convert_facts, convert_page


def test_a_network(network, printed):
    facts = convert_facts(
        ("asia.bif", "bif", network.dag, network), ("asia.net", "net", 123), holds="network", notes=["mind the gap"]
    )
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["input"]["parameters"] == network.n_parameters
    text = printed(convert_page(facts))
    assert f"asia.bif (bif): 8 variables, 8 arcs, {network.n_parameters} parameters" in text
    assert "asia.net (net) written." in text
    assert "mind the gap" in text


def test_a_structure_has_no_parameters(network, printed):
    facts = convert_facts(("a.txt", "modelstring", network.dag, None), ("a.dot", "dot", 1), holds="structure", notes=[])
    assert facts["input"]["parameters"] is None
    text = printed(convert_page(facts))
    assert "parameter" not in text
    assert "a.dot (dot) written (structure only)." in text
