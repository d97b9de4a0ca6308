"""Derivatives of answers against networks in which one probability was changed."""

import numpy as np
import pytest
from reference.inference import random_parts

from qnml import datasets
from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network


def changed(net, one, step):
    """The network with one probability moved, the others of its distribution sharing the rest in proportion."""
    tables = {name: np.array(net.table(name)) for name in net.names}
    config = tuple(net.levels[name].index(one.parents[name]) for name in net.dag.parents(one.variable))
    row = tables[one.variable][config]
    code = net.levels[one.variable].index(one.level)
    theta = row[code]
    row *= (1 - theta - step) / (1 - theta)
    row[code] = theta + step
    return Network(net.dag, net.levels, tables)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["plain", "evidence", "soft", "do"])
def test_derivatives_are_finite_differences(seed, kind):
    names, arcs, levels, tables = random_parts(seed, [2, 3, 2, 3, 2], [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)], 0.0)
    net = Network(Dag.from_arcs(names, arcs), levels, tables)
    given = {
        "plain": {},
        "evidence": {"evidence": {"v4": "l1"}},
        "soft": {"likelihood": {"v3": {"l0": 0.2, "l1": 0.9, "l2": 0.5}}},
        "do": {"evidence": {"v4": "l0"}, "do": {"v2": "l1"}},
    }[kind]
    found = net.sensitivity("v1", "l2", most=1000, **given)
    assert found
    assert [abs(one.derivative) for one in found] == sorted((abs(one.derivative) for one in found), reverse=True)
    step = 1e-6
    for one in found:
        above, below = (changed(net, one, way).query("v1", **given)["l2"] for way in (step, -step))
        assert one.derivative == pytest.approx((above - below) / (2 * step), abs=1e-7)
        assert one.probability == pytest.approx(
            net.table(one.variable)[tuple(net.levels[p].index(one.parents[p]) for p in net.dag.parents(one.variable))][
                net.levels[one.variable].index(one.level)
            ]
        )


def test_tables_that_do_not_matter_are_left_out():
    net = datasets.load_network("asia")
    found = net.sensitivity("lung", "yes", most=1000)
    assert {one.variable for one in found} == {"lung", "smoke"}
    assert len(net.sensitivity("lung", "yes", {"xray": "yes"}, most=3)) == 3


def test_what_is_refused():
    net = datasets.load_network("asia")
    with pytest.raises(InputError, match="evidence on the target"):
        net.sensitivity("lung", "yes", {"lung": "yes"})
    with pytest.raises(UnknownNameError, match="yes, no"):
        net.sensitivity("lung", "maybe")
