"""Knowledge applied to classes, against all their members."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag, enumerate_class
from qnml.search import Knowledge


@st.composite
def obeyed(draw):
    """A network on up to six variables, and knowledge of all kinds that it obeys."""
    n = draw(st.integers(2, 6))
    names = list("abcdef"[:n])
    order = draw(st.permutations(names))
    pairs = [*itertools.combinations(order, 2)]
    arcs = [pair for pair in pairs if draw(st.booleans())]
    dag = Dag.from_arcs(names, arcs)
    free = [pair for pair in itertools.permutations(names, 2) if pair not in arcs]
    tiered = [name for name in order if draw(st.booleans())]
    cut = draw(st.integers(0, len(tiered)))
    known = Knowledge(
        required=[arc for arc in arcs if draw(st.integers(0, 3)) == 0],
        forbidden=[arc for arc in free if draw(st.integers(0, 5)) == 0],
        tiers=[tiered[:cut], tiered[cut:]] if draw(st.booleans()) else [],
        roots=[name for name in names if not dag.parents(name) and draw(st.integers(0, 3)) == 0],
        leaves=[name for name in names if not dag.children(name) and draw(st.integers(0, 3)) == 0],
    )
    return dag, known


@settings(max_examples=400)
@given(obeyed())
def test_exactly_the_admitted_members(given_):
    dag, known = given_
    assert known.admits(dag)
    mpdag = known.orient(dag)
    admitted = [one for one in enumerate_class(dag) if known.admits(one)]
    assert set(mpdag.directed) == set.intersection(*(set(one.arcs) for one in admitted))
    assert set(enumerate_class(mpdag)) == set(admitted)
    assert known.orient(dag.to_cpdag()) == mpdag


def test_limits_on_parents_direct_nothing():
    collider_or_chain = Dag.from_modelstring("[a][b|a][c|a:b]")
    assert Knowledge(max_parents=1).orient(collider_or_chain).directed == ()


def test_what_no_member_obeys_is_named():
    chain = Dag.from_modelstring("[a][b|a][c|b]")
    collider = Dag.from_modelstring("[a][b][c|a:b]")
    for known, graph, words in (
        (Knowledge(required=[("a", "c")]), chain, r"the required arc a -> c is missing"),
        (Knowledge(required=[("c", "a")]), collider, r"the required arc c -> a is missing"),
        (Knowledge(tiers=[["c"], ["a"]]), collider, r"all have the arc a -> c, which the knowledge excludes"),
        (Knowledge(required=[("a", "b"), ("c", "b")]), chain, r"no member has the arc c -> b"),
        (Knowledge(roots=["b"], leaves=["b"]), chain, r"no member has the arc"),
    ):
        with pytest.raises(InputError, match=rf"Knowledge\.orient: no member is admitted: .*{words}"):
            known.orient(graph)
    with pytest.raises(UnknownNameError, match=r"required='x'"):
        Knowledge(required=[("x", "a")]).orient(chain)
    with pytest.raises(InputError, match=r"Knowledge\.orient\(graph='\[a\]'\)"):
        Knowledge().orient("[a]")
