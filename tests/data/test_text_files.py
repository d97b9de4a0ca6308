"""Text files in every dialect: the same table, compared with the csv module, pandas and the data of the paper."""

import csv
import gzip
import io
import random
import warnings

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from qnml.data import MISSING_WORDS, FileOptions, open_file, read_frame
from qnml.errors import FileFormatError, ReadingWarning

# A word begins with a letter that occurs in no number and no word for missing cells; the rest is arbitrary.
_word = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\ufeff"), max_size=6).map(
    lambda text: f"w{text}w"
)
_number = st.one_of(st.integers(-999, 999), st.floats(-1e6, 1e6).map(lambda number: round(number, 2) + 0.0001))
_column = st.one_of(
    st.lists(st.none() | _word, min_size=6, max_size=6),
    st.lists(st.none() | _number, min_size=6, max_size=6),
    st.lists(st.none() | st.integers(0, 3), min_size=6, max_size=6),
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")


def _cell(value, decimal):
    return "" if value is None else str(value).replace(".", decimal) if isinstance(value, float) else str(value)


def _written(columns, separator, decimal, quoting, end, encoding):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writerow([f"n{place}" for place in range(len(columns))])
    writer.writerows([_cell(value, decimal) for value in row] for row in zip(*columns, strict=True))
    return text.getvalue().encode(encoding)


def _expected(columns):
    """The values of a column: numbers if all cells are numbers."""
    found = {}
    for place, column in enumerate(columns):
        kinds = {type(value) for value in column if value is not None}
        dtype = pl.Int64 if kinds == {int} else pl.Float64 if kinds and kinds <= {int, float} else pl.String
        found[f"n{place}"] = pl.Series(column, dtype=dtype)
    return pl.DataFrame(found)


@given(
    columns=st.lists(_column, min_size=2, max_size=4),
    separator=st.sampled_from(",;\t|"),
    comma=st.booleans(),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(ENCODINGS),
)
def test_what_the_csv_module_writes_is_read_back(columns, separator, comma, quoting, end, encoding):
    has_reals = any(isinstance(value, float) for column in columns for value in column)
    decimal = "," if comma and separator != "," else "."
    data = _written(columns, separator, decimal, quoting, end, encoding)
    # With given options nothing is detected; detected options are the same.
    options = FileOptions(separator, decimal)
    told = open_file(io.BytesIO(data), options)
    assert_frame_equal(told.frame, _expected(columns))
    assert len(told.notes) == (encoding == "utf-16")
    found = open_file(io.BytesIO(data))
    assert_frame_equal(found.frame, told.frame)
    assert ("decimal comma" in " ".join(found.notes)) == (has_reals and decimal == ",")


@pytest.mark.parametrize("separator", [*",;\t|", "  "])
@pytest.mark.parametrize("decimal", [".", ","])
def test_pandas_reads_the_same(separator, decimal):
    chance = random.Random(f"{separator}{decimal}")
    rows = []
    for number in range(300):
        real = f"{chance.uniform(-9, 9):.3f}".replace(".", decimal)
        rows.append(
            [f'"{real}"' if separator == "," == decimal else real, str(number % 7), chance.choice(["u", "NA", "v"])]
        )
    data = "\n".join(separator.join(row) for row in [["real", "whole", "word"], *rows]).encode()
    options = FileOptions(decimal=decimal) if separator == "," == decimal else FileOptions()
    found = open_file(io.BytesIO(data), options).frame
    other = pd.read_csv(io.BytesIO(data), sep=separator if separator != "  " else r"\s+", decimal=decimal)
    assert_frame_equal(found, pl.from_pandas(other))


def test_the_data_of_the_paper_read_the_same_with_semicolons_and_commas(tmp_path, data_folder):
    paths = sorted(path for path in (data_folder / "uci").glob("*.csv*") if path.name != "columns.csv")
    assert len(paths) == 20
    for path in paths:
        original = read_frame(path)
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        rows = list(csv.reader(io.StringIO(text, newline="")))
        reals = {name for name, dtype in original.schema.items() if dtype == pl.Float64}
        places = [place for place, name in enumerate(rows[0]) if name in reals]
        for row in rows[1:]:
            for place in places:
                row[place] = row[place].replace(".", ",")
        rewritten = tmp_path / "t.csv"
        with open(rewritten, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows(rows)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            again = read_frame(rewritten)
        assert_frame_equal(again, original)
        (warning,) = caught
        assert warning.category is ReadingWarning
        commas = any("," in row[place] for row in rows[1:] for place in places)
        guesses = "separator ';' and decimal comma" if commas else "separator ';'"
        assert str(warning.message) == f"{rewritten}: Read with {guesses}."
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_frame_equal(read_frame(rewritten, separator=";", decimal=","), original)


def read(text, **options):
    return open_file(io.BytesIO(text.encode()), FileOptions(**{"separator": ";", "decimal": ".", **options}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a;"b;c"\n1;"x;y"\n', {"a": [1], "b;c": ["x;y"]}),
        ('a;b\n"x\n;y";2\n', {"a": ["x\n;y"], "b": [2]}),
        ("a;b\n1;2", {"a": [1], "b": [2]}),
        ("a;b\n", {"a": [], "b": []}),
        ("a;b\n1;\n2;\n", {"a": [1, 2], "b": [None, None]}),
        ("a\n1\n\n2\n\n\n", {"a": [1, None, 2]}),
        ("a;b\n\n1;2\n\n\n", {"a": [1], "b": [2]}),
        ("a;b\r1;2\r", {"a": [1], "b": [2]}),
        (" a ; b \n 1 ; x y \n", {"a": [1], "b": ["x y"]}),
        ("a;b\n,;,,\n", {"a": [","], "b": [",,"]}),
    ],
)
def test_corners(text, expected):
    assert read(text).frame.to_dict(as_series=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1;2\n3;4\n", {"X1": [1, 3], "X2": [2, 4]}),
        ("x;x\n", {"X1": ["x"], "X2": ["x"]}),
        ("1\n", {"X1": [1]}),
    ],
)
def test_files_without_a_header(text, expected):
    assert read(text, header=False).frame.to_dict(as_series=False) == expected


def test_words_for_missing_cells():
    text = "a;b\n-9;?\nNA;x\n;y\n"
    assert read(text).frame.to_dict(as_series=False) == {"a": [-9, None, None], "b": [None, "x", "y"]}
    other = read(text, missing_words=["-9"]).frame.to_dict(as_series=False)
    assert other == {"a": [None, "NA", None], "b": ["?", "x", "y"]}
    assert read(text, missing_words=[]).frame.to_dict(as_series=False)["a"] == ["-9", "NA", None]
    everything = read("a\n" + "\n".join(f'"{word}"' for word in MISSING_WORDS) + "\n")
    assert everything.frame["a"].null_count() == len(MISSING_WORDS)


def test_row_numbers_of_pandas():
    frame = pd.DataFrame({"a": [5, 6], "b": ["x", "y"]})
    data = frame.to_csv()
    with pytest.raises(FileFormatError, match="line 1, column 1: the header has no name here"):
        open_file(io.BytesIO(data.encode()))
    found = open_file(io.BytesIO(data.encode()), name_unnamed=True)
    assert found.frame.to_dict(as_series=False) == {"column 1": [0, 1], "a": [5, 6], "b": ["x", "y"]}
    assert found.unnamed == ("column 1",)
    assert "column 1" in found.notes[-1]


@pytest.mark.parametrize(
    ("name", "text", "notes"),
    [
        ("t.csv", "a,b\n1,2\n", ()),
        ("t.tsv", "a\tb\n1\t2\n", ()),
        ("t.tab", "a\tb\n1\t2\n", ()),
        ("t.csv", "a;b\n1;2\n", ("Read with separator ';'.",)),
        ("t.csv", "a\tb\n1\t2\n", ("Read with separator tab.",)),
        ("t.tsv", "a,b\n1,2\n", ("Read with separator ','.",)),
        ("t.txt", "a,b\n1,2\n", ("Read with separator ','.",)),
        ("t.dat", "a b\n1 2\n", ("Read with separator blanks.",)),
        ("t.data", "a\n1\n", ("Read with one column.",)),
        ("t.csv", "a\n1\n", ()),
    ],
)
def test_what_the_name_does_not_say_is_told(tmp_path, name, text, notes):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert open_file(path).notes == notes
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert open_file(packed).notes == notes


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([*',;|"\n\t \r.-?', "1", "0", "a", "NA", "1,5", "1.234", "é"]), max_size=40).map("".join),
    st.sampled_from([None, ",", "\t"]),
)
def test_a_guess_is_never_worse_than_an_error(text, separator):
    """Any file: reading with detected options equals reading with the same options given."""
    try:
        found = open_file(io.BytesIO(text.encode()), FileOptions(separator), name_unnamed=True)
    except FileFormatError:
        return
    for mark in [separator] if separator else [*",;|\t "]:
        for decimal in ".,":
            try:
                told = open_file(io.BytesIO(text.encode()), FileOptions(mark, decimal), name_unnamed=True)
            except FileFormatError:
                continue
            if told.frame.equals(found.frame) and told.frame.columns == found.frame.columns:
                return
    pytest.fail("no options read the file as the guess does")
