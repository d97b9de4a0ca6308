"""Predictions, as facts and as a page."""

import json

from qnml.report import predict_facts, predict_page


def test_facts_and_page(table, network, printed):
    found = network.evaluate(table, "lung")
    facts = predict_facts(found, "asia.bif", "asia.csv", proba=True, output=None)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["predictions"] == list(network.predict(table, "lung"))
    assert facts["probabilities"] == found.probabilities.tolist()
    assert sum(entry["rows"] for entry in facts["predicted"]) == 200
    assert facts["judgement"]["rows"] == 200
    text = printed(predict_page(facts))
    assert f"accuracy {found.judgement.accuracy:.4f}" in text
    assert "… and 180 more; --output writes all." in text


def test_what_is_in_a_file_is_left_out(table, network, printed):
    facts = predict_facts(network.evaluate(table, "lung"), "asia.bif", "asia.csv", proba=True, output="out.csv")
    assert facts["predictions"] is None
    assert facts["probabilities"] is None
    text = printed(predict_page(facts))
    assert "Written to out.csv." in text
    assert "P(" not in text
