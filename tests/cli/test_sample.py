"""``qnml sample``."""

import pytest

import qnml


@pytest.fixture
def network_file(tmp_path):
    net = qnml.Network(
        qnml.Dag.from_modelstring("[rain][wet|rain]"),
        {"rain": ["no", "yes"], "wet": ["dry", "wet"]},
        {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.05, 0.95]]},
    )
    path = tmp_path / "garden.json"
    qnml.write_network(net, path)
    return path


def test_help(qnml_command):
    outcome = qnml_command("sample", "--help")
    assert outcome.code == 0
    assert "  qnml sample" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_rows_are_those_of_the_library(qnml_command, network_file, tmp_path, ending):
    output = tmp_path / f"rows.{ending}"
    found = qnml_command("sample", network_file, "500", "--seed", "3", "--output", output, "--json").document
    assert (found["rows"], found["seed"], found["output"]) == (500, 3, str(output))
    assert found["network"] == {"source": str(network_file), "variables": 2, "arcs": 1}
    net = qnml.read_network(network_file)
    assert qnml.read_table(output).with_levels(net.levels) == net.sample(500, seed=3)


def test_evidence_and_intervention(qnml_command, network_file, tmp_path):
    output = tmp_path / "rows.csv"
    words = ["sample", network_file, "200", "--seed", "1", "--output", output, "--json"]
    assert qnml_command(*words, "--evidence", "wet=wet").document["evidence"] == {"wet": "wet"}
    table = qnml.read_table(output)
    assert set(table.labels("wet")) == {"wet"}
    assert 0.5 < (table.labels("rain") == "yes").mean() < 0.9  # 0.19 of 0.27
    assert qnml_command(*words, "--do", "wet=wet").document["do"] == {"wet": "wet"}
    assert (qnml.read_table(output).labels("rain") == "yes").mean() < 0.35


def test_a_made_up_seed_is_told_and_gives_the_same_rows(qnml_command, network_file, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    told = qnml_command("sample", network_file, "50", "--output", first, "--json").document["seed"]
    qnml_command("sample", network_file, "50", "--seed", told, "--output", second)
    assert first.read_bytes() == second.read_bytes()


def test_rows_go_to_standard_output_without_a_file(qnml_command, network_file):
    outcome = qnml_command("sample", network_file, "50", "--seed", "3")
    assert (outcome.code, outcome.err) == (0, "")
    drawn = qnml.read_network(network_file).sample(50, seed=3)
    assert outcome.out == drawn.to_frame().write_csv()
    document = qnml_command("sample", network_file, "50", "--seed", "3", "--json").document
    assert document["output"] is None
    assert document["columns"] == {name: drawn.labels(name).tolist() for name in drawn.names}
    made_up = qnml_command("sample", network_file, "50")
    assert made_up.err.startswith("qnml: --seed ")
    seed = made_up.err.split()[2]
    assert qnml_command("sample", network_file, "50", "--seed", seed).out == made_up.out


def test_page(qnml_command, network_file, tmp_path):
    output = tmp_path / "rows.csv"
    outcome = qnml_command("sample", network_file, "50", "--seed", "1", "--output", output, "--do", "wet=dry")
    assert (outcome.code, outcome.err) == (0, "")
    assert "50 rows written to" in outcome.out
    assert "Set: wet = dry" in outcome.out


def test_labels_that_read_as_missing_are_noted(qnml_command, tmp_path):
    path = tmp_path / "odd.json"
    qnml.write_network(qnml.Network(qnml.Dag.empty(["a"]), {"a": ["NA", "x"]}, {"a": [0.5, 0.5]}), path)
    words = ["sample", path, "20", "--seed", "1", "--json", "--output"]
    assert "labels of a read as missing" in qnml_command(*words, tmp_path / "rows.csv").document["notes"][0]
    assert qnml_command(*words, tmp_path / "rows.parquet").document["notes"] == []
    assert "labels of a read as missing" in qnml_command("sample", path, "20", "--seed", "1").err
    assert qnml.read_table(tmp_path / "rows.parquet").arities == (2,)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["10", "--output", "rows.xls"], ["rows.xls", ".csv, .parquet"]),
        (["many", "--output", "rows.csv"], ["'N'"]),
        (["0", "--output", "rows.csv"], ["n=0"]),
        (["10", "--output", "rows.csv", "--seed", "-1"], ["--seed -1:"]),
        (["10", "--output", "rows.csv", "--evidence", "wet=damp"], ["wet=damp", "Known: dry, wet"]),
        (["10", "--output", "nowhere/rows.csv"], ["no folder", "nowhere"]),
    ],
)
def test_bad_usage_is_one_line(qnml_command, network_file, tmp_path, monkeypatch, words, expected):
    monkeypatch.chdir(tmp_path)
    qnml_command("sample", network_file, *words).assert_refused(*expected)
    assert not (tmp_path / "rows.csv").exists()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_names_like_patterns_and_labels_like_formulas_come_back_as_they_are(qnml_command, tmp_path, ending):
    labels = ["=1+1", "+x", "-y", "@z", '=HYPERLINK("a,b")']
    names = ["^a$", "^.*$", "*"]
    net = qnml.Network(
        qnml.Dag(names), dict.fromkeys(names, labels), {name: [1 / len(labels)] * len(labels) for name in names}
    )
    source, output = tmp_path / "net.json", tmp_path / f"rows.{ending}"
    qnml.write_network(net, source)
    assert qnml_command("sample", source, "300", "--seed", "3", "--output", output).code == 0
    table = qnml.read_table(output)
    assert table.names == tuple(names)
    drawn = net.sample(300, seed=3)
    assert all(table.labels(name).tolist() == drawn.labels(name).tolist() for name in names)
    if ending == "csv":
        assert all(label.replace('"', '""') in output.read_text() for label in labels)
