"""Structural Hamming distance: values by hand, the laws of a metric, the breakdown."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Comparison, Dag, Edge, compare, shd, sid


def pair_states(graph):
    """The edge of every pair of nodes, as a dictionary by pair."""
    if isinstance(graph, Dag):
        return {frozenset(arc): arc for arc in graph.arcs}
    return {frozenset(arc): arc for arc in graph.directed} | {frozenset(edge): "--" for edge in graph.undirected}


def distance_by_pairs(one, two):
    first, second = pair_states(one), pair_states(two)
    return sum(first.get(pair) != second.get(pair) for pair in first.keys() | second.keys())


def test_by_hand():
    collider, chain = Dag.from_modelstring("[A][C][B|A:C]"), Dag.from_modelstring("[A][B|A][C|B]")
    assert shd(collider, chain) == 2
    assert shd(collider, chain, on="dag") == 1
    assert shd(chain, Dag.from_modelstring("[C][B|C][A|B]")) == 0
    assert shd(chain, Dag.from_modelstring("[C][B|C][A|B]"), on="dag") == 2
    assert shd(chain, Dag.empty(["A", "B", "C"])) == 2
    # The extra arc removes the v-structure: three undirected edges against two directed ones.
    assert shd(collider, collider.add_arc("A", "C")) == 3
    assert shd(collider, collider.add_arc("A", "C"), on="dag") == 1


def test_all_small_pairs_against_the_definition(every_dag):
    for one, two in itertools.product(every_dag(3), repeat=2):
        assert shd(one, two, on="dag") == distance_by_pairs(one, two)
        expected = distance_by_pairs(one.to_cpdag(), two.to_cpdag())
        assert shd(one, two) == expected
        assert shd(one.to_cpdag(), two) == shd(one, two.to_cpdag()) == expected


@pytest.mark.parametrize("on", ["cpdag", "dag"])
@given(data=st.data())
def test_metric(dags, on, data):
    n_nodes = data.draw(st.integers(1, 6))
    graphs = dags(min_nodes=n_nodes, max_nodes=n_nodes)
    one, two, three = (data.draw(graphs) for _ in range(3))
    two = two.reorder(data.draw(st.permutations(two.names)))
    assert (shd(one, two, on=on) == 0) == (one == two if on == "dag" else one.is_equivalent(two))
    assert shd(one, one, on=on) == 0
    assert shd(one, two, on=on) == shd(two, one, on=on)
    assert shd(one, three, on=on) <= shd(one, two, on=on) + shd(two, three, on=on)


@pytest.mark.parametrize("on", ["cpdag", "dag"])
@given(data=st.data())
def test_breakdown(dags, on, data):
    n_nodes = data.draw(st.integers(1, 7))
    one, two = (data.draw(dags(min_nodes=n_nodes, max_nodes=n_nodes)) for _ in range(2))
    found = compare(one, two, on=on)
    first, second = (pair_states(graph if on == "dag" else graph.to_cpdag()) for graph in (one, two))
    assert {frozenset(edge[:2]) for edge in found.missing} == first.keys() - second.keys()
    assert {frozenset(edge[:2]) for edge in found.extra} == second.keys() - first.keys()
    both = first.keys() & second.keys()
    assert {frozenset(edge[:2]) for edge in found.matching} == {pair for pair in both if first[pair] == second[pair]}
    assert {frozenset(edge[:2]) for edge, _ in found.wrongly_oriented} == {
        pair for pair in both if first[pair] != second[pair]
    }
    assert found.shd == shd(one, two, on=on)
    swapped = compare(two, one, on=on)
    assert (swapped.missing, swapped.extra) == (found.extra, found.missing)
    assert swapped.wrongly_oriented == tuple((after, before) for before, after in found.wrongly_oriented)


def test_breakdown_by_hand():
    truth = Dag.from_modelstring("[A][B][C|A:B][D|C]")
    other = Dag.from_modelstring("[A][C|A][D|C][B|D]")
    result = compare(truth, other)
    assert result == Comparison(
        missing=(Edge("B", "C", True),),
        extra=(Edge("B", "D", False),),
        wrongly_oriented=(
            (Edge("A", "C", True), Edge("A", "C", False)),
            (Edge("C", "D", True), Edge("C", "D", False)),
        ),
        matching=(),
        on="cpdag",
        sid=sid(truth, other.to_cpdag()),
    )
    assert [str(edge) for edge in (result.missing[0], result.extra[0])] == ["B -> C", "B -- D"]
    assert str(result) == f"{result.sid}; SHD 4: 1 missing, 1 extra, 2 wrongly oriented, 0 matching"


def test_bad_arguments():
    one = Dag.from_modelstring("[A][B|A]")
    with pytest.raises(InputError, match=r"shd: both graphs must have the same nodes\. Only in the second: C\."):
        shd(one, Dag.empty(["A", "B", "C"]))
    with pytest.raises(InputError, match=r"compare: both graphs.*Only in the first: B\. Only in the second: X, Y\."):
        compare(one, Dag.empty(["X", "A", "Y"]))
    with pytest.raises(UnknownNameError, match=r"shd\(on='cpdga'\).*Did you mean 'cpdag'"):
        shd(one, one, on="cpdga")
    with pytest.raises(InputError, match=r"shd\(on='dag'\): must be 'cpdag' or 'mpdag' when a graph is not a Dag"):
        shd(one, one.to_cpdag(), on="dag")
    with pytest.raises(InputError, match=r"shd\(graph='\[A\]'\)"):
        shd(one, "[A]")
