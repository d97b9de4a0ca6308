"""BIF: the repository's files, unusual but valid files, malformed files, and writing."""

import gzip
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import FileFormatError, QnmlError
from qnml.graph import Dag
from qnml.model import Network, read_network
from qnml.model.checks import EXACT
from qnml.model.files import read_bif, write_bif
from qnml.model.files.bif_parser import BifParser

# Nodes, arcs and parameters as counted by another program when the files were collected.
SIZES = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "alarm": (37, 46, 509),
    "barley": (48, 84, 114005),
    "child": (20, 25, 230),
    "insurance": (27, 52, 1008),
    "mildew": (35, 46, 540150),
    "water": (32, 66, 10083),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "win95pts": (76, 112, 574),
    "munin1": (186, 273, 15622),
    "andes": (223, 338, 1157),
    "diabetes": (413, 602, 429409),
    "link": (724, 1125, 14211),
    "pigs": (441, 592, 5618),
    "munin": (1041, 1397, 80592),
    "pathfinder": (109, 195, 72079),
    "munin2": (1003, 1244, 69431),
    "munin3": (1041, 1306, 71059),
    "munin4": (1038, 1388, 80352),
}

PLAIN = """network garden {
}
variable rain {
  type discrete [ 2 ] { no, yes };
}
variable wet {
  type discrete [ 3 ] { dry, damp, wet };
}
probability ( rain ) {
  table 0.8, 0.2;
}
probability ( wet | rain ) {
  (no) 0.9, 0.1, 0.0;
  (yes) 0.1, 0.4, 0.5;
}
"""


def text_of(data_folder: Path, name: str) -> str:
    return gzip.decompress((data_folder / "networks" / f"{name}.bif.gz").read_bytes()).decode()


@pytest.mark.parametrize("name", SIZES)
def test_repository_networks_read_and_round_trip(data_folder: Path, name: str) -> None:
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    assert (len(net.names), len(net.dag.arcs), net.n_parameters) == SIZES[name]
    written = write_bif(net)
    again = read_bif(written)
    assert again == net
    assert again.properties == net.properties
    assert write_bif(again) == written


@pytest.mark.parametrize("name", ["cancer", "earthquake"])
def test_files_in_our_own_order_are_written_as_they_were(data_folder: Path, name: str) -> None:
    text = text_of(data_folder, name)
    assert write_bif(read_bif(text)) == text


@pytest.mark.parametrize("name", ["asia", "sachs", "survey", "alarm", "hailfinder", "water"])
def test_every_number_stands_where_the_file_says(data_folder: Path, name: str) -> None:
    # Independent of the parser: the lines of the file are looked up in the network one by one, by label.
    text = text_of(data_folder, name)
    net = read_bif(text)
    codes = {v: {label: k for k, label in enumerate(net.levels[v])} for v in net.names}
    checked = 0
    for header, body in re.findall(r"probability \( (.*?) \) \{\n(.*?)\n\}", text, re.DOTALL):
        child, _, rest = header.partition(" | ")
        parents = rest.split(", ") if rest else []
        assert set(parents) == set(net.dag.parents(child))
        for line in body.split("\n"):
            states, _, numbers = line.strip().removeprefix("table").rpartition(")")
            state = dict(zip(parents, states.removeprefix("(").split(", "), strict=False))
            place = tuple(codes[parent][state[parent]] for parent in net.dag.parents(child))
            row = np.array([float(x) for x in numbers.rstrip(";").split(",")])
            is_one = abs(row.sum() - 1.0) <= EXACT
            assert net.table(child)[place].tolist() == (row if is_one else row / row.sum()).tolist()
            checked += 1
    assert checked == sum(net.table(v)[..., 0].size for v in net.names)


