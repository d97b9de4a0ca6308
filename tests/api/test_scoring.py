"""The public calls `score`, `local_score` and `explain`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qnml._api.explanation import explain
from qnml._api.scoring import local_score, score
from qnml.data import Table
from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.scores import SCORES

DECOMPOSABLE = sorted(name for name, entry in SCORES.items() if entry.is_decomposable)


def noisy_table(n_rows: int = 400, seed: int = 1) -> Table:
    """Four dependent columns of 2, 3, 4 and 3 levels; one level of the last never occurs."""
    generator = np.random.default_rng(seed)
    a = generator.integers(0, 2, n_rows)
    b = (a + generator.integers(0, 2, n_rows)) % 3
    c = np.where(generator.random(n_rows) < 0.7, a + b, generator.integers(0, 4, n_rows))
    d = (c + generator.integers(0, 3, n_rows)) % 2
    return Table.from_codes([a, b, c, d], names=["a", "b", "c", "d"], levels=[2, 3, 4, 3])


TABLE = noisy_table()
DAG = Dag.from_parents({"a": [], "b": ["a"], "c": ["a", "b"], "d": ["c"]})


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_local_scores_add_up(name: str) -> None:
    parts = [local_score(TABLE, child, DAG.parents(child), name) for child in DAG.names]
    assert score(TABLE, DAG, name) == pytest.approx(math.fsum(parts), rel=1e-15)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_number_of_threads_does_not_matter(name: str) -> None:
    alone = score(TABLE, DAG, name, n_jobs=1)
    assert alone == score(TABLE, DAG, name, n_jobs=2) == score(TABLE, DAG, name) == score(TABLE, DAG, name, n_jobs=-1)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_order_of_rows_does_not_matter(name: str) -> None:
    shuffled = TABLE.take(np.random.default_rng(2).permutation(TABLE.n_rows))
    assert score(shuffled, DAG, name) == score(TABLE, DAG, name)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_names_and_order_of_labels_do_not_matter(name: str) -> None:
    generator = np.random.default_rng(3)
    columns = [generator.permutation(arity)[codes] for arity, codes in zip(TABLE.arities, TABLE.columns, strict=True)]
    levels = [[f"level {k}" for k in range(arity)] for arity in TABLE.arities]
    relabelled = Table.from_codes(columns, names=TABLE.names, levels=levels)
    assert score(relabelled, DAG, name) == score(TABLE, DAG, name)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_order_of_columns_and_parents_does_not_matter(name: str) -> None:
    # These products of levels are exact in a double, so that not even the last bit moves.
    turned = TABLE.select(["d", "b", "a", "c"])
    assert score(turned, DAG, name) == score(TABLE, DAG, name)
    assert score(TABLE, DAG.reorder(["c", "d", "a", "b"]), name) == score(TABLE, DAG, name)
    assert local_score(TABLE, "d", ["c", "a", "b"], name) == local_score(TABLE, "d", ["a", "b", "c"], name)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_order_of_columns_does_not_matter_for_huge_products(name: str) -> None:
    generator = np.random.default_rng(4)
    arities = [3, 7, 11, 13, 60_001, 65_521, 5]
    columns = [generator.integers(0, arity, 40) for arity in arities]
    table = Table.from_codes(columns, levels=arities)
    names = list(table.names)
    expected = local_score(table, names[0], names[1:], name)
    for _ in range(5):
        turned = table.select(generator.permutation(names).tolist())
        assert local_score(turned, names[0], names[1:], name) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_weights_count_rows(name: str) -> None:
    generator = np.random.default_rng(5)
    weights = generator.integers(0, 4, TABLE.n_rows)
    weighted = TABLE.with_weights(weights)
    repeated = TABLE.take(np.repeat(np.arange(TABLE.n_rows), weights))
    assert weighted.total == repeated.n_rows
    expected = score(repeated, DAG, name)
    assert score(weighted, DAG, name) == expected
    assert score(weighted.merged(), DAG, name) == expected
    assert score(repeated.merged(), DAG, name) == expected
    twice = TABLE.with_weights([2] * TABLE.n_rows)
    assert score(twice, DAG, name) == score(TABLE.take(list(range(TABLE.n_rows)) * 2), DAG, name)


@pytest.mark.parametrize("name", ["qnml", "bic", "bdeu", "bdq", "k2", "fnml"])
def test_declared_levels_count(name: str) -> None:
    # d has three declared levels, of which two occur.
    observed = TABLE.with_observed_levels()
    assert observed.arities["d"] == 2
    assert local_score(TABLE, "d", ["c"], name) < local_score(observed, "d", ["c"], name)
    assert local_score(TABLE, "c", ["a"], name) == local_score(observed, "c", ["a"], name)


def test_a_network_may_name_fewer_variables_than_the_data() -> None:
    small = Dag.from_arcs(["b", "a"], [("a", "b")])
    assert score(TABLE, small) == score(TABLE.select(["a", "b"]), small)
    # In ebic, the price of an arc depends on the number of the network's variables.
    bic = score(TABLE, small, "bic")
    assert score(TABLE, small, "ebic", gamma=1) == pytest.approx(bic - math.log(2), rel=1e-14)


def test_defaults_are_the_papers() -> None:
    assert score(TABLE, DAG) == score(TABLE, DAG, "qnml")
    assert score(TABLE, DAG, "bdeu") == score(TABLE, DAG, "bdeu", ess=1)


def test_frames_are_read() -> None:
    frame = TABLE.to_frame().select("a", "b", "c")
    dag = Dag.from_parents({"a": [], "b": ["a"], "c": ["a", "b"]})
    assert score(frame, dag) == score(TABLE, dag)
    assert local_score(frame, "b", ["a"]) == local_score(TABLE, "b", ["a"])
    assert explain(frame, dag) == explain(TABLE, dag)


def test_bad_arguments() -> None:
    with pytest.raises(InputError, match=r"score\(dag="):
        score(TABLE, "a->b")
    with pytest.raises(UnknownNameError, match=r"variable.*the data lack: e, f"):
        score(TABLE, Dag.empty(["a", "e", "f"]))
    with pytest.raises(UnknownNameError, match=r"local_score\(child='x'"):
        local_score(TABLE, "x")
    with pytest.raises(UnknownNameError, match=r"local_score\(parents='x'"):
        local_score(TABLE, "a", ["x"])
    with pytest.raises(InputError, match="own parents"):
        local_score(TABLE, "a", ["b", "a"])
    with pytest.raises(InputError, match="distinct"):
        local_score(TABLE, "a", ["b", "b"])
    with pytest.raises(InputError, match="not one string"):
        local_score(TABLE, "a", "b")
    for n_jobs in (0, -2, 1.5, True):
        with pytest.raises(InputError, match="n_jobs"):
            score(TABLE, DAG, n_jobs=n_jobs)


def test_duplicate_parents_from_an_iterator_are_named() -> None:
    with pytest.raises(InputError, match=r"'b', 'b'"):
        local_score(TABLE, "a", iter(["b", "b"]))


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_explanation_adds_up(name: str) -> None:
    explanation = explain(TABLE, DAG, name)
    assert explanation.score == score(TABLE, DAG, name)
    assert explanation.n_rows == 400
    assert explanation.score_name.startswith(name)
    assert [family.child for family in explanation.families] == list(DAG.names)
    for family in explanation.families:
        assert family.parents == DAG.parents(family.child)
        assert family.score == local_score(TABLE, family.child, family.parents, name)
        assert family.fit == local_score(TABLE, family.child, family.parents, "loglik")
        assert family.fit - family.penalty == pytest.approx(family.score, rel=1e-14)
    assert math.fsum(family.score for family in explanation.families) == pytest.approx(explanation.score, rel=1e-15)


@pytest.mark.parametrize("name", DECOMPOSABLE)
def test_removing_an_arc_costs_the_difference_in_bits(name: str) -> None:
    explanation = explain(TABLE, DAG, name)
    assert {(arc.parent, arc.child) for arc in explanation.arcs} == set(DAG.arcs)
    for arc in explanation.arcs:
        without = score(TABLE, DAG.remove_arc(arc.parent, arc.child), name)
        nats = score(TABLE, DAG, name) - without
        assert arc.removal_cost_bits == pytest.approx(nats / math.log(2), rel=1e-9, abs=1e-9)


def test_parameters_and_cells() -> None:
    families = {family.child: family for family in explain(TABLE, DAG).families}
    assert {child: family.n_parameters for child, family in families.items()} == {
        "a": 1,
        "b": 4,
        "c": 18,
        "d": 8,
    }
    assert {child: family.cells for child, family in families.items()} == {"a": 2, "b": 6, "c": 24, "d": 12}
    assert sum(family.n_parameters for family in families.values()) == DAG.n_parameters(
        dict(zip(TABLE.names, TABLE.arities, strict=True))
    )


def test_penalty_of_bic_is_half_log_n_per_parameter() -> None:
    for family in explain(TABLE, DAG, "bic").families:
        assert family.penalty == pytest.approx(family.n_parameters * math.log(400) / 2, rel=1e-11)


def test_overfull_families() -> None:
    # c given a and b has 24 cells: over-full below 48 rows, not at 48.
    for n_rows, overfull in ((47, ["c"]), (48, []), (400, [])):
        explanation = explain(TABLE.take(slice(n_rows)), DAG)
        assert [family.child for family in explanation.overfull] == overfull
        assert [family.child for family in explanation.families if family.is_overfull] == overfull
    # A variable without parents is never over-full, however few rows there are.
    assert not explain(TABLE.take([0]), Dag.empty(TABLE.names)).overfull


@pytest.mark.parametrize("name", ["qnml", "bic"])
def test_log_z_is_what_qnml_gains_over_fnml(name: str) -> None:
    for family in explain(TABLE.take(slice(60)), DAG, name).families:
        small = TABLE.take(slice(60))
        quotient = local_score(small, family.child, family.parents, "qnml")
        factorized = local_score(small, family.child, family.parents, "fnml")
        assert family.log_z == pytest.approx(quotient - factorized, rel=1e-12, abs=1e-12)
        if not family.parents:
            assert family.log_z == pytest.approx(0, abs=1e-11)


def test_parents_that_shatter_the_rows_win_free_bits() -> None:
    # Independent fair coins: every row has its own configuration, yet the parents raise the score.
    coins = Table.from_codes(np.random.default_rng(6).integers(0, 2, (1000, 12)))
    child, *parents = coins.names
    dag = Dag.from_parents({child: parents, **{parent: [] for parent in parents}})
    (family,) = explain(coins, dag).overfull
    assert family.child == child
    assert family.cells == 2**12
    assert family.log_z > 0
    assert local_score(coins, child, parents) > local_score(coins, child, [])


def test_explanation_with_a_penalty_beyond_any_number() -> None:
    # 2^1100 configurations: the penalty of bic exceeds the range of doubles; counts and cells are still exact.
    generator = np.random.default_rng(7)
    table = Table.from_codes(generator.integers(0, 2, (5, 1101)), levels=[2] * 1101)
    child, *parents = table.names
    dag = Dag.from_parents({child: parents, **{parent: [] for parent in parents}})
    family = explain(table, dag).families[dag.names.index(child)]
    assert family.cells == 2**1101
    assert math.isfinite(family.score)
    with pytest.raises(InputError, match=rf"'bic': of '{child}' given 1100 parents.*10\^331.*Take fewer parents"):
        score(table, dag, "bic")
