"""``qnml k-best``."""

import pytest

import qnml


def edges_of(entry):
    """The class of an entry as two sets."""
    directed = {(arc["parent"], arc["child"]) for arc in entry["directed"]}
    return directed, {frozenset(edge.values()) for edge in entry["undirected"]}


def test_facts_are_those_of_the_library(qnml_command, table_file):
    document = qnml_command("k-best", table_file, "--k", "7", "--score", "bic", "--json").document
    best = qnml.k_best(qnml.read_table(table_file), 7, "bic")
    assert (document["command"], document["what"], document["k"]) == ("k-best", "classes", 7)
    assert document["proven"] == len(document["entries"]) == len(best)
    assert [entry["rank"] for entry in document["entries"]] == list(range(1, len(best) + 1))
    for entry, one in zip(document["entries"], best, strict=True):
        assert entry["score"] == pytest.approx(one.score)
        assert edges_of(entry) == (set(one.cpdag.directed), {frozenset(edge) for edge in one.cpdag.undirected})
        scored = qnml.score(qnml.read_table(table_file), one.dag, "bic")
        assert entry["score"] == pytest.approx(scored)
        assert entry["log_weight"] == pytest.approx(scored - document["entries"][0]["score"], abs=1e-6)


def test_the_page_names_the_best_and_what_the_others_change(qnml_command, table_file):
    words = ("k-best", table_file, "--k", "3", "--dags", "--score", "bic")
    document = qnml_command(*words, "--json").document
    assert document["what"] == "dags"
    assert all(entry["undirected"] == [] and entry["directed"] == entry["dag"] for entry in document["entries"])
    run = qnml_command(*words)
    assert run.code == 0
    text = " ".join(run.out.split())
    for entry in document["entries"]:
        assert f"{entry['score']:.4f}" in text
    for arc in document["entries"][0]["directed"]:
        assert f"{arc['parent']} -> {arc['child']}" in text
    assert "with" in text
    assert "networks, in order" in text


def test_all_of_them_have_no_bound(qnml_command, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a,b\n0,0\n1,1\n0,1\n", encoding="utf-8")
    document = qnml_command("k-best", path, "--k", "9", "--guard", "off", "--json").document
    assert document["is_exhausted"]
    assert document["bound"] is None
    assert document["proven"] == 2


def test_bad_input(qnml_command, table_file):
    qnml_command("k-best", table_file, "--k", "0").assert_refused("--k 0: must be")
    qnml_command("k-best", table_file, "--score", "bic,qnml").assert_refused("one score")
    qnml_command("k-best", table_file, "--guard", "on").assert_refused("guard")
    assert qnml_command("k-best", table_file, "--k", "few").code == 2
