"""``qnml regret``."""

import pytest

import qnml

METHODS = ["exact", "szpankowski", "szpankowski-weinberger"]


def test_figures_of_the_paper(qnml_command):
    # Table 1 of Silander et al. (2018), the column of the exact values.
    published = {(50, 10): "13.24", (50, 100): "60.00", (500, 10): "22.67", (500, 100): "144.03"}
    document = qnml_command("regret", "50,500", "10,100", "--json").document
    assert {(v["n"], v["r"]): f"{v['exact']:.2f}" for v in document["values"]} == published


def test_all_methods_for_every_pair(qnml_command):
    document = qnml_command("regret", "50,1e6", "2,10,2.5", "--method", "all", "--json").document
    assert document["methods"] == METHODS
    assert [(v["n"], v["r"]) for v in document["values"]] == [(n, r) for n in (50, 10**6) for r in (2, 10, 2.5)]
    for value in document["values"]:
        for method in METHODS:
            assert value[method] == qnml.regret(value["n"], value["r"], method=method)


def test_people_see_one_column_for_each_method(qnml_command):
    outcome = qnml_command("regret", "1000", "4", "--method", "all")
    assert outcome.code == 0
    for method in METHODS:
        assert method in outcome.out
        assert f"{qnml.regret(1000, 4, method=method):.6f}" in outcome.out
    single = qnml_command("regret", "1000", "4").out
    assert "szpankowski" not in single


def test_a_value_that_is_not_finite_is_null(qnml_command, monkeypatch):
    monkeypatch.setattr(qnml, "regret", lambda n, r, method: n * r * float("inf"))
    assert qnml_command("regret", "5", "5", "--json").document["values"][0]["exact"] is None


@pytest.mark.parametrize(
    ("n", "r", "words"),
    [
        ("ten", "4", ("n='ten'", "a number such as 100 or 1e6")),
        ("10,", "4", ("n='10,'",)),
        ("1.5", "4", ("n=", "whole number")),
        ("nan", "4", ("n=", "whole number")),
        ("1e400", "4", ("n=", "whole number")),
        ("10", "0.5", ("r=", "at least 1", "from 1")),
        ("10", "inf", ("r=",)),
    ],
)
def test_numbers_out_of_range(qnml_command, n, r, words):
    outcome = qnml_command("regret", n, r)
    outcome.assert_refused("regret(", words[0])
    assert len(words) == 1 or any(word in outcome.err for word in words[1:])


def test_an_unknown_method_gets_the_nearest_suggested(qnml_command):
    outcome = qnml_command("regret", "10", "2", "--method", "szpankovski")
    outcome.assert_refused("szpankovski", "Did you mean 'szpankowski'?")
