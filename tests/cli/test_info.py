"""``qnml info``."""

import numpy as np
import pandas
import pytest

import qnml


def test_facts_of_a_small_table(qnml_command, table_file):
    document = qnml_command("info", table_file, "--json").document
    assert (document["rows"], document["total"], document["distinct_rows"]) == (8, 8, 5)
    assert (document["missing_cells"], document["constant"]) == (0, [])
    assert document["variables"][2] == {
        "name": "C",
        "labels": [1, 2, 3],
        "n_levels": 3,
        "n_observed": 3,
        "missing": 0,
    }
    assert document["lattice"] == {"log2_subsets": 3, "exact_in_reach": True}


def test_people_see_the_same(qnml_command, table_file):
    text = " ".join(qnml_command("info", table_file).out.split())
    for words in (
        "8 rows, 3 columns",
        "Distinct rows: 5",
        "Constant columns: none",
        "2^3 = 8",
        "Exact learning: in reach",
    ):
        assert words in text
    assert "1, 2, 3" in text


def test_missing_cells_are_shown_and_not_refused(qnml_command, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("A,B,C\na,x,k\n?,,k\na,y,k\n?,x,k\n", encoding="utf-8")
    outcome = qnml_command("info", path)
    assert outcome.code == 0
    assert "Missing cells: 3, treated here as a category of their own" in outcome.out
    document = qnml_command("info", path, "--json").document
    assert document["missing_cells"] == 3
    assert [variable["missing"] for variable in document["variables"]] == [2, 1, 0]
    assert [variable["n_levels"] for variable in document["variables"]] == [1, 2, 1]
    assert document["variables"][0]["labels"] == ["a"]
    # A has one label, but holes as well: not constant.
    assert document["constant"] == ["C"]


def test_a_column_of_holes_only(qnml_command, tmp_path):
    path = tmp_path / "hollow.csv"
    path.write_text("A,B\nx,\ny,\n", encoding="utf-8")
    document = qnml_command("info", path, "--json").document
    assert document["variables"][1] == {
        "name": "B",
        "labels": [],
        "n_levels": 0,
        "n_observed": 0,
        "missing": 2,
    }
    assert document["constant"] == ["B"]


def test_levels_never_seen(qnml_command, tmp_path):
    path = tmp_path / "declared.feather"
    frame = pandas.DataFrame({"A": pandas.Categorical(["a", "b"], categories=["a", "b", "c"])})
    frame.to_feather(path)
    variable = qnml_command("info", path, "--json").document["variables"][0]
    assert (variable["n_levels"], variable["n_observed"]) == (3, 2)
    assert "3 (1 unseen)" in qnml_command("info", path).out


def test_weights_are_counted_and_are_no_variable(qnml_command, tmp_path):
    path = tmp_path / "weighted.csv"
    path.write_text("A,times\na,3\nb,2\na,1\n", encoding="utf-8")
    document = qnml_command("info", path, "--weights", "times", "--json").document
    assert (document["rows"], document["total"], document["distinct_rows"]) == (3, 6, 2)
    assert [variable["name"] for variable in document["variables"]] == ["A"]
    assert "3 rows with a total weight of 6" in " ".join(qnml_command("info", path, "--weights", "times").out.split())


@pytest.mark.parametrize(("count", "reach"), [(27, True), (64, True), (65, False)])
def test_exact_learning_is_in_reach_where_the_plan_fits(qnml_command, tmp_path, count, reach):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"V{i}" for i in range(count)) + "\n" + ",".join("1" * count) + "\n", encoding="utf-8")
    assert qnml.plan(path, method="exact").fits is reach
    assert qnml_command("info", path, "--json").document["lattice"]["exact_in_reach"] is reach
    assert ("out of reach" in qnml_command("info", path).out) is not reach


def test_exact_learning_is_out_of_reach_of_a_small_memory(qnml_command, tmp_path):
    path = tmp_path / "wide.csv"
    codes = np.random.default_rng(1).integers(0, 2, (1000, 24))
    qnml.Table.from_codes(codes).to_frame().write_csv(path)
    assert qnml_command("info", path, "--json").document["lattice"]["exact_in_reach"]
    # Enough to read the table, not enough for the 2^24 sets of its variables.
    document = qnml_command("info", path, "--memory", "0.02", "--json").document
    assert not document["lattice"]["exact_in_reach"]


def test_a_table_that_no_search_takes_is_shown(qnml_command, tmp_path):
    path = tmp_path / "heavy.csv"
    path.write_text(f"A,B,times\na,x,{2**52}\nb,y,{2**51}\n", encoding="utf-8")
    assert qnml_command("learn", path, "--weights", "times").code == 2
    document = qnml_command("info", path, "--weights", "times", "--json").document
    assert (document["total"], document["lattice"]["exact_in_reach"]) == (2**52 + 2**51, False)


def test_every_bundled_network_can_be_looked_at(qnml_command, tmp_path):
    path = tmp_path / "asia.csv"
    qnml.datasets.sample("asia", 50, seed=1).to_frame().write_csv(path)
    assert len(qnml_command("info", path, "--json").document["variables"]) == 8
