"""The parents of a variable over a class, against the list of all its members."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from qnml import Dag, enumerate_class
from qnml.graph.parent_choices import parent_choices

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

NAMES = tuple("abcdef")


@st.composite
def dags(draw: DrawFn) -> Dag:
    order = draw(st.permutations(NAMES))
    return Dag.from_arcs(NAMES, [pair for pair in combinations(order, 2) if draw(st.booleans())])


@given(dags(), st.data())
def test_they_are_those_of_the_members(dag: Dag, data: st.DataObject) -> None:
    known = data.draw(st.lists(st.sampled_from(dag.arcs), unique=True, max_size=3) if dag.arcs else st.just([]))
    graph = dag.to_cpdag().orient(known)
    members = [member.reorder(graph.names) for member in enumerate_class(graph)]
    for node in range(len(graph.names)):
        found = list(parent_choices(graph, node))
        assert len(found) == len(set(found))
        assert set(found) == {member.parent_masks[node] for member in members}
