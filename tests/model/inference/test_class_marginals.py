"""Marginals in the members of a class, compared with sums over the whole joint distribution in each member."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import qnml


@pytest.fixture(scope="module")
def asia() -> Any:
    """A learned network: the class of its rows leaves two directions open."""
    return qnml.learn(qnml.datasets.sample("asia", 1000, seed=1), progress=False).fit()


def by_definition(net: Any, member: Any, evidence: dict[str, str], do: dict[str, str]) -> dict[str, np.ndarray]:
    """P(y | evidence, do) in one member: divide the joint by P(x | parents) of all variables set, keep what agrees."""
    names = net.names
    joint = net.query(list(names)).values
    weights = joint.copy()
    for name in do:
        family = [names.index(one) for one in (*member.parents(name), name)]
        others = tuple(axis for axis in range(len(names)) if axis not in family)
        of_family = joint.sum(axis=others, keepdims=True)
        of_parents = of_family.sum(axis=names.index(name), keepdims=True)
        weights = np.divide(weights * of_parents, of_family, out=np.zeros_like(joint), where=of_family > 0)
    for name, level in {**evidence, **do}.items():
        agrees = np.zeros(len(net.levels[name]))
        agrees[net.levels[name].index(level)] = 1
        weights = weights * agrees.reshape([-1 if one == name else 1 for one in names])
    weights = weights / weights.sum()
    return {
        name: weights.sum(axis=tuple(axis for axis in range(len(names)) if axis != k)) for k, name in enumerate(names)
    }


@pytest.mark.parametrize(
    ("evidence", "do"),
    [
        ({}, {"smoke": "yes"}),
        ({"xray": "yes"}, {"smoke": "no"}),
        ({"dysp": "yes"}, {"lung": "yes", "bronc": "no"}),
        ({}, {"either": "yes"}),
        ({"xray": "no"}, {}),
    ],
)
def test_members_answer_by_definition(asia: Any, evidence: dict[str, str], do: dict[str, str]) -> None:
    assert asia.mpdag is not None
    found = asia.class_marginals(evidence, do)
    expected = [by_definition(asia, member, evidence, do) for member in qnml.enumerate_class(asia.mpdag.to_cpdag())]
    for name in asia.names:
        mine = np.array([one[name].values for one in found])
        truth = np.array([one[name] for one in expected])
        assert mine.min(axis=0) == pytest.approx(truth.min(axis=0), abs=1e-10)
        assert mine.max(axis=0) == pytest.approx(truth.max(axis=0), abs=1e-10)
    assert found[0] == asia.marginals(evidence, do, on_unidentified="ignore")


def test_the_number_of_answers_is_that_of_the_parent_sets(asia: Any) -> None:
    members = list(qnml.enumerate_class(asia.mpdag.to_cpdag()))
    for names in itertools.chain(itertools.combinations(asia.names, 1), itertools.combinations(asia.names, 2)):
        choices = {tuple(member.parents(name) for name in names) for member in members}
        assert len(asia.class_marginals(do={name: asia.levels[name][0] for name in names})) == len(choices)


def test_arcs_of_other_networks_are_taken_at_their_word() -> None:
    net = qnml.datasets.load_network("asia")
    assert net.class_marginals(do={"smoke": "yes"}) == [net.marginals(do={"smoke": "yes"})]


def test_an_effect_that_is_not_defined_is_refused() -> None:
    """Since b copies a, b never takes its second level under the first of a where a is its cause."""
    dag = qnml.Dag.from_arcs(["a", "b"], [("b", "a")])
    levels = {"a": ["0", "1"], "b": ["0", "1"]}
    mpdag = qnml.Mpdag(["a", "b"], undirected=[("a", "b")])
    net = qnml.Network(dag, levels, {"b": [0.5, 0.5], "a": [[1.0, 0.0], [0.0, 1.0]]}, mpdag=mpdag)
    with pytest.raises(qnml.errors.UnidentifiedEffectError, match="never takes this level"):
        net.class_marginals(do={"b": "1"})


def test_too_many_choices_are_refused() -> None:
    """All arcs of a complete graph are open: 2^7 sets of parents of each node."""
    names = [f"v{k}" for k in range(8)]
    dag = qnml.Dag.from_arcs(names, list(itertools.combinations(names, 2)))
    rng = np.random.default_rng(1)
    tables = {name: rng.dirichlet([1, 1], [2] * k) for k, name in enumerate(names)}
    mpdag = qnml.Mpdag(names, undirected=list(itertools.combinations(names, 2)))
    net = qnml.Network(dag, {name: ["a", "b"] for name in names}, tables, mpdag=mpdag)
    with pytest.raises(qnml.errors.TooLargeError, match="more than 64"):
        net.class_marginals(do={"v3": "a"})
