"""`Mpdag` against its definition: an edge is directed exactly if all members with the known arcs agree."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import CycleError, InputError, TooLargeError, UnknownNameError
from qnml.graph import Cpdag, Dag, Mpdag, class_size, enumerate_class, sample_class, shd


@st.composite
def _known(draw, dags, max_nodes=6):
    """A class and some arcs of one of its members."""
    dag = draw(dags(max_nodes=max_nodes))
    arcs = [arc for arc in dag.arcs if draw(st.booleans())]
    return dag, arcs


@pytest.fixture(scope="session")
def known(dags):
    return _known(dags)


def members_with(dag, arcs):
    return [one for one in enumerate_class(dag) if set(arcs) <= set(one.arcs)]


@given(data=st.data())
def test_against_the_members(known, data):
    dag, arcs = data.draw(known)
    mpdag = dag.to_cpdag().orient(arcs)
    members = members_with(dag, arcs)
    assert set(mpdag.directed) == set.intersection(*(set(one.arcs) for one in members))
    assert {frozenset(edge) for edge in mpdag.directed + mpdag.undirected} == {frozenset(arc) for arc in dag.arcs}
    assert class_size(mpdag) == len(members)
    listed = list(enumerate_class(mpdag))
    assert len(listed) == len(members)
    assert set(listed) == set(members)
    assert all(one in mpdag for one in members)
    assert sum(one in mpdag for one in enumerate_class(dag)) == len(members)
    assert mpdag.consistent_extension() in members
    assert mpdag.to_cpdag() == dag.to_cpdag()
    assert dag.is_equivalent(mpdag)


@given(data=st.data())
def test_edges_make_the_same_graph_again(known, data):
    dag, arcs = data.draw(known)
    mpdag = dag.to_cpdag().orient(arcs)
    assert Mpdag(mpdag.names, mpdag.directed, mpdag.undirected) == mpdag
    assert Mpdag.from_networkx(mpdag.to_networkx()) == mpdag
    assert pickle.loads(pickle.dumps(mpdag)) == mpdag
    # What is directed in the class and what is known suffice.
    start = set(dag.to_cpdag().directed) | set(arcs)
    rest = [edge for edge in mpdag.directed if edge not in start] + list(mpdag.undirected)
    assert Mpdag.from_edges(mpdag.names, start, rest, complete=True) == mpdag
    order = data.draw(st.permutations(mpdag.names))
    assert mpdag.reorder(order) == mpdag
    assert hash(mpdag.reorder(order)) == hash(mpdag)


@given(data=st.data())
def test_members_imply_the_same_independences(known, data):
    dag, arcs = data.draw(known)
    mpdag = dag.to_cpdag().orient(arcs)
    if len(dag.names) < 2:
        return
    x, y, *rest = data.draw(st.permutations(dag.names))
    given_ = [name for name in rest if data.draw(st.booleans())]
    separated = {member.d_separated(x, y, given_) for member in enumerate_class(mpdag)}
    assert separated == {mpdag.d_separated(x, y, given_)} == {mpdag.to_cpdag().d_separated(x, y, given_)}


@given(data=st.data())
def test_draws_are_members_with_equal_chances(known, data):
    dag, arcs = data.draw(known)
    mpdag = dag.to_cpdag().orient(arcs)
    members = list(enumerate_class(mpdag))
    drawn = sample_class(mpdag, 20, seed=1)
    assert drawn == sample_class(mpdag, 20, seed=1)
    assert set(drawn) <= set(members)


def test_shares_of_draws():
    # A path with one known arc away from its end: 4 members of different shapes, and a square with a chord: 8.
    for graph in (
        Cpdag(list("abcde"), [], [*itertools.pairwise("abcde")]).orient([("b", "c")]),
        Cpdag(list("abcd"), [], [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("b", "d")]),
    ):
        size = class_size(graph)
        times = Counter(sample_class(graph, 4000, seed=3))
        assert len(times) == size > 1
        spread = sum((count - 4000 / size) ** 2 / (4000 / size) for count in times.values())
        assert spread < 30  # chi-squared with at most 7 degrees of freedom: beyond 30 once in 10,000


def test_conflicts_are_named():
    chain = Cpdag(["a", "b", "c"], [], [("a", "b"), ("b", "c")])
    with pytest.raises(InputError, match=r"Cpdag\.orient: no member has the arc c -> b: the other arcs given force b"):
        chain.orient([("a", "b"), ("c", "b")])
    collider = Dag.from_modelstring("[a][b][c|a:b]").to_cpdag()
    with pytest.raises(InputError, match=r"no member has the arc c -> a: the graph has a -> c"):
        collider.orient([("c", "a")])
    with pytest.raises(InputError, match=r"Mpdag\.orient\(arcs=\('a', 'c'\)\).*edges of the graph"):
        chain.orient([]).orient([("a", "c")])
    with pytest.raises(UnknownNameError, match=r"Cpdag\.orient\(arcs='x'\)"):
        chain.orient([("a", "x")])


def test_edges_that_are_no_mpdag():
    with pytest.raises(InputError, match=r"the edge b -- c is undirected, but the other edges force b -> c\. Pass"):
        Mpdag(["a", "b", "c"], [("a", "b")], [("b", "c")])
    with pytest.raises(CycleError, match="a -> b -> a"):
        Mpdag(["a", "b"], [("a", "b"), ("b", "a")])
    square = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")]
    with pytest.raises(InputError, match="no consistent extension"):
        Mpdag(list("abcd"), [], square)


def test_what_the_class_directs_need_not_be_known():
    # Background knowledge that only repeats the class changes nothing but the type.
    cpdag = Dag.from_modelstring("[a][b][c|a:b][d|c][e|d]").to_cpdag()
    mpdag = cpdag.orient(cpdag.directed)
    assert (mpdag.directed, mpdag.undirected) == (cpdag.directed, cpdag.undirected)
    assert mpdag != cpdag
    assert "c" not in mpdag.neighbours("d")
    assert mpdag.parents("d") == ("c",)
    assert mpdag.chain_components() == (("a",), ("b",), ("c",), ("d",), ("e",))


def test_distance_of_graphs_as_they_are():
    dag = Dag.from_modelstring("[a][b|a][c|b]")
    cpdag = dag.to_cpdag()
    mpdag = cpdag.orient([("b", "a")])
    assert shd(mpdag, cpdag) == 1  # b -> a is known, b -- c is not
    assert shd(mpdag, dag) == 2
    assert shd(mpdag, dag, on="cpdag") == 0
    assert shd(dag, cpdag, on="mpdag") == 2
    assert shd(dag, dag.reverse_arc("a", "b"), on="mpdag") == 1


def test_size_of_a_large_clique_with_knowledge():
    # Of the 20! orders of a clique those in which three nodes come in a given order: one in six.
    names = [f"n{k}" for k in range(20)]
    clique = Cpdag(names, [], itertools.combinations(names, 2))
    assert class_size(clique) == 2432902008176640000
    with pytest.raises(TooLargeError, match=r"class_size: 188 undirected edges among directed ones"):
        class_size(clique.orient([("n0", "n1"), ("n2", "n3")]))
    small = Cpdag(names[:7], [], itertools.combinations(names[:7], 2))
    assert class_size(small.orient([("n0", "n1"), ("n1", "n2")])) == 5040 // 6


def test_a_random_graph_of_a_hundred_nodes():
    tree = networkx.random_labeled_tree(100, seed=5)
    names = [f"n{k}" for k in range(100)]
    edges = [(names[a], names[b]) for a, b in tree.edges]
    class_of_tree = Cpdag(names, [], edges)
    known = class_of_tree.orient([edges[0]])
    # Each root gives one member, and the arc leads away from the roots on its side.
    cut = networkx.Graph(tree)
    cut.remove_edge(*next(iter(tree.edges)))
    assert class_size(known) == len(networkx.node_connected_component(cut, next(iter(tree.edges))[0]))
    assert all(one in known for one in sample_class(known, 5, seed=0))


def test_bad_arguments():
    with pytest.raises(InputError, match=r"sample_class\(m=0\)"):
        sample_class(Dag.from_modelstring("[a]"), 0)
    with pytest.raises(InputError, match=r"sample_class\(graph='a'\).*an Mpdag"):
        sample_class("a")
    with pytest.raises(InputError, match=r"Mpdag\(member='a'\)"):
        assert "a" in Mpdag(["a"])
