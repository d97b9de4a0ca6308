"""Network files record how raw rows are prepared; damaged records are refused, never ignored."""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.preparations import BINS, PREPARATION, RAW, entry, example, prepared_networks

from qnml import ColumnPreparation, Network, Preparation
from qnml.data.preparation import column as column_module
from qnml.errors import FileFormatError, InputError, QnmlError
from qnml.graph import Dag
from qnml.model import read_network, write_network
from qnml.model.files import NETWORK_FORMATS, NetworkFormat, read_bif, read_json, write_bif, write_json

if TYPE_CHECKING:
    from pathlib import Path

NET = example()
KEEPING = [form for form in NETWORK_FORMATS.values() if form.name != "uai"]
TEXTS = [form for form in KEEPING if form.name != "json"]
by_form = pytest.mark.parametrize("form", KEEPING, ids=lambda form: form.name)
by_text_form = pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)

ODD = st.text(
    st.sampled_from("a;\"'\\\n\té{}<&%/*|(),=[]€\u2028 ") | st.characters(exclude_categories=["Cs"]), max_size=5
)
XML_ODD = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=5)


@by_form
@settings(max_examples=60)
@given(data=st.data())
def test_any_preparation_comes_back(form: NetworkFormat, data: st.DataObject) -> None:
    text = XML_ODD if form.name == "xmlbif" else ODD
    net = data.draw(prepared_networks(text, has_numbers=form.name == "json"))
    written = form.write(net)
    again = form.read(written, "text")
    assert again == net
    assert again.preparation == net.preparation
    assert again.properties.get("network") is None
    assert form.write(again) == written


@by_text_form
def test_labels_that_become_text_still_stand_for_the_raw_numbers(form: NetworkFormat) -> None:
    again = form.read(form.write(NET), "text")
    assert again.levels["score"] == ("1", "2")
    assert again.preparation is not None
    assert NET.preparation is not None
    assert again.preparation == NET.preparation.with_levels({"score": ("1", "2")})
    assert np.array_equal(again.log_prob(RAW), NET.log_prob(RAW))
    assert again.query("town", {"age": 54.2, "score": 2}).values.tolist() == (
        NET.query("town", {"age": 54.2, "score": 2}).values.tolist()
    )
    assert form.write(form.read(form.write(again), "text")) == form.write(again)


@by_form
def test_other_annotations_stay_and_files_without_a_preparation_have_none(form: NetworkFormat) -> None:
    notes = {"name": "garden", "network": ["k = 5", 'free; "text"'], "comments": ["by hand"]}
    tables = {name: NET.table(name) for name in NET.names}
    noted = Network(NET.dag, NET.levels, tables, notes, preparation=NET.preparation)
    again = form.read(form.write(noted), "text")
    assert again.properties["name"] == "garden"
    assert sorted(again.properties["network"]) == sorted(notes["network"])
    assert again.preparation is not None
    bare = form.read(form.write(Network(NET.dag, NET.levels, tables, notes)), "text")
    assert bare.preparation is None
    assert bare.properties == again.properties
    if form.name != "json":
        assert "qnml_preparation" not in form.write(bare)


def test_uai_loses_it_and_says_so() -> None:
    form = NETWORK_FORMATS["uai"]
    assert form.read(form.write(NET), "text").preparation is None
    assert "how raw rows are prepared" in str(form.loses)
    assert all("prepared" not in str(form.loses) for form in KEEPING)


@pytest.mark.parametrize("ending", [".json", ".json.gz", ".bif", ".bif.gz", ".xmlbif", ".net", ".dsc", ".xdsl"])
def test_files(tmp_path: Path, ending: str) -> None:
    write_network(NET, tmp_path / f"net{ending}")
    again = read_network(tmp_path / f"net{ending}")
    assert np.array_equal(again.log_prob(RAW), NET.log_prob(RAW))


