"""Class sizes against closed forms and against an independent recursion over root nodes."""

from __future__ import annotations

import itertools
from math import factorial, prod

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.graph import Cpdag, Dag, class_size, enumerate_class


def undirected(edges, n_nodes):
    names = [f"n{position}" for position in range(n_nodes)]
    return Cpdag.from_edges(names, [], [(names[first], names[second]) for first, second in edges])


def size_by_roots(graph):
    """He, Jia and Yu (2015): sum over the root, orienting outwards; slow and made of networkx sets."""
    if graph.number_of_nodes() <= 1:
        return 1
    return sum(prod(size_by_roots(graph.subgraph(part)) for part in parts_after_root(graph, root)) for root in graph)


def parts_after_root(graph, root):
    """Point every edge away from the root, close under rules 1 and 2, return what is left undirected."""
    distance = networkx.single_source_shortest_path_length(graph, root)
    arcs = {
        (tail, head)
        for one, two in graph.edges
        for tail, head in ((one, two), (two, one))
        if distance[tail] < distance[head]
    }
    changed = True
    while changed:
        changed = False
        for one, two in graph.edges:
            for b, c in ((one, two), (two, one)):
                if (b, c) in arcs or (c, b) in arcs:
                    continue
                first_rule = any((a, b) in arcs and not graph.has_edge(a, c) and a != c for a in graph)
                second_rule = any((b, a) in arcs and (a, c) in arcs for a in graph)
                if first_rule or second_rule:
                    arcs.add((b, c))
                    changed = True
    left = networkx.Graph()
    left.add_nodes_from(graph)
    left.add_edges_from(edge for edge in graph.edges if edge not in arcs and edge[::-1] not in arcs)
    return list(networkx.connected_components(left))


def test_closed_forms():
    assert class_size(undirected(itertools.combinations(range(30), 2), 30)) == factorial(30)
    assert class_size(undirected([(node, node + 1) for node in range(49)], 50)) == 50
    assert class_size(undirected([(0, node) for node in range(1, 50)], 50)) == 50
    assert class_size(undirected(networkx.balanced_tree(3, 3).edges, 40)) == 40
    assert class_size(Dag.empty(["A", "B", "C"])) == 1
    # Six nodes short of one edge are two cliques of five; the orders that begin with their four common nodes
    # belong to both.
    almost = [pair for pair in itertools.combinations(range(6), 2) if pair != (4, 5)]
    assert class_size(undirected(almost, 6)) == 2 * factorial(5) - factorial(4)


def test_product_over_components():
    edges = [*itertools.combinations(range(5), 2), *[(node, node + 1) for node in range(5, 9)]]
    assert class_size(undirected(edges, 11)) == factorial(5) * 5


def test_directed_edges_do_not_count():
    assert class_size(Dag.from_modelstring("[A][B][C|A:B][D|C][E|D]")) == 1
    assert class_size(Dag.from_modelstring("[A][B][C|A:B][D][E|D]")) == 2


@st.composite
def chordal_graphs(draw, max_nodes):
    """Add nodes one by one, each joined to a subset of a clique."""
    graph = networkx.Graph()
    graph.add_node(0)
    for node in range(1, draw(st.integers(1, max_nodes))):
        maximal = sorted(sorted(clique) for clique in networkx.find_cliques(graph))
        clique = draw(st.sampled_from(maximal))
        chosen = [member for member in clique if draw(st.booleans())] or clique[:1]
        graph.add_edges_from((node, member) for member in chosen)
    return graph


@given(graph=chordal_graphs(max_nodes=11), data=st.data())
def test_random_chordal_graphs(graph, data):
    order = data.draw(st.permutations(range(graph.number_of_nodes())))
    cpdag = undirected([(order[first], order[second]) for first, second in graph.edges], len(order))
    size = size_by_roots(graph)
    assert class_size(cpdag) == size
    if size <= 200:
        members = set(enumerate_class(cpdag))
        assert len(members) == size
        assert not any(member.v_structures() for member in members)


@pytest.mark.parametrize("width", [2, 3])
def test_longer_band_graphs(width):
    edges = [(low, high) for low in range(14) for high in range(low + 1, min(14, low + width + 1))]
    assert class_size(undirected(edges, 14)) == size_by_roots(networkx.Graph(edges))
