"""Background knowledge: refused arguments, compilation to masks, and files."""

from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.exact import admitted, all_networks
from reference.knowledge import demands, renamed

from qnml.errors import CycleError, FileFormatError, InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.search import CompiledKnowledge, Knowledge

NAMES = ("a", "b", "c", "d")


def dag_of(network: tuple[frozenset[int], ...], names: tuple[str, ...]) -> Dag:
    return Dag.from_parents({names[child]: [names[p] for p in ps] for child, ps in enumerate(network)})


# Content.


def test_everything_is_kept_as_tuples() -> None:
    known = Knowledge(
        required=[["a", "b"], ("a", "b")],
        forbidden={("c", "a")},
        tiers=[["a"], {"c", "b"}, []],
        max_parents={"b": np.int64(2)},
        roots=["a"],
        leaves=("c", "c"),
    )
    assert known.required == (("a", "b"),)
    assert known.forbidden == (("c", "a"),)
    assert known.tiers == (("a",), ("b", "c"), ())
    assert known.max_parents == (("b", 2),)
    assert type(known.max_parents[0][1]) is int
    assert (known.roots, known.leaves) == (("a",), ("c",))
    assert hash(known) == hash(dataclasses.replace(known))
    with pytest.raises(dataclasses.FrozenInstanceError):
        known.roots = ()  # type: ignore[misc]


def test_sets_are_taken_in_one_order() -> None:
    arcs = [(a, b) for a in NAMES for b in NAMES if a < b]
    assert Knowledge(forbidden=set(arcs)).forbidden == tuple(sorted(arcs))


# Refused arguments.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "a -> b is required, and forbidden"),
        (
            {"required": [("a", "b")], "tiers": [["b"], ["c"], ["a"]]},
            "a -> b is required, but 'a' is in tier 3 and 'b' in tier 1",
        ),
        ({"required": [("a", "b")], "roots": ["b"]}, "a -> b is required, but 'b' is one of the roots"),
        ({"required": [("a", "b")], "leaves": ["a"]}, "a -> b is required, but 'a' is one of the leaves"),
        (
            {"required": [("a", "c"), ("b", "c")], "max_parents": 1},
            "'c' has 2 required parents (a, b), but max_parents allows 1",
        ),
        (
            {"required": [("a", "c")], "max_parents": {"c": 0}},
            "'c' has 1 required parent (a), but max_parents allows 0",
        ),
        ({"tiers": [["a", "b"], [], ["c", "b"]]}, "'b' is in tier 1 and tier 3"),
        ({"required": [("a", "a")]}, "self-loop"),
        ({"forbidden": [("a", "a")]}, "self-loop"),
    ],
)
def test_contradictions_are_named(arguments, words) -> None:
    with pytest.raises(InputError) as caught:
        Knowledge(**arguments)
    assert words in str(caught.value)
    assert str(caught.value).startswith("Knowledge")


def test_a_required_cycle_is_printed() -> None:
    with pytest.raises(CycleError, match="b -> c -> d -> b") as caught:
        Knowledge(required=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")])
    assert caught.value.cycle == ("b", "c", "d", "b")


@pytest.mark.parametrize(
    "arguments",
    [
        {"required": "ab"},
        {"required": ["ab"]},
        {"required": [("a", "b", "c")]},
        {"required": [{"a", "b"}]},
        {"required": [("a", 1)]},
        {"required": 3},
        {"forbidden": {"a": "b"}},
        {"tiers": ["ab"]},
        {"tiers": "ab"},
        {"tiers": {"a": 1}},
        {"tiers": [["a", 2]]},
        {"max_parents": -1},
        {"max_parents": True},
        {"max_parents": 1.5},
        {"max_parents": "3"},
        {"max_parents": {"a": None}},
        {"max_parents": {1: 1}},
        {"max_parents": [1]},
        {"roots": "a"},
        {"roots": [1]},
        {"roots": [""]},
        {"required": [("a", "")]},
        {"max_parents": {"": 1}},
        {"leaves": None},
    ],
)
def test_wrong_kinds_are_refused_by_argument(arguments) -> None:
    (argument,) = arguments
    with pytest.raises(InputError, match=rf"^Knowledge\({argument}="):
        Knowledge(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"required": [("a", "smok")]},
        {"forbidden": [("smok", "a")]},
        {"tiers": [["a"], ["smok"]]},
        {"max_parents": {"smok": 1}},
        {"roots": ["smok"]},
        {"leaves": ["smok"]},
    ],
)
def test_unknown_variables_are_met_with_the_nearest(arguments) -> None:
    (argument,) = arguments
    known = Knowledge(**arguments)
    for use in (known.compile, lambda names: known.violations(Dag.empty(names))):
        with pytest.raises(UnknownNameError, match=rf"Knowledge\({argument}='smok'.*Did you mean 'smoke'"):
            use(["a", "smoke"])


