"""qnml's JSON: exact round trips, a schema that agrees with the reader, and errors with their place."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import FileFormatError, InputError, QnmlError
from qnml.graph import Dag
from qnml.model import RULES, Network, Parameters, SparseTable, fit, read_network
from qnml.model.files import json_format, read_json, write_json

TEXT = """{
  "format": "qnml-network",
  "version": 1,
  "properties": {"name": "garden"},
  "variables": [
    {"name": "rain", "levels": ["no", "yes"], "parents": [], "table": [[0.8, 0.2]]},
    {
      "name": "wet",
      "levels": [1, 2, 3],
      "parents": ["rain", "hose"],
      "table": [[0.9, 0.1, 0.0], [0.2, 0.5, 0.3], [0.1, 0.4, 0.5], [0, 0, 1]]
    },
    {"name": "hose", "levels": [false, true], "parents": [], "table": [[0.5, 0.5]]}
  ]
}
"""


def test_file_means_what_the_schema_says() -> None:
    net = read_json(TEXT)
    assert net.names == ("rain", "wet", "hose")
    assert net.dag.arcs == (("rain", "wet"), ("hose", "wet"))
    assert net.levels == {"rain": ("no", "yes"), "wet": (1, 2, 3), "hose": (False, True)}
    # The last parent of the file changes fastest: row 1 is rain = no, hose = True.
    assert net.table("wet")[0, 1].tolist() == [0.2, 0.5, 0.3]
    assert net.properties == {"name": "garden"}


def test_parents_in_another_order_give_the_same_network() -> None:
    document = json.loads(TEXT)
    wet = document["variables"][1]
    wet["parents"].reverse()
    wet["table"] = [wet["table"][k] for k in (0, 2, 1, 3)]
    assert read_json(json.dumps(document)) == read_json(TEXT)


@pytest.mark.parametrize("name", ["alarm", "barley", "munin1"])
def test_large_networks_round_trip_exactly(data_folder: Path, name: str) -> None:
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    text = write_json(net)
    assert read_json(text) == net
    assert read_json(text).properties == net.properties
    assert write_json(read_json(text)) == text


@given(st.floats(0, 1), st.floats(0, 1))
def test_numbers_come_back_to_the_last_bit(x: float, y: float) -> None:
    net = Network(Dag.empty(["a", "b"]), {"a": ["x", "y"], "b": [1, 2]}, {"a": [x, 1 - x], "b": [1 - y, y]})
    again = read_json(write_json(net))
    assert again.table("a").tobytes() == net.table("a").tobytes()
    assert again.table("b").tobytes() == net.table("b").tobytes()
    assert [type(label) for label in again.levels["b"]] == [int, int]


def test_odd_text_and_any_annotation_survive() -> None:
    odd = ['"', "\\", "\n", "", "é", "\u2028", "\x00"]
    properties = {"name": "ü", "mine": {"deep": [1, 2.5, None, True, {"x": []}]}}
    net = Network(Dag.empty(["\t"]), {"\t": odd}, {"\t": np.full(7, 1 / 7)}, properties)
    assert read_json(write_json(net)) == net
    assert read_json(write_json(net)).properties == properties


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_annotations_json_cannot_hold_are_refused(value: object) -> None:
    net = Network(Dag.empty(["a"]), {"a": ["x"]}, {"a": [1.0]}, {"mine": value})
    with pytest.raises(InputError, match=r"net\.properties"):
        write_json(net)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ('"format": "qnml-network"', '"format": "other"', 2, 13, "format: the format is 'other'"),
        ('"version": 1', '"version": 5', 3, 14, "version 5 is not known"),
        ('"version": 1', '"version": 1, "parameters": {}', 3, 31, "unknown key 'parameters'"),
        ('"version": 1', '"version": true', 3, 14, "version True"),
        ('  "version": 1,\n', "", 1, 1, "the key 'version' is missing"),
        ('"version": 1', '"version": 1, "extra": []', 3, 26, "unknown key 'extra'"),
        ('{"name": "garden"}', "[]", 4, 17, "properties: must be an object"),
        ('"name": "rain"', '"name": 5', 6, 14, r"variables\[0\]\.name: must be text"),
        ('"name": "hose"', '"name": "rain"', 13, 14, "declared twice"),
        (
            '["no", "yes"]',
            '["no", "no"]',
            6,
            39,
            r"variables\[0\]\.levels\[1\]: the label 'no' is listed twice",
        ),
        ('["no", "yes"]', '["no", 0.5]', 6, 39, "a label must be"),
        ('["no", "yes"]', "[]", 6, 32, "at least one label"),
        ('["rain", "hose"]', '["rain", "snow"]', 10, 27, "'snow' is not a variable"),
        ('["rain", "hose"]', '["rain", "rain"]', 10, 27, "listed twice"),
        ('["rain", "hose"]', '["rain", "wet"]', 10, 27, "cannot be a parent"),
        ('["rain", "hose"]', '"rain"', 10, 18, "a list of names"),
        ('["rain", "hose"]', '["rain"]', 11, 16, "a list of 2 rows"),
        ("[0, 0, 1]", "[0, 1]", 11, 68, r"variables\[1\]\.table\[3\]: a row must be a list of 3 numbers"),
        ("[0, 0, 1]", '[0, 0, "1"]', 11, 68, "a list of 3 numbers"),
        ("[0, 0, 1]", "[0, 0, true]", 11, 68, "a list of 3 numbers"),
        ("[0, 0, 1]", "[0, -1, 2]", 11, 68, "not a probability"),
        ("[0, 0, 1]", "[0, 0, 1e999]", 11, 68, "not a probability"),
        ("[0, 0, 1]", "[0, 0, 0.9]", 11, 68, "sums to 0.9 instead of 1"),
        ('"format"', "format", 2, 3, "not JSON"),
        ("[0, 0, 1]", "[0, 0, NaN]", None, None, "NaN"),
        ('"levels": [1, 2, 3]', '"levels": [1, 2, 3], "levels": [1]', None, None, "'levels' occurs twice"),
        (TEXT, "[]", 1, 1, "must be an object"),
        (TEXT, "", 1, 1, "not JSON"),
        (TEXT, "[" * 100_000, None, None, "not usable JSON"),
        (TEXT, '{"version": ' + "9" * 5000 + "}", None, None, "not usable JSON"),
    ],
)
def test_malformed_files_say_where(old: str, new: str, line: int | None, column: int | None, message: str) -> None:
    assert old in TEXT
    with pytest.raises(FileFormatError, match=message) as caught:
        read_json(TEXT.replace(old, new, 1), "garden.json")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_cycle_is_shown_with_its_place() -> None:
    document = json.loads(TEXT)
    document["variables"][0].update(parents=["wet"], table=[[0.5, 0.5]] * 3)
    with pytest.raises(FileFormatError, match="rain -> wet -> rain") as caught:
        read_json(json.dumps(document, indent=1))
    assert caught.value.line is not None


PIECES = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "null",
    "true",
    "-1",
    "1e400",
    "0.5",
    '"rain"',
    "NaN",
    "\\u0000",
    "\ud800",
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([TEXT, SPARSE]))
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(text)))
        last = min(len(text), first + draw(st.integers(0, 10)))
        text = text[:first] + draw(st.sampled_from([*PIECES, "", text[first:last] * 2])) + text[last:]
    return text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def replaced(draw: st.DrawFn) -> str:
    """Well-formed JSON with one value of the document replaced by an arbitrary one."""
    document = json.loads(draw(st.sampled_from([TEXT, SPARSE])))
    at: Any = document
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = draw(st.sampled_from(keys))
        if not isinstance(at[key], (list, dict)) or not at[key] or draw(st.booleans()):
            at[key] = draw(JSON)
            return json.dumps(document)
        at = at[key]


@settings(max_examples=300)
@given(damaged() | replaced())
def test_damaged_files_raise_our_errors_only(text: str) -> None:
    try:
        net = read_json(text)
    except QnmlError:
        return
    assert read_json(write_json(net)) == net


SPARSE = """{
  "format": "qnml-network",
  "version": 2,
  "parameters": {"rule": "bpp", "options": {"ess": 2.0}},
  "variables": [
    {"name": "a", "levels": ["x", "y", "z"], "parents": [], "configurations": [[]],
     "probabilities": [[0.5, 0.25, 0.25]], "unseen": [0.5, 0.25, 0.25], "counts": [[2, 1, 1]]},
    {"name": "b", "levels": [0, 1], "parents": ["c", "a"], "configurations": [[1, 0], [0, 2]],
     "probabilities": [[0.9, 0.1], [0.2, 0.8]], "unseen": [0.5, 0.5], "counts": [[9, 1], [1, 4]]},
    {"name": "c", "levels": [0, 1], "parents": [], "configurations": [[]], "probabilities": [[0.5, 0.5]],
     "unseen": [0.5, 0.5], "counts": [[2, 2]]}
  ]
}
"""


def test_sparse_tables_mean_what_the_schema_says() -> None:
    net = read_json(SPARSE)
    assert net.parameters == Parameters("bpp", {"ess": 2.0})
    assert net.dag.parents("b") == ("a", "c")  # in the file c comes first
    assert net.table("b").tolist() == [[[0.5, 0.5], [0.9, 0.1]], [[0.5, 0.5]] * 2, [[0.2, 0.8], [0.5, 0.5]]]
    table = net.conditional("b")
    assert isinstance(table, SparseTable)
    assert table.counts is not None
    assert table.counts.tolist() == [[9, 1], [1, 4]]
    written = write_json(net)
    assert '"version": 2' in written
    assert read_json(written) == net
    assert write_json(read_json(written)) == written


def test_an_estimated_network_comes_back_with_its_counts() -> None:
    names = [f"v{i}" for i in range(41)]
    rows = np.random.default_rng(1).integers(0, 3, size=(50, 41))
    dag = Dag.from_arcs(names, [(name, "v40") for name in names[:-1]])
    # 3^41 entries would fit nowhere; the observed configurations do.
    net = fit({name: rows[:, i] for i, name in enumerate(names)}, dag)
    again = read_json(write_json(net))
    assert again == net
    assert again.parameters == net.parameters
    more = {name: rows[:7, i] for i, name in enumerate(names)}
    assert again.update(more) == net.update(more)


def test_dense_networks_stay_in_the_first_version() -> None:
    assert '"version": 1' in write_json(read_json(TEXT))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"version": 2', '"version": 1', 4, "unknown key 'parameters'"),
        ('"bpp"', '"bbp"', 4, "'bbp' is not a rule"),
        ('"ess": 2.0', '"ess": 0', 4, "positive"),
        ('"ess": 2.0', '"alpha": 2', 4, "'ess' is missing"),
        ('"unseen": [0.5, 0.25, 0.25], ', "", 6, "'unseen' is missing"),
        ('"counts": [[2, 1, 1]]', '"count": [[2, 1, 1]]', 7, "unknown key 'count'"),
        ("[[1, 0], [0, 2]]", "[[1, 0], [1, 0]]", 8, "listed twice"),
        ("[[1, 0], [0, 2]]", "[[1, 0], [2, 0]]", 8, "too large"),
        ("[[1, 0], [0, 2]]", "[[1, 0], [0]]", 8, "2 whole numbers"),
        ("[[1, 0], [0, 2]]", "[[1, 0]]", 9, "a list of 1 rows"),
        ("[0.2, 0.8]", "[0.2, 0.7]", 9, "sums to 0.9"),
        ("[[9, 1], [1, 4]]", "[[9, 1], [1, -4]]", 9, "negative"),
        (', "counts": [[9, 1], [1, 4]]', "", None, "no counts"),
    ],
)
def test_malformed_sparse_tables_say_where(old: str, new: str, line: int | None, message: str) -> None:
    assert old in SPARSE
    with pytest.raises(FileFormatError, match=message) as caught:
        read_json(SPARSE.replace(old, new, 1))
    assert caught.value.line == line


LEARNED = """{
  "format": "qnml-network",
  "version": 4,
  "undirected": [
    ["a", "b"]
  ],
  "variables": [
    {"name": "a", "levels": ["0", "1"], "parents": [], "table": [[0.5, 0.5]]},
    {"name": "b", "levels": ["0", "1"], "parents": ["a"], "table": [[0.5, 0.5], [0.25, 0.75]]},
    {"name": "c", "levels": ["0", "1"], "parents": ["b"], "table": [[0.5, 0.5], [0.25, 0.75]]}
  ]
}"""


def test_the_class_that_a_network_was_learned_in() -> None:
    text = LEARNED.replace('["a", "b"]', '["a", "b"],\n    ["c", "b"]')
    net = read_json(text)
    assert net.mpdag is not None
    assert (net.mpdag.directed, net.mpdag.undirected) == ((), (("a", "b"), ("b", "c")))
    assert read_json(write_json(net)).mpdag == net.mpdag
    assert '"version": 4' in write_json(net)
    told = net.with_mpdag(net.mpdag.orient([("a", "b")]))
    assert '"undirected": []' in write_json(told)
    assert read_json(write_json(told)).mpdag == told.mpdag
    assert read_json(write_json(net.with_mpdag(None))).mpdag is None


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('["a", "b"]', '["a", "c"]', 5, "no arc between 'a' and 'c'"),
        ('["a", "b"]', '["a", "x"]', 5, "no arc between 'a' and 'x'"),
        ('["a", "b"]', '["a"]', 5, "a pair of names"),
        ('["a", "b"]', '["a", 1]', 5, "a pair of names"),
        ('[\n    ["a", "b"]\n  ]', "3", 4, "a list of pairs of names"),
        ('["a", "b"]', '["b", "c"]', None, "the edge b -- c is undirected, but the other edges force b -> c"),
        ('"version": 4', '"version": 3', 4, "unknown key 'undirected'"),
    ],
)
def test_classes_that_do_not_fit_say_where(old: str, new: str, line: int | None, message: str) -> None:
    assert old in LEARNED
    with pytest.raises(FileFormatError, match=message) as caught:
        read_json(LEARNED.replace(old, new, 1))
    assert caught.value.line == line


def test_schema_names_the_same_keys_as_the_reader() -> None:
    schema = json.loads((resources.files("qnml.model.files") / "network.schema.json").read_text(encoding="utf-8"))
    variable = schema["properties"]["variables"]["items"]
    assert set(schema["properties"]) == set(json_format._DOCUMENT_KEYS[json_format.VERSION])
    assert set(variable["required"]) == set(json_format._VARIABLE_KEYS)
    ways = [set(way["required"]) for way in variable["oneOf"]]
    assert ways == [{"table"}, set(json_format._SPARSE_KEYS) - {"counts"}]
    assert set(variable["properties"]) == {*json_format._VARIABLE_KEYS, "table", *json_format._SPARSE_KEYS}
    assert schema["properties"]["format"]["const"] == json_format.FORMAT
    assert schema["properties"]["version"]["enum"] == list(json_format._DOCUMENT_KEYS)
    assert set(schema["properties"]["parameters"]["properties"]["rule"]["enum"]) == set(RULES)
    # The reader requires everything that the schema requires.
    for key in schema["required"]:
        document = json.loads(TEXT)
        del document[key]
        with pytest.raises(FileFormatError, match=f"'{key}' is missing"):
            read_json(json.dumps(document))
