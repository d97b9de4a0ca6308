"""Parameters by EM, compared with a plain reference version, enumeration and brute-force maximisation."""

from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import missing_cells as twin
from reference.missing_cells import Holed, holed_tables, with_missing

import qnml
from qnml.data import Table
from qnml.errors import EmWarning, InputError
from qnml.graph import Dag
from qnml.model.fit import fit
from qnml.model.incomplete import IncompleteData
from qnml.model.parameters import RULES, probabilities


def log_likelihood(net: qnml.Network, holed: Holed) -> float:
    """Of the observed cells, by enumeration."""
    parameters = {
        (child, config, level): float(share)
        for child, name in enumerate(holed.names)
        for config in np.ndindex(*(holed.levels[p] for p in parents_of(net, child)))
        for level, share in enumerate(net.table(name)[config])
    }
    parents = [parents_of(net, child) for child in range(len(holed.levels))]
    return twin.log_likelihood(holed.rows, holed.weights, parents, parameters, holed.levels)


def parents_of(net: qnml.Network, child: int) -> tuple[int, ...]:
    return tuple(net.dag.index(parent) for parent in net.dag.parents(net.names[child]))


@given(holed=holed_tables(max_rows=5), steps=st.integers(1, 5))
def test_steps_of_the_twin(holed, steps) -> None:
    rows = IncompleteData(holed.table()).under("test", holed.parents, 1)
    found = rows.core.run_em(rows.spread_counts(), -1.0, steps, 1, None)
    _, counts, trace = twin.em(holed.rows, holed.weights, holed.parents, holed.levels, steps)
    # Steps that change nothing at all end it; the log-likelihood is then zero.
    assert found.trace == pytest.approx(trace[: len(found.trace)], rel=1e-9, abs=1e-9)
    assert len(found.trace) == steps or found.trace[-1] == 0.0
    for child in range(len(holed.levels)):
        configs, mine = rows.family_counts(found.counts, child)
        for config, shares in zip(configs.tolist(), mine.tolist(), strict=True):
            for level, count in enumerate(shares):
                assert count == pytest.approx(counts.get((child, tuple(config), level), 0.0), abs=1e-8)


@given(holed=holed_tables(max_rows=6))
def test_the_likelihood_never_falls(holed) -> None:
    rows = IncompleteData(holed.table()).under("test", holed.parents, 1)
    trace = rows.core.run_em(rows.spread_counts(), 0.0, 60, 1, None).trace
    assert all(after >= before - 1e-9 * (1 + abs(before)) for before, after in itertools.pairwise(trace))


@given(holed=holed_tables(max_columns=3), rule=st.sampled_from(sorted(RULES)))
def test_rules_are_applied_to_the_expected_counts(holed, rule) -> None:
    table = holed.table()
    net = fit(table, holed.dag(), rule)
    if not table.n_missing:
        return
    rows = IncompleteData(table).under("test", [parents_of(net, child) for child in range(len(holed.levels))], 1)
    counts = rows.core.run_em(rows.spread_counts(), 1e-9, 1000, 1, None).counts
    for child, name in enumerate(holed.names):
        configs, mine = rows.family_counts(counts, child)
        shape = [holed.levels[parent] for parent in parents_of(net, child)]
        cells = holed.levels[child] * math.prod(shape)
        expected = np.full((*shape, holed.levels[child]), 1 / holed.levels[child])
        expected[tuple(configs.T)] = probabilities(mine, RULES[rule], RULES[rule].default, cells)
        assert net.table(name) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_rules_are_continuous_in_the_counts(rule) -> None:
    option = RULES[rule].default
    for whole in (0.0, 1.0, 2.0, 7.0):
        near = [probabilities(np.array([whole + step, 1.5]), RULES[rule], option, 4) for step in (0.0, 1e-9)]
        assert near[0] == pytest.approx(near[1], abs=1e-6)
    grid = [probabilities(np.array([x, 1.5]), RULES[rule], option, 4)[0] for x in np.linspace(0, 3, 61)]
    assert all(a < b for a, b in itertools.pairwise(grid))


