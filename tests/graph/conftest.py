"""Graphs for the tests in this folder, made without the code under test."""

from __future__ import annotations

import itertools
import string

import networkx
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from qnml.graph import Dag

# A busy machine must not fail a test of answers.
settings.register_profile("untimed")
settings.load_profile("untimed")


@st.composite
def _dags(draw, min_nodes=1, max_nodes=8):
    """Draw a DAG whose node order is unrelated to its arcs."""
    n_nodes = draw(st.integers(min_nodes, max_nodes))
    names = list(string.ascii_uppercase[:n_nodes])
    order = draw(st.permutations(names))
    pairs = list(itertools.combinations(order, 2))
    density = draw(st.sampled_from([0.2, 0.5, 0.9]))
    kept = draw(st.lists(st.floats(0, 1), min_size=len(pairs), max_size=len(pairs)))
    return Dag.from_arcs(names, [pair for pair, drawn in zip(pairs, kept, strict=True) if drawn < density])


@pytest.fixture(scope="session")
def dags():
    """Return a function (min_nodes, max_nodes) -> strategy of random DAGs."""
    return _dags


@pytest.fixture(scope="session")
def every_dag():
    """Return a function n -> all DAGs on n nodes: every state of every pair, filtered by networkx."""
    made = {}

    def build(n_nodes):
        if n_nodes not in made:
            names = list(string.ascii_uppercase[:n_nodes])
            pairs = list(itertools.combinations(names, 2))
            graphs = []
            for states in itertools.product((0, 1, 2), repeat=len(pairs)):
                arcs = [
                    pair[::step] for pair, step in zip(pairs, map((0, 1, -1).__getitem__, states), strict=True) if step
                ]
                if networkx.is_directed_acyclic_graph(networkx.DiGraph(arcs)):
                    graphs.append(Dag.from_arcs(names, arcs))
            made[n_nodes] = graphs
        return made[n_nodes]

    return build
