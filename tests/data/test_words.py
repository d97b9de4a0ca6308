"""The types of cells in text files: the methods for short and for long columns agree."""

from __future__ import annotations

import math
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
    st.from_regex(r"[+-]?[0-9]{0,3}([.,][0-9]{0,2})?([eE][+-]?[0-9])?", fullmatch=True),
    st.integers(-(2**70), 2**70).map(str),
    st.text(max_size=4),
    st.sampled_from(["inf", "-Inf", "Infinity", "INF", "iNF", "\u22121", "\u2212.5", "\u2212x", "\u2212"]),
)


@given(st.lists(_CELLS, max_size=8), st.lists(st.sampled_from(["", "?", "NA", "1", "-", "é"]), max_size=3))
def test_both_roads_lead_to_the_same_column(cells: list[str | None], missing: list[str]) -> None:
    column = pl.Series("", cells, dtype=pl.String)
    for absent in (words.MISSING_WORDS, missing):
        shortly, kind = words._examined_shortly(column, frozenset(("", *absent)))
        expected, expected_kind = words._examined(column, frozenset(("", *absent)))
        assert_series_equal(shortly, expected)
        assert kind == expected_kind


@given(st.lists(_CELLS, max_size=6))
def test_a_column_is_what_all_its_cells_are(cells: list[str | None]) -> None:
    """Compared with Python's parsing of numbers."""
    column, kind = words.examined(pl.Series("", cells, dtype=pl.String))
    left = [cell for cell in column.to_list() if cell is not None]
    has_numbers = any(cell not in _INFINITE for cell in left)
    assert bool(kind & words.Kind.WITH_POINT) == (has_numbers and all(map(_is_number, left)))
    turned = [cell.translate(str.maketrans(".,", ",.")) for cell in left]
    assert bool(kind & words.Kind.WITH_COMMA) == (has_numbers and all(map(_is_number, turned)))
    assert bool(kind & words.Kind.WHOLE) == (bool(left) and all(map(_is_whole, left)))


_INFINITE = {sign + word for sign in ("", "+", "-") for word in ("inf", "Inf", "infinity", "Infinity", "INF")}


def _is_number(cell: str) -> bool:
    if cell in _INFINITE:
        return True
    digits = cell.lstrip("+-")
    if set(cell) - set("0123456789+-.eE") or (digits[:1] == "0" and digits[1:2].isdigit()):
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_whole(cell: str) -> bool:
    return _is_number(cell) and not set(cell) - set("0123456789+-")


@pytest.mark.parametrize("repeats", [1, 2000])
@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (words.MISSING_WORDS, ["-9", None, None, "x", None]),
        ([], ["-9", "NA", None, "x", "?"]),
        (["-9", "x"], [None, "NA", None, None, "?"]),
    ],
)
def test_words_for_missing_cells_are_replaced(missing: list[str], expected: list[str | None], repeats: int) -> None:
    cells = pl.Series("", ["-9", " NA ", "", "x", "?"] * repeats)
    assert words.examined(cells, missing)[0].to_list() == expected * repeats


@pytest.mark.parametrize("repeats", [1, 2000])
@pytest.mark.parametrize(
    ("cells", "decimal", "expected"),
    [
        (["1,5", "2", "-,5"], ",", [1.5, 2.0, -0.5]),
        (["1,5", "2", "-,5"], ".", ["1,5", "2", "-,5"]),
        (["1.5", "2"], ",", ["1.5", "2"]),
        (["1,5", "2.5"], ",", ["1,5", "2.5"]),
        (["1,5e3", "1e-2"], ",", [1500.0, 0.01]),
        (["1e3", "2"], ",", [1000.0, 2.0]),
        (["1e3", "2"], ".", [1000.0, 2.0]),
        (["1.234,5"], ",", ["1.234,5"]),
        (["007,5"], ",", ["007,5"]),
        (["1", "2"], ",", [1, 2]),
        (["inf", "-Inf", "Infinity", "2"], ".", [math.inf, -math.inf, math.inf, 2.0]),
        (["inf", "2,5"], ",", [math.inf, 2.5]),
        (["inf", "Inf"], ".", ["inf", "Inf"]),
        (["inf", "x"], ".", ["inf", "x"]),
        (["\u22125", "3"], ".", [-5, 3]),
        (["\u22125,5", "3"], ",", [-5.5, 3.0]),
        (["\u22125 to 0", "3"], ".", ["\u22125 to 0", "3"]),
    ],
)
def test_numbers_under_a_decimal_sign(cells: list[str], decimal: str, expected: list[object], repeats: int) -> None:
    column, kind = words.examined(pl.Series("", cells * repeats))
    assert words.converted(column, kind, decimal).to_list() == expected * repeats


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
    column = words.converted(*words.examined(pl.Series("", cells * repeats, dtype=pl.String)))
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
    assert many < 16 * 5 * few  # quadratic time would be 256 times as much
