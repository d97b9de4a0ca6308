"""``qnml convert``."""

import pytest

import qnml
from qnml.model.files import NETWORK_FORMATS


@pytest.fixture
def network(tmp_path):
    """A network file and the network."""
    net = qnml.Network(
        qnml.Dag.from_modelstring("[A][a b|A][C]"),
        {"A": ["no", "yes"], "a b": ["<5", "5+"], "C": ["x"]},
        {"A": [0.25, 0.75], "a b": [[0.5, 0.5], [1 / 3, 2 / 3]], "C": [1.0]},
        {"name": "small"},
    )
    qnml.write_network(net, tmp_path / "net.bif")
    return tmp_path / "net.bif", net


@pytest.mark.parametrize("name", [name for name in NETWORK_FORMATS if name != "uai"])
def test_there_and_back_changes_no_byte(qnml_command, network, tmp_path, name):
    path, net = network
    there, back = tmp_path / f"there.{name}.gz", tmp_path / "back.bif"
    document = qnml_command("convert", path, there, "--json").document
    assert document["input"] == {"source": str(path), "format": "bif", "variables": 3, "arcs": 1, "parameters": 3}
    assert document["output"]["format"] == name
    assert document["output"]["holds"] == "network"
    assert document["output"]["bytes"] == there.stat().st_size
    assert qnml.read_network(there) == net
    assert qnml_command("convert", there, back).code == 0
    assert back.read_bytes() == path.read_bytes()


def test_what_is_lost_is_said(qnml_command, network, tmp_path):
    path, _ = network
    text = qnml_command("convert", path, tmp_path / "net.uai").out
    assert "does not hold names, labels, annotations and how raw rows are prepared" in " ".join(text.split())
    mixed = qnml.Network(qnml.Dag.empty(["A"]), {"A": [0, 1]}, {"A": [0.5, 0.5]})
    qnml.write_network(mixed, tmp_path / "mixed.json")
    notes = qnml_command("convert", tmp_path / "mixed.json", tmp_path / "mixed.net", "--json").document["notes"]
    assert notes == ["The format net does not hold whether labels are numbers or text."]
    rounded = path.read_text().replace("0.25, 0.75", "0.25, 0.7505")
    path.write_text(rounded)
    notes = qnml_command("convert", path, tmp_path / "net.net", "--json").document["notes"]
    assert len(notes) == 1
    assert "rescaled" in notes[0]


def test_structures(qnml_command, network, tmp_path):
    path, net = network
    assert qnml_command("convert", path, tmp_path / "out", "--to", "dagitty").code == 0
    assert (tmp_path / "out").read_text() == 'dag {\nA\n"a b"\nC\nA -> "a b"\n}\n'
    text = qnml_command("convert", path, tmp_path / "net.dot").out
    assert "structure only" in " ".join(text.split())
    document = qnml_command("convert", "[A][B|A]", tmp_path / "s.txt", "--json").document
    assert document["input"]["parameters"] is None
    assert qnml.read_structure(tmp_path / "s.txt")[0] == qnml.Dag.from_modelstring("[A][B|A]")
    assert qnml_command("convert", tmp_path / "s.txt", tmp_path / "s.graphml").code == 0
    assert net.dag.n_nodes == 3


def test_formats_whatever_the_ending(qnml_command, network, tmp_path):
    path, net = network
    assert qnml_command("convert", path, tmp_path / "one.txt", "--to", "xmlbif").code == 0
    assert qnml_command("convert", tmp_path / "one.txt", tmp_path / "two.json", "--from", "xmlbif").code == 0
    assert qnml.read_network(tmp_path / "two.json") == net


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("net.bif", "out.xls"), ("out.xls", ".graphml", "--to")),
        (("net.bif", "out", "--to", "xdls"), ("xdls", "Did you mean 'xdsl'?")),
        (("net.bif", "out.net", "--from", "uia"), ("uia", "Did you mean 'uai'?")),
        (("net.bif", "nowhere/out.net"), ("nowhere",)),
        (("none.bif", "out.net"), ("none.bif", "no such file")),
        (("[A][B|A]", "out.net"), ("has no probabilities", ".dagitty")),
        (("broken.xdsl", "out.net"), ("line 1, column 1", "XML")),
    ],
)
def test_bad_input(qnml_command, network, tmp_path, monkeypatch, words, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.xdsl").write_text("<a")
    qnml_command("convert", *words).assert_refused(*expected)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.xdsl", "net.bif"]


def test_titles_become_names(qnml_command, tmp_path):
    source = tmp_path / "titles.net"
    source.write_text('node a { states = (x y); label = "Rain today"; } potential (a) { data = (0.5 0.5); }')
    target = tmp_path / "titles.json"
    qnml_command("convert", source, target, "--names", "titles")
    assert qnml.read_network(target).names == ("Rain today",)
    qnml_command("convert", source, target, "--names", "labels").assert_refused("--names labels: unknown", "titles")


def test_what_was_mended_is_said(qnml_command, tmp_path):
    source = tmp_path / "weights.net"
    source.write_text("node a { states = (x y); } potential (a) { data = (990 10); }")
    found = qnml_command("convert", source, tmp_path / "weights.bif", "--json").document
    assert "weights, as HUGIN allows" in found["notes"][0]
    assert qnml.read_network(tmp_path / "weights.bif").table("a").tolist() == [0.99, 0.01]


def test_reading_keeps_to_the_memory_allowed(qnml_command, network, tmp_path):
    words = ("convert", network[0], tmp_path / "out.net", "--memory", "1e-9")
    qnml_command(*words).assert_refused("net.bif: the file has", "--memory", code=1)
