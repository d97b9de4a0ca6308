"""Sets of parents against the list of all members."""

from __future__ import annotations

import random
from collections import Counter

from qnml.graph import enumerate_class
from qnml.graph.meek import PartialOrientation
from qnml.graph.orientation_counts import MemberCounts
from qnml.graph.parent_choices import parent_choices


def test_all_choices_with_their_members(every_dag):
    chance = random.Random(2)
    for dag in every_dag(4):
        mpdag = dag.to_cpdag().orient([arc for arc in dag.arcs if chance.random() < 0.2])
        nodes = chance.sample(range(4), chance.randint(1, 2))
        graph = PartialOrientation(mpdag.parent_masks, mpdag.neighbour_masks)
        found = {parents: MemberCounts(100).total(rest) for parents, rest in parent_choices(graph, nodes)}
        listed = list(parent_choices(graph, nodes))
        assert len(listed) == len(found)
        expected = Counter(tuple(one.parent_masks[node] for node in nodes) for one in enumerate_class(mpdag))
        assert found == dict(expected)
