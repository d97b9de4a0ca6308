"""The most probable explanations against the ranking of all states."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import joint, settings_for, some_parts

from qnml import datasets
from qnml.errors import InputError, TooLargeError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.inference import explanations


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def labels(net, codes):
    return {name: net.levels[name][code] for name, code in codes.items()}


@settings(max_examples=150)
@given(data=st.data())
def test_they_are_ranked_as_by_enumeration(data):
    net = network(data.draw(some_parts(most_variables=7, most_states=400)))
    seen = data.draw(settings_for(net, 2))
    forced = {name: code for name, code in data.draw(settings_for(net, 1)).items() if name not in seen}
    targets = data.draw(st.one_of(st.none(), st.lists(st.sampled_from(net.names), min_size=1, unique=True)))
    k = data.draw(st.integers(1, 12))
    names = list(net.names) if targets is None else targets
    table = joint(net, seen, forced, names)
    expected = sorted((value for value in table.reshape(-1).tolist() if value > 0.0), reverse=True)
    if not expected:
        with pytest.raises(InputError, match="probability zero"):
            net.k_most_probable(k, labels(net, seen), labels(net, forced), targets=targets)
        return
    found = net.k_most_probable(k, labels(net, seen), labels(net, forced), targets=targets)
    assert [math.exp(log) for _, log in found] == pytest.approx(expected[:k], rel=1e-9)
    assert len({tuple(one.items()) for one, _ in found}) == len(found)
    for one, log in found:
        assert list(one) == names
        place = tuple(net.levels[name].index(label) for name, label in one.items())
        assert math.exp(log) == pytest.approx(table[place], rel=1e-9)
    best, log = net.most_probable(labels(net, seen), labels(net, forced), targets=targets)
    assert log == pytest.approx(found[0][1], abs=1e-9)
    assert list(best) == names


def test_marginal_explanations_are_not_parts_of_the_best_row():
    """The best row has x = a; summing out y, x = b is more probable."""
    dag = Dag.from_arcs(["x", "y"], [("x", "y")])
    net = Network(dag, {"x": ["a", "b"], "y": ["0", "1", "2"]}, {"x": [0.4, 0.6], "y": [[1, 0, 0], [0.3, 0.3, 0.4]]})
    assert net.most_probable()[0] == {"x": "a", "y": "0"}
    assert net.most_probable(targets=["x"]) == ({"x": "b"}, pytest.approx(math.log(0.6)))


def test_a_likelihood_counts():
    net = datasets.load_network("asia")
    plain = net.most_probable()[0]
    assert plain["dysp"] == "no"
    likely = net.most_probable(likelihood={"dysp": {"yes": 1.0, "no": 0.1}})
    assert likely[0]["dysp"] == "yes"
    assert likely[1] == pytest.approx(net.most_probable({"dysp": "yes"})[1], abs=1e-12)


def test_where_no_tree_fits_the_contraction_answers(monkeypatch):
    net = datasets.load_network("asia")
    expected = net.most_probable({"xray": "yes"})
    monkeypatch.setattr(explanations.engine_of(net).__class__, "tree", lambda *_: None)
    found = net.most_probable({"xray": "yes"})
    assert found[0] == expected[0]
    assert found[1] == pytest.approx(expected[1], abs=1e-12)
    with pytest.raises(TooLargeError, match="Induced width 2"):
        net.k_most_probable(2)


def test_what_is_refused():
    net = datasets.load_network("asia")
    for k in (0, 1.5, 10**7):
        with pytest.raises(InputError, match="k="):
            net.k_most_probable(k)
    with pytest.raises(InputError, match="twice"):
        net.most_probable(targets=["lung", "lung"])


def test_there_may_be_fewer_than_asked():
    net = Network(Dag.empty(["x"]), {"x": ["a", "b", "c"]}, {"x": [0.5, 0.5, 0.0]})
    assert [one["x"] for one, _ in net.k_most_probable(9)] == ["a", "b"]
