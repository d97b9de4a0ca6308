"""Row weights: a row of weight 2 counts twice, a row of weight 0 is absent."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Table, read_table
from qnml.errors import DataError, InputError, UnknownNameError

_rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(-1, 1), st.integers(0, 3)), min_size=1, max_size=20
).filter(lambda rows: any(weight for _, _, weight in rows))


@given(_rows)
def test_weighted_is_repeated(rows: list[tuple[str, int, int]]) -> None:
    frame = pl.DataFrame(rows, schema=["letter", "number", "weight"], orient="row")
    weighted = read_table(frame, weights="weight")
    repeated = read_table(
        pl.DataFrame([row[:2] for row in rows for _ in range(row[2])], schema=["letter", "number"], orient="row")
    )
    assert weighted.names == ("letter", "number")
    assert weighted.levels == repeated.levels
    assert weighted.total == repeated.n_rows
    assert weighted.merged() == repeated.merged()
    by_array = read_table(frame.drop("weight"), weights=[row[2] for row in rows])
    assert by_array == weighted


def test_rows_of_weight_zero_are_absent_with_their_labels_and_holes() -> None:
    table = read_table({"a": ["x", None, "z"]}, weights=[1, 0, 2])
    assert table.levels["a"] == ("x", "z")
    assert table.n_rows == 2
    assert read_table({"a": ["x", "y", "z"]}, weights=[1, 0, 2]) == table


@pytest.mark.parametrize(
    "weights",
    [[2, 0, 1], [2.0, 0.0, 1.0], np.array([2, 0, 1], dtype=np.int8), pl.Series([2, 0, 1]), (2, 0, 1)],
)
def test_kinds_of_weights(weights: object) -> None:
    table = Table.from_codes([[0, 1, 2]], weights=weights)
    assert table.weights is not None
    assert table.weights.dtype == np.uint64
    assert table.weights.tolist() == [2, 1]
    assert table.codes(0).tolist() == [0, 2]
    assert table.total == 3


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1], "Row 1 .* -1"),
        ([1, 0.5, 1], "Row 1 .* 0.5"),
        ([1, float("nan"), 1], "Row 1 .* nan"),
        ([1, float("inf"), 1], "Row 1 .* inf"),
        ([1, 2], "3 rows"),
        ([[1, 2, 3]], "3 rows"),
        (5, "a single value"),
        (["1", "2", "3"], "not numbers"),
        ([1, None, 1], "not numbers, or some are missing"),
        ([2**62, 2**62, 2**62], "more than 2\\^53"),
        ([2**53 - 1, 1, 1], "more than 2\\^53"),
        ([0, 0, 0], "no rows"),
    ],
)
def test_refuses(weights: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Table.from_codes([[0, 1, 2]], weights=weights)
    with pytest.raises(InputError, match=message):
        read_table({"a": ["x", "y", "z"]}, weights=weights)


def test_weights_are_exact_up_to_the_limit() -> None:
    table = Table.from_codes([[0, 0]], weights=[2**53 - 3, 3])
    assert table.total == 2**53
    assert table.merged().total == table.total


def test_a_weights_column_must_be_there_and_whole() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'weight'"):
        read_table({"a": [1], "weight": [1]}, weights="wieght")
    with pytest.raises(DataError, match="none of them missing"):
        read_table({"a": [1, 2], "w": [1, None]}, weights="w")
    with pytest.raises(DataError, match="non-negative integers"):
        read_table({"a": [1, 2], "w": ["1", "2"]}, weights="w")
    with pytest.raises(DataError, match="only column"):
        read_table({"w": [1, 2]}, weights="w")


def test_a_table_can_be_weighted_by_array_or_column() -> None:
    table = read_table({"a": ["x", "y"], "w": [3, 0]})
    assert read_table(table, weights=[1, 2]).total == 3
    by_column = read_table(table, weights="w")
    assert by_column.names == ("a",)
    assert by_column.levels["a"] == ("x", "y")
    assert by_column.total == 3
