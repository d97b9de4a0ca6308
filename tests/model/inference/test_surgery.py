"""Interventions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import joint, settings_for, some_parts

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network, fit


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


@settings(max_examples=100)
@given(data=st.data())
def test_the_cut_network_is_the_truncated_factorisation(data):
    net = network(data.draw(some_parts(6)))
    forced = data.draw(settings_for(net))
    cut = net.do({name: net.levels[name][code] for name, code in forced.items()})
    np.testing.assert_allclose(
        joint(cut, {}, {}, net.names), joint(net, {}, forced, net.names), rtol=1e-12, atol=1e-300
    )
    assert cut.levels == net.levels
    assert set(cut.dag.arcs) == {(parent, child) for parent, child in net.dag.arcs if child not in forced}


def test_confounding_is_cut():
    """Observation and intervention differ by the common cause, as in any textbook."""
    net = Network(
        Dag.from_modelstring("[c][t|c][y|c:t]"),
        {name: ["0", "1"] for name in "cty"},
        {"c": [0.5, 0.5], "t": [[0.9, 0.1], [0.2, 0.8]], "y": [[[0.9, 0.1], [0.7, 0.3]], [[0.4, 0.6], [0.2, 0.8]]]},
    )
    seen = (0.5 * 0.1 * 0.3 + 0.5 * 0.8 * 0.8) / (0.5 * 0.1 + 0.5 * 0.8)
    assert net.query("y", {"t": "1"})["1"] == pytest.approx(seen, abs=1e-15)
    assert net.query("y", do={"t": "1"})["1"] == pytest.approx(0.5 * 0.3 + 0.5 * 0.8, abs=1e-15)
    assert net.do({"t": "1"}).query("y") == net.query("y", do={"t": "1"})
    # Evidence below an intervened variable still bears on the others.
    assert net.query("c", {"y": "1"}, {"t": "1"})["1"] == pytest.approx(0.8 / 1.1, abs=1e-15)


def test_of_an_estimated_network():
    net = fit({"a": [0, 0, 1, 1], "b": [0, 0, 1, 0]}, Dag.from_modelstring("[a][b|a]"))
    cut = net.do({"b": 1})
    assert cut.table("b").tolist() == [0.0, 1.0]
    assert cut.table("a").tolist() == net.table("a").tolist()
    # Its tables are no longer estimates from the data.
    with pytest.raises(InputError):
        cut.update({"a": [0], "b": [0]})


def test_wrong_names_are_refused():
    net = Network(Dag.empty(["a"]), {"a": ["n", "y"]}, {"a": [0.5, 0.5]})
    with pytest.raises(UnknownNameError, match=r"Network\.do\(do='b'\): unknown\. Known: a"):
        net.do({"b": "y"})
    with pytest.raises(UnknownNameError, match="Known: n, y"):
        net.do({"a": 1})
    assert net.do({}) == net
