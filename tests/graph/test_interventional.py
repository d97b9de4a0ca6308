"""Interventional classes against the theorem of Hauser and Bühlmann, over all networks of four nodes."""

import itertools

import pytest
from reference.equivalence_classes import all_classes
from reference.interventions import are_indistinguishable

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Cpdag, Dag, enumerate_class
from qnml.graph.interventional import interventional_class, parts_of_targets

NAMES = ("a", "b", "c", "d")
# With the rows that are only observed, or with experiments that leave every node free once.
FAMILIES = [
    [()],
    [(), (0,)],
    [(), (0, 1)],
    [(0,), (1,)],
    [(), (0,), (1, 2)],
    [(0, 1), (2, 3)],
    [(), (0,), (1,), (2,)],
]


def dag_of(network):
    return Dag.from_masks(NAMES, [sum(1 << p for p in parents) for parents in network])


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_members(family):
    targets = [frozenset(one) for one in family]
    named = [[NAMES[i] for i in one] for one in family]
    for members in itertools.islice(all_classes(4).values(), 0, None, 2):
        one = members[0]
        expected = {dag_of(other) for other in members if are_indistinguishable(one, other, targets)}
        found = dag_of(one).interventional_class(named)
        assert set(enumerate_class(found)) == expected
        # An edge is undirected exactly if some members have it one way and some the other.
        directed = set.intersection(*(set(dag.arcs) for dag in expected))
        assert set(found.directed) == directed


def test_without_experiments_it_is_the_equivalence_class():
    dag = Dag.from_modelstring("[a][b|a][c|b]")
    assert dag.interventional_class([]).undirected == dag.to_cpdag().undirected
    assert isinstance(interventional_class(dag, (0, 0, 0)), Cpdag)


def test_parts():
    assert parts_of_targets(NAMES, [["a", "b"], ["a", "b", "c"]]) == (0, 0, 1, 2)


def test_bad_targets():
    dag = Dag.from_modelstring("[a][b|a]")
    with pytest.raises(UnknownNameError, match="targets='z'"):
        dag.interventional_class([["z"]])
    with pytest.raises(InputError, match="list"):
        dag.interventional_class(["a"])