def packed(document: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def changed(**changes: Any) -> dict[str, Any]:
    assert NET.preparation is not None
    return {**NET.preparation.to_dict(), **changes}


AGE = {**PREPARATION.columns["age"].to_dict()}
DAMAGED = {
    "nothing": ("", "neither JSON nor base64"),
    "no JSON": ("(x", "neither JSON nor base64"),
    "no base64": ("eyJ2ZX!", "neither JSON nor base64"),
    "cut": (packed(changed())[:-9], "neither JSON nor base64"),
    "no object": (packed([1]), "the document is"),
    "version": (packed(changed(version=2)), "version is 2"),
    "cuts": (packed(changed(columns=[{**AGE, "cuts": [1, "x"]}])), r"columns\[0\].cuts\[1\] is 'x'"),
    "contradiction": (packed(changed(columns=[{**AGE, "cuts": [1]}])), "one more than there are cuts"),
    "levels": (
        packed(changed(columns=[{**AGE, "levels": ["a"]}])),
        r"levels of age are \('a',\), those of the network",
    ),
    "absent columns": (packed(changed(columns=[{**AGE, "name": "agee"}])), "agee should be left out, or be variables"),
    "dropped": (packed(changed(columns=[entry("age", "drop").to_dict()])), "age is left out, but is a variable"),
}


@pytest.mark.parametrize("damage", DAMAGED)
@by_text_form
def test_a_damaged_one_is_refused_with_its_place(form: NetworkFormat, damage: str) -> None:
    value, problem = DAMAGED[damage]
    mark = "qnml_preparation = mark"
    noted = Network(NET.dag, NET.levels, {name: NET.table(name) for name in NET.names}, {"network": [mark[5:]]})
    written = form.write(noted).replace(mark[5:], mark)
    written = written.replace(mark, f"qnml_preparation = {value}")
    line = next(number for number, text in enumerate(written.split("\n"), 1) if "qnml_preparation" in text)
    with pytest.raises(FileFormatError, match=f"qnml_preparation: .*{problem}") as caught:
        form.read(written, "garden")
    assert caught.value.line == line


def test_json_without_base64_is_read_everywhere_and_two_of_them_are_refused() -> None:
    bare = Network(NET.dag, NET.levels, {name: NET.table(name) for name in NET.names})
    quoted = json.dumps(f"qnml_preparation={json.dumps(changed())}")
    once = write_bif(bare).replace("network unknown {", f"network unknown {{\n  property {quoted};")
    assert read_bif(once).preparation == read_bif(write_bif(NET)).preparation
    twice = once.replace("network unknown {", f"network unknown {{\n  property {quoted};")
    with pytest.raises(FileFormatError, match=r"line 2.*there are 2 of them, and must be one"):
        read_bif(twice)


@by_text_form
def test_the_annotation_is_reserved(form: NetworkFormat) -> None:
    tables = {name: NET.table(name) for name in NET.names}
    noted = Network(NET.dag, NET.levels, tables, {"network": ["qnml_preparation = x"]})
    with pytest.raises(InputError, match=r"'qnml_preparation' in net.properties is reserved"):
        form.write(noted)
    assert read_json(write_json(noted)).properties == noted.properties
    near = Network(NET.dag, NET.levels, tables, {"network": ["qnml_preparations = x"]})
    assert form.read(form.write(near), "text").properties["network"] == ["qnml_preparations = x"]


def test_titles_of_columns_that_it_does_not_know_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.xdsl"
    write_network(NET, path)
    assert read_network(path, names="titles").preparation is not None
    path.write_text(path.read_text().replace("<name>age</name>", "<name>Age in years</name>"))
    assert read_network(path).preparation is not None
    with pytest.raises(FileFormatError, match="qnml_preparation: age should be left out, or be variables"):
        read_network(path, names="titles")


# --- JSON, where it is a part of the document


def test_version_three_only_where_it_is_needed() -> None:
    assert '"version": 3,' in write_json(NET)
    bare = Network(NET.dag, NET.levels, {name: NET.table(name) for name in NET.names})
    assert '"version": 1,' in write_json(bare)
    old = write_json(NET).replace('"version": 3,\n', '"version": 2,\n')
    with pytest.raises(FileFormatError, match="line 4, column 18: preparation: unknown key 'preparation'"):
        read_json(old)


def test_a_line_for_each_column() -> None:
    lines = write_json(NET).split("\n")
    assert '      {"name": "age", "kind": "text"' in next(line for line in lines if '"cuts": [30.0, 50.0]' in line)
    assert json.loads(write_json(NET))["preparation"] == changed()


@pytest.mark.parametrize(
    ("old", "new", "place", "problem"),
    [
        ('"missing": "category",\n', '"missing": 5,\n', (4, 18), "missing is 5"),
        ("[30.0, 50.0]", "[50.0, 30.0]", (10, 7), "column 'age': cuts is .*increasing"),
        ("[30.0, 50.0]", "[30.0, null]", (10, 7), r"columns\[0\].cuts\[1\] is None"),
        ('"kept_levels": ["Bonn", "Rome"]', '"kept_levels": [["Bonn"]]', (11, 7), r"columns\[1\].kept_levels\[0\]"),
        ('"action": "drop"', '"action": "melt"', (14, 7), r"columns\[4\].action is 'melt'"),
        ('{"name": "sex", "kind"', '{"name": "age", "kind"', (4, 18), "two columns have the same name"),
        ('"levels": ["f", "m", "?"], "missing": ', '"levels": ["f", "?"], "missing": ', (4, 18), "levels of sex are"),
    ],
)
def test_damage_in_json_is_placed(old: str, new: str, place: tuple[int, int], problem: str) -> None:
    text = write_json(NET)
    assert text.count(old) == 1
    with pytest.raises(FileFormatError, match=f": preparation.*{problem}") as caught:
        read_json(text.replace(old, new))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("value", ["[]", "5", '"x"', "{}", '{"columns": 3}', '{"columns": [3]}'])
def test_odd_values_in_json_are_refused(value: str) -> None:
    document = json.loads(write_json(NET))
    document["preparation"] = json.loads(value)
    with pytest.raises(FileFormatError, match="preparation"):
        read_json(json.dumps(document))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200)
