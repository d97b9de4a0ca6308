"""Clique trees against what defines them; `tests/browser` compares the answers of messages over them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import qnml
from qnml.model.inference.clique_tree import clique_tree

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn


def network(parents: list[list[int]], arities: list[int]) -> qnml.Network:
    """A network of uniform tables."""
    names = [f"v{node}" for node in range(len(parents))]
    dag = qnml.Dag.from_arcs(names, [(f"v{one}", f"v{node}") for node, own in enumerate(parents) for one in own])
    levels = {name: list("abcd")[:arity] for name, arity in zip(names, arities, strict=True)}
    shapes = {name: [len(levels[one]) for one in (*dag.parents(name), name)] for name in names}
    return qnml.Network(dag, levels, {name: np.full(shape, 1 / shape[-1]) for name, shape in shapes.items()})


@st.composite
def networks(draw: DrawFn) -> tuple[list[list[int]], list[int]]:
    """Parents with smaller numbers, and arities."""
    n = draw(st.integers(1, 9))
    parents = [draw(st.lists(st.integers(0, max(v - 1, 0)), unique=True, max_size=3)) if v else [] for v in range(n)]
    return parents, draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))


@given(networks())
def test_it_is_a_clique_tree(drawn: tuple[list[list[int]], list[int]]) -> None:
    parents, arities = drawn
    tree = clique_tree(network(parents, arities))
    assert tree is not None
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(tree.cliques)))
    graph.add_edges_from(tree.edges)
    assert networkx.is_forest(graph)
    for child, own in ((child, own) for child, own in enumerate(parents) if arities[child] > 1):
        assert any({child, *own} <= set(clique) for clique in tree.cliques)
    for node in (one for one, arity in enumerate(arities) if arity > 1):
        holding = [place for place, clique in enumerate(tree.cliques) if node in clique]
        assert networkx.is_connected(graph.subgraph(holding))
    assert all(list(clique) == sorted(clique) for clique in tree.cliques)
    assert tree.cells == sum(math.prod(arities[node] for node in clique) for clique in tree.cliques)


def test_a_ring_needs_one_more_edge() -> None:
    # a -> b -> d and a -> c -> d: b and c are joined as parents of d.
    tree = clique_tree(network([[], [0], [0], [1, 2]], [2, 2, 2, 2]))
    assert tree is not None
    assert sorted(tree.cliques) == [(0, 1, 2), (1, 2, 3)]
    assert len(tree.edges) == 1
    assert tree.cells == 16
