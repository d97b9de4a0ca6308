"""Tables with missing cells: how a `Table` stores them, and that nothing treats them as observed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qnml
from qnml.data import Table
from qnml.data.bene import write_bene
from qnml.errors import DataError, InputError


def table_of(columns, levels, missing, weights=None, numbers=None):
    names = tuple(f"X{k}" for k in range(len(columns)))
    arrays = [np.array(column, dtype=np.int64) for column in columns]
    masks = [None if mask is None else np.array(mask) for mask in missing]
    labels = [tuple(f"l{k}" for k in range(count)) for count in levels]
    return Table._of(names, arrays, labels, weights, missing=masks, numbers=numbers)


@pytest.fixture
def table():
    return table_of([[0, 1, 1], [1, 0, 2]], [2, 3], [[False, True, False], None], weights=[1, 2, 3])


def test_missing_cells_are_counted_and_marked(table):
    assert table.n_missing == 2  # a row of weight 2
    assert table.missing["X0"].tolist() == [False, True, False]
    assert table.missing["X1"] is None
    assert table.codes("X0").tolist() == [0, -1, 1]
    assert table.labels("X0").tolist() == ["l0", None, "l1"]
    assert table.columns[0].tolist() == [0, 0, 1]
    assert "2 cells missing" in repr(table)
    with pytest.raises(ValueError, match="read-only"):
        table.missing[0][0] = True


def test_masks_without_a_missing_cell_are_dropped():
    complete = table_of([[0, 1]], [2], [[False, False]])
    assert complete.missing[0] is None
    assert complete.n_missing == 0
    assert table_of([[0, 1]], [2], [[True, False]], weights=[0, 1]).missing[0] is None


def test_tables_differ_by_their_masks(table):
    other = table_of([[0, 0, 1], [1, 0, 2]], [2, 3], [None, None], weights=[1, 2, 3])
    assert table != other
    assert table == pickle.loads(pickle.dumps(table))


def test_methods_keep_the_missing_cells(table):
    assert table.select(["X1", "X0"]).missing["X0"].tolist() == [False, True, False]
    assert table.take([1, 0]).codes("X0").tolist() == [-1, 0]
    assert table.with_weights(None).n_missing == 1
    assert table.with_levels({"X0": ["l1", "l0"]}).codes("X0").tolist() == [1, -1, 0]
    # In the only row where X0 would be l0 by its code alone it is missing.
    assert table.take([1, 2]).with_observed_levels().levels["X0"] == ("l1",)
    assert table.to_frame()["X0"].to_list() == ["l0", None, "l1"]


def test_missing_cells_can_become_a_level(table):
    made = table.with_missing_level()
    assert made.levels == (("l0", "l1", "?"), ("l0", "l1", "l2"))
    assert made.labels("X0").tolist() == ["l0", "?", "l1"]
    assert made.n_missing == 0
    frame = {"x": [0.5, None, 1.5, 2.5, 7.5, 8.5, 9.5], "y": ["?", None, *"aabba"], "z": [*"abababa"]}
    holed = qnml.read_table(frame, prepare="auto", missing="em")
    category = qnml.read_table(frame, prepare="auto", missing="category")
    assert holed.with_missing_level() == category
    assert holed.with_missing_level().preparation == category.preparation
    with pytest.raises(DataError, match="no label is left"):
        qnml.read_table({"a": ["?", "(missing)", "((missing))", None]}, missing="em").with_missing_level()


def test_numbers_follow_the_rows():
    numbers = {"X0": np.array([0.5, np.nan, 2.5])}
    table = table_of([[0, 0, 1]], [2], [[False, True, False]], weights=[1, 1, 0], numbers=numbers)
    assert table.numbers["X0"][0] == 0.5
    assert np.isnan(table.numbers["X0"][1])
    assert len(table.numbers["X0"]) == 2
    assert table.take([0]).numbers["X0"].tolist() == [0.5]
    assert table.with_weights([3, 1]).numbers["X0"][0] == 0.5
    assert not table.merged().numbers
    assert pickle.loads(pickle.dumps(table)).numbers["X0"][0] == 0.5


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"missing": [np.array([True, False])]}, "must be marked by 1 booleans"),
        ({"missing": [np.array([1])]}, "must be marked by 1 booleans"),
        ({"missing": []}, "1 masks"),
        ({"numbers": {"b": np.array([1.0])}}, "values by column name"),
        ({"numbers": {"a": np.array([1])}}, "must be 1 doubles"),
    ],
)
def test_parts_that_do_not_fit_are_refused(parts, message):
    with pytest.raises(InputError, match=message):
        Table._of(("a",), [np.array([0])], [("x",)], None, **parts)


cells = st.integers(-1, 2)
rows = st.lists(st.tuples(cells, cells, st.integers(1, 3)), min_size=1, max_size=30)


@given(rows)
def test_merging_keeps_every_incomplete_row(drawn):
    first, second, weights = zip(*drawn, strict=True)
    columns = [[max(code, 0) for code in column] for column in (first, second)]
    table = table_of(columns, [3, 3], [[code < 0 for code in column] for column in (first, second)], weights)
    merged = table.merged()
    found = {}
    for one, two, weight in zip(merged.codes(0), merged.codes(1), merged.weights, strict=True):
        assert (one, two) not in found
        found[int(one), int(two)] = int(weight)
    expected = {}
    for one, two, weight in drawn:
        expected[one, two] = expected.get((one, two), 0) + weight
    assert found == expected
    assert merged.n_missing == table.n_missing


@pytest.mark.parametrize(
    "call",
    [
        lambda table: qnml.score(table, qnml.Dag.empty(table.names)),
        lambda table: qnml.local_score(table, "X0", ["X1"]),
        lambda table: qnml.posterior(table),
        lambda table: qnml.bootstrap(table),
        lambda table: qnml.k_best(table, 2),
        lambda table: qnml.learn_many([table]),
        lambda table: write_bene(table, "nowhere"),
    ],
)
def test_what_counts_complete_rows_refuses_others(table, call):
    with pytest.raises(DataError, match="2 cells of the table are missing, in X0"):
        call(table)


def test_networks_take_missing_cells_of_a_table_for_missing():
    net = qnml.datasets.load_network("asia")
    full = net.sample(20, seed=1)
    mask = np.zeros(20, dtype=bool)
    mask[::2] = True
    masks = [mask if name == "smoke" else None for name in full.names]
    holed = Table._of(full.names, list(full.columns), list(full.levels), None, missing=masks)
    expected = net.predict_proba(full.select([name for name in full.names if name != "smoke"]), "lung")
    assert np.allclose(net.predict_proba(holed, "lung")[::2], expected[::2], atol=1e-12)
    assert np.array_equal(net.predict_proba(holed, "lung")[1::2], net.predict_proba(full, "lung")[1::2])
    with pytest.raises(DataError, match=r"cells are missing, in 'smoke' \(10\)"):
        net.log_prob(holed)
