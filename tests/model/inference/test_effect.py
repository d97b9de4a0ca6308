"""Effects over a class against every member of it, by multiplying all tables."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import networkx
import numpy as np
import pytest
from reference.effects import joint_of, member_effect, random_tables
from reference.equivalence_classes import all_classes

from qnml.errors import InputError, TooLargeError, UnidentifiedEffectError, UnknownNameError
from qnml.graph import Cpdag, Dag, enumerate_class
from qnml.model import Network
from qnml.model.inference.class_effects import answer_in, choices_of


def network_of(dag, seed, arcs=()):
    levels = {name: [*range(2 + (place == 0))] for place, name in enumerate(dag.names)}
    return Network(dag, levels, random_tables(dag, levels, seed), mpdag=dag.to_cpdag().orient(arcs))


def effects_by_member(net, cause, target):
    """P(target | do(cause = code)) for each member, from its own tables."""
    joint, names = joint_of(net), net.names
    others = tuple(place for place, name in enumerate(names) if name != target)
    found = []
    for member in enumerate_class(net.mpdag):
        rows = [member_effect(joint, member, {cause: code}).sum(axis=others) for code in range(len(net.levels[cause]))]
        found.append((member, np.array(rows)))
    return found


def check(net, cause, target):
    effect = net.effect(cause, target)
    found = effects_by_member(net, cause, target)
    every = np.array([values for _, values in found])
    np.testing.assert_allclose(effect.low, every.min(axis=0), atol=1e-12)
    np.testing.assert_allclose(effect.high, every.max(axis=0), atol=1e-12)
    assert effect.n_members == len(found)
    # Without chance equalities the effect is identified exactly if all members agree.
    assert effect.is_identified == effect.is_single == (np.ptp(every, axis=0).max() < 1e-10)
    if not effect.is_identified:
        shares = Counter(member.parents(cause) for member, _ in found)
        assert {one.parents: one.share for one in effect.variants} == {
            parents: pytest.approx(count / len(found)) for parents, count in shares.items()
        }
        for one in effect.variants:
            values = next(values for member, values in found if member.parents(cause) == one.parents)
            np.testing.assert_allclose(one.values, values, atol=1e-12)


def dag_of(network):
    names = list("abcde"[: len(network)])
    return Dag.from_parents({names[k]: [names[p] for p in sorted(parents)] for k, parents in enumerate(network)})


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_class_and_every_pair(n):
    for seed, members in enumerate(all_classes(n).values()):
        net = network_of(dag_of(members[seed % len(members)]), seed)
        for cause, target in itertools.permutations(net.names, 2):
            check(net, cause, target)


def test_knowledge_of_random_arcs():
    chance = random.Random(5)
    classes = list(all_classes(5).values())
    for seed in range(120):
        dag = dag_of(chance.choice(chance.choice(classes)))
        net = network_of(dag, seed, [arc for arc in dag.arcs if chance.random() < 0.3])
        check(net, *chance.sample(net.names, 2))


@pytest.mark.slow
def test_every_class_of_five():
    chance = random.Random(6)
    for seed, members in enumerate(all_classes(5).values()):
        check(network_of(dag_of(members[0]), seed), *chance.sample(list("abcde"), 2))


def test_several_interventions_and_evidence():
    chance = random.Random(7)
    classes = list(all_classes(4).values())
    for seed in range(150):
        dag = dag_of(chance.choice(chance.choice(classes)))
        net = network_of(dag, seed, [arc for arc in dag.arcs if chance.random() < 0.2])
        first, second, target, seen = chance.sample(range(4), 4)
        joint = joint_of(net)
        by_parents = {choice.parents: choice for choice in choices_of("test", net.mpdag, [first, second])}
        for member in enumerate_class(net.mpdag):
            forced = {first: 1, second: 0}
            expected = member_effect(joint, member, {net.names[node]: code for node, code in forced.items()})
            expected = np.transpose(expected, [target, seen, first, second])[:, 1, 1, 0]
            parents = (member.parent_masks[first], member.parent_masks[second])
            assert parents in by_parents
            found = answer_in(net, parents, [target], {seen: 1}, forced, None)
            np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_network_without_a_class_is_its_only_member():
    dag = Dag.from_modelstring("[a][b|a][c|b]")
    net = network_of(dag, 1).with_mpdag(None)
    effect = net.effect("b", "a")
    assert (effect.is_identified, effect.n_members, len(effect.variants)) == (True, 1, 1)
    np.testing.assert_allclose(effect.low, np.tile(net.table("a"), (2, 1)), atol=1e-12)
    assert effect[0] == net.query("a", do={"b": 0})
    assert effect.sentence() == "The effect of b on a is identified."


def test_averages():
    net = network_of(Dag.from_modelstring("[a][b|a]"), 3)
    effect = net.effect("b", "a")  # a has the labels 0, 1 and 2
    table = [values @ np.arange(3) for _, values in effects_by_member(net, "b", "a")]
    low, high = effect.average()
    np.testing.assert_allclose(low, np.min(table, axis=0))
    np.testing.assert_allclose(high, np.max(table, axis=0))
    differences = [means[1] - means[0] for means in table]
    assert effect.average_effect(1, 0) == (pytest.approx(min(differences)), pytest.approx(max(differences)))
    assert effect.average_effect(0, 0) == (0.0, 0.0)
    doubled, _ = effect.average({0: 0, 1: 2, 2: 4})
    np.testing.assert_allclose(doubled, 2 * low)
    with pytest.raises(InputError, match=r"CausalEffect\.average\(values=.*a number for every label of 'a'"):
        effect.average({0: 1.0})
    with pytest.raises(UnknownNameError, match=r"CausalEffect\.average_effect\(to=5\)"):
        effect.average_effect(5, 0)


def test_labels_that_are_no_numbers_have_no_mean():
    net = Network(Dag.empty(["a", "b"]), {"a": ["no", "yes"], "b": ["x", "1"]}, {"a": [0.5, 0.5], "b": [0.5, 0.5]})
    with pytest.raises(InputError, match=r"the label 'x' of 'b' is no number\. values=\{label: number"):
        net.effect("a", "b").average()


def test_members_that_disagree_are_not_indexed():
    effect = network_of(Dag.from_modelstring("[a][b|a]"), 4).effect("a", "b")
    with pytest.raises(UnidentifiedEffectError, match=r"CausalEffect\[0\]: the members of the class disagree"):
        effect[0]
    with pytest.raises(UnknownNameError, match=r"CausalEffect\(label='x'\)"):
        effect["x"]
    assert "takes 2 different values in the class of 2 members" in effect.sentence()


def test_equal_by_chance_is_said():
    net = network_of(Dag.from_modelstring("[a][b|a]"), 4)
    even = Network(net.dag, net.levels, {"a": [0.2, 0.3, 0.5], "b": np.full((3, 2), 0.5)}, mpdag=net.mpdag)
    effect = even.effect("a", "b")
    assert not effect.is_identified
    assert effect[1][0] == pytest.approx(0.5)
    assert "though their arcs alone do not imply it" in effect.sentence()


def test_what_never_occurs_has_no_effect():
    dag = Dag.from_modelstring("[a][b|a]")
    levels = {"a": [0, 1], "b": [0, 1]}
    net = Network(dag, levels, {"a": [0.5, 0.5], "b": np.eye(2)}, mpdag=dag.to_cpdag().orient([]))
    with pytest.raises(
        InputError, match=r"Network\.effect: in members in which 'a' has the parents 'b', the effect of a=0"
    ):
        net.effect("a", "b")


def test_a_tree_of_a_hundred_nodes():
    names = [f"n{k}" for k in range(100)]
    tree = networkx.random_labeled_tree(100, seed=8)
    cpdag = Cpdag(names, [], [(names[a], names[b]) for a, b in tree.edges])
    dag = cpdag.consistent_extension()
    levels = {name: [0, 1] for name in names}
    net = Network(dag, levels, random_tables(dag, levels, 1), mpdag=cpdag.orient([]))
    cause, target = next((names[a], names[b]) for a, b in tree.edges)
    effect = net.effect(cause, target)
    assert effect.n_members == 100
    assert len(effect.variants) == tree.degree[names.index(cause)] + 1
    assert sum(one.share for one in effect.variants) == pytest.approx(1.0)
    # Away from the target the effect is what is observed; towards it there is none.
    observed = net.query(target, {cause: 1}).values
    for one in effect.variants:
        expected = net.query(target).values if one.parents == (target,) else observed
        np.testing.assert_allclose(one.values[1], expected, atol=1e-12)


def test_too_many_sets_of_parents():
    names = [f"n{k}" for k in range(16)]
    cpdag = Cpdag(names, [], itertools.combinations(names, 2))
    with pytest.raises(TooLargeError, match=r"test: .* more than 10,000 different sets of parents of n3"):
        choices_of("test", cpdag.orient([]), [3])


def test_bad_arguments():
    net = network_of(Dag.from_modelstring("[a][b|a]"), 4)
    with pytest.raises(UnknownNameError, match=r"Network\.effect\(cause='x'\)"):
        net.effect("x", "a")
    with pytest.raises(InputError, match=r"Network\.effect\(target='a'\): must be another variable"):
        net.effect("a", "a")
    with pytest.raises(InputError, match=r"Network\(mpdag=.*\): must be a graph with the structure"):
        net.with_mpdag(Dag.empty(["a", "b"]).to_cpdag().orient([]))
    with pytest.raises(InputError, match=r"Network\(mpdag=.*\): must be a qnml\.Mpdag, or None"):
        net.with_mpdag(net.dag.to_cpdag())