def test_a_further_limit_is_checked_too() -> None:
    known = Knowledge(required=[("a", "c"), ("b", "c")])
    with pytest.raises(InputError, match="'c' has 2 required parents"):
        known.compile(NAMES, max_parents=1)
    with pytest.raises(UnknownNameError, match="max_parents='e'"):
        known.compile(NAMES, max_parents={"e": 1})
    with pytest.raises(InputError, match="max_parents=-1"):
        known.compile(NAMES, max_parents=-1)


# Compilation.


def test_masks_by_hand() -> None:
    known = Knowledge(
        required=[("a", "c")],
        forbidden=[("b", "c")],
        tiers=[["a"], ["b", "c"]],
        max_parents={"b": 1},
        leaves=["d"],
    )
    assert known.compile(NAMES) == CompiledKnowledge(
        NAMES, allowed=(0b0000, 0b0101, 0b0001, 0b0111), required=(0, 0, 0b0001, 0), max_parents=(3, 1, 3, 3)
    )
    assert known.compile(NAMES, max_parents=2).max_parents == (2, 1, 2, 2)
    assert known.compile(NAMES, max_parents={"b": 3, "d": 0}).max_parents == (3, 1, 3, 0)
    assert Knowledge(roots=["b"]).compile(NAMES).allowed == (0b1110, 0, 0b1011, 0b0111)


def test_leaves_are_added_to_what_is_known() -> None:
    known = Knowledge(required=[("a", "b")], leaves=["c"], max_parents={"b": 2})
    more = known.with_leaves(["b", "c"])
    assert more.leaves == ("c", "b")
    assert more.required == known.required
    assert more.max_parents == known.max_parents
    assert Knowledge().with_leaves(["b"]) == Knowledge(leaves=["b"])
    with pytest.raises(InputError, match="a -> b"):
        known.with_leaves(["a"])


def test_no_knowledge_is_free() -> None:
    assert Knowledge().compile(NAMES).is_free
    assert Knowledge(max_parents=9).compile(NAMES).is_free
    assert Knowledge(tiers=[[*NAMES]]).compile(NAMES).is_free
    assert Knowledge().compile(["a"]) == CompiledKnowledge(("a",), (0,), (0,), (0,))
    for arguments in (
        {"max_parents": 2},
        {"required": [("a", "b")]},
        {"roots": ["c"]},
        {"tiers": [["a"], ["b"]]},
    ):
        assert not Knowledge(**arguments).compile(NAMES).is_free


@given(st.data())
def test_masks_words_and_the_demands_themselves_agree(data) -> None:
    n = data.draw(st.integers(1, 4))
    plain = data.draw(demands(n))
    known = Knowledge(**renamed(plain, NAMES[:n]))
    compiled = known.compile(NAMES[:n])
    seen = set()
    for network in all_networks(n):
        dag = dag_of(network, NAMES[:n])
        is_met = admitted(network, **plain)
        seen.add(is_met)
        assert known.admits(dag) is is_met
        assert bool(known.violations(dag)) is not is_met
        masks = enumerate(dag.parent_masks)
        assert all(compiled.admits_family(child, parents) for child, parents in masks) is is_met
    # The required arcs alone satisfy all rules, so nothing else can conflict.
    assert True in seen


@given(st.data())
def test_laws_of_masks(data) -> None:
    n = data.draw(st.integers(1, 4))
    known = Knowledge(**renamed(data.draw(demands(n)), NAMES[:n]))
    compiled = known.compile(NAMES[:n])
    for position in range(n):
        assert not compiled.allowed[position] >> position & 1
        assert compiled.required[position] & ~compiled.allowed[position] == 0
        assert compiled.required[position].bit_count() <= compiled.max_parents[position] <= n - 1
    order = data.draw(st.permutations(range(n)))
    turned = known.compile([NAMES[position] for position in order])
    for place, position in enumerate(order):
        assert turned.max_parents[place] == compiled.max_parents[position]
        for other_place, other in enumerate(order):
            for masks, others in ((compiled.allowed, turned.allowed), (compiled.required, turned.required)):
                assert masks[position] >> other & 1 == others[place] >> other_place & 1


