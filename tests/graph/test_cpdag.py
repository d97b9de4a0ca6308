"""Cpdag: construction from edges, completion, consistent extension."""

from __future__ import annotations

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import CycleError, InputError, UnknownNameError
from qnml.graph import Cpdag, Dag, consistent_extension

NAMES = ["A", "B", "C", "D"]


def v_structures(dag):
    return {(frozenset((a, b)), c) for a, c, b in dag.v_structures()}


def partial_v_structures(directed, undirected):
    """The v-structures that the directed edges of a partly directed graph already form."""
    adjacent = {frozenset(edge) for edge in [*directed, *undirected]}
    return {
        (frozenset((first, second)), child)
        for (first, child), (second, other) in itertools.combinations(directed, 2)
        if child == other and frozenset((first, second)) not in adjacent
    }


def test_accessors():
    cpdag = Dag.from_modelstring("[A][B][C|A:B][D|C][E][F|E][lonely]").to_cpdag()
    assert cpdag.names == ("A", "B", "C", "D", "E", "F", "lonely")
    assert cpdag.directed == (("A", "C"), ("B", "C"), ("C", "D"))
    assert cpdag.undirected == (("E", "F"),)
    assert (cpdag.n_nodes, cpdag.n_edges) == (7, 4)
    assert cpdag.parents("C") == ("A", "B")
    assert cpdag.neighbours("F") == ("E",)
    assert cpdag.neighbours("C") == ()
    assert cpdag.chain_components() == (("A",), ("B",), ("C",), ("D",), ("E", "F"), ("lonely",))
    assert cpdag.parent_masks == (0, 0, 0b11, 0b100, 0, 0, 0)
    assert cpdag.neighbour_masks == (0, 0, 0, 0, 1 << 5, 1 << 4, 0)
    assert repr(cpdag) == "Cpdag(7 nodes, 4 edges: A -> C, B -> C, C -> D, E -- F)"
    with pytest.raises(UnknownNameError, match=r"Cpdag\.parents\(name='lonly'\).*Did you mean 'lonely'"):
        cpdag.parents("lonly")


def test_every_small_cpdag_round_trips(every_dag):
    for cpdag in {dag.to_cpdag() for dag in every_dag(4)}:
        again = Cpdag.from_edges(cpdag.names, cpdag.directed, [edge[::-1] for edge in cpdag.undirected])
        assert again == cpdag
        assert Cpdag(cpdag.names, cpdag.directed, cpdag.undirected) == cpdag
        assert cpdag.consistent_extension().to_cpdag() == cpdag


def test_every_partly_directed_graph_on_four_nodes(every_dag):
    """Completion and refusal of all 4^6 mixtures, against a search through all DAGs."""
    pairs = list(itertools.combinations(NAMES, 2))
    by_skeleton = {}
    for dag in every_dag(4):
        by_skeleton.setdefault(frozenset(map(frozenset, dag.arcs)), []).append(dag)
    completed_classes = {dag.to_cpdag() for dag in every_dag(4)}
    for states in itertools.product((None, "->", "<-", "--"), repeat=len(pairs)):
        marked = list(zip(pairs, states, strict=True))
        directed = [pair if state == "->" else pair[::-1] for pair, state in marked if state in ("->", "<-")]
        undirected = [pair for pair, state in marked if state == "--"]
        extensions = [
            dag
            for dag in by_skeleton[frozenset(map(frozenset, directed + undirected))]
            if set(directed) <= set(dag.arcs) and v_structures(dag) == partial_v_structures(directed, undirected)
        ]
        if not extensions:
            with pytest.raises(InputError):
                Cpdag.from_edges(NAMES, directed, undirected, complete=True)
            with pytest.raises(InputError):
                consistent_extension(NAMES, directed, undirected)
            continue
        assert consistent_extension(NAMES, directed, undirected) in extensions
        completed = Cpdag.from_edges(NAMES, directed, undirected, complete=True)
        assert completed == extensions[0].to_cpdag()
        if set(completed.directed) == set(directed):
            assert Cpdag.from_edges(NAMES, directed, undirected) in completed_classes
        else:
            with pytest.raises(InputError, match="not a completed graph"):
                Cpdag.from_edges(NAMES, directed, undirected)


@given(data=st.data())
def test_extension_round_trip(dags, data):
    dag = data.draw(dags(max_nodes=14))
    extended = dag.to_cpdag().consistent_extension()
    assert set(map(frozenset, extended.arcs)) == set(map(frozenset, dag.arcs))
    assert v_structures(extended) == v_structures(dag)
    assert Dag.from_masks(extended.names, extended.parent_masks) == extended


def test_extension_prefers_node_order():
    path = [("A", "B"), ("B", "C"), ("C", "D")]
    assert Cpdag.from_edges(NAMES, [], path).consistent_extension().arcs == tuple(path)


def test_messages():
    with pytest.raises(InputError, match=r"Cpdag\.from_edges: .*A -> B is directed, but the other edges leave it free"):
        Cpdag.from_edges(["A", "B"], [("A", "B")], [])
    with pytest.raises(InputError, match=r"C -- D is undirected, but the other edges force C -> D.*complete=True"):
        Cpdag.from_edges(NAMES, [("A", "C"), ("B", "C")], [("C", "D")])
    square = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]
    with pytest.raises(InputError, match=r"no consistent extension.*A -- B, A -- D, B -- C, C -- D"):
        Cpdag.from_edges(NAMES, [], square, complete=True)
    with pytest.raises(CycleError, match="A -> B -> C -> A"):
        Cpdag.from_edges(NAMES, [("A", "B"), ("B", "C"), ("C", "A")], [])
    with pytest.raises(InputError, match=r"undirected=\('B', 'A'\).*not among the directed"):
        Cpdag.from_edges(NAMES, [("A", "B")], [("B", "A")])
    with pytest.raises(UnknownNameError, match=r"Cpdag\.from_edges\(undirected='X'\)"):
        Cpdag.from_edges(NAMES, [], [("A", "X")])


def test_value():
    one = Cpdag.from_edges(["A", "B", "C"], [], [("A", "B"), ("B", "C")])
    two = Cpdag.from_edges(["C", "B", "A"], [], [("B", "A"), ("C", "B")])
    assert one == two
    assert hash(one) == hash(two)
    assert two.undirected == (("C", "B"), ("B", "A"))
    assert one.reorder(["C", "B", "A"]).undirected == two.undirected
    assert one != Cpdag.from_edges(["A", "B", "C"], [("A", "B"), ("C", "B")], [])
    assert one != Cpdag.from_edges(["A", "B", "C", "D"], [], [("A", "B"), ("B", "C")])
    assert one != Dag.from_modelstring("[A][B|A][C|B]")
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.directed = ()
    with pytest.raises(InputError, match=r"Cpdag\.is_equivalent.*Only in the second: D"):
        one.is_equivalent(Dag.empty(["A", "B", "C", "D"]))
