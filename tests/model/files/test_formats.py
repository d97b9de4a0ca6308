"""All formats of complete networks: exact round trips, unusual names, annotations, damaged files."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import InputError, QnmlError, TooLargeError
from qnml.graph import Dag
from qnml.model import Network, SparseTable, read_network
from qnml.model.files import NETWORK_FORMATS, NetworkFormat

NETWORKS = [
    "asia",
    "cancer",
    "earthquake",
    "sachs",
    "survey",
    "alarm",
    "barley",
    "child",
    "insurance",
    "mildew",
    "water",
]
NETWORKS += ["hailfinder", "hepar2", "win95pts", "munin1", "andes", "diabetes", "link", "pigs", "munin", "pathfinder"]
NETWORKS += ["munin2", "munin3", "munin4"]
# BIF and JSON have tests of their own for all this; here they are only compared.
NAMED = [NETWORK_FORMATS[name] for name in ("xmlbif", "net", "dsc", "xdsl")]
ALL = [*NAMED, NETWORK_FORMATS["uai"]]
by_name = pytest.mark.parametrize("form", NAMED, ids=lambda form: form.name)

SMALL = Network(
    Dag.from_arcs(["wet", "rain", "alone"], [("rain", "wet")]),
    {"wet": ["dry", "damp", "wet"], "rain": ["no", "yes"], "alone": ["only"]},
    {"wet": [[0.9, 0.1, 0.0], [1e-05, 0.39999, 0.6]], "rain": [0.8, 0.2], "alone": [1.0]},
    {"name": "garden"},
)


def without_names(net: Network) -> Network:
    """The network with variables x0, x1, … and levels 0, 1, …, without annotations, as UAI keeps it."""
    new = {name: f"x{i}" for i, name in enumerate(net.names)}
    return Network(
        net.dag.relabel(new),
        {new[name]: [str(code) for code in range(len(net.levels[name]))] for name in net.names},
        {new[name]: net.table(name) for name in net.names},
    )


@pytest.mark.parametrize("name", NETWORKS)
def test_repository_networks_round_trip_in_every_format(data_folder: Path, name: str) -> None:
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    for form in ALL:
        kept = without_names(net) if form.name == "uai" else net
        written = form.write(net)
        again = form.read(written, form.name)
        assert again == kept, form.name
        assert again.properties == kept.properties
        assert form.write(again) == written


@pytest.mark.parametrize("form", NETWORK_FORMATS.values(), ids=lambda form: form.name)
def test_every_bit_isolated_nodes_and_order_survive(form: NetworkFormat) -> None:
    # Names are in no topological order, a variable has one level, numbers have exponents.
    kept = without_names(SMALL) if form.name == "uai" else SMALL
    again = form.read(form.write(SMALL), "text")
    assert again == kept
    assert again.names == kept.names
    assert [again.table(a).tobytes() == SMALL.table(b).tobytes() for a, b in zip(again.names, SMALL.names, strict=True)]


ODD = ["<5", ">=7.5", "12+", "a b", 'say "no"', "", "{", "a,b", "//", "%", "/*", "back\\slash", "α", "1\n2", "|", " x "]
ODD += ["a_b", "&amp;", "a\tb", "\\n", "x", "s"]
PROPERTIES: dict[str, Any] = {
    "name": "odd {",
    "comments": ["one line", "another"],
    "network": [
        'a "quoted; b',
        "c;d",
        " e ",
        "g\\",
        "two\nlines",
        "size = (80 40)",
        "size = (81 41)",
        "type X = [a, b]",
    ],
    "variables": {
        "<5": ['label = "a b"', "position = (1 2 (3))", "free text", "states = 5"],
        "a b": ["x = 1", "x = 2"],
    },
    "probabilities": {"<5": ["data = 1", 'note = "q\\"r"', "anything else; %"]},
}


@by_name
def test_odd_names_labels_and_annotations_survive(form: NetworkFormat) -> None:
    names = [name for name in ODD if name]
    dag = Dag.from_arcs(names, [(names[0], names[1]), (names[2], names[1])])
    row = np.full(len(ODD), 1 / len(ODD))
    tables: dict[str, Any] = dict.fromkeys(names, row)
    tables[names[1]] = np.broadcast_to(row, (len(ODD), len(ODD), len(ODD)))
    net = Network(dag, dict.fromkeys(names, ODD), tables, PROPERTIES)
    written = form.write(net)
    again = form.read(written, "odd")
    assert again == net
    assert again.properties.keys() == PROPERTIES.keys()
    assert again.properties["name"] == PROPERTIES["name"]
    assert again.properties["comments"] == PROPERTIES["comments"]
    # Attributes come before what is free text; nothing is lost or changed.
    for kind in ("variables", "probabilities"):
        assert {key: sorted(value) for key, value in again.properties[kind].items()} == {
            key: sorted(value) for key, value in PROPERTIES[kind].items()
        }
    assert sorted(again.properties["network"]) == sorted(PROPERTIES["network"])
    assert form.write(again) == written


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_numeric_labels_become_text(form: NetworkFormat) -> None:
    net = Network(Dag.empty(["x0"]), {"x0": [0, 1]}, {"x0": [0.5, 0.5]})
    assert form.read(form.write(net), "text").levels["x0"] == ("0", "1")


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_annotations_of_another_shape_are_left_out(form: NetworkFormat) -> None:
    odd = {"network": "text", "variables": ["a"], "comments": [1], "more": 2}
    net = Network(Dag.empty(["a"]), {"a": ["x"]}, {"a": [1.0]}, odd)
    assert form.read(form.write(net), "text").properties.keys() <= {"name"}


def test_xml_refuses_control_characters_by_name() -> None:
    net = Network(Dag.empty(["a\x01"]), {"a\x01": ["x"]}, {"a\x01": [1.0]})
    with pytest.raises(InputError, match=r"cannot represent the character '\\x01' of 'a\\x01'.*\.json"):
        NETWORK_FORMATS["xmlbif"].write(net)
    xdsl = NETWORK_FORMATS["xdsl"]
    assert xdsl.read(xdsl.write(net), "text") == net


@pytest.mark.parametrize("form", [NETWORK_FORMATS["bif"], *ALL], ids=lambda form: form.name)
def test_tables_too_large_to_write_out_are_refused(form: NetworkFormat) -> None:
    names = [f"v{i}" for i in range(41)]
    tables: dict[str, Any] = {name: [0.5, 0.5] for name in names}
    tables["v40"] = SparseTable([[0] * 40], [[0.9, 0.1]], [0.5, 0.5])
    net = Network(
        Dag.from_arcs(names, [(name, "v40") for name in names[:-1]]), {name: ["0", "1"] for name in names}, tables
    )
    if form.name in ("bif", "dsc"):
        # These have default rows.
        assert form.read(form.write(net), "text") == net
        return
    with pytest.raises(TooLargeError, match="v40"):
        form.write(net)


@by_name
@pytest.mark.parametrize("numbers", ["0.333 0.333 0.333", "0.3334 0.3334 0.3334"])
def test_rounded_distributions_are_rescaled_with_a_warning(form: NetworkFormat, numbers: str) -> None:
    net = Network(Dag.empty(["a"]), {"a": ["x", "y", "z"]}, {"a": [0.25, 0.25, 0.5]})
    text = form.write(net)
    old = "0.25, 0.25, 0.5" if form.name == "dsc" else "0.25 0.25 0.5"
    assert old in text
    text = text.replace(old, numbers.replace(" ", ", ") if form.name == "dsc" else numbers)
    with pytest.warns(UserWarning, match=r"1 distribution does not sum to one \(by up to 0.00"):
        again = form.read(text, "text")
    assert again.table("a") == pytest.approx(np.full(3, 1 / 3))
    assert abs(again.table("a").sum() - 1) < 1e-15


# --- damage

PIECES = [
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "|",
    '"',
    "\\",
    "//",
    "/*",
    "%",
    "#",
    "\n",
    "0.5",
    "1e999",
    "nan",
    "-1",
    "é",
    "\x00",
]
PIECES += [
    "<",
    ">",
    "/>",
    "&",
    "&#0;",
    "<!--",
    "-->",
    "]]>",
    "<![CDATA[",
    "<!DOCTYPE a [",
    "</cpt>",
    "<name>",
    "=",
    ":",
]
PIECES += ["node", "states", "potential", "data", "default", "type", "probability", "x", "1", "0", "qnml_name", "BAYES"]
TEXTS = {form.name: (form.write(SMALL), form.write(Network(Dag.empty(["a b"]), {"a b": ["", "x"]}, {"a b": [0.5, 0.5]},
                                                          {"network": ["free; text"], "comments": ["c"]})))
         for form in ALL}  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(text)))
        last = min(len(text), first + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from([*PIECES, "", text[first:last] * 2]) | st.text(max_size=3))
        text = text[:first] + piece + text[last:]
    return text


@pytest.mark.filterwarnings("ignore:.*(do|does) not sum to one")
@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
@settings(max_examples=250)
@given(data=st.data())
def test_damaged_files_raise_our_errors_only(form: NetworkFormat, data: st.DataObject) -> None:
    try:
        net = form.read(data.draw(damaged(TEXTS[form.name])), "text")
        written = form.write(net)
    except QnmlError:
        return
    again = form.read(written, "text")
    assert again == net
    assert form.write(again) == written


LABELS = st.lists(st.text(max_size=4), min_size=1, max_size=3, unique=True)
XML_LABELS = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=4)


@by_name
@settings(max_examples=60)
@given(data=st.data())
def test_any_network_round_trips(form: NetworkFormat, data: st.DataObject) -> None:
    text = XML_LABELS if form.name == "xmlbif" else st.text(max_size=4)
    names = data.draw(st.lists(text.filter(bool), min_size=2, max_size=4, unique=True))
    order = data.draw(st.permutations(names))
    arcs = [pair for pair in itertools.combinations(order, 2) if data.draw(st.booleans())]
    dag = Dag.from_arcs(names, arcs)
    levels = {name: data.draw(st.lists(text, min_size=1, max_size=3, unique=True)) for name in names}
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    tables = {
        name: generator.dirichlet(np.ones(len(levels[name])), size=[len(levels[p]) for p in dag.parents(name)])
        for name in names
    }
    notes = {names[0]: data.draw(st.lists(text | st.just("k = 5") | st.just("<k />"), max_size=3))}
    net = Network(dag, levels, tables, {"variables": notes, "probabilities": notes, "network": notes[names[0]]})
    written = form.write(net)
    again = form.read(written, "text")
    assert again == net
    assert sorted(again.properties.get("variables", {}).get(names[0], [])) == sorted(notes[names[0]])
    assert sorted(again.properties.get("network", [])) == sorted(notes[names[0]])
    assert form.write(again) == written
