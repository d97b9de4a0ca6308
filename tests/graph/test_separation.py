"""d-separation against its definition by paths, and against networkx."""

from __future__ import annotations

import itertools

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag


def subsets(items):
    return itertools.chain.from_iterable(itertools.combinations(items, size) for size in range(len(items) + 1))


def simple_paths(arcs, start, end):
    """All paths between two nodes that ignore directions and visit no node twice."""
    adjacent = {}
    for tail, head in arcs:
        adjacent.setdefault(tail, set()).add(head)
        adjacent.setdefault(head, set()).add(tail)
    unfinished = [[start]]
    while unfinished:
        path = unfinished.pop()
        if path[-1] == end:
            yield path
            continue
        unfinished += [[*path, following] for following in adjacent.get(path[-1], ()) if following not in path]


def separated_by_definition(dag, x, y, given_nodes):
    """Every path has a given non-collider, or a collider with nothing given at or below it."""
    arcs = set(dag.arcs)
    graph = networkx.DiGraph(dag.arcs)
    graph.add_nodes_from(dag.names)
    for path in simple_paths(arcs, x, y):
        blocked = False
        for before, middle, after in zip(path, path[1:], path[2:], strict=False):
            if (before, middle) in arcs and (after, middle) in arcs:
                below = networkx.descendants(graph, middle) | {middle}
                blocked = blocked or not below & set(given_nodes)
            else:
                blocked = blocked or middle in given_nodes
        if not blocked:
            return False
    return True


@pytest.mark.parametrize("n_nodes", [2, 3, 4])
def test_all_small_graphs_against_the_definition(every_dag, n_nodes):
    for dag in every_dag(n_nodes):
        # One pair is enough: the graphs come in every labelling.
        x, y, *rest = dag.names
        for condition in subsets(rest):
            assert dag.d_separated(x, y, condition) == separated_by_definition(dag, x, y, condition), (
                dag,
                condition,
            )


@given(data=st.data())
def test_sets_against_networkx(dags, data):
    dag = data.draw(dags(min_nodes=2, max_nodes=9))
    roles = data.draw(st.lists(st.integers(0, 3), min_size=dag.n_nodes, max_size=dag.n_nodes))
    x, y, z = ({name for name, role in zip(dag.names, roles, strict=True) if role == which} for which in (0, 1, 2))
    graph = networkx.DiGraph(dag.arcs)
    graph.add_nodes_from(dag.names)
    assert dag.d_separated(x, y, z) == networkx.is_d_separator(graph, x, y, z)
    assert dag.d_separated(x, y, z) == dag.d_separated(y, x, z)


def test_bare_names_and_empty_sets():
    chain = Dag.from_arcs(["left end", "middle", "right end"], [("left end", "middle"), ("middle", "right end")])
    assert chain.d_separated("left end", "right end", "middle")
    assert not chain.d_separated("left end", "right end")
    assert chain.d_separated([], "right end")


def test_bad_sets():
    chain = Dag.from_modelstring("[A][B|A][C|B]")
    with pytest.raises(InputError, match=r"Dag\.d_separated\(y=.*disjoint.*; A is in two"):
        chain.d_separated(["A", "B"], ["A"])
    with pytest.raises(InputError, match=r"Dag\.d_separated\(given=.*disjoint.*; C is in two"):
        chain.d_separated("A", "C", ["C"])
    with pytest.raises(UnknownNameError, match=r"Dag\.d_separated\(given='D'\)"):
        chain.d_separated("A", "C", ["D"])
    with pytest.raises(InputError, match=r"Dag\.d_separated\(given=None\)"):
        chain.d_separated("A", "C", None)
