"""All marginals at once: as each alone, as the sum over all states, and what happens when a tree does not fit."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import joint, posterior, settings_for, some_parts

from qnml import datasets
from qnml.errors import InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.inference import engine, marginals


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def labels(net, codes):
    return {name: net.levels[name][code] for name, code in codes.items()}


@settings(max_examples=150)
@given(data=st.data())
def test_marginals_are_sums_over_all_states(data):
    net = network(data.draw(some_parts()))
    seen = data.draw(settings_for(net))
    forced = {name: code for name, code in data.draw(settings_for(net, 2)).items() if name not in seen}
    found = net.marginals(labels(net, seen), labels(net, forced), impossible="nan")
    total = joint(net, seen, forced, net.names[:1]).sum()
    assert list(found) == list(net.names)
    assert math.exp(found.log_evidence) == pytest.approx(total, rel=1e-10)
    for name in net.names:
        expected = posterior(net, seen, forced, [name])
        np.testing.assert_allclose(found[name].values, expected, rtol=1e-10, atol=1e-13)
    if total == 0.0:
        with pytest.raises(InputError, match=r"probability zero.*impossible='nan'"):
            net.marginals(labels(net, seen), labels(net, forced))


@pytest.mark.parametrize("name", ["alarm", "insurance", "hailfinder", "win95pts", "hepar2", "pathfinder", "andes"])
def test_marginals_are_those_of_single_queries(name, data_folder, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(data_folder))
    net = datasets.load_network(name)
    generator = np.random.default_rng(1)
    row = net.sample(1, seed=1)
    evidence = {str(one): row.labels(str(one))[0] for one in generator.permutation(net.names)[:8]}
    found = net.marginals(evidence)
    for one in net.names[:: max(1, len(net.names) // 40)]:
        np.testing.assert_allclose(found.values_of(one), net.query(one, evidence).values, rtol=0, atol=1e-12)
    assert found.log_evidence == pytest.approx(net.log_evidence(evidence), abs=1e-10)


def test_some_targets_come_in_the_order_asked():
    net = datasets.load_network("asia")
    everything = net.marginals({"dysp": "yes"})
    found = net.marginals({"dysp": "yes"}, targets=["xray", "asia"])
    assert list(found) == ["xray", "asia"]
    for name in found:
        np.testing.assert_allclose(found.values_of(name), everything.values_of(name), rtol=0, atol=1e-15)
    assert list(net.marginals(targets="lung")) == ["lung"]


def test_a_tree_that_does_not_fit_gives_way_to_single_queries():
    net = datasets.load_network("asia")
    expected = net.marginals({"xray": "yes"})
    asked = []

    def refused(self, call, *others):
        asked.append(call)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.Engine, "tree", refused)
        found = net.marginals({"xray": "yes"})
    assert "Network.marginals" in asked
    for name in net.names:
        np.testing.assert_allclose(found.values_of(name), expected.values_of(name), rtol=0, atol=1e-13)
    assert found.log_evidence == pytest.approx(expected.log_evidence, abs=1e-13)


def test_what_fits_in_no_way_is_refused_with_the_width():
    generator = np.random.default_rng(1)
    names = [f"v{number}" for number in range(40)]
    arcs = [(names[a], names[b]) for b in range(40) for a in generator.permutation(b)[:6]]
    dag = Dag.from_arcs(names, arcs)
    tables = {name: generator.dirichlet(np.ones(4), size=[4] * len(dag.parents(name))) for name in names}
    net = Network(dag, {name: ["a", "b", "c", "d"] for name in names}, tables)
    with pytest.raises(TooLargeError, match="Induced width"):
        net.marginals(memory_limit=1e6)


def test_many_small_probabilities_do_not_vanish():
    """0.1^400 is zero as a double; logarithms take over."""
    names = ["class", *(f"f{number}" for number in range(400))]
    feature = [[0.1, 0.9], [0.2, 0.8]]
    tables = dict.fromkeys(names, feature) | {"class": [0.5, 0.5]}
    dag = Dag.from_arcs(names, [("class", name) for name in names[1:]])
    net = Network(dag, {name: ["no", "yes"] for name in names}, tables)
    found = net.marginals(dict.fromkeys(names[1:], "no"))
    # P(class = no) / P(class = yes) = (0.1 / 0.2)^400
    assert found["class"]["no"] == pytest.approx(0.5**400, rel=1e-10)
    assert found.log_evidence == pytest.approx(math.log(0.5) + 400 * math.log(0.2), rel=1e-12)


def test_wrong_targets_and_evidence_are_named():
    net = datasets.load_network("asia")
    with pytest.raises(UnknownNameError, match="lung"):
        net.marginals(targets=["lng"])
    with pytest.raises(UnknownNameError, match="yes, no"):
        net.marginals({"xray": "maybe"})
    with pytest.raises(InputError, match="both evidence and do"):
        net.marginals({"xray": "yes"}, {"xray": "no"})
    assert marginals(net).log_evidence == pytest.approx(0.0, abs=1e-12)
