"""What the cells of a text file are: the road for short columns and that for long ones lead to the same."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_series_equal

from qnml.data import read_table, words

if TYPE_CHECKING:
    from pathlib import Path

_CELLS = st.one_of(
    st.none(),
    st.sampled_from([*words.MISSING_WORDS, " NA ", "\u2003", "\x1c", "\x1f1", " 1 ", "1\u3000", "\x85"]),
    st.from_regex(r"[+-]?[0-9]{0,3}(\.[0-9]{0,2})?([eE][+-]?[0-9])?", fullmatch=True),
    st.integers(-(2**70), 2**70).map(str),
    st.text(max_size=4),
)


@given(st.lists(_CELLS, max_size=8))
def test_both_roads_lead_to_the_same_column(cells: list[str | None]) -> None:
    column = pl.Series("", cells, dtype=pl.String)
    shortly, kind = words._sorted_out_shortly(column)
    expected, expected_kind = words._sorted_out(column)
    assert_series_equal(shortly, expected)
    assert kind == expected_kind


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", " 2", "NA"], [1, 2, None]),
        (["1", "2.5", ""], [1.0, 2.5, None]),
        (["1", "007"], ["1", "007"]),
        (["1", "\x1c2"], ["1", "\x1c2"]),
        (["1", str(2**64)], ["1", str(2**64)]),
        (["?", None], [None, None]),
    ],
)
@pytest.mark.parametrize("repeats", [1, 2000])
def test_long_and_short_columns_are_typed_alike(cells: list[str], expected: list[object], repeats: int) -> None:
    column = words.typed(pl.Series("", cells * repeats, dtype=pl.String))
    assert column.to_list() == expected * repeats


@pytest.mark.parametrize("repeats", [1, 1000])
def test_text_levels_are_sorted_by_code_point(tmp_path: Path, repeats: int) -> None:
    labels = ["b", "\U00010000", "\uffee", "B", "é", "a"]
    path = tmp_path / "t.csv"
    path.write_text("v\n" + "\n".join(labels * repeats) + "\n", encoding="utf-8")
    table = read_table(path)
    assert table.levels["v"] == ("B", "a", "b", "é", "\uffee", "\U00010000")
    assert table.labels("v").tolist() == labels * repeats


def _seconds_to_read(path: Path, n_columns: int) -> float:
    header = ",".join(f"v{place}" for place in range(n_columns))
    rows = [",".join("ab01"[(place * 7 + row) % 4] for place in range(n_columns)) for row in range(3)]
    path.write_text("\n".join([header, *rows]) + "\n")
    start = time.process_time()
    table = read_table(path)
    table.select(table.names[::-1]).with_observed_levels()
    return time.process_time() - start


def test_the_time_to_read_grows_with_the_number_of_columns_not_its_square(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    _seconds_to_read(path, 100)
    few = min(_seconds_to_read(path, 1000) for _ in range(3))
    many = min(_seconds_to_read(path, 16_000) for _ in range(2))
    assert many < 16 * 5 * few  # the square would be 256 times as much
