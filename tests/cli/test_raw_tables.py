"""Raw tables end to end: learned at the first attempt, with a note on the preparation; models take raw rows."""

from __future__ import annotations

import pytest

import qnml

QUICK = ["bc_wisconsin", "breast_cancer", "glass", "heart_cleveland", "heart_hungarian", "iris", "post_operative"]


def raw_file(folder, name):
    (path,) = (folder / "uci").glob(f"{name}.csv*")
    return path


@pytest.mark.parametrize("name", QUICK)
def test_raw_sets_of_the_paper_are_learned_at_the_first_try(qnml_command, data_folder, tmp_path, name):
    outcome = qnml_command("learn", raw_file(data_folder, name), "--plot", tmp_path / "net.svg")
    assert outcome.code == 0
    assert (tmp_path / "net.svg").stat().st_size > 1000
    if name in ("bc_wisconsin", "glass"):
        assert "Left out: " in outcome.out
    if name.startswith("heart"):
        assert "Binned: age" in outcome.out
        assert "Missing cells: " in outcome.out


@pytest.mark.slow
def test_every_raw_set_of_the_paper_is_learned_at_the_first_try(qnml_command, data_folder, tmp_path):
    paths = sorted((data_folder / "uci").glob("*.csv*"))
    assert len(paths) == 21  # one of them describes the others
    for path in paths:
        assert qnml_command("learn", path, "--plot", tmp_path / "net.svg").code == 0, path


@pytest.mark.parametrize("ending", [".json", ".bif"])
def test_the_model_predicts_raw_rows(qnml_command, data_folder, tmp_path, ending):
    path, model = raw_file(data_folder, "iris"), tmp_path / f"iris{ending}"
    assert qnml_command("learn", path, "--output", model).code == 0
    document = qnml_command("predict", model, path, "--target", "class", "--json").document
    assert document["judgement"]["rows"] == 150
    assert document["judgement"]["accuracy"] > 0.9
    answer = qnml_command("query", model, "--target", "class", "--evidence", "petal_width=0.2", "--json").document
    assert max(answer["probabilities"], key=lambda one: one["probability"])["levels"] == {"class": "Iris-setosa"}


def test_in_python_as_well(data_folder):
    path = raw_file(data_folder, "iris")
    for discretize in (None, "joint"):
        net = qnml.learn(qnml.read_table(path, prepare="auto"), discretize=discretize).fit()
        assert net.evaluate(path, "class").judgement.accuracy > 0.85
    assert net.evaluate(path, "class").judgement.accuracy > 0.9


def test_bins_are_learned_with_the_network_unless_asked_otherwise(qnml_command, data_folder):
    path = raw_file(data_folder, "iris")
    assert "learned together with the network" in " ".join(qnml_command("learn", path).out.split())
    for words in (["--discretize", "nml"], ["--score", "bdeu"], ["--prepare", "strict", "--discretize", "paper"]):
        document = qnml_command("learn", path, *words, "--json").document
        assert document["binning"] is None
    words = ["--prepare", "strict", "--discretize", "joint", "--column", "sepal_length=bins"]
    qnml_command("learn", path, *words).assert_refused("3 columns hold real values")
    fixed = qnml_command("learn", path, "--column", "sepal_length=frequency:2", "--json").document["binning"]
    assert {column["column"] for column in fixed["columns"]} == {"sepal_width", "petal_length", "petal_width"}
