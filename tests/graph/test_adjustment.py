"""Adjustment sets against what adjusting gives in networks with random probabilities, and examples worked by hand."""

from __future__ import annotations

import itertools
import random
import zlib
from functools import cache

import numpy as np
import pytest
from reference.effects import joint_of, member_effect, random_tables

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag, enumerate_class
from qnml.model import Network


@cache
def joint_distribution(dag):
    levels = {name: [0, 1] for name in dag.names}
    return joint_of(Network(dag, levels, random_tables(dag, levels, zlib.crc32(str(dag).encode()) % 1000)))


def adjusted_is_right(dag, joint, causes, targets, adjusted):
    """Whether P(y | x, z) averaged over P(z) is P(y | do(x)), for a graph and one joint distribution."""
    names = dag.names
    x, y, z = ([names.index(name) for name in some] for some in (causes, targets, adjusted))
    keep = [*x, *y, *z]
    marginal = joint.sum(axis=tuple(place for place in range(len(names)) if place not in keep))
    marginal = np.transpose(marginal, [sorted(keep).index(place) for place in keep])
    given = marginal.sum(axis=tuple(range(len(x), len(x) + len(y))), keepdims=True)
    of_z = marginal.sum(axis=tuple(range(len(x) + len(y))))
    adjusted_for = (marginal / given * of_z).sum(axis=tuple(range(len(x) + len(y), len(keep))))
    for codes in itertools.product(range(2), repeat=len(x)):
        truth = member_effect(joint, dag, dict(zip(causes, codes, strict=True)))
        truth = truth.sum(axis=tuple(place for place in range(len(names)) if place not in [*x, *y]))
        truth = np.transpose(truth, [sorted([*x, *y]).index(place) for place in [*x, *y]])
        if np.abs(truth[codes] - adjusted_for[codes]).max() > 1e-9:
            return False
    return True


def is_right_in_all(graph, causes, targets, adjusted):
    members = list(enumerate_class(graph)) if not isinstance(graph, Dag) else [graph]
    joint = joint_distribution(members[0])
    return all(adjusted_is_right(one, joint, causes, targets, adjusted) for one in members)


def check(graph, causes, targets):
    rest = [name for name in graph.names if name not in (*causes, *targets)]
    subsets = [one for size in range(len(rest) + 1) for one in itertools.combinations(rest, size)]
    valid = [one for one in subsets if is_right_in_all(graph, causes, targets, one)]
    assert [one for one in subsets if graph.is_valid_adjustment(causes, targets, one)] == valid
    minimal = [one for one in valid if not any(set(other) < set(one) for other in valid)]
    assert graph.adjustment_sets(causes, targets, criterion="generalized") == tuple(minimal)
    members = list(enumerate_class(graph)) if not isinstance(graph, Dag) else [graph]
    below = {name for one in members for cause in causes for name in one.descendants(cause)}
    behind = [one for one in valid if not below & set(one)]
    minimal = [one for one in behind if not any(set(other) < set(one) for other in behind)]
    assert graph.adjustment_sets(causes, targets) == tuple(minimal)


def test_single_causes_in_dags(every_dag):
    for dag in every_dag(3):
        for cause, target in itertools.permutations(dag.names, 2):
            check(dag, [cause], [target])
    chance = random.Random(1)
    for dag in every_dag(4):
        check(dag, *([name] for name in chance.sample(dag.names, 2)))


def test_classes_with_knowledge(every_dag):
    chance = random.Random(2)
    for dag in every_dag(4)[::2]:
        graph = dag.to_cpdag().orient([arc for arc in dag.arcs if chance.random() < 0.25])
        check(graph, *([name] for name in chance.sample(dag.names, 2)))
        check(dag.to_cpdag(), *([name] for name in chance.sample(dag.names, 2)))