def test_violations_in_words() -> None:
    known = Knowledge(
        required=[("a", "b")],
        forbidden=[("b", "c")],
        tiers=[["c"], ["d"]],
        max_parents=1,
        roots=["a"],
        leaves=["b"],
    )
    assert known.violations(Dag.from_modelstring("[b][c|b:d][a|b:c][d]")) == [
        "the required arc a -> b is missing",
        "the arc b -> c is forbidden",
        "the arc d -> c goes from tier 2 to tier 1",
        "the root a has parents: b, c",
        "the leaf b has children: c, a",
        "c has 2 parents, at most 1 are allowed",
        "a has 2 parents, at most 1 are allowed",
    ]


# Files and other programs.


def toml(document: dict) -> str:
    """TOML by hand: for the names used here a JSON string is a TOML string."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in document.items() if not isinstance(value, dict)]
    for key, value in document.items():
        if isinstance(value, dict):
            lines += [f"[{key}]", *(f"{json.dumps(name)} = {number}" for name, number in value.items())]
    return "\n".join(lines)


names_of_variables = st.lists(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f"), min_size=1, max_size=4),
    min_size=4,
    max_size=4,
    unique=True,
)


@given(st.data(), names_of_variables)
def test_round_trips_through_files(tmp_path_factory, data, names) -> None:
    known = Knowledge(**renamed(data.draw(demands(4)), names))
    folder = tmp_path_factory.mktemp("knowledge")
    document = known.to_dict()
    (folder / "known.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "known.toml").write_text(toml(document), encoding="utf-8")
    assert Knowledge.from_file(folder / "known.json") == known
    assert Knowledge.from_file(str(folder / "known.toml")) == known


@pytest.mark.parametrize(
    ("name", "text", "error", "words"),
    [
        ("k.toml", "roots = [", FileFormatError, "not TOML"),
        ("k.toml", "roots = ['a']\nleaves == 3", FileFormatError, "line 2, column 9: not TOML"),
        ("k.json", '{"roots": ["a"]', FileFormatError, "line 1, column 16: not JSON"),
        ("k.json", '{"roots": ["a"], "roots": []}', FileFormatError, "'roots' occurs twice"),
        ("k.json", '["a"]', FileFormatError, "must be an object"),
        ("k.json", '{"roots": "a"}', FileFormatError, "roots"),
        ("k.json", '{"required": [["a", 3]]}', FileFormatError, "required"),
        ("k.toml", "max_parents = 1.5", FileFormatError, "max_parents"),
        ("k.json", "[" * 100_000, FileFormatError, "not usable"),
        ("k.toml", 'requierd = [["a", "b"]]', UnknownNameError, "Did you mean 'required'"),
        ("k.toml", 'required = [["a", "b"]]\nroots = ["b"]', InputError, "is one of the roots"),
        ("k.yaml", "roots: [a]", InputError, "ending in .toml or .json"),
    ],
)
def test_bad_files(tmp_path, name, text, error, words) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match="k\\.") as caught:
        Knowledge.from_file(path)
    assert words in str(caught.value)


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        Knowledge.from_file(tmp_path / "none.toml")
    (tmp_path / "k.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(FileFormatError, match="not UTF-8"):
        Knowledge.from_file(tmp_path / "k.json")
    (tmp_path / "mark.json").write_bytes(b"\xef\xbb\xbf{}")
    assert Knowledge.from_file(tmp_path / "mark.json") == Knowledge()


def test_expert_knowledge_of_other_programs() -> None:
    theirs = SimpleNamespace(
        required_edges={("a", "b")},
        forbidden_edges=[("b", "c"), ("a", "c")],
        temporal_order=[["a"], ["b", "c"]],
        search_space=set(),
    )
    assert Knowledge.from_expert_knowledge(theirs) == Knowledge(
        required=[("a", "b")], forbidden=[("b", "c"), ("a", "c")], tiers=[["a"], ["b", "c"]]
    )
    empty = SimpleNamespace(required_edges=set(), forbidden_edges=set(), temporal_order=[[]])
    assert Knowledge.from_expert_knowledge(empty).compile(NAMES).is_free
    assert Knowledge.from_expert_knowledge(SimpleNamespace(required_edges=None, forbidden_edges=[])) == Knowledge()
    with pytest.raises(InputError, match="required_edges"):
        Knowledge.from_expert_knowledge(["a", "b"])
    theirs.search_space = {("a", "b")}
    with pytest.raises(InputError, match="search_space"):
        Knowledge.from_expert_knowledge(theirs)


def test_a_file_larger_than_memory_is_refused_unread(tmp_path) -> None:
    path = tmp_path / "knowledge.json"
    with open(path, "wb") as file:
        file.truncate(10**13)
    with pytest.raises(TooLargeError, match=r"Knowledge.from_file\(path="):
        Knowledge.from_file(path)
