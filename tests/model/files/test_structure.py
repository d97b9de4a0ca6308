"""Structures for other programs: their text, and how networkx reads it."""

import json
from pathlib import Path

import networkx
import pytest

from qnml.errors import InputError
from qnml.graph import Cpdag, Dag
from qnml.model import Network, read_structure, write_structure
from qnml.model.files import write_dagitty, write_dot, write_graphml

DAG = Dag.from_arcs(["a", 'say "b"', "c d", "alone"], [("a", 'say "b"'), ("c d", 'say "b"'), ("a", "c d")])
CPDAG = Dag.from_modelstring("[A][C][B|A:C][D|A][E]").to_cpdag()
NET = Network(
    Dag.from_arcs(["x", "y"], [("x", "y")]),
    {"x": ["<1", "≥1"], "y": [0, 1]},
    {"x": [0.5, 0.5], "y": [[0.5, 0.5]] * 2},
)


def test_dot() -> None:
    assert write_dot(DAG).splitlines() == [
        "digraph {",
        '  "a";',
        '  "say \\"b\\"";',
        '  "c d";',
        '  "alone";',
        '  "a" -> "say \\"b\\"";',
        '  "a" -> "c d";',
        '  "c d" -> "say \\"b\\"";',
        "}",
    ]
    assert '  "A" -> "D" [dir=none];' in write_dot(CPDAG).splitlines()


def test_dagitty() -> None:
    assert write_dagitty(DAG).split("\n") == [
        "dag {",
        "a",
        '"say \\"b\\""',
        '"c d"',
        "alone",
        'a -> "say \\"b\\""',
        'a -> "c d"',
        '"c d" -> "say \\"b\\""',
        "}",
        "",
    ]
    text = write_dagitty(CPDAG)
    assert text.startswith("pdag {")
    assert "A -- D\n" in text
    assert "A -> B\n" in text
    for name in ("a\n", "a\\"):
        with pytest.raises(InputError, match="dagitty cannot represent"):
            write_dagitty(Dag.empty([name]))


def test_graphml_is_read_by_networkx(tmp_path: Path) -> None:
    write_structure(NET, tmp_path / "net.graphml")
    read = networkx.read_graphml(tmp_path / "net.graphml")
    assert list(read.edges) == [("x", "y")]
    assert {name: json.loads(levels) for name, levels in read.nodes(data="levels")} == {"x": ["<1", "≥1"], "y": [0, 1]}
    write_structure(CPDAG, tmp_path / "class.graphml")
    assert Cpdag.from_networkx(networkx.read_graphml(tmp_path / "class.graphml")) == CPDAG
    write_structure(DAG, tmp_path / "dag.graphml")
    assert Dag.from_networkx(networkx.read_graphml(tmp_path / "dag.graphml")) == DAG
    with pytest.raises(InputError, match="cannot represent the character"):
        write_graphml(Dag.empty(["\x00"]))


def test_files_are_chosen_by_their_names(tmp_path: Path) -> None:
    write_structure(NET, tmp_path / "net.txt")
    assert (tmp_path / "net.txt").read_text() == "[x][y|x]\n"
    assert read_structure(tmp_path / "net.txt") == (NET.dag, None)
    write_structure(NET.dag, tmp_path / "net.gv")
    assert (tmp_path / "net.gv").read_text() == write_dot(NET)
    write_structure(NET, tmp_path / "net.r", "dagitty")
    assert (tmp_path / "net.r").read_text() == write_dagitty(NET)
    with pytest.raises(InputError, match="consistent_extension"):
        write_structure(CPDAG, tmp_path / "class.txt")
    with pytest.raises(InputError, match=r"\.dot, \.gv, \.graphml, \.txt, \.dagitty"):
        write_structure(NET, tmp_path / "net.bif")
    with pytest.raises(InputError, match="must be a Dag, a Cpdag, an Mpdag or a Network"):
        write_structure("[x][y|x]", tmp_path / "net.dot")  # type: ignore[arg-type]
