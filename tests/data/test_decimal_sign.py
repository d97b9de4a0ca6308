"""The decimal sign of a file, found from all its columns, and thousands signs where they can be nothing else."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import FileOptions, open_file


def opened(columns, separator=";", **options):
    """A file of these columns, named a, b, c, …."""
    names = "abcdef"[: len(columns)]
    lines = [separator.join(names), *(separator.join(row) for row in zip(*columns, strict=True))]
    return open_file(io.BytesIO("\n".join(lines).encode()), FileOptions(separator=separator, **options))


COMMA = "Read with decimal comma."


@pytest.mark.parametrize("separator", [";", "\t", "|", " "])
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([["1,5", "2"]], [[1.5, 2.0]]),
        ([["1,5", "2"], ["3", "4"], ["x", "1,5"]], [[1.5, 2.0], [3, 4], ["x", "1,5"]]),
        ([["1,5", "2,125"], ["1,234", "999"]], [[1.5, 2.125], [1.234, 999.0]]),
        ([["-,5", "1,"]], [[-0.5, 1.0]]),
        ([["0,125", "0,250"]], [[0.125, 0.25]]),
        ([["1,234", "1234"]], [[1.234, 1234.0]]),
        ([["1,5e3", "1e3"]], [[1500.0, 1000.0]]),
        ([["1,5", "NA"]], [[1.5, None]]),
    ],
)
def test_commas_are_decimal(columns, expected, separator):
    found = opened(columns, separator)
    assert list(found.frame.to_dict(as_series=False).values()) == expected
    assert found.notes == (COMMA,)


@pytest.mark.parametrize(
    ("columns", "expected", "notes"),
    [
        ([["1", "2"]], [[1, 2]], []),
        ([["1.5", "2"]], [[1.5, 2.0]], []),
        ([["1e3", "2"]], [[1000.0, 2.0]], []),
        ([["1,5", "2"], ["1.5", "2"]], [["1,5", "2"], [1.5, 2.0]], ["'a'.*decimal comma, such as 1,5.*points in 'b'"]),
        (
            [["1,5", "2"], ["1.250", "2"]],
            [[1.5, 2.0], [1250, 2]],
            [COMMA, "'b': numbers with thousands signs, such as 1.250"],
        ),
        (
            [["1,234", "999"]],
            [["1,234", "999"]],
            ["'a': text, because the comma in cells such as 1,234 may be decimal"],
        ),
        ([["1,234", "999"], ["1.5", "2"]], [[1234, 999], [1.5, 2.0]], ["'a': numbers with thousands signs"]),
        ([["1,234", "12,5"], ["x", "y"]], [[1.234, 12.5], ["x", "y"]], [COMMA]),
        ([["1.234,56", "7"]], [[1234.56, 7.0]], [COMMA, r"'a': numbers with thousands signs, such as 1\.234,56\.$"]),
        ([["7,5", "1.234,56"]], [[7.5, 1234.56]], [COMMA, r"'a': numbers.*such as 1\.234,56\.$"]),
        ([["1,234.5", "1"]], [[1234.5, 1.0]], ["thousands"]),
        ([["1,234", "12.5"]], [[1234.0, 12.5]], ["thousands"]),
        ([["-1,234,567", "1"]], [[-1234567, 1]], ["thousands"]),
        ([["1'234", "1"]], [[1234, 1]], ["thousands"]),
        ([["12\u202f345,5", "1"]], [[12345.5, 1.0]], [COMMA, "thousands"]),
        ([["1 234 567", "12 345"]], [[1234567, 12345]], ["thousands"]),
        ([["1,234.5", "1"], ["2,5", "3"]], [[1234.5, 1.0], ["2,5", "3"]], ["thousands", "'b'.*points in 'a'"]),
        ([["1,234,567", "1234"]], [["1,234,567", "1234"]], []),
        ([["1,23,456", "1"]], [["1,23,456", "1"]], []),
        ([["0,123,456", "1"]], [["0,123,456", "1"]], []),
        ([["1,5", "2.5"]], [["1,5", "2.5"]], []),
        ([["1,5", "x"]], [["1,5", "x"]], []),
        ([["1,,5", "2"]], [["1,,5", "2"]], []),
        ([["007,5", "2"]], [["007,5", "2"]], []),
        ([["1,234", "9"], ["5,678", "9"]], [["1,234", "9"], ["5,678", "9"]], ["Columns 'a', 'b': text"]),
    ],
)
def test_commas_are_not_decimal_or_not_surely(columns, expected, notes):
    found = opened(columns)
    assert list(found.frame.to_dict(as_series=False).values()) == expected
    assert len(found.notes) == len(notes), found.notes
    for note, pattern in zip(found.notes, notes, strict=True):
        assert re.search(pattern, note), note


def test_the_caller_decides():
    both = [["1,5", "2"], ["1.5", "2"]]
    comma = opened(both, decimal=",")
    assert comma.frame.to_dict(as_series=False) == {"a": [1.5, 2.0], "b": ["1.5", "2"]}
    assert "Column 'b': text" in comma.notes[0]
    assert "because decimal=','" in comma.notes[0]
    point = opened(both, decimal=".")
    assert point.frame.to_dict(as_series=False) == {"a": ["1,5", "2"], "b": [1.5, 2.0]}
    assert opened([["1,234", "9"]], decimal=",").frame["a"].to_list() == [1.234, 9.0]
    thousands = opened([["1,234", "9"], ["1.234,5", "9"]], decimal=".")
    assert thousands.frame.to_dict(as_series=False) == {"a": [1234, 9], "b": ["1.234,5", "9"]}
    assert thousands.notes == ("Column 'a': numbers with thousands signs, such as 1,234.",)
    assert opened([["1.234", "9"]], decimal=",").frame["a"].to_list() == [1234, 9]


def test_between_commas_the_sign_is_the_point():
    quoted = [['"1,5"', '"2,5"'], ["1", "2"]]
    found = opened(quoted, ",")
    assert found.frame["a"].to_list() == ["1,5", "2,5"]
    assert "because commas separate the cells. decimal=',' makes" in found.notes[0]
    assert opened(quoted, ",", decimal=",").frame["a"].to_list() == [1.5, 2.5]
    grouped = opened([['"1,234"', "5"], ["1", "2"]], ",")
    assert grouped.frame["a"].to_list() == [1234, 5]
    assert grouped.notes == (
        "Column 'a': numbers with thousands signs, such as 1,234. If the comma is decimal, give decimal=','.",
    )


def test_long_columns_are_judged_alike():
    found = opened([["1,5", "2"] * 3000, ["1.234", "999"] * 3000, ["1,234", "5"] * 3000])
    assert [found.frame[name].dtype.is_numeric() for name in "abc"] == [True, True, True]
    assert found.frame["b"][:2].to_list() == [1234, 999]
    assert len(found.notes) == 2


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4), max_size=3))
def test_signs_only_change_the_spelling(columns):
    """Any file of numbers: with commas instead of all points, the table is the same."""
    columns = [[0.5, 0.25, 0.125, 0.0625], *([*column, 1.0, 1.0, 1.0][:4] for column in columns)]
    texts = [[repr(number) for number in column] for column in columns]
    points = opened(texts)
    commas = opened([[text.replace(".", ",") for text in column] for column in texts])
    assert commas.frame.equals(points.frame)
    assert (points.notes, commas.notes) == ((), (COMMA,))
