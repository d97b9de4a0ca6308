"""The most probable explanation, compared with all states."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import settings_for, some_parts, states

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def labels(net, codes):
    return {name: net.levels[name][code] for name, code in codes.items()}


@settings(max_examples=150)
@given(data=st.data())
def test_nothing_is_more_probable(data):
    net = network(data.draw(some_parts()))
    seen = data.draw(settings_for(net))
    forced = {name: code for name, code in data.draw(settings_for(net, 2)).items() if name not in seen}
    every = list(states(net, seen, forced))
    best = max(probability for _, probability in every)
    if best == 0.0:
        with pytest.raises(InputError, match="probability zero"):
            net.most_probable(labels(net, seen), labels(net, forced))
        return
    found, log_probability = net.most_probable(labels(net, seen), labels(net, forced))
    assert log_probability == pytest.approx(math.log(best), abs=1e-10)
    assert list(found) == list(net.names)
    (own,) = (probability for state, probability in every if labels(net, state) == found)
    assert own == pytest.approx(best, rel=1e-10)


def test_it_is_not_made_of_the_most_probable_single_labels():
    net = Network(
        Dag.from_modelstring("[a][b|a]"),
        {"a": ["n", "y"], "b": [0, 1, 2]},
        {"a": [0.4, 0.6], "b": [[1.0, 0.0, 0.0], [0.2, 0.4, 0.4]]},
    )
    assert net.query("a").argmax() == "y"
    found, log_probability = net.most_probable()
    assert found == {"a": "n", "b": 0}
    assert math.exp(log_probability) == pytest.approx(0.4)
    assert net.most_probable({"a": "y"})[0] == {"a": "y", "b": 1}
    assert net.most_probable(do={"a": "y"})[1] == pytest.approx(math.log(0.4))


def test_a_long_chain_does_not_underflow():
    names = [f"x{number}" for number in range(2500)]
    dag = Dag.from_arcs(names, itertools.pairwise(names))
    tables = {name: [[0.6, 0.4], [0.4, 0.6]] for name in names} | {"x0": [0.5, 0.5]}
    net = Network(dag, {name: [0, 1] for name in names}, tables)
    found, log_probability = net.most_probable({"x2000": 1})
    assert set(found.values()) == {1}
    assert log_probability == pytest.approx(math.log(0.5) + 2499 * math.log(0.6), rel=1e-12)


def test_wrong_names_are_refused():
    net = Network(Dag.empty(["a"]), {"a": ["n", "y"]}, {"a": [0.5, 0.5]})
    with pytest.raises(UnknownNameError, match=r"most_probable\(evidence='b'\): unknown. Known: a"):
        net.most_probable({"b": "y"})
    with pytest.raises(UnknownNameError, match=r"do\['a'\]='z'\): unknown. Known: n, y"):
        net.most_probable(do={"a": "z"})
