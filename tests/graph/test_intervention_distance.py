"""The structural intervention distance against its definition, by adjustment sets and by all members."""

from __future__ import annotations

import itertools
import random

import pytest

from qnml.errors import InputError
from qnml.graph import Cpdag, Dag, compare, enumerate_class, sid


def by_definition(truth, other):
    """The pairs of which the parents in the other graph are no valid adjustment set, one by one."""
    wrong = 0
    for cause, target in itertools.permutations(truth.names, 2):
        parents = other.parents(cause)
        if target in parents:
            wrong += target in truth.descendants(cause)
        else:
            wrong += not truth.is_valid_adjustment(cause, target, parents)
    return wrong


def test_against_adjustment_sets(every_dag):
    graphs = every_dag(3)
    for truth, other in itertools.product(graphs, repeat=2):
        expected = by_definition(truth, other)
        assert sid(truth, other) == (expected, expected, True)
    chance = random.Random(1)
    graphs = every_dag(4)
    for _ in range(500):
        truth, other = chance.choice(graphs), chance.choice(graphs)
        assert sid(truth, other).lower == by_definition(truth, other)


def test_ranges_over_members(every_dag):
    chance = random.Random(2)
    graphs = every_dag(4)
    for _ in range(200):
        truth, dag = chance.choice(graphs), chance.choice(graphs)
        graph = dag.to_cpdag().orient([arc for arc in dag.arcs if chance.random() < 0.2])
        every = [sid(truth, one).lower for one in enumerate_class(graph)]
        assert sid(truth, graph) == (min(every), max(every), True)


def test_random_graphs_of_many_nodes():
    chance = random.Random(3)
    names = [f"n{k}" for k in range(12)]
    for _ in range(10):
        pair = []
        for _ in range(2):
            order = chance.sample(names, 12)
            pair.append(
                Dag.from_arcs(names, [arc for arc in itertools.combinations(order, 2) if chance.random() < 0.25])
            )
        assert sid(*pair).lower == by_definition(*pair)


def test_laws(dags):
    chance = random.Random(4)
    names = [f"n{k}" for k in range(150)]
    truth = Dag.from_masks(names, [sum(1 << p for p in range(k) if chance.random() < 0.02) for k in range(150)])
    assert sid(truth, truth) == (0, 0, True)
    shuffled = truth.reorder(chance.sample(names, 150))
    assert sid(truth, shuffled) == (0, 0, True)
    # The full graph along the true order is a supergraph: all its parent sets are valid.
    full = Dag.from_masks(names, [(1 << k) - 1 for k in range(150)])
    assert sid(truth, full).lower == 0
    found = sid(truth, truth.to_cpdag())
    assert found.lower == 0 <= found.upper


def test_too_many_members_for_an_exact_range():
    names = [f"n{k}" for k in range(8)]
    clique = Cpdag(names, [], itertools.combinations(names, 2))  # 40,320 members
    truth = Dag.from_masks(names, [(1 << k) - 1 for k in range(8)])
    found = sid(truth, clique)
    assert not found.is_exact
    reverse = Dag.from_masks(names, [0xFF & ~((2 << k) - 1) for k in range(8)])
    assert found.lower == 0 <= sid(truth, reverse).lower <= found.upper
    assert "at most" in str(found)


def test_agreement_by_hand():
    truth = Dag.from_modelstring("[a][b][c|a:b][d|c]")
    found = compare(truth, Dag.from_modelstring("[a][b][c|a][d|c:b]"), on="dag")
    # Pairs: ac, cd right; bd extra; bc missing.
    assert found.skeleton == (2 / 3, 2 / 3)
    assert found.arrowheads == (2 / 3, 2 / 3)
    assert found.arrowheads.f1 == pytest.approx(2 / 3)
    classes = compare(truth, Dag.from_modelstring("[a][c|a][d|c][b|d]"))
    assert classes.skeleton == (2 / 3, 2 / 3)
    assert classes.arrowheads == (None, 0.0)  # a -- c -- d -- b has no arrowhead
    assert classes.arrowheads.f1 is None
    empty = compare(truth, Dag.empty(truth.names))
    assert (empty.skeleton, empty.skeleton.f1) == ((None, 0.0), None)
    turned = compare(Dag.from_modelstring("[a][b|a]"), Dag.from_modelstring("[b][a|b]"), on="dag")
    assert (turned.arrowheads, turned.arrowheads.f1) == ((0.0, 0.0), 0.0)
    assert turned.sid == (2, 2, True)
    assert compare(truth.to_cpdag(), truth).sid is None


def test_bad_arguments():
    dag = Dag.from_modelstring("[a][b|a]")
    with pytest.raises(InputError, match=r"sid\(reference=Cpdag.*\): must be a Dag\. Effects in a class differ"):
        sid(dag.to_cpdag(), dag)
    with pytest.raises(InputError, match=r"sid: both graphs must have the same nodes"):
        sid(dag, Dag.empty(["a"]))