def test_a_known_maximum() -> None:
    # Little and Rubin, section 13.2: a 2 x 2 table with two supplemental margins. The likelihood factors into that of
    # the first variable and that of the second given it if only the second is missing: counts 30, 20 / 10, 40 and 25
    # rows with a = 0, 75 with a = 1, whose b is missing.
    rows = [(0, 0), (0, 1), (1, 0), (1, 1), (0, None), (1, None)]
    holed = Holed(tuple(rows), (30, 20, 10, 40, 25, 75), (2, 2), ((), (0,)))
    net = fit(holed.table(), holed.dag(), "ml")
    assert net.table("v0") == pytest.approx([75 / 200, 125 / 200])
    assert net.table("v1") == pytest.approx(np.array([[0.6, 0.4], [0.2, 0.8]]), abs=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_the_maximum_by_brute_force(seed) -> None:
    generator = np.random.default_rng(seed)
    complete = generator.integers(0, 2, (12, 1)) ^ (generator.random((12, 3)) < 0.25)
    rows = [
        tuple(None if hole else int(code) for code, hole in zip(*pair, strict=True))
        for pair in zip(complete, generator.random((12, 3)) < 0.25, strict=True)
    ]
    holed = Holed(tuple(rows), (1,) * 12, (2, 2, 2), ((), (0,), (1,)))
    best = log_likelihood(fit(holed.table(), holed.dag(), "ml"), holed)
    # No parameters nearby or far away are better.
    names = holed.names
    for trial in range(300):
        near = fit(holed.table(), holed.dag(), "ml")
        size = (0.01, 0.1, 1.0)[trial % 3]
        tables = {}
        for name in names:
            table = near.table(name)
            moved = (1 - size) * table + size * generator.dirichlet(np.ones(2), table.shape[:-1])
            tables[name] = moved / moved.sum(axis=-1, keepdims=True)
        assert log_likelihood(qnml.Network(holed.dag(), near.levels, tables), holed) <= best + 1e-6


@pytest.mark.parametrize("rule", sorted(RULES))
def test_complete_tables_are_counted(rule) -> None:
    table = qnml.datasets.sample("asia", 200, seed=1)
    dag = qnml.datasets.load_network("asia").dag
    assert fit(table, dag, rule, missing="em") == fit(table, dag, rule)
    assert fit(table, dag, rule).parameters is not None


def test_equivalent_networks_get_the_same_distribution() -> None:
    table = qnml.datasets.sample("asia", 300, seed=2)
    generator = np.random.default_rng(5)
    holed = with_missing(table, [generator.random(300) < 0.3 for _ in table.names])
    dag = qnml.datasets.load_network("asia").dag
    members = [dag, *(dag.reverse_arc(*arc) for arc in dag.covered_arcs())]
    members += [members[-1].reverse_arc(*arc) for arc in members[-1].covered_arcs()]
    assert len({*members}) > 2
    values = [fit(holed, member, "ml").log_prob(table) for member in members]
    for other in values[1:]:
        assert other == pytest.approx(values[0], abs=1e-6)


def test_order_of_rows_columns_and_threads() -> None:
    table = qnml.datasets.sample("asia", 300, seed=2)
    generator = np.random.default_rng(5)
    holed = with_missing(table, [generator.random(300) < 0.3 for _ in table.names])
    dag = qnml.datasets.load_network("asia").dag
    net = fit(holed, dag, n_jobs=1)
    shuffled = holed.take(generator.permutation(300)).select(list(generator.permutation(table.names)))
    assert fit(holed, dag, n_jobs=2) == net
    assert fit(shuffled, dag, n_jobs=1) == net
    twice = holed.with_weights(np.full(300, 2, np.uint64))
    assert fit(twice, dag, "ml").log_prob(table) == pytest.approx(fit(holed, dag, "ml").log_prob(table), abs=1e-4)


def test_the_network_says_how_it_was_made() -> None:
    holed = Holed(((0, None), (1, 1), (None, 0)), (1, 1, 1), (2, 2), ((), (0,)))
    net = fit(holed.table(), holed.dag(), "bpp", ess=2.0)
    (comment,) = net.properties["comments"]
    assert "bpp(ess=2)" in comment
    assert "2 cells of 3 rows were missing" in comment
    assert "EM converged after" in comment
    assert pickle.loads(pickle.dumps(net)) == net
    assert net.parameters is None
    with pytest.raises(InputError, match="missing cells"):
        net.update(Table.from_codes([[0], [1]], names=["v0", "v1"], levels=[2, 2]))


def test_a_run_that_does_not_converge_warns(monkeypatch) -> None:
    monkeypatch.setattr("qnml.model.em.MOST_STEPS", 2)
    holed = Holed(((0, 0), (0, 0), (1, 1), (0, None), (None, 1)), (1,) * 5, (2, 2), ((), (0,)))
    with pytest.warns(EmWarning, match="stopped after 2 steps"):
        net = fit(holed.table(), holed.dag())
    assert "EM stopped after 2 steps" in net.properties["comments"][0]


def test_unknown_policies_are_refused() -> None:
    table = Table.from_codes([[0, 1]], names=["a"])
    with pytest.raises(InputError, match="read_table has missing='drop'"):
        fit(table, Dag.empty(["a"]), missing="drop")


def test_columns_outside_the_structure_do_not_matter() -> None:
    table = qnml.datasets.sample("asia", 50, seed=2)
    holed = with_missing(table, [np.arange(50) < 20 if name == "xray" else None for name in table.names])
    dag = Dag.from_arcs(["smoke", "lung"], [("smoke", "lung")])
    assert fit(holed, dag) == fit(table, dag)
    assert fit(holed, dag).parameters is not None
