"""Column names: from the header, by position, and headers that are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data.header_names import column_names
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


@given(st.lists(st.sampled_from(["", "a", "b", "column 1", "column 2", "column 2 (2)", "column 3"]), min_size=1))
def test_names_are_never_repeated(cells):
    named = [cell for cell in cells if cell]
    if len(set(named)) < len(named):
        with pytest.raises(FileFormatError):
            column_names("t.csv", cells, name_unnamed=True)
    else:
        names, unnamed, _ = column_names("t.csv", cells, name_unnamed=True)
        assert len(set(names)) == len(cells)
        assert [name for name, cell in zip(names, cells, strict=True) if cell] == named
        assert [name for name, cell in zip(names, cells, strict=True) if not cell] == list(unnamed)
