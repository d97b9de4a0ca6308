"""Networks taken over from other packages answer as those do."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import qnml
from qnml.errors import InputError
from qnml.graph import Dag
from qnml.model import Network, from_pgmpy, from_pyagrum, to_pgmpy, to_pyagrum

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    gum = pytest.importorskip("pyagrum")


@pytest.fixture
def net():
    """Three parents in another order than their names, each with another number of levels."""
    dag = Dag.from_arcs(["d", "c", "b", "a"], [("b", "a"), ("d", "a"), ("c", "a"), ("d", "b")])
    levels = {"a": ["x", "y"], "b": ["u", "v", "w"], "c": ["0", "1"], "d": ["p", "q", "r", "s"]}
    chance = np.random.default_rng(1)
    tables = {}
    for name in dag.names:
        values = chance.random([len(levels[one]) for one in (*dag.parents(name), name)])
        tables[name] = values / values.sum(axis=-1, keepdims=True)
    return Network(dag, levels, tables)


def test_back_from_pyagrum(net):
    again = from_pyagrum(to_pyagrum(net))
    assert again.allclose(net, 1e-12)
    assert again.mpdag is None


def test_back_from_pgmpy(net):
    pytest.importorskip("pgmpy")
    assert from_pgmpy(to_pgmpy(net)).allclose(net, 1e-12)
    numbers = Network(Dag.empty(["a"]), {"a": [3, 5]}, {"a": [0.25, 0.75]})
    assert from_pgmpy(to_pgmpy(numbers)).levels["a"] == (3, 5)


def test_a_network_of_pyagrum_answers_as_there():
    theirs = gum.fastBN("a{x|y|z}->b[3]->c;a->c<-d[4];c->e[2]")
    ours = from_pyagrum(theirs)
    engine = gum.LazyPropagation(theirs)
    engine.setEvidence({"e": 1, "b": 2})
    engine.makeInference()
    for name in ("a", "c", "d"):
        given = {"e": ours.levels["e"][1], "b": ours.levels["b"][2]}
        np.testing.assert_allclose(ours.query(name, given).values, engine.posterior(name).toarray(), atol=1e-12)


def test_a_model_of_pgmpy_answers_as_there():
    models = pytest.importorskip("pgmpy.models")
    factors = pytest.importorskip("pgmpy.factors.discrete")
    inference = pytest.importorskip("pgmpy.inference")
    theirs = models.DiscreteBayesianNetwork([("b", "c"), ("a", "c")])
    theirs.add_cpds(
        factors.TabularCPD("a", 2, [[0.2], [0.8]], state_names={"a": ["no", "yes"]}),
        factors.TabularCPD("b", 3, [[0.2], [0.3], [0.5]], state_names={"b": [1, 2, 3]}),
        factors.TabularCPD(
            "c", 2,
            [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]],
            evidence=["a", "b"], evidence_card=[2, 3],
            state_names={"c": ["no", "yes"], "a": ["no", "yes"], "b": [1, 2, 3]},
        ),
    )  # fmt: skip
    ours = from_pgmpy(theirs)
    # P(c = no | a = yes) = .4 * .2 + .5 * .3 + .6 * .5.
    assert ours.query("c", {"a": "yes"})["no"] == pytest.approx(0.53)
    expected = inference.VariableElimination(theirs).query(["b"], evidence={"c": "yes"}, show_progress=False)
    np.testing.assert_allclose(ours.query("b", {"c": "yes"}).values, expected.values, atol=1e-12)


def test_what_cannot_be_taken_over():
    models = pytest.importorskip("pgmpy.models")
    bare = models.DiscreteBayesianNetwork([("a", "b")])
    with pytest.raises(InputError, match=r"from_pgmpy: the node 'a' has no table"):
        from_pgmpy(bare)
    with pytest.raises(InputError, match=r"from_pgmpy\(model='a'\): must be a discrete Bayesian network of pgmpy"):
        from_pgmpy("a")
    with pytest.raises(InputError, match=r"from_pyagrum\(model=.*\): must be a BayesNet of pyAgrum"):
        from_pyagrum(qnml.datasets.load_network("asia"))