def test_random_graphs_and_several_causes():
    chance = random.Random(3)
    names = list("abcde")
    for _ in range(60):
        order = chance.sample(names, 5)
        dag = Dag.from_arcs(names, [pair for pair in itertools.combinations(order, 2) if chance.random() < 0.6])
        graph = chance.choice([dag, dag.to_cpdag(), dag.to_cpdag().orient(dag.arcs[:2])])
        first, second, target = chance.sample(names, 3)
        check(graph, [first, second], [target])
        check(graph, [first], [second, target])


def test_examples_by_hand():
    m_bias = Dag.from_modelstring("[u][v][m|u:v][x|u][y|v:x]")
    assert m_bias.adjustment_sets("x", "y") == ((),)
    assert not m_bias.is_valid_adjustment("x", "y", "m")
    assert m_bias.is_valid_adjustment("x", "y", ["m", "u"])
    # Two confounders that share a path: either blocks it (Pearl's back-door example, Causality, figure 3.4).
    pearl = Dag.from_modelstring("[x1][x2][x3|x1][x4|x1:x2][x5|x2][xi|x3:x4][x6|xi][xj|x6:x5:x4]")
    assert pearl.adjustment_sets("xi", "xj") == (("x1", "x4"), ("x2", "x4"), ("x3", "x4"), ("x4", "x5"))
    assert pearl.adjustment_sets("xi", "xj", unobserved=["x1", "x2", "x3"]) == (("x4", "x5"),)
    assert not pearl.is_valid_adjustment("xi", "xj", ["x4"])
    assert not pearl.is_valid_adjustment("xi", "xj", ["x3", "x4", "x6"])
    # A consequence that lies on no causal path may be adjusted for, but not by the back-door criterion.
    aside = Dag.from_modelstring("[c][x|c][y|x:d][d|c][s|x]")
    assert aside.adjustment_sets("x", "y") == (("c",), ("d",))
    assert aside.is_valid_adjustment("x", "y", ["c", "s"])
    hidden = Dag.from_modelstring("[u][x|u][y|x:u]")
    assert hidden.adjustment_sets("x", "y", unobserved="u") == ()


def test_no_set_is_valid_where_members_disagree():
    cpdag = Dag.from_modelstring("[x][v|x][y|v]").to_cpdag()
    assert cpdag.adjustment_sets("x", "y") == ()
    assert not cpdag.is_valid_adjustment("x", "y", [])
    assert cpdag.orient([("x", "v")]).adjustment_sets("x", "y") == ((),)


def test_many_sets_are_cut():
    # Ten ways from x to y that two nodes can block each: 2 ** 10 minimal sets.
    arcs = [arc for k in range(10) for arc in ((f"a{k}", "x"), (f"a{k}", f"b{k}"), (f"b{k}", "y"))]
    names = ["x", "y", *(f"{side}{k}" for k in range(10) for side in "ab")]
    dag = Dag.from_arcs(names, [*arcs, ("x", "y")])
    assert len(dag.adjustment_sets("x", "y", most=5000)) == 1024
    assert len(dag.adjustment_sets("x", "y", most=7)) == 7


def test_bad_arguments():
    dag = Dag.from_modelstring("[a][b|a][c|b]")
    with pytest.raises(InputError, match=r"Dag\.adjustment_sets\(y='a'\).*a is in two of them"):
        dag.adjustment_sets("a", "a")
    with pytest.raises(InputError, match=r"Dag\.is_valid_adjustment\(adjusted=\['a'\]\)"):
        dag.is_valid_adjustment("a", "c", ["a"])
    with pytest.raises(InputError, match=r"Cpdag\.adjustment_sets\(x=\[\]\): must be at least one name"):
        dag.to_cpdag().adjustment_sets([], "a")
    with pytest.raises(UnknownNameError, match=r"criterion='back'"):
        dag.adjustment_sets("a", "c", criterion="back")
    with pytest.raises(UnknownNameError, match=r"unobserved='u'"):
        dag.adjustment_sets("a", "c", unobserved="u")
