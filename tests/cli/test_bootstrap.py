"""``qnml bootstrap``."""

import pytest


def test_facts_and_page_agree(qnml_command, table_file):
    words = ("bootstrap", table_file, "--replicates", "20", "--seed", "1", "--score", "bic")
    document = qnml_command(*words, "--json").document
    assert (document["command"], document["replicates"], document["seed"]) == ("bootstrap", 20, 1)
    strengths = [pair["strength"] for pair in document["pairs"]]
    assert strengths == sorted(strengths, reverse=True)
    for pair in document["pairs"]:
        assert pair["forward"] + pair["backward"] == pytest.approx(pair["strength"])
        assert pair["is_joined"] == (pair["strength"] > document["threshold"] or pair["strength"] == 1)
    text = " ".join(qnml_command(*words).out.split())
    assert document["sentence"] in text
    assert "strength" in text


def test_bad_input(qnml_command, table_file):
    assert qnml_command("bootstrap", table_file, "--replicates", "0").code == 2
    assert qnml_command("bootstrap", table_file, "--score", "bic,qnml").code == 2


def test_the_search_can_be_chosen(qnml_command, table_file):
    words = ("bootstrap", table_file, "--replicates", "3", "--seed", "1", "--json")
    assert qnml_command(*words).document["method"] == "exact"
    assert qnml_command(*words, "--method", "hill-climbing", "--effort", "quick").document["method"] == "hill-climbing"
