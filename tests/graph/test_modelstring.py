"""bnlearn's model strings in and out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import CycleError, FileFormatError, InputError
from qnml.graph import Dag


def test_published_strings_of_bnlearn():
    # learning.test and asia as bnlearn's manual prints them.
    learning = Dag.from_arcs(list("ABCDEF"), [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")])
    assert learning.to_modelstring() == "[A][C][F][B|A][D|A:C][E|B:F]"
    asia = "[A][S][T|A][L|S][B|S][E|T:L][X|E][D|B:E]"
    assert Dag.from_modelstring(asia).to_modelstring() == asia


def test_nodes_in_order_of_brackets():
    dag = Dag.from_modelstring("[B|A:C][C][A]")
    assert dag.names == ("B", "C", "A")
    assert dag.parents("B") == ("C", "A")


def test_white_space_between_brackets_only():
    assert Dag.from_modelstring("  [A]\n\t[B|A] ") == Dag.from_modelstring("[A][B|A]")
    assert Dag.from_modelstring("[ A ][B| A ]").arcs == ((" A ", "B"),)


odd_names = st.text(st.characters(exclude_characters="[]|:", exclude_categories=["Cs"]), min_size=1)


@given(names=st.lists(odd_names, min_size=1, max_size=6, unique=True), data=st.data())
def test_round_trip_with_odd_names(names, data):
    masks = [data.draw(st.integers(0, (1 << node) - 1)) for node in range(len(names))]
    dag = Dag.from_masks(names, masks)
    assert Dag.from_modelstring(dag.to_modelstring()) == dag


@pytest.mark.parametrize("name", ["a:b", "a|b", "[a", "a]"])
def test_names_that_cannot_be_written(name):
    dag = Dag.empty(["fine", name])
    with pytest.raises(InputError, match=r"Dag\.to_modelstring: the name .*Dag\.relabel"):
        dag.to_modelstring()
    assert dag.relabel({name: "also fine"}).to_modelstring() == "[fine][also fine]"


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("A", 1, "expected '[' but found 'A'"),
        ("[A]B]", 4, "expected '[' but found 'B'"),
        ("[A][B|A", 8, "the bracket of 'B' is not closed"),
        ("[A][B", 6, "the bracket of 'B' is not closed"),
        ("[]", 2, "expected a node name but found ']'"),
        ("[", 2, "expected a node name but found the end of the text"),
        ("[A][B|]", 7, "expected a node name but found ']'"),
        ("[A][B|A:]", 9, "expected a node name but found ']'"),
        ("[A][C|A|B]", 8, "expected ':' or ']' but found '|'"),
        ("[A:B]", 3, "expected '|' or ']' but found ':'"),
        ("[A[B]", 3, "expected '|' or ']' but found '['"),
        ("[A][B][A|B]", 8, "the node 'A' is listed twice"),
        ("[A][B|A:A]", 9, "the parent 'A' of 'B' is listed twice"),
        ("[A|A]", 4, "the node 'A' is listed as its own parent"),
        (
            "[smoke][lung|smok]",
            14,
            "the parent 'smok' of 'lung' has no bracket of its own; add one. Did you mean 'smoke'?",
        ),
    ],
)
def test_malformed_text_says_where(text, column, problem):
    with pytest.raises(FileFormatError) as caught:
        Dag.from_modelstring(text)
    assert caught.value.column == column
    assert caught.value.line is None
    assert f"model string, column {column}: {problem}" in str(caught.value)


def test_position_in_several_lines():
    with pytest.raises(FileFormatError) as caught:
        Dag.from_modelstring("[A]\n[B|A]\n [C|:]")
    assert (caught.value.line, caught.value.column) == (3, 5)


def test_cycle():
    with pytest.raises(CycleError, match=r"Dag\.from_modelstring: .*A -> C -> B -> A"):
        Dag.from_modelstring("[A|B][B|C][C|A]")


def test_not_a_string():
    with pytest.raises(InputError, match=r"Dag\.from_modelstring\(text=7\)"):
        Dag.from_modelstring(7)


@given(text=st.text(alphabet="AB[]|: \n"))
def test_any_text_is_read_or_refused_politely(text):
    try:
        dag = Dag.from_modelstring(text)
    except InputError:
        return
    assert Dag.from_modelstring(dag.to_modelstring()) == dag
