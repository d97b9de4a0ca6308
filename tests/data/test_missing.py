"""Missing cells: refused by default, dropped or made a level on request."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import read_table
from qnml.errors import DataError, DroppedRowsWarning

_TEXTS = [*"xxxxxxxxx", None, "y"]
_NUMBERS = [*[1] * 9, 2, None]


def _with(cells: list, hole: object) -> list:
    """The cells with another value for missing ones."""
    return [hole if cell is None else cell for cell in cells]


_HOLED = {
    "mapping": lambda: {"a": _TEXTS, "b": _NUMBERS},
    "mapping with NaN": lambda: {"a": _with(_TEXTS, float("nan")), "b": _with(_NUMBERS, np.nan)},
    "mapping with NA": lambda: {"a": _with(_TEXTS, pd.NA), "b": _with(_NUMBERS, pd.NaT)},
    "pandas": lambda: pd.DataFrame({"a": _TEXTS, "b": _NUMBERS}),
    "pandas objects": lambda: pd.DataFrame({"a": _TEXTS, "b": _NUMBERS}, dtype=object),
    "pandas nullable": lambda: pd.DataFrame({"a": _TEXTS, "b": _NUMBERS}).convert_dtypes(),
    "polars": lambda: pl.DataFrame({"a": _TEXTS, "b": _NUMBERS}),
    "polars NaN": lambda: pl.DataFrame({"a": _TEXTS, "b": [*map(float, _NUMBERS[:-1]), float("nan")]}),
    "pyarrow": lambda: pa.table({"a": _TEXTS, "b": _NUMBERS}),
    "array": lambda: np.rec.fromarrays([np.array(_TEXTS, dtype=object), _with(_NUMBERS, np.nan)], names="a,b"),
}


@pytest.mark.parametrize("kind", _HOLED)
def test_the_three_policies(kind: str) -> None:
    source = _HOLED[kind]()
    with pytest.raises(DataError, match=r"2 cells are missing, in 'a' \(1\), 'b' \(1\).*missing='drop'"):
        read_table(source)
    dropped = read_table(source, missing="drop")
    assert dropped.levels == (("x",), (1,))
    assert dropped.n_rows == 9
    category = read_table(source, missing="category")
    assert category.levels == (("x", "y", "?"), (1, 2, "?"))
    assert category.codes("a").tolist() == [*[0] * 9, 2, 1]
    assert category.codes("b").tolist() == [*[0] * 9, 1, 2]
    holed = read_table(source, missing="em")
    assert holed.levels == (("x", "y"), (1, 2))
    assert holed.codes("a").tolist() == [*[0] * 9, -1, 1]
    assert holed.codes("b").tolist() == [*[0] * 9, 1, -1]
    marked = read_table(source, missing="indicator")
    assert marked.names == ("a", "b", "a is missing", "b is missing")
    assert marked.labels("a is missing").tolist() == [*["no"] * 9, "yes", "no"]
    assert marked.codes("a").tolist() == holed.codes("a").tolist()


def test_complete_columns_get_no_extra_level() -> None:
    table = read_table({"a": ["x", None], "b": ["p", "q"]}, missing="category")
    assert table.levels == (("x", "?"), ("p", "q"))


def test_declared_levels_come_before_the_missing_one() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["b", None], categories=["c", "b", "a"]), "d": [True, None]})
    table = read_table(frame, missing="category")
    assert table.levels == (("c", "b", "a", "?"), (False, True, "?"))
    assert table.codes("c").tolist() == [1, 3]
    assert read_table(frame, missing="category", levels="observed").levels == (("b", "?"), (True, "?"))


def test_the_missing_level_steps_aside_for_a_label_of_that_name() -> None:
    assert read_table({"a": ["?", None]}, missing="category").levels["a"] == ("?", "(missing)")
    assert read_table({"a": ["?", None, "(missing)"]}, missing="category").arities["a"] == 3
    with pytest.raises(DataError, match="no label is left"):
        read_table({"a": ["?", None, "(missing)", "((missing))"]}, missing="category")


def test_given_levels_may_place_the_missing_one() -> None:
    cells = {"a": ["x", None, "y"]}
    appended = read_table(cells, missing="category", levels={"a": ["y", "x"]})
    assert appended.levels["a"] == ("y", "x", "?")
    placed = read_table(cells, missing="category", levels={"a": ["?", "y", "x"]})
    assert placed.levels["a"] == ("?", "y", "x")
    assert placed.codes("a").tolist() == [2, 0, 1]


def test_columns_of_missing_cells_only() -> None:
    for source in ({"a": [None, None]}, pl.DataFrame({"a": [None, None]}), pd.DataFrame({"a": [None, None]})):
        with pytest.raises(DataError, match=r"'a' \(2\)"):
            read_table(source)
        with pytest.raises(DataError, match="every row has a missing cell"):
            read_table(source, missing="drop")
        assert read_table(source, missing="category").levels["a"] == ("?",)
    empty = pd.DataFrame({"a": pd.Categorical([None, None], categories=[])})
    assert read_table(empty, missing="category").levels["a"] == ("?",)


def test_many_holed_columns_are_counted_not_listed() -> None:
    with pytest.raises(DataError, match=r"20 cells are missing.*and 12 more columns"):
        read_table({f"c{k}": [1, None] for k in range(20)})


def test_a_dictionary_that_lists_the_missing_value() -> None:
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array(["b", None, "a"]))
    table = read_table(pa.table({"c": dictionary}), missing="category")
    assert table.levels["c"] == ("b", "a", "?")
    assert table.codes("c").tolist() == [0, 2, 1, 2]


_columns = st.lists(st.tuples(*[st.sampled_from(["x", "y", None])] * 2, st.integers(0, 2)), min_size=1, max_size=15)


@given(_columns)
def test_dropping_is_reading_without_those_rows(rows: list[tuple[str | None, str | None, int]]) -> None:
    kept = [row for row in rows if None not in row and row[2]]
    source = {"a": [row[0] for row in rows], "b": [row[1] for row in rows]}
    weights = [row[2] for row in rows]
    left, total = sum(row[2] for row in kept), sum(weights)
    if (left < min(5, max(total, 1)) and left < total) or not kept:
        with pytest.raises(DataError):
            read_table(source, missing="drop", weights=weights)
        return
    expected = read_table(
        {"a": [row[0] for row in kept], "b": [row[1] for row in kept]}, weights=[row[2] for row in kept]
    )
    with pytest.warns(DroppedRowsWarning) if left < 0.8 * total else nullcontext():
        assert read_table(source, missing="drop", weights=weights) == expected
