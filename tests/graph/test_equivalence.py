"""Equivalence classes against the criterion of Verma and Pearl: same skeleton, same v-structures."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import InputError
from qnml.graph import Cpdag, Dag, class_size, enumerate_class
from qnml.graph.completion import first_of_class


def skeleton_and_v_structures(dag):
    """Directly from the arcs, by names only."""
    arcs = set(dag.arcs)
    skeleton = frozenset(frozenset(arc) for arc in arcs)
    colliders = frozenset(
        (frozenset((first, second)), child)
        for (first, child), (second, other) in itertools.combinations(arcs, 2)
        if child == other and frozenset((first, second)) not in skeleton
    )
    return skeleton, colliders


def classes_by_definition(graphs):
    classes = defaultdict(set)
    for dag in graphs:
        classes[skeleton_and_v_structures(dag)].add(dag)
    return list(classes.values())


# Numbers of classes: OEIS A007984.
@pytest.mark.parametrize(("n_nodes", "n_classes"), [(1, 1), (2, 2), (3, 11), (4, 185), (5, 8782)])
def test_every_small_class(every_dag, n_nodes, n_classes):
    classes = classes_by_definition(every_dag(n_nodes))
    assert len(classes) == n_classes
    seen = set()
    for members in classes:
        cpdags = {dag.to_cpdag() for dag in members}
        assert len(cpdags) == 1
        cpdag = cpdags.pop()
        assert cpdag not in seen
        seen.add(cpdag)
        # An edge is directed exactly when all members agree.
        shared = set.intersection(*(set(dag.arcs) for dag in members))
        assert set(cpdag.directed) == shared
        assert class_size(cpdag) == len(members)
        listed = list(enumerate_class(cpdag))
        assert len(listed) == len(members)
        assert set(listed) == members
        assert cpdag.consistent_extension() in members


def test_pairs_of_small_graphs(every_dag):
    graphs = every_dag(3)
    for one, two in itertools.product(graphs, repeat=2):
        expected = skeleton_and_v_structures(one) == skeleton_and_v_structures(two)
        assert one.is_equivalent(two) == expected
        assert one.is_equivalent(two.to_cpdag()) == expected
        assert one.to_cpdag().is_equivalent(two) == expected


def test_v_structures_by_definition(every_dag):
    for dag in every_dag(4):
        found = dag.v_structures()
        assert {(frozenset((a, b)), c) for a, c, b in found} == skeleton_and_v_structures(dag)[1]
        assert len(set(found)) == len(found)


def test_covered_arcs_are_those_whose_reversal_stays_in_the_class(every_dag):
    for dag in every_dag(4):
        for parent, child in dag.arcs:
            turned = [(child, parent) if arc == (parent, child) else arc for arc in dag.arcs]
            try:
                stays = skeleton_and_v_structures(Dag.from_arcs(dag.names, turned)) == skeleton_and_v_structures(dag)
            except InputError:
                stays = False
            assert ((parent, child) in dag.covered_arcs()) == stays


@given(data=st.data())
def test_covered_reversals_keep_the_cpdag(dags, data):
    start = dag = data.draw(dags(min_nodes=2, max_nodes=12))
    for _ in range(5):
        if covered := dag.covered_arcs():
            dag = dag.reverse_arc(*data.draw(st.sampled_from(covered)))
    assert dag.to_cpdag() == start.to_cpdag()
    assert skeleton_and_v_structures(dag) == skeleton_and_v_structures(start)


@given(data=st.data())
def test_members_of_random_classes(dags, data):
    dag = data.draw(dags(max_nodes=10))
    size = class_size(dag)
    members = list(enumerate_class(dag, limit=60))
    assert len(members) == len(set(members)) == min(size, 60)
    assert {skeleton_and_v_structures(member) for member in members} == {skeleton_and_v_structures(dag)}
    for member in members:
        assert Dag.from_masks(member.names, member.parent_masks) == member
    if size <= 60:
        assert dag in members


def test_order_of_members_is_lexicographic():
    triangle = Cpdag.from_edges(["A", "B", "C"], [], [("A", "B"), ("A", "C"), ("B", "C")])
    members = [str(member) for member in enumerate_class(triangle)]
    assert members == [
        "[A][B|A][C|A:B]",
        "[A][C|A][B|A:C]",
        "[C][A|C][B|A:C]",
        "[B][A|B][C|A:B]",
        "[B][C|B][A|B:C]",
        "[C][B|C][A|B:C]",
    ]


def test_large_clique_can_be_started():
    names = [f"n{position}" for position in range(60)]
    first, second = enumerate_class(Dag.from_masks(names, [(1 << node) - 1 for node in range(60)]), limit=2)
    assert first == Dag.from_masks(names, [(1 << node) - 1 for node in range(60)])
    assert second == first.reverse_arc("n58", "n59")


def test_node_order_does_not_matter():
    one = Dag.from_modelstring("[A][B|A][C|B][D|C:A]")
    assert one.is_equivalent(one.reorder(["D", "B", "A", "C"]))


def test_bad_arguments():
    dag = Dag.from_modelstring("[A][B|A]")
    with pytest.raises(InputError, match=r"Dag\.is_equivalent: both graphs.*Only in the first: B.*second: C"):
        dag.is_equivalent(Dag.from_modelstring("[A][C|A]"))
    with pytest.raises(InputError, match=r"Dag\.is_equivalent\(graph='\[A\]'\)"):
        dag.is_equivalent("[A]")
    # The arguments are checked at the call, not when the first member is asked for.
    with pytest.raises(InputError, match=r"enumerate_class\(limit=-1\)"):
        enumerate_class(dag, limit=-1)
    with pytest.raises(InputError, match=r"enumerate_class\(graph="):
        enumerate_class([("A", "B")])
    with pytest.raises(InputError, match=r"class_size\(graph="):
        class_size("[A]")


def test_the_first_of_a_class_is_one_member_whichever_member_asks(dags):
    @given(dags(1, 6))
    def check(dag):
        first = first_of_class(dag.parent_masks)
        member = Dag.from_masks(dag.names, first)
        assert skeleton_and_v_structures(member) == skeleton_and_v_structures(dag)
        for other in itertools.islice(enumerate_class(dag.to_cpdag()), 20):
            assert first_of_class(other.parent_masks) == first

    check()
