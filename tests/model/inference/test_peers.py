"""Agreement with pyAgrum on published networks."""

import math

import numpy as np
import pytest
from reference.peers import peer

from qnml import datasets
from qnml.model.inference import answers
from qnml.model.inference import plan as planning
from qnml.model.inference.order import tree_path
from qnml.model.inference.problem import normalised

gum = peer("pyagrum")

NAMES = ["asia", "alarm", "insurance", "hailfinder", "win95pts"]


@pytest.fixture(params=NAMES)
def network(request, data_folder, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(data_folder))
    return datasets.load_network(request.param)


def as_agrum(net):
    """The same network, with its rounded rows rescaled to sum to one, like ours."""
    other = gum.BayesNet()
    for name in net.names:
        other.add(gum.LabelizedVariable(name, "", [str(label) for label in net.levels[name]]))
    for parent, child in net.dag.arcs:
        other.addArc(parent, child)
    for name in net.names:
        table = other.cpt(name)
        # Its tables have their axes in the order of these names, the last changing slowest.
        own = (*net.dag.parents(name), name)
        values = normalised(net.table(name)).transpose([own.index(axis) for axis in reversed(table.names)])
        table.fillWith(values.reshape(-1).tolist())
    return other


def random_evidence(net, seed):
    """Labels of some variables from one sampled row, so that they are possible."""
    generator = np.random.default_rng(seed)
    row = net.sample(1, seed=seed)
    chosen = generator.permutation(net.names)[: generator.integers(0, len(net.names) // 2)]
    return {str(name): row.labels(str(name))[0] for name in chosen}


@pytest.mark.parametrize("seed", range(4))
def test_marginals(network, seed):
    evidence = random_evidence(network, seed)
    other = as_agrum(network)
    engine = gum.LazyPropagation(other)
    engine.setEvidence({name: str(label) for name, label in evidence.items()})
    engine.makeInference()
    together = network.marginals(evidence)
    for name in network.names:
        expected = engine.posterior(name).toarray()
        np.testing.assert_allclose(network.query(name, evidence).values, expected, rtol=0, atol=1e-9)
        np.testing.assert_allclose(together.values_of(name), expected, rtol=0, atol=1e-9)
    if evidence:
        expected = math.log(engine.evidenceProbability())
        assert network.log_evidence(evidence) == pytest.approx(expected, abs=1e-8)
        assert together.log_evidence == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(2))
def test_soft_evidence(network, seed):
    generator = np.random.default_rng(seed)
    row = network.sample(1, seed=seed)
    first, second, third = (str(name) for name in generator.permutation(network.names)[:3])
    likelihood = {name: generator.random(len(network.levels[name])) for name in (first, second)}
    engine = gum.LazyPropagation(as_agrum(network))
    engine.setEvidence({name: weights.tolist() for name, weights in likelihood.items()})
    engine.addEvidence(third, str(row.labels(third)[0]))
    engine.makeInference()
    given = {
        name: dict(zip(network.levels[name], map(float, weights), strict=True)) for name, weights in likelihood.items()
    }
    found = network.marginals({third: row.labels(third)[0]}, likelihood=given)
    for name in network.names:
        np.testing.assert_allclose(found.values_of(name), engine.posterior(name).toarray(), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["barley", "mildew", "water"])
def test_marginals_by_costly_orders(name, data_folder, monkeypatch):
    """Every other leaf observed, so that most of the network is relevant and orders are compared."""
    asked = []

    def watched(*case):
        asked.append(case)
        return tree_path(*case)

    monkeypatch.setenv("QNML_DATA", str(data_folder))
    monkeypatch.setattr(planning, "tree_path", watched)
    monkeypatch.setattr(answers, "MOST_BY_TREE", 0)
    planning.make_plan.cache_clear()
    net = datasets.load_network(name)
    row = net.sample(1, seed=3)
    leaves = [leaf for leaf in net.names if not net.dag.children(leaf)]
    evidence = {leaf: row.labels(leaf)[0] for leaf in leaves[::2]}
    engine = gum.LazyPropagation(as_agrum(net))
    engine.setEvidence({leaf: str(label) for leaf, label in evidence.items()})
    engine.makeInference()
    for target in [target for target in net.names if target not in evidence][:: len(net.names) // 6]:
        expected = engine.posterior(target).toarray()
        np.testing.assert_allclose(net.query(target, evidence).values, expected, rtol=0, atol=1e-9)
    assert asked


def test_joint_distribution(network):
    generator = np.random.default_rng(1)
    evidence = random_evidence(network, 11)
    free = [name for name in network.names if name not in evidence]
    targets = [str(name) for name in generator.permutation(free)[:3]]
    other = as_agrum(network)
    engine = gum.LazyPropagation(other)
    engine.setEvidence({name: str(label) for name, label in evidence.items()})
    engine.addJointTarget(set(targets))
    engine.makeInference()
    found = engine.jointPosterior(set(targets))
    expected = found.toarray().transpose([list(reversed(found.names)).index(name) for name in targets])
    np.testing.assert_allclose(network.query(targets, evidence).values, expected, rtol=0, atol=1e-9)


# Its mpe() gives up ("Empty tensor", version 3.3.1) on most other networks and evidence.
@pytest.mark.parametrize(("name", "seed"), [("asia", 2), ("asia", 5), ("hailfinder", 5)])
def test_most_probable_explanation(name, seed, data_folder, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(data_folder))
    net = datasets.load_network(name)
    evidence = random_evidence(net, seed)
    other = as_agrum(net)
    engine = gum.LazyPropagation(other)
    engine.setEvidence({name: str(label) for name, label in evidence.items()})
    theirs = {**evidence, **engine.mpe().todict(withLabels=True)}
    found, log_probability = net.most_probable(evidence)
    # Several may be equally probable: only the probabilities must agree.
    assert log_probability == pytest.approx(_log_probability(net, theirs), abs=1e-9)
    assert log_probability == pytest.approx(_log_probability(net, found), abs=1e-10)


def _log_probability(net, labels):
    codes = {name: [str(level) for level in net.levels[name]].index(str(label)) for name, label in labels.items()}
    return math.fsum(
        math.log(normalised(net.table(name))[(*(codes[parent] for parent in net.dag.parents(name)), codes[name])])
        for name in net.names
    )
