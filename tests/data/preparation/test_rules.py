"""The rules of ``prepare="auto"``, each at its thresholds."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from qnml.data import read_table
from qnml.data.opening import source_columns
from qnml.data.preparation.finding import find
from qnml.data.preparation.rules import decide
from qnml.errors import DataError


def decided(values, weights=None):
    (column,) = source_columns("t", {"x": values})
    return decide(find("t", column, None if weights is None else np.array(weights, dtype=np.uint64)))


def action(values, weights=None):
    return decided(values, weights).action


def times(values, count):
    return [value for value in values for _ in range(count)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([None, None], "drop"),
        ([3.0, None, 4.0, None, 4.0], "keep"),
        ([1, *[None] * 4, 2, *[None] * 4], "keep"),  # a fifth
        ([1, *[None] * 5, 2, *[None] * 4], "drop"),
        ([[1], [2]], "drop"),
        ([5, 5, 5], "drop"),
        ([True, True], "drop"),
        ([True, False], "keep"),
        (["x", "x"], "drop"),
        ([*range(11)], "drop"),  # numbers the rows
        ([*range(100, 111)][::-1], "drop"),
        ([*range(10)], "keep"),
        (times([*range(10)], 2), "keep"),
        (times([*range(11)], 2), "bin"),
        ([*range(0, 36, 2), 1, 1], "drop"),  # 19 of 20 values
        ([*range(0, 36, 2), 0, 0], "drop"),  # 18 of 20 values
        ([*range(0, 34, 2), 0, 0, 0], "bin"),  # 17 of 20
        ([*range(0, 36, 2), 1], "bin"),  # 19 rows are too few to judge
        ([0.5, 1.5, 2.5, 3.5, 4.5], "bin"),
        ([value + 0.5 for value in range(100)], "bin"),
        ([1.0, 2.0, np.nan], "keep"),
        (times([f"label {k}" for k in range(10)], 1), "keep"),
        (times([f"label {k}" for k in range(11)], 5), "keep"),
        ([f"label {k}" for k in range(100)], "drop"),
        (times([f"label {k}" for k in range(51)], 2)[:100], "drop"),  # more labels than half the cells
        (times([f"label {k}" for k in range(50)], 2), "drop"),  # no label is in five rows
        ([*times([f"label {k}" for k in range(11)], 5), "once"], "keep"),  # a single rare label
        ([*times([f"label {k}" for k in range(11)], 5), "once", "too"], "merge"),
        (times([f"label {k}" for k in range(64)], 5), "keep"),
        (times([f"label {k}" for k in range(66)], 5), "merge"),
        ([f"2024-01-{day:02}" for day in range(1, 12)], "drop"),
        ([f"2024-01-{day:02}" for day in range(1, 11)], "keep"),
        (times([f"{day}.1.24 12:00" for day in range(1, 12)], 5), "drop"),
        ([datetime.date(2024, 1, day) for day in range(1, 8)], "drop"),
        ([1, "a", 2.5], "drop"),
    ],
)
def test_what_is_done(values, expected):
    assert action(values) == expected


def test_declared_levels_are_respected():
    assert action(pd.Categorical([f"id {k}" for k in range(100)])) == "keep"
    assert action(pd.Categorical(["a"] * 5, categories=["a", "b"])) == "keep"


def test_few_real_numbers_get_a_bin_each():
    assert decided([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]).method == "values"
    assert decided([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]).method == "nml"


def test_the_most_frequent_labels_stay():
    labels = [*times([f"common {k:02}" for k in range(70)], 5), *times(["z often"], 9)]
    found = decided(labels)
    assert len(found.kept_levels) == 64
    assert "z often" in found.kept_levels
    assert found.kept_levels == tuple(sorted(found.kept_levels))
    assert "7 rare labels (10% of the cells)" in found.reason


def test_rows_count_by_their_weight():
    values = [*range(0, 40, 2)]
    assert action(values) == "drop"
    assert action(values, [2] * 20) == "bin"
    assert action(["a", "b", None], [1, 1, 9]) == "drop"
    assert action(["a", "b", None], [1, 1, 8]) == "keep"


def test_reasons_say_what_was_found():
    assert decided([*range(100, 111)]).reason == "It numbers the rows."
    assert decided([7, 7]).reason == "Constant: every cell is 7."
    assert "identifier: 20 different values in 20 cells" in decided([*range(0, 40, 2)]).reason
    assert "Free text: 30 different texts" in decided([f"a note on case {k}" for k in range(30)]).reason
    assert "2 of 20 cells" in decided(["a", "b", *[None] * 18]).reason


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"when": [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)], "x": ["a", "b"]}),
        pl.DataFrame({"when": [[1, 2], [3]], "x": ["a", "b"]}),
        pl.DataFrame({"when": [{"a": 1}, {"a": 2}], "x": ["a", "b"]}),
        pd.DataFrame({"when": pd.to_datetime(["2024-01-01", "2024-01-02"]), "x": ["a", "b"]}),
        pd.DataFrame({"when": pd.period_range("2020", periods=2), "x": ["a", "b"]}),
        pd.DataFrame({"when": pd.to_timedelta([1, 2], unit="D"), "x": ["a", "b"]}),
        pd.DataFrame({"when": [1, "x"], "x": ["a", "b"]}),
        {"when": np.array(["2020-01-01", "NaT"], dtype="M8[D]"), "x": ["a", "b"]},
        {"when": np.array([1j, 2j]), "x": ["a", "b"]},
    ],
)
def test_odd_columns_are_left_out_with_a_word_and_refused_when_strict(frame):
    table = read_table(frame, prepare="auto")
    assert table.names == ("x",)
    assert table.preparation.columns["when"].reason
    with pytest.raises(DataError, match="'when'"):
        read_table(frame)


def test_dates_and_mixed_values_become_labels_if_asked():
    frame = pd.DataFrame({"when": pd.to_datetime(["2024-01-01", None, "2024-01-02"]), "mixed": [1, "b", None]})
    table = read_table(frame, columns={"when": "category", "mixed": "category"}, missing="category")
    assert table.levels == (("2024-01-01", "2024-01-02", "?"), ("1", "b", "?"))
    assert table.preparation.apply(frame) == table