@pytest.mark.parametrize("name", ["sachs", "survey", "alarm", "insurance"])
def test_fast_path_and_tokens_agree(data_folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(data_folder, name)
    fast = read_bif(text)
    monkeypatch.setattr(BifParser, "_plain_rows", lambda *_: None)
    assert read_bif(text) == fast


# After the example that comes with JavaBayes: tables list the variable slowest, blanks separate.
DOG = """// Bayesian Network in the Interchange Format
/* two
   lines */
network "Dog-Problem" { //5 variables
  property "credal-set constant-density-bounded 1.1" ;
}
variable "family-out" { type discrete[2] { "true" "false" }; property "position = (257; 99)" ; }
variable "bowel-problem" { type discrete[2] { "true" "false" }; }
variable "dog-out" { //2 values
  type discrete[2] { "true" "false" };
}
probability ( "dog-out" "bowel-problem" "family-out" ) { table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ; }
probability ( "bowel-problem" ) { table 0.01 0.99 ; property url = http://example.org/a ; }
probability ( "family-out" ) { table 0.15 0.85 ; }
"""


def test_javabayes_dialect() -> None:
    net = read_bif(DOG)
    assert net.dag.parents("dog-out") == ("family-out", "bowel-problem")
    # P(dog-out | no bowel problem, family out) = 0.9
    assert net.table("dog-out")[0, 1].tolist() == [0.9, 0.1]
    assert net.table("dog-out")[1, 0].tolist() == [0.97, 0.03]
    assert net.properties == {
        "name": "Dog-Problem",
        "comments": ["Bayesian Network in the Interchange Format", "two", "lines", "5 variables", "2 values"],
        "network": ["credal-set constant-density-bounded 1.1"],
        "variables": {"family-out": ["position = (257; 99)"]},
        "probabilities": {"bowel-problem": ["url = http://example.org/a"]},
    }
    written = write_bif(net)
    assert read_bif(written).properties == net.properties
    assert write_bif(read_bif(written)) == written


def test_default_row_fills_what_is_not_listed() -> None:
    text = PLAIN.replace("(no) 0.9, 0.1, 0.0;", "default 0.5, 0.25, 0.25;")
    assert read_bif(text).table("wet").tolist() == [[0.5, 0.25, 0.25], [0.1, 0.4, 0.5]]
    reordered = PLAIN.replace(
        "  (no) 0.9, 0.1, 0.0;\n  (yes) 0.1, 0.4, 0.5;", "  (yes) 1e-1, .4, 5E-1;\n  default 0.9 0.1 0.;"
    )
    assert read_bif(reordered) == read_bif(PLAIN)


def test_windows_line_ends_change_nothing() -> None:
    assert read_bif(PLAIN.replace("\n", "\r\n")) == read_bif(PLAIN)


ODD = [
    "<5",
    ">=7.5",
    "12+",
    "Asy/Patchy",
    "a b",
    'say "no"',
    "",
    "{",
    "a,b",
    "//",
    "/*",
    "back\\slash",
    "α",
    "1\n2",
    "|",
]


def test_odd_names_and_labels_survive() -> None:
    names = [name for name in ODD if name]
    dag = Dag.from_arcs(names, [(names[0], names[1]), (names[2], names[1])])
    row = [1 / len(ODD)] * len(ODD)
    tables = dict.fromkeys(names, row)
    tables[names[1]] = np.full((len(ODD),) * 3, 1 / len(ODD))  # type: ignore[assignment]
    properties = {"name": "odd {", "network": ['a "quoted; b', "c;d", "", " e ", '"f"', "g\\", "two\nlines"]}
    net = Network(dag, dict.fromkeys(names, ODD), tables, properties)
    again = read_bif(write_bif(net))
    assert again == net
    assert again.properties == net.properties


def test_numeric_labels_become_text() -> None:
    net = Network(Dag.empty(["a"]), {"a": [1, 2]}, {"a": [0.5, 0.5]})
    assert read_bif(write_bif(net)).levels["a"] == ("1", "2")


def test_annotations_of_another_shape_are_left_out() -> None:
    net = Network(
        Dag.empty(["a"]),
        {"a": ["x"]},
        {"a": [1.0]},
        {"network": "text", "variables": ["a"], "comments": [1], "more": 2},
    )
    assert read_bif(write_bif(net)).properties == {"name": "unknown"}


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("network garden", "netwerk garden", 1, 1, "expected 'network'"),
        ("{ no, yes }", "{ no, no }", 4, 29, "'no' of 'rain' is listed twice"),
        ("[ 2 ]", "[ 3 ]", 4, 19, "announces 3 states and lists 2"),
        ("type discrete [ 2 ]", "type continuous [ 2 ]", 4, 8, "'discrete'"),
        ("  type discrete [ 2 ] { no, yes };\n", "", 4, 1, "'rain' has no type"),
        ("variable wet", "variable rain", 6, 10, "declared twice"),
        ("table 0.8, 0.2;", "table 0.8, 0.3;", 10, 3, "sums to 1.1 instead of 1"),
        ("table 0.8, 0.2;", "table 0.8;", 10, 3, "needs 2 numbers here, 1 are given"),
        ("table 0.8, 0.2;", "table 0.8, -0.2;", 10, 14, "not a probability"),
        ("table 0.8, 0.2;", "table 0.8, nan;", 10, 14, "expected a number"),
        ("table 0.8, 0.2;", "table 0.8, 0_2;", 10, 14, "expected a number"),
        ("table 0.8, 0.2;", "", 11, 1, "no table and no default"),
        ("table 0.8, 0.2;", "table 0.8, 0.2; table 0.8, 0.2;", 10, 19, "two tables"),
        ("( rain )", "( snow )", 9, 15, "'snow' is not declared"),
        ("( rain )", "( )", 9, 15, "expected the name of a variable"),
        ("( wet | rain )", "( wet | wet )", 12, 21, "named twice"),
        ("( wet | rain )", "( rain | wet )", 12, 13, "'rain' has two probability blocks"),
        ("(no) 0.9", "(maybe) 0.9", 13, 4, "'maybe' is not a state of 'rain', whose states are no, yes"),
        ("(no) 0.9", "(yes) 0.9", 14, 3, "two rows"),
        ("(no) 0.9, 0.1, 0.0;", "", 15, 1, r"no row for \(no\)"),
        ("0.9, 0.1, 0.0", "0.9, 0.1", 13, 3, "needs 3 numbers here, 2 are given"),
        ("0.9, 0.1, 0.0", "0.9, 0.1, 0.1", 13, 3, "sums to 1.1"),
        ("0.9, 0.1, 0.0", "0.9, 0.1, 0.x", 13, 18, "expected a number"),
        ("(no) 0.9", "(no, yes) 0.9", 13, 8, r"expected '\)'"),
        ("network garden {", 'network "garden {', 1, 9, "quoted name begins here"),
        ("network garden {", "network /* garden {", 1, 9, "comment begins here"),
        ("0.5;\n}", "0.5;\n  property x\n}", 15, 3, "a property begins here and no ';' ends it"),
        ("0.5;\n}", "0.5;\n  proporty x;\n}", 15, 3, "expected a row .*found 'proporty'"),
        (PLAIN[PLAIN.index("probability ( wet") :], "", 6, 10, "'wet' has no probability block"),
        (PLAIN[PLAIN.index("  (yes)") :], "", 14, 1, "the end of the file"),
        (PLAIN, "", 1, 1, "no variable block"),
    ],
)
def test_malformed_files_say_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in PLAIN
    with pytest.raises(FileFormatError, match=message) as caught:
        read_bif(PLAIN.replace(old, new, 1), "garden.bif")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"garden.bif, line {line}, column {column}: ")


