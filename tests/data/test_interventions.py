"""`Interventions`: which variables were set in which rows, through everything that changes a table."""

import pickle

import numpy as np
import polars
import pytest

from qnml import Table, read_table
from qnml.data.interventions import Interventions
from qnml.errors import DataError

CELLS = {"a": [0, 1, 1, 0, 0], "b": [0, 0, 1, 1, 0], "c": ["x", "y", "x", "y", "x"]}
HOW = ["", "a", "a|b", None, "none"]


@pytest.fixture
def table() -> Table:
    return read_table({**CELLS, "how": HOW}, interventions="how")


def masks(table: Table) -> dict[str, list[bool]]:
    return {name: table.interventions.mask(name).tolist() for name in table.names}


def test_masks(table):
    assert table.names == ("a", "b", "c")
    assert masks(table)["a"] == [False, True, True, False, False]
    assert masks(table)["b"] == [False, False, True, False, False]
    assert not any(masks(table)["c"])
    assert table.interventions.names == ("a", "b")
    assert table.interventions.targets == ((), ("a",), ("a", "b"))
    assert "set in some rows: a, b" in repr(table)
    assert repr(table.interventions) == "Interventions(2 of 5 rows; a: 2, b: 1)"


def test_from_masks_for_many_variables():
    generator = np.random.default_rng(0)
    given = {f"v{i}": generator.random(50) < 0.1 for i in range(80)}
    made = Interventions.from_masks(given, 50)
    for name, mask in given.items():
        assert made.mask(name).tolist() == mask.tolist()


def test_parts(table):
    rows, of_name = table.interventions.parts(table.names)
    assert [one.tolist() for one in rows] == [
        [True, False, False, True, True],
        [True, True, False, True, True],
        [True] * 5,
    ]
    assert of_name == (0, 1, 2)


def test_whatever_changes_a_table_keeps_them(table):
    assert masks(table.select(["c", "a"])) == {"c": [False] * 5, "a": [False, True, True, False, False]}
    assert table.select(["c"]).interventions is None
    assert masks(table.take([2, 0]))["b"] == [True, False]
    assert masks(table.take(np.array([True, False, False, True, True])).with_interventions({"a": [1, 0, 0]}))["a"] == [
        True,
        False,
        False,
    ]
    assert masks(table.with_weights([1, 2, 0, 1, 1]))["a"] == [False, True, False, False]
    assert masks(table.with_levels({"c": ["y", "x"]})) == masks(table)
    assert masks(table.with_missing_level()) == masks(table)
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != table.with_interventions(None)
    assert masks(read_table(table, levels="observed")) == masks(table)
    assert masks(read_table(table, weights=[1, 1, 1, 1, 2])) == masks(table)
    assert masks(read_table(table, columns={"c": "category"})) == masks(table)


def test_equal_rows_under_different_interventions_are_not_merged():
    cells = {"a": [0, 0, 0, 1], "b": [1, 1, 1, 0]}
    merged = read_table(cells, interventions={"a": [True, False, True, False]}).merged()
    assert merged.n_rows == 3
    counted = {
        (int(code), bool(was_set)): int(weight)
        for code, was_set, weight in zip(merged.codes("a"), merged.interventions.mask("a"), merged.weights, strict=True)
    }
    assert counted == {(0, True): 2, (0, False): 1, (1, False): 1}


def test_rows_that_are_dropped_take_theirs_along():
    cells = {"a": [0, None, 1, 0, 1, 1, 0], "b": [0, 1, 1, 0, 1, 0, 1], "how": ["a", "b", "", "a", "", "", "b"]}
    table = read_table(cells, interventions="how", missing="drop", weights=[1, 1, 0, 1, 1, 1, 1])
    assert masks(table)["a"] == [True, True, False, False, False]
    assert masks(table)["b"] == [False, False, False, False, True]


def test_frames_hold_them(table):
    frame = table.to_frame()
    assert frame["intervention"].to_list() == [None, "a", "a|b", None, None]
    assert read_table(frame, interventions="intervention") == table


def test_observational_rows(table):
    assert table.observational().n_rows == 3
    assert table.observational().interventions is None
    with pytest.raises(DataError, match="no rows"):
        table.take([1, 2]).observational()


def test_they_do_not_change(table):
    with pytest.raises(AttributeError, match="immutable"):
        table.interventions.targets = ()
    with pytest.raises(ValueError, match="read-only"):
        table.interventions.regimes[0] = 1
    with pytest.raises(DataError, match="5 rows, and interventions for 4"):
        Table._of(
            table.names,
            list(table.columns),
            list(table.levels),
            None,
            interventions=table.interventions.take([0, 1, 2, 3]),
        )


def test_polars_masks(table):
    given = polars.DataFrame({"a": [False, True, True, False, False], "b": [False, False, True, False, False]})
    assert read_table(CELLS, interventions=given) == table
