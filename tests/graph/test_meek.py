"""Meek's rules against all members of all classes: what they direct, and that nothing else follows."""

from __future__ import annotations

import itertools
import random

import pytest
from reference.equivalence_classes import all_classes

from qnml.graph.completion import completed
from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation


def masks_of(network):
    return [sum(1 << parent for parent in parents) for parents in network]


def undirected(graph):
    return [(a, b) for a, beside in enumerate(graph.neighbours) for b in bits(beside) if a < b]


def shared(members):
    """The arcs that all members have, as parent masks."""
    return [
        sum(1 << other for other in range(len(members[0])) if all(other in one[node] for one in members))
        for node in range(len(members[0]))
    ]


def check(members, known):
    """Direct some arcs in the graph of a class and compare with the members that have them all."""
    graph = PartialOrientation(*completed(masks_of(members[0])))
    fits = [one for one in members if all(tail in one[head] for tail, head in known)]
    done = all(graph.orient(tail, head) for tail, head in known)
    assert done == bool(fits)
    if fits:
        assert graph.parents == shared(fits)


@pytest.mark.parametrize("n", [3, 4])
def test_every_knowledge_of_every_small_class(n):
    for members in all_classes(n).values():
        start = PartialOrientation(*completed(masks_of(members[0])))
        choices = [[(), ((a, b),), ((b, a),)] for a, b in undirected(start)]
        for chosen in itertools.product(*choices):
            check(members, [arc for one in chosen for arc in one])


def test_random_knowledge_of_every_class_of_five():
    chance = random.Random(1)
    for members in all_classes(5).values():
        edges = undirected(PartialOrientation(*completed(masks_of(members[0]))))
        for _ in range(3):
            some = chance.sample(edges, chance.randint(0, len(edges)))
            check(members, [edge if chance.random() < 0.5 else edge[::-1] for edge in some])


def test_rule_4_is_needed():
    # d -> c -> b, a joined to all of them, d and b apart: a <- b would make b -> a - d into a v-structure or a cycle.
    a, b, c, d = range(4)
    graph = PartialOrientation([0, 0, 0, 0], [0b1110, 0b0101, 0b1011, 0b0101])
    assert graph.orient(d, c)
    assert graph.orient(c, b)
    assert graph.parents[b] >> a & 1
    assert graph.neighbours[a] >> c & 1


def test_a_copy_is_independent():
    graph = PartialOrientation([0, 0, 0], [0b010, 0b101, 0b010])
    other = graph.copy()
    assert other.orient(0, 1)
    assert graph.neighbours == [0b010, 0b101, 0b010]
    assert not other.orient(1, 0)


def test_all_edges_of_a_node():
    graph = PartialOrientation([0, 0, 0], [0b010, 0b101, 0b010])
    assert not graph.copy().orient_into(1, 0b101)  # two parents that are not adjacent
    assert graph.orient_into(1, 0b001)
    assert graph.parents == [0, 0b001, 0b010]