def test_cycle_is_shown_with_its_place() -> None:
    text = PLAIN.replace("( rain ) {\n  table 0.8, 0.2;", "( rain | wet ) {\n  default 0.8, 0.2;")
    with pytest.raises(FileFormatError, match="rain -> wet -> rain") as caught:
        read_bif(text)
    assert caught.value.line == 9


TOKENS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "|",
    '"',
    "\\",
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    "0.5",
    "1e999",
    "nan",
]
WORDS = [
    "network",
    "variable",
    "probability",
    "property",
    "table",
    "default",
    "type",
    "discrete",
    "rain",
    "\x00",
    "é",
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([PLAIN, DOG]))
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(text)))
        last = min(len(text), first + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from([*TOKENS, *WORDS, "", text[first:last] * 2]) | st.text(max_size=3))
        text = text[:first] + piece + text[last:]
    return text


@settings(max_examples=300)
@given(damaged())
def test_damaged_files_raise_our_errors_only(text: str) -> None:
    try:
        net = read_bif(text)
    except QnmlError:
        return
    written = write_bif(net)
    assert read_bif(written) == net
    assert write_bif(read_bif(written)) == written


LABELS = st.lists(st.text(max_size=4), min_size=1, max_size=3, unique=True)


@settings(max_examples=60)
@given(st.lists(st.text(min_size=1, max_size=5), min_size=2, max_size=4, unique=True), st.data())
def test_any_network_round_trips(names: list[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(names))
    arcs = [pair for pair in itertools.combinations(order, 2) if data.draw(st.booleans())]
    dag = Dag.from_arcs(names, arcs)
    levels = {name: data.draw(LABELS) for name in names}
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    tables = {
        name: generator.dirichlet(np.ones(len(levels[name])), size=[len(levels[p]) for p in dag.parents(name)])
        for name in names
    }
    net = Network(dag, levels, tables)
    assert read_bif(write_bif(net)) == net
