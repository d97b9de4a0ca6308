"""networkx in and out."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import CycleError, InputError
from qnml.graph import Cpdag, Dag


@given(data=st.data())
def test_round_trip(dags, data):
    dag = data.draw(dags(max_nodes=7))
    again = Dag.from_networkx(dag.to_networkx())
    assert again == dag
    assert again.names == dag.names
    cpdag = dag.to_cpdag()
    assert Cpdag.from_networkx(cpdag.to_networkx()) == cpdag


def test_dag_out():
    graph = Dag.from_modelstring("[A][C][B|A:C]").to_networkx()
    assert isinstance(graph, networkx.DiGraph)
    assert list(graph.nodes) == ["A", "C", "B"]
    assert set(graph.edges) == {("A", "B"), ("C", "B")}


def test_cpdag_out():
    graph = Dag.from_modelstring("[A][C][B|A:C][D][E|D]").to_cpdag().to_networkx()
    marks = {(tail, head): mark for tail, head, mark in graph.edges(data="undirected", default=False)}
    assert marks == {("A", "B"): False, ("C", "B"): False, ("D", "E"): True, ("E", "D"): True}


def test_cpdag_in_from_other_conventions():
    expected = Cpdag.from_edges(["A", "B", "C"], [], [("A", "B"), ("B", "C")])
    assert Cpdag.from_networkx(networkx.Graph([("A", "B"), ("B", "C")])) == expected
    both_ways = networkx.DiGraph([("A", "B"), ("B", "A"), ("B", "C"), ("C", "B")])
    assert Cpdag.from_networkx(both_ways) == expected
    marked = networkx.DiGraph()
    marked.add_edge("A", "B", undirected=True)
    marked.add_edge("B", "C", undirected=True)
    assert Cpdag.from_networkx(marked) == expected
    assert Cpdag.from_networkx(networkx.DiGraph([("A", "B"), ("B", "C")]), complete=True) == expected


def test_parallel_arcs_count_once():
    assert Dag.from_networkx(networkx.MultiDiGraph([("A", "B"), ("A", "B")])).arcs == (("A", "B"),)


def test_refused():
    with pytest.raises(CycleError, match=r"Dag\.from_networkx: .*A -> B -> C -> A"):
        Dag.from_networkx(networkx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")]))
    with pytest.raises(InputError, match="self-loop"):
        Dag.from_networkx(networkx.DiGraph([("A", "A")]))
    with pytest.raises(InputError, match=r"Dag\.from_networkx.*directed edges only.*Cpdag\.from_networkx"):
        Dag.from_networkx(networkx.Graph([("A", "B")]))
    with pytest.raises(InputError, match=r"Dag\.from_networkx.*networkx\.relabel_nodes"):
        Dag.from_networkx(networkx.DiGraph([(1, 2)]))
    with pytest.raises(InputError, match=r"Cpdag\.from_networkx\(graph=.*a networkx graph"):
        Cpdag.from_networkx([("A", "B")])
    with pytest.raises(InputError, match=r"Cpdag\.from_networkx: not a completed graph"):
        Cpdag.from_networkx(networkx.DiGraph([("A", "B")]))
