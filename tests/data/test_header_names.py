"""Column names: from the header, by position, and headers that are refused."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data.header_names import column_names, data_note
from qnml.errors import FileFormatError


def test_names_lose_the_white_space_around_them():
    assert column_names("t.csv", [" a ", "b\t"]).names == ("a", "b")


def test_without_a_header_columns_are_numbered():
    assert column_names("t.csv", 3) == (("X1", "X2", "X3"), (), ())


@pytest.mark.parametrize(
    ("cells", "column", "message"),
    [
        (["", "a"], 1, "no name here; if the column holds row numbers"),
        (["a", " "], 2, "no name"),
        (["a", None], 2, "no name"),
        (["a", "b", "a "], 3, r"repeats 'a'.*give header=False"),
    ],
)
def test_names_that_are_missing_or_repeated(cells, column, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        column_names("t.csv", cells)
    assert (caught.value.line, caught.value.column) == (1, column)


def test_places_are_those_in_the_file():
    with pytest.raises(FileFormatError) as caught:
        column_names("t.xlsx", ["a", None], 4, [2, 5])
    assert (caught.value.line, caught.value.column) == (4, 5)
    assert column_names("t.xlsx", ["a", None], 4, [2, 5], name_unnamed=True).unnamed == ("column 5",)


def test_unnamed_columns_are_named_by_their_position_and_told():
    found = column_names("t.csv", ["", "b", "", "column 3"], name_unnamed=True)
    assert found.names == ("column 1", "b", "column 3 (2)", "column 3")
    assert found.unnamed == ("column 1", "column 3 (2)")
    assert found.notes == ("The header has no names for 2 columns, now called 'column 1', 'column 3 (2)'.",)
    (note,) = column_names("t.csv", ["", "b"], name_unnamed=True).notes
    assert note == "The header has no name for one column, now called 'column 1'."
    assert "…" in column_names("t.csv", [""] * 9, name_unnamed=True).notes[0]


def test_repeated_names_are_numbered_and_told_where_columns_are_named():
    found = column_names("t.csv", ["a", "b", "a", "a (2)", "a"], name_unnamed=True)
    assert found.names == ("a", "b", "a (3)", "a (2)", "a (4)")
    assert found.notes == ("The header repeats names; the later columns are now called 'a (3)', 'a (4)'.",)
    with pytest.raises(FileFormatError, match="repeats '1'"):
        column_names("t.csv", ["1", "x", "1"], name_unnamed=True)


@pytest.mark.parametrize(
    ("names", "columns", "is_doubtful"),
    [
        (["red", "5.1", "1"], [["blue", "red"], ["4.9", "5.0"], ["1", "0"]], True),
        (["red", "x"], [["blue", "red"], ["4.9", "5.0"]], False),
        (["2019", "2020"], [["17", "18"], ["4", "5"]], False),
        (["a", "b"], [[None, "x"], ["y", None]], False),
    ],
)
def test_a_header_that_looks_like_data_is_told(names, columns, is_doubtful):
    notes = data_note(names, [pl.Series(cells) for cells in columns])
    assert [note.startswith("The header looks like data") for note in notes] == [True] * is_doubtful


@given(st.lists(st.sampled_from(["", "a", "b", "column 1", "column 2", "column 2 (2)", "a (2)", "2"]), min_size=1))
def test_names_are_never_repeated(cells):
    if cells.count("2") > 1:
        with pytest.raises(FileFormatError):
            column_names("t.csv", cells, name_unnamed=True)
        return
    names, unnamed, _ = column_names("t.csv", cells, name_unnamed=True)
    assert len(set(names)) == len(cells)
    firsts = [place for place, cell in enumerate(cells) if cell and cell not in cells[:place]]
    assert [names[place] for place in firsts] == [cells[place] for place in firsts]
    assert len(unnamed) == cells.count("")