@given(data=st.data())
def test_any_damage_raises_our_errors_only(data: st.DataObject) -> None:
    document = changed()
    at: Any = document
    while True:
        key = data.draw(st.sampled_from(list(at) if isinstance(at, dict) else list(range(len(at)))))
        if not isinstance(at[key], (list, dict)) or not at[key] or data.draw(st.booleans()):
            at[key] = data.draw(JSON)
            break
        at = at[key]
    whole = {**json.loads(write_json(NET)), "preparation": document}
    try:
        net = read_json(json.dumps(whole))
    except QnmlError:
        return
    for form in KEEPING:
        again = form.read(form.write(net), "text").preparation
        assert (again and again.names) == (net.preparation and net.preparation.names)


def test_the_schema_names_the_same_entries() -> None:
    schema = json.loads((resources.files("qnml.model.files") / "network.schema.json").read_text(encoding="utf-8"))
    whole = schema["properties"]["preparation"]
    assert set(whole["required"]) == set(Preparation([]).to_dict())
    assert set(whole["properties"]) == set(Preparation([], notes=["x"]).to_dict())
    columns = whole["properties"]["columns"]["items"]
    form = column_module.COLUMN_FORM
    assert set(columns["properties"]) == set(form.fields)
    assert set(columns["required"]) == set(form.fields) - form.optional
    assert columns["properties"]["action"]["enum"] == list(column_module.ACTIONS)


def test_networks_of_many_columns_stay_readable(tmp_path: Path) -> None:
    names = [f"v{number}" for number in range(300)]
    columns = [entry(name, "bin", levels=BINS, cuts=(1.0, 2.0), bins=BINS) for name in names]
    dag = Dag.empty(names)
    tables = {name: [0.2, 0.3, 0.5] for name in names}
    net = Network(dag, dict.fromkeys(names, BINS), tables, preparation=Preparation(columns))
    for form in KEEPING:
        assert form.read(form.write(net), "text").preparation == net.preparation


def test_entries_made_by_hand_are_checked_and_cleaned() -> None:
    made: Any = ColumnPreparation(
        "a",
        "real",
        np.int64(3),
        0,
        2,
        "bin",
        "By hand.",
        ["x", "y"],
        [np.float32(0.5)],
        ["x", "y"],  # type: ignore[arg-type]
    )
    net = Network(Dag.empty(["a"]), {"a": ["x", "y"]}, {"a": [0.5, 0.5]}, preparation=Preparation([made]))
    assert read_json(write_json(net)).preparation == net.preparation
    assert net.preparation is not None
    assert net.preparation.columns["a"].cuts == (0.5,)
