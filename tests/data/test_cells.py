"""Cells of a column: three ways to store them, one behaviour."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from qnml.data.cells import array_cells, number_cells
from qnml.data.polars_cells import PolarsText
from qnml.data.text_cells import MOST_TEXT, TextCells, check_text_size, text_cells
from qnml.errors import DataError

_WORDS = ["b", None, "é", "a", None, "b"]
_TEXTS = {"objects": text_cells(_WORDS), "polars": PolarsText(pl.Series("", _WORDS))}


@pytest.mark.parametrize("kind", _TEXTS)
def test_text(kind: str) -> None:
    cells = _TEXTS[kind]
    assert (cells.kind, len(cells), cells.n_missing) == ("text", 6, 2)
    assert cells.is_missing().tolist() == [False, True, False, False, True, False]
    codes, labels = cells.coded_text("call", "x")
    assert (codes.tolist(), labels) == ([1, 2, 0, 1], ("a", "b", "é"))
    with pytest.raises(TypeError, match="text, not numbers"):
        cells.numbers()


@pytest.mark.parametrize("kind", _TEXTS)
def test_labels_of_rows_left_out_are_gone(kind: str) -> None:
    kept = _TEXTS[kind].kept(np.array([True, True, False, False, False, True]))
    codes, labels = kept.coded_text("call", "x")
    assert (len(kept), kept.n_missing, codes.tolist(), labels) == (3, 1, [0, 0], ("b",))


def test_long_text_is_coded_alike_by_python_and_polars() -> None:
    words = [str(number % 97) for number in range(5000)]
    by_python, by_polars = text_cells(words), PolarsText(pl.Series("", words))
    codes, labels = by_python.coded_text("call", "x")
    others, same = by_polars.coded_text("call", "x")
    assert labels == same
    assert np.array_equal(codes, others)


def test_subclasses_become_plain_text_and_bad_text_is_refused() -> None:
    cells = text_cells([np.str_("a"), "b"], has_subclasses=True)
    assert [type(word) for word in cells.words] == [str, str]
    with pytest.raises(UnicodeEncodeError):
        text_cells(["\ud800"])


def test_free_text_is_refused_by_its_size() -> None:
    check_text_size("call", "x", MOST_TEXT)
    with pytest.raises(DataError, match="looks like free text"):
        check_text_size("call", "x", MOST_TEXT + 1)


def test_numbers() -> None:
    cells = array_cells(np.array([1.0, np.nan, 3.0]))
    assert (cells.kind, len(cells), cells.n_missing, cells.numbers().tolist()) == ("real", 3, 1, [1.0, 3.0])
    assert cells.is_missing().tolist() == [False, True, False]
    kept = cells.kept(np.array([True, False, True]))
    assert (len(kept), kept.n_missing, kept.missing) == (2, 0, None)
    with pytest.raises(TypeError, match="numbers, not text"):
        cells.coded_text("call", "x")


def test_foreign_byte_order_is_turned() -> None:
    big = array_cells(np.array([2**64 - 1, 0], dtype=">u8"))
    assert big.numbers().dtype == np.uint64
    assert big.numbers().tolist() == [2**64 - 1, 0]


def test_python_numbers() -> None:
    cells = number_cells([1, None, 2], np.int64)
    assert (cells.kind, cells.n_missing, cells.numbers().tolist()) == ("integer", 1, [1, 2])
    with pytest.raises(OverflowError):
        number_cells([2**63], np.int64)


@pytest.mark.parametrize("dense", [array_cells(np.array([1.0, np.nan])), text_cells(["a", None])])
def test_cells_spread_over_the_rows_that_have_one(dense: TextCells) -> None:
    spread = dense.spread(np.array([True, False, False]))
    assert spread.is_missing().tolist() == [True, False, True]
