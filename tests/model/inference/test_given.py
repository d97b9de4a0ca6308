"""Evidence of every kind: against a child that was observed, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import settings_for, some_parts, states

import qnml
from qnml import datasets
from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.inference import answers


def with_children(parts, weights):
    """The network with a child of every weighed variable, which is observed with these probabilities."""
    names, arcs, levels, tables = parts
    children = {f"seen {name}": name for name in weights}
    tables = tables | {child: [[1 - w, w] for w in weights[name]] for child, name in children.items()}
    levels = levels | {child: ["no", "yes"] for child in children}
    arcs = [*arcs, *((name, child) for child, name in children.items())]
    return Network(Dag.from_arcs([*names, *children], arcs), levels, tables), dict.fromkeys(children, "yes")


@pytest.mark.parametrize("most_by_tree", [2**26, 0], ids=["tree", "contraction"])
@settings(max_examples=80)
@given(data=st.data())
def test_a_likelihood_is_an_observed_child(most_by_tree, data):
    parts = data.draw(some_parts(most_variables=6, most_states=300))
    net = Network(Dag.from_arcs(parts[0], parts[1]), parts[2], parts[3])
    weighed = data.draw(st.lists(st.sampled_from(net.names), unique=True, min_size=1, max_size=3))
    share = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])
    weights = {}
    for name in weighed:
        size = len(net.levels[name])
        weights[name] = data.draw(st.lists(share, min_size=size, max_size=size).filter(any))
    seen = {name: code for name, code in data.draw(settings_for(net, 2)).items() if name not in weighed}
    evidence = {name: net.levels[name][code] for name, code in seen.items()}
    likelihood = {name: dict(zip(net.levels[name], values, strict=True)) for name, values in weights.items()}
    larger, observed = with_children(parts, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "MOST_BY_TREE", most_by_tree)
        found = net.query(net.names[:2], evidence, likelihood=likelihood, impossible="nan")
        expected = larger.query(net.names[:2], {**evidence, **observed}, impossible="nan")
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-10, atol=1e-13)
        total = net.log_evidence(evidence, likelihood=likelihood)
        assert math.exp(total) == pytest.approx(math.exp(larger.log_evidence({**evidence, **observed})), rel=1e-10)
    together = net.marginals(evidence, likelihood=likelihood, impossible="nan")
    assert math.exp(together.log_evidence) == pytest.approx(math.exp(total), rel=1e-10)
    for name in net.names:
        alone = larger.query(name, {**evidence, **observed}, impossible="nan").values
        np.testing.assert_allclose(together.values_of(name), alone, rtol=1e-10, atol=1e-13)


@settings(max_examples=60)
@given(data=st.data())
def test_several_levels_and_excluded_ones_are_sums(data):
    parts = data.draw(some_parts(most_variables=6, most_states=300, least_levels=2))
    net = Network(Dag.from_arcs(parts[0], parts[1]), parts[2], parts[3])
    name = data.draw(st.sampled_from(net.names))
    levels = net.levels[name]
    chosen = data.draw(st.lists(st.sampled_from(levels), unique=True, min_size=1, max_size=len(levels) - 1))
    target = data.draw(st.sampled_from(net.names))
    expected = np.zeros(len(net.levels[target]))
    for state, probability in states(net, {}, {}):
        if levels[state[name]] in chosen:
            expected[state[target]] += probability
    total = expected.sum()
    rest = [level for level in levels if level not in chosen]
    for evidence in ({name: chosen}, {name: qnml.AnyBut(*rest)}):
        assert math.exp(net.log_evidence(evidence)) == pytest.approx(total, rel=1e-10)
        found = net.query(target, evidence, impossible="nan").values
        np.testing.assert_allclose(found, expected / total if total else np.nan, rtol=1e-10, atol=1e-13)


def test_all_levels_are_no_evidence():
    net = datasets.load_network("asia")
    assert net.query("lung", {"xray": ["yes", "no"]}) == net.query("lung")


@pytest.mark.parametrize(
    ("evidence", "likelihood", "do", "message"),
    [
        ({"xray": ["yes", "perhaps"]}, None, None, "'perhaps'.*yes, no"),
        ({"xray": []}, None, None, "at least one"),
        ({"xray": qnml.AnyBut("yes", "no")}, None, None, "not all"),
        ({"xry": ["yes"]}, None, None, "xray"),
        ({"xray": "yes"}, {"xray": {"yes": 1, "no": 1}}, None, "both evidence and likelihood"),
        ({"xray": ["yes"]}, {"xray": {"yes": 1, "no": 1}}, None, "both evidence and likelihood"),
        (None, {"xray": {"yes": 0.5}}, None, "Nothing is said about no"),
        (None, {"xray": {"yes": 0, "no": 0}}, None, "not all be zero"),
        (None, {"xray": {"yes": -1, "no": 1}}, None, "at least 0"),
        (None, {"xray": {"yes": math.inf, "no": 1}}, None, "finite"),
        (None, {"xray": {"yes": 1, "maybe": 1}}, None, "yes, no"),
        (None, {"xray": 0.5}, None, "each level"),
        (None, 0.5, None, "a mapping"),
        (None, {"xray": {"yes": 0.5, "no": 1}}, {"xray": "yes"}, "is in do"),
        ({"xray": ["yes"]}, None, {"xray": "yes"}, "is in do"),
        ({"xray": "no"}, None, {"xray": "yes"}, "both evidence and do"),
    ],
)
def test_what_is_refused(evidence, likelihood, do, message):
    net = datasets.load_network("asia")
    with pytest.raises((InputError, UnknownNameError), match=message):
        net.query("lung", evidence, do, likelihood=likelihood)


def test_impossible_soft_evidence_is_named():
    net = Network(Dag.empty(["x"]), {"x": ["a", "b", "c"]}, {"x": [0.5, 0.5, 0.0]})
    with pytest.raises(InputError, match=r"likelihood of x.*probability zero"):
        net.query("x", likelihood={"x": {"a": 0, "b": 0, "c": 1}})
    assert net.log_evidence({}, likelihood={"x": {"a": 2, "b": 4, "c": 1}}) == pytest.approx(math.log(3))


def test_excluded_levels_are_shown():
    assert repr(qnml.AnyBut("a", 2)) == "AnyBut('a', 2)"
    assert str(qnml.AnyBut("a", 2)) == "not a or 2"
    assert qnml.AnyBut("a") == qnml.AnyBut("a") != qnml.AnyBut("b")
    assert len({qnml.AnyBut("a"), qnml.AnyBut("a")}) == 1
    with pytest.raises(InputError, match="at least one"):
        qnml.AnyBut()
