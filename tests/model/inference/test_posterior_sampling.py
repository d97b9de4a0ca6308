"""Rows drawn under evidence follow the exact posterior."""

import itertools

import numpy as np
import pytest
from reference.inference import posterior, random_parts
from scipy import stats

from qnml.errors import InputError
from qnml.graph import Dag
from qnml.model import Network, fit

ARCS = [(0, 2), (1, 2), (2, 3), (1, 4), (3, 5), (4, 5), (0, 6)]
SIZES = [2, 3, 2, 3, 2, 2, 3]


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def labels(net, codes):
    return {name: net.levels[name][code] for name, code in codes.items()}


def smallest_p_value(table, net, seen, forced):
    """Of chi-square tests of all single variables, pairs and triples against the exact posterior."""
    smallest = 1.0
    for size in (1, 2, 3):
        for names in itertools.combinations(net.names, size):
            share = posterior(net, seen, forced, names)
            counted = np.zeros(share.shape)
            np.add.at(counted, tuple(table.codes(name) for name in names), 1)
            possible = share > 0
            assert counted[~possible].sum() == 0
            if possible.sum() > 1:
                p_value = stats.chisquare(counted[possible], len(table) * share[possible]).pvalue
                smallest = min(smallest, p_value)
    return smallest


@pytest.mark.parametrize(
    ("seed", "seen", "forced"),
    [
        (1, {"v5": 1}, {}),
        (2, {"v5": 1, "v6": 2}, {}),
        (3, {"v3": 0, "v4": 1}, {}),
        (4, {"v5": 0}, {"v2": 1}),
        (5, {"v5": 1, "v0": 0}, {"v4": 1}),
        (6, {}, {"v2": 0, "v4": 1}),
    ],
)
def test_rows_follow_the_posterior(seed, seen, forced):
    net = network(random_parts(seed, SIZES, ARCS, 0.1))
    table = net.sample(50_000, seed=seed, evidence=labels(net, seen), do=labels(net, forced))
    assert table.names == net.names
    for name, code in {**seen, **forced}.items():
        assert set(table.codes(name)) == {code}
    # 63 tests or so each: 1e-5 keeps the chance of a false alarm below a thousandth.
    assert smallest_p_value(table, net, seen, forced) > 1e-5


def test_rows_of_another_posterior_are_told_apart():
    """The negative control: the test above can fail."""
    net = network(random_parts(1, SIZES, ARCS, 0.1))
    table = net.sample(50_000, seed=1, evidence=labels(net, {"v5": 1}))
    without = {name: net.table(name) for name in net.names}
    without["v0"] = without["v0"] + np.array([0.02, -0.02])
    other = Network(net.dag, net.levels, without)
    assert smallest_p_value(table, other, {"v5": 1}, {}) < 1e-8
    # Ignoring the evidence, or confusing intervention and observation, is also detected.
    assert smallest_p_value(net.sample(50_000, seed=1), net, {}, {}) > 1e-5
    seen, forced = ({"v2": 1, "v4": 1}, {}), ({}, {"v2": 1, "v4": 1})
    drawn = net.sample(50_000, seed=1, evidence=labels(net, seen[0]))
    assert smallest_p_value(drawn, net, *seen) > 1e-5
    assert smallest_p_value(drawn, net, *forced) < 1e-8


@pytest.mark.usefixtures("many_cores")
def test_same_seed_same_rows():
    net = network(random_parts(1, SIZES, ARCS))
    chosen = {"evidence": {"v3": net.sample(1, seed=1).labels("v3")[0]}}
    longer = net.sample(9000, seed=7, n_jobs=1, **chosen)
    assert net.sample(9000, seed=7, n_jobs=3, **chosen) == longer
    assert net.sample(100, seed=7, **chosen) == longer.take(slice(0, 100))
    assert net.sample(9000, seed=8, **chosen) != longer


def test_setting_is_surgery():
    net = network(random_parts(1, SIZES, ARCS))
    assert net.sample(500, seed=3, do={"v2": "l1"}) == net.do({"v2": "l1"}).sample(500, seed=3)
    assert net.sample(500, seed=3, do={}, evidence={}) == net.sample(500, seed=3)


def test_estimated_network_with_one_level():
    generator = np.random.default_rng(1)
    rows = {"a": generator.integers(0, 2, 300), "one": np.zeros(300, dtype=int), "c": generator.integers(0, 3, 300)}
    rows["b"] = (rows["a"] + rows["c"]) % 2
    net = fit(rows, Dag.from_modelstring("[a][one|a][c][b|a:one:c]"), "ml")
    table = net.sample(20_000, seed=1, evidence={"b": 1, "one": 0})
    assert smallest_p_value(table, net, {"b": 1}, {}) > 1e-5


def test_where_numbers_underflow():
    """300 observed features all but exclude a and b; proxy, observed too, excludes c."""
    names = ["class", *(f"f{number}" for number in range(300)), "proxy", "below"]
    levels = {name: ["no", "yes"] for name in names} | {"class": ["a", "b", "c"]}
    feature = [[0.95, 0.05], [0.95, 0.05], [0.01, 0.99]]
    tables = dict.fromkeys(names, feature) | {"class": [0.5, 0.1, 0.4], "proxy": [[0.5, 0.5], [0.2, 0.8], [1.0, 0.0]]}
    net = Network(Dag.from_arcs(names, [("class", name) for name in names[1:]]), levels, tables)
    seen = dict.fromkeys(names[1:-1], "yes")
    table = net.sample(40_000, seed=1, evidence=seen)
    counts = np.bincount(table.codes("class"), minlength=3)
    assert counts[2] == 0
    assert stats.chisquare(counts[:2], 40_000 * np.array([25 / 33, 8 / 33])).pvalue > 1e-4
    assert stats.binomtest(int(table.codes("below").sum()), 40_000, 0.05).pvalue > 1e-4


def test_impossible_evidence_is_refused():
    net = Network(
        Dag.from_modelstring("[a][b|a]"),
        {name: ["n", "y"] for name in "ab"},
        {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.0, 1.0]]},
    )
    with pytest.raises(InputError, match=r"Network\.sample: the evidence a=n, b=y has probability zero"):
        net.sample(10, evidence={"a": "n", "b": "y"})
    with pytest.raises(InputError, match="both evidence and do"):
        net.sample(10, evidence={"a": "n"}, do={"a": "n"})
    assert set(net.sample(10, evidence={"a": "n"}, do={"b": "y"}).labels("b")) == {"y"}
