"""Predictions, as facts and as a page."""

import json

from reference.preparations import PREPARATION, RAW, example

from qnml.reports import predict_facts, predict_page


def test_facts_and_page(table, network, printed):
    found = network.evaluate(table, "lung")
    facts = predict_facts(found, "asia.bif", "asia.csv", preparation=None, columns=table.names, proba=True, output=None)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["predictions"] == list(network.predict(table, "lung"))
    assert facts["probabilities"] == found.probabilities.tolist()
    assert sum(entry["rows"] for entry in facts["predicted"]) == 200
    assert facts["judgement"]["rows"] == 200
    text = printed(predict_page(facts))
    assert f"accuracy {found.judgement.accuracy:.4f}" in text
    assert "… and 180 more; --output writes all." in text


def test_what_is_in_a_file_is_left_out(table, network, printed):
    found = network.evaluate(table, "lung")
    facts = predict_facts(
        found, "asia.bif", "asia.csv", preparation=None, columns=table.names, proba=True, output="out.csv"
    )
    assert facts["predictions"] is None
    assert facts["probabilities"] is None
    text = printed(predict_page(facts))
    assert "Written to out.csv." in text
    assert "P(" not in text


def test_what_was_done_to_raw_columns_is_one_line(printed):
    found = example().evaluate(RAW, "score")
    facts = predict_facts(
        found, "n.json", "raw.csv", preparation=PREPARATION, columns=list(RAW), proba=False, output=None
    )
    assert facts["prepared"] == [
        {"column": "id", "done": "left out"},
        {"column": "age", "done": "binned"},
        {"column": "town", "done": "merged"},
        {"column": "sex", "done": "missing cells made a level"},
    ]
    line = (
        "Prepared as in the data the network was learned from: left out: id; binned: age; merged: town; missing cells "
        "made a level: sex."
    )
    assert line in printed(predict_page(facts), width=200).splitlines()
    facts["prepared"] = [{"column": f"v{number}", "done": "binned"} for number in range(15)]
    assert "v11 and 3 more." in printed(predict_page(facts), width=200)
    facts["prepared"] = []
    assert "Prepared" not in printed(predict_page(facts))
