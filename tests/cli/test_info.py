"""``qnml info``."""

import numpy as np
import pandas
import pytest

import qnml


def test_facts_of_a_small_table(qnml_command, table_file):
    document = qnml_command("info", table_file, "--json").document
    assert (document["rows"], document["total"], document["distinct_rows"]) == (8, 8, 5)
    assert (document["missing_cells"], document["used"]) == (0, ["A", "B", "C"])
    assert document["columns"][2] == {
        "name": "C",
        "kind": "integer",
        "missing": 0,
        "distinct": 3,
        "action": "keep",
        "reason": "Integers with few values.",
        "levels": [1, 2, 3],
        "cuts": None,
    }
    assert document["lattice"] == {"log2_subsets": 3, "exact_in_reach": True}


def test_people_see_the_same(qnml_command, table_file):
    text = " ".join(qnml_command("info", table_file).out.split())
    for words in ("8 rows, 3 columns", "Distinct rows of these columns: 5", "2^3 = 8", "Exact learning: in reach"):
        assert words in text
    assert "1, 2, 3" in text


def test_the_size_of_a_search_is_shown(qnml_command, table_file, data_folder):
    document = qnml_command("info", table_file, "--json").document
    assert (document["search"]["sets"], document["search"]["families"], document["search"]["fits"]) == (8, 12, True)
    assert document["search"]["seconds"] < 1
    raw = " ".join(qnml_command("info", data_folder / "uci" / "heart_cleveland.csv").out.split())
    assert "A search: 14 variables, 303 rows: " in raw
    assert "learns bins and network together and estimates missing cells, which takes several searches." in raw


def test_suspicious_columns_are_pointed_to(qnml_command, data_folder):
    text = " ".join(qnml_command("info", data_folder / "uci" / "adult.csv.gz").out.split())
    assert "capital-gain: 159 cells hold 99999, far from all others." in text


def test_missing_cells_are_shown_and_not_refused(qnml_command, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("A,B,C\na,x,k\n?,,k\na,y,k\nb,x,k\n", encoding="utf-8")
    outcome = qnml_command("info", path)
    assert outcome.code == 0
    assert "Missing cells: 2" in outcome.out
    document = qnml_command("info", path, "--json").document
    assert document["missing_cells"] == 2
    assert [column["missing"] for column in document["columns"]] == [1, 1, 0]
    assert document["used"] == ["A", "B"]
    assert document["columns"][2]["reason"] == "Constant: every cell is k."


@pytest.mark.parametrize(
    "text",
    [
        "A,B\nx,\ny,\n",
        "A\n1\n",
        "A,B\n",
        "id,note\n" + "".join(f"{k},free text {k}\n" for k in range(30)),
        "when,x\n2024-01-01,0.5\n2024-01-02,0.25\n",
    ],
)
def test_every_readable_table_can_be_looked_at(qnml_command, tmp_path, text):
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")
    assert qnml_command("info", path).code == 0
    assert qnml_command("info", path, "--json").document["columns"]


def test_raw_files_of_the_paper_can_be_looked_at(qnml_command, data_folder):
    document = qnml_command("info", data_folder / "uci" / "heart_cleveland.csv", "--json").document
    assert document["missing_cells"] == 6
    actions = {column["name"]: column["action"] for column in document["columns"]}
    assert (actions["age"], actions["sex"], actions["oldpeak"]) == ("bin", "keep", "bin")


def test_levels_never_seen(qnml_command, tmp_path):
    path = tmp_path / "declared.feather"
    frame = pandas.DataFrame({"A": pandas.Categorical(["a", "b"], categories=["a", "b", "c"])})
    frame.to_feather(path)
    column = qnml_command("info", path, "--json").document["columns"][0]
    assert (len(column["levels"]), column["distinct"]) == (3, 2)
    assert "3 (1 unseen)" in qnml_command("info", path).out


def test_weights_are_counted_and_are_no_variable(qnml_command, tmp_path):
    path = tmp_path / "weighted.csv"
    path.write_text("A,times\na,3\nb,2\na,1\n", encoding="utf-8")
    document = qnml_command("info", path, "--weights", "times", "--json").document
    assert (document["rows"], document["total"], document["distinct_rows"]) == (3, 6, 2)
    assert [column["name"] for column in document["columns"]] == ["A"]
    assert "3 rows with a total weight of 6" in " ".join(qnml_command("info", path, "--weights", "times").out.split())


@pytest.mark.parametrize(("count", "reach"), [(27, True), (64, True), (65, False)])
def test_exact_learning_is_in_reach_where_the_plan_fits(qnml_command, tmp_path, count, reach):
    path = tmp_path / "wide.feather"
    # Declared columns are kept although they are constant, which keeps the plan small.
    pandas.DataFrame({f"V{i}": pandas.Categorical(["1"]) for i in range(count)}).to_feather(path)
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
    assert len(qnml_command("info", path, "--json").document["columns"]) == 8
