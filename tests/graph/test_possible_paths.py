"""Possibly causal paths: each node they reach is a descendant in some member, and only those."""

from __future__ import annotations

import random

import pytest

from qnml.graph import enumerate_class
from qnml.graph.masks import ancestors_of, child_masks
from qnml.graph.possible_paths import PossiblePaths


def with_knowledge(dag, chance):
    arcs = [arc for arc in dag.arcs if chance.random() < 0.3]
    return dag.to_cpdag().orient(arcs)


@pytest.mark.parametrize("n", [3, 4])
def test_descendants_and_ancestors_are_those_of_some_member(every_dag, n):
    chance = random.Random(n)
    for dag in every_dag(n):
        mpdag = with_knowledge(dag, chance)
        paths = PossiblePaths(mpdag.parent_masks, mpdag.neighbour_masks)
        members = [one.parent_masks for one in enumerate_class(mpdag)]
        for start in (1, 0b11):
            below = above = 0
            for parents in members:
                below |= ancestors_of(child_masks(parents), start)
                above |= ancestors_of(parents, start)
            assert paths.descendants(start) == below
            assert paths.ancestors(start) == above


def test_of_a_dag_they_are_its_paths(every_dag):
    for dag in every_dag(4)[::7]:
        paths = PossiblePaths(dag.parent_masks, [0] * 4)
        assert paths.descendants(2) == ancestors_of(child_masks(dag.parent_masks), 2)
        assert paths.is_amenable(1, 0b1110)


def test_a_shielded_path_counts():
    # a -- b -> c with a -> c: whether b lies between a and c is unknown.
    graph = PossiblePaths([0, 0, 0b11], [0b010, 0b001, 0])
    assert not graph.is_amenable(0b001, 0b100)
    assert graph.is_amenable(0b100, 0b011)
