"""``qnml predict``."""

import polars as pl
import pytest

import qnml

NET = qnml.Network(
    qnml.Dag.from_arcs(["A", "B"], [("A", "B")]),
    {"A": ["a", "b"], "B": ["x", "y", "z"]},
    {"A": [0.5, 0.5], "B": [[0.8, 0.2, 0.0], [0.4, 0.6, 0.0]]},
)


@pytest.fixture
def model(tmp_path):
    """A small network as a file."""
    qnml.write_network(NET, tmp_path / "net.bif")
    return tmp_path / "net.bif"


@pytest.fixture
def rows(tmp_path):
    """Seen, missing, unknown and impossible values of B; A has the true values."""
    path = tmp_path / "rows.csv"
    path.write_text("A,B,other\na,x,1.5\nb,y,2\nb,x,3\na,,4\na,w,5\na,z,6\n,x,7\n", encoding="utf-8")
    return path


def test_labels_and_probabilities_by_hand(qnml_command, model, rows):
    document = qnml_command("predict", model, rows, "--target", "A", "--proba", "--json").document
    # P(a | x) = 0.8 / 1.2, P(a | y) = 0.2 / 0.8; a missing or unknown B says nothing; z cannot be.
    assert document["predictions"] == ["a", "b", "a", "a", "a", None, "a"]
    shares = document["probabilities"]
    assert [row[0] for row in shares[:5]] == pytest.approx([2 / 3, 1 / 4, 2 / 3, 1 / 2, 1 / 2])
    assert shares[5] == [None, None]
    assert (document["target"], document["levels"], document["rows"]) == ("A", ["a", "b"], 7)
    assert document["predicted"] == [{"label": "a", "rows": 5}, {"label": "b", "rows": 1}]
    assert document["impossible"] == 1
    # Five rows have a known A and a possible B; the third is wrong.
    assert document["judgement"]["rows"] == 5
    assert document["judgement"]["accuracy"] == pytest.approx(4 / 5)
    assert document["output"] is None
    assert document["unknown_cells"] == {"B": 1}


def test_without_the_target_in_the_data(qnml_command, model, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("A\na\nb\n", encoding="utf-8")
    document = qnml_command("predict", model, path, "--target", "B", "--json").document
    assert document["predictions"] == ["x", "y"]
    assert document["probabilities"] is None
    assert document["judgement"] is None


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_files(qnml_command, model, rows, tmp_path, ending):
    path = tmp_path / f"out{ending}"
    document = qnml_command("predict", model, rows, "--target", "A", "--proba", "--output", path, "--json").document
    assert document["predictions"] is None
    assert document["output"] == str(path)
    frame = pl.read_csv(path) if ending == ".csv" else pl.read_parquet(path)
    assert frame.columns == ["A", "A=a", "A=b"]
    assert frame["A"].to_list() == ["a", "b", "a", "a", "a", None, "a"]
    assert frame["A=a"].to_list()[:2] == pytest.approx([2 / 3, 1 / 4])
    assert qnml_command("predict", model, rows, "--target", "A", "--output", path).code == 0
    frame = pl.read_csv(path) if ending == ".csv" else pl.read_parquet(path)
    assert frame.columns == ["A"]


def test_the_page(qnml_command, model, rows, tmp_path):
    outcome = qnml_command("predict", model, rows, "--target", "A", "--proba")
    assert (outcome.code, outcome.err) == (0, "")
    assert "accuracy 0.8000" in outcome.out
    assert "have no prediction: 1." in outcome.out
    assert "0.6667" in outcome.out
    assert "does not know, treated as uninformative: B 1." in outcome.out
    long = tmp_path / "long.csv"
    long.write_text("B\n" + "x\n" * 100, encoding="utf-8")
    assert "and 80 more" in qnml_command("predict", model, long, "--target", "A").out


def test_labels_of_the_target_that_the_network_does_not_know_are_counted(qnml_command, model, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("A,B\n" + "c,x\n" * 20 + "a,x\n", encoding="utf-8")
    outcome = qnml_command("predict", model, path, "--target", "A")
    assert "Rows with a label of A that the network does not know, not compared: 20." in outcome.out
    assert "uninformative" not in outcome.out


def test_a_column_that_does_not_match_is_refused_and_not_answered_uniformly(qnml_command, model, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("A,B\n" + "".join(f"a,{number}.5\n" for number in range(20)), encoding="utf-8")
    for rule in ("uniform", "raise"):
        outcome = qnml_command("predict", model, path, "--target", "A", "--unknown", rule)
        outcome.assert_refused(
            "'B', 20 of 20 cells, such as '0.5', '1.5'", "known: 'x', 'y', 'z'", "same labels and bins"
        )


def test_what_is_refused(qnml_command, model, rows, tmp_path):
    qnml_command("predict", model, rows, "--target", "C").assert_refused("--target C:", "Known: A, B")
    qnml_command("predict", model, rows).assert_refused("--target")
    qnml_command("predict", model, rows, "--target", "A", "--output", "x.txt").assert_refused("x.txt", ".parquet")
    nowhere = tmp_path / "no" / "x.csv"
    qnml_command("predict", model, rows, "--target", "A", "--output", nowhere).assert_refused("no folder")
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    qnml_command("predict", model, rows, "--target", "A", "--output", folder).assert_refused("folder.csv")
    qnml_command("predict", model, rows, "--target", "A", "--unknown", "raise").assert_refused("'w'", "Known: 'x'")
    qnml_command("predict", model, tmp_path / "absent.csv", "--target", "A").assert_refused("absent.csv")
    qnml_command("predict", tmp_path / "absent.bif", rows, "--target", "A").assert_refused("absent.bif")
    other = tmp_path / "other.csv"
    other.write_text("Q\n1\n", encoding="utf-8")
    qnml_command("predict", model, other, "--target", "A").assert_refused("No column of the data")


def test_rows_that_share_the_target_alone_are_refused(qnml_command, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("lung,size\nyes,1\nno,2\n", encoding="utf-8")
    refused = qnml_command("predict", "asia", path, "--target", "lung")
    refused.assert_refused("No column of the data but lung, which is to be predicted, is a variable of the network")
