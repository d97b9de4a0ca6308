"""Entropy, information and what to look at next: by hand, and against sums over all states."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import joint, settings_for, some_parts

from qnml import datasets
from qnml.errors import InputError
from qnml.graph import Dag
from qnml.model import Network


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def plain_entropy(values):
    return -sum(value * math.log(value) for value in np.asarray(values).reshape(-1).tolist() if value > 0)


@settings(max_examples=60)
@given(data=st.data())
def test_they_are_those_of_the_table_of_all_states(data):
    net = network(data.draw(some_parts(most_variables=6, most_states=300).filter(lambda parts: len(parts[0]) > 1)))
    first, second = data.draw(st.lists(st.sampled_from(net.names), min_size=2, max_size=2, unique=True))
    seen = {name: code for name, code in data.draw(settings_for(net, 2)).items() if name not in (first, second)}
    table = joint(net, seen, {}, [first, second])
    if table.sum() == 0.0:
        return
    table = table / table.sum()
    evidence = {name: net.levels[name][code] for name, code in seen.items()}
    ours, theirs = table.sum(axis=1), table.sum(axis=0)
    assert net.entropy(first, evidence) == pytest.approx(plain_entropy(ours), abs=1e-9)
    assert net.entropy([first, second], evidence) == pytest.approx(plain_entropy(table), abs=1e-9)
    information = plain_entropy(ours) + plain_entropy(theirs) - plain_entropy(table)
    assert net.mutual_information(first, second, evidence) == pytest.approx(information, abs=1e-9)
    (found,) = net.value_of_information(first, evidence, candidates=second)
    assert found.variable == second
    assert found.information == pytest.approx(information, abs=1e-9)
    assert found.expected_accuracy == pytest.approx(table.max(axis=0).sum(), abs=1e-9)


def test_what_to_look_at_by_hand():
    """A fair coin, a copy that is right three times in four, and noise."""
    dag = Dag.from_arcs(["coin", "copy", "noise"], [("coin", "copy")])
    tables = {"coin": [0.5, 0.5], "copy": [[0.75, 0.25], [0.25, 0.75]], "noise": [0.5, 0.5]}
    net = Network(dag, {name: ["h", "t"] for name in dag.names}, tables)
    copy, noise = net.value_of_information("coin")
    told = math.log(2) + 0.75 * math.log(0.75) + 0.25 * math.log(0.25)
    assert (copy.variable, copy.information, copy.expected_accuracy) == (
        "copy",
        pytest.approx(told),
        pytest.approx(0.75),
    )
    assert (noise.variable, noise.expected_accuracy) == ("noise", pytest.approx(0.5))
    assert noise.information == pytest.approx(0.0, abs=1e-12)


def test_soft_evidence_on_the_target_stays_in_the_prior():
    net = datasets.load_network("asia")
    soft = {"lung": {"yes": 9.0, "no": 1.0}}
    (found,) = net.value_of_information("lung", candidates="xray", likelihood=soft)
    assert found.information == pytest.approx(net.mutual_information("lung", "xray", likelihood=soft), abs=1e-12)


def test_what_is_refused():
    net = datasets.load_network("asia")
    with pytest.raises(InputError, match="known already"):
        net.value_of_information("lung", {"lung": "yes"})
    with pytest.raises(InputError, match="xray are known"):
        net.value_of_information("lung", {"xray": "yes"}, candidates=["xray"])
    with pytest.raises(InputError, match="are in both"):
        net.mutual_information(["lung", "xray"], "xray")
