"""Options of files: valid values, and the sources that take them."""

import dataclasses
import inspect
import io

import openpyxl
import polars as pl
import pytest

from qnml.data import FileOptions, open_file, read_frame, read_table, write_bene
from qnml.errors import InputError

TEXT = b"a;b\nx;1,5\ny;2,5\n"


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"separator": "tab"}, "\t"),
        ({"separator": "\\t"}, "\t"),
        ({"separator": "semicolon"}, ";"),
        ({"separator": "space"}, " "),
        ({"separator": "\x1f"}, "\x1f"),
        ({"decimal": "comma"}, ","),
        ({"decimal": "."}, "."),
        ({"missing_words": [" NA ", "NA", ""]}, ("NA", "")),
        ({"missing_words": iter(["-9"])}, ("-9",)),
        ({"missing_words": ()}, ()),
        ({"sheet": 2}, 2),
        ({"sheet": "Data"}, "Data"),
        ({"encoding": "latin-1"}, "iso8859-1"),
        ({"header": False}, False),
    ],
)
def test_values_are_brought_into_one_form(given, taken):
    (name,) = given
    options = FileOptions(**given)
    assert getattr(options, name) == taken
    assert options.given == {name: taken}
    assert FileOptions(**options.given) == options


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"separator": ""}, r"read_table\(separator=''\): must be one ASCII character"),
        ({"separator": ";;"}, "or one of the words comma, semicolon, tab, pipe, space"),
        ({"separator": '"'}, "no letter, digit or quote"),
        ({"separator": "x"}, "no letter"),
        ({"separator": "\n"}, "separator"),
        ({"separator": "…"}, "separator"),
        ({"separator": 1}, "separator=1"),
        ({"decimal": ";"}, r"decimal=';'\): must be '\.' or ','"),
        ({"decimal": ["."]}, "decimal"),
        ({"missing_words": "NA"}, r"must be a list of words\. Write \['NA'\]"),
        ({"missing_words": ["NA", 9]}, "missing_words=9"),
        ({"missing_words": ["\ud800"]}, "missing_words"),
        ({"missing_words": 9}, "missing_words=9"),
        ({"sheet": 0}, "whole number of at least 1"),
        ({"sheet": ""}, "name of a sheet, or its number"),
        ({"sheet": 1.5}, "sheet=1.5"),
        ({"encoding": "utf-9"}, "encoding='utf-9'.*'cp1252' or 'latin-1'"),
        ({"encoding": "hex"}, "encoding='hex'"),
        ({"encoding": b"utf-8"}, "encoding"),
        ({"encoding": "a\0"}, "encoding"),
        ({"header": "no"}, "True or False"),
    ],
)
def test_wrong_values_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        FileOptions(**given)
    for call in (read_table, read_frame):
        with pytest.raises(InputError, match=message):
            call(io.BytesIO(TEXT), **given)


TAKES = {
    "text": ({"separator", "decimal", "missing_words", "encoding", "header"}, "a text file"),
    "excel": ({"decimal", "missing_words", "sheet", "header"}, "an Excel file"),
    "parquet": (set(), "a Parquet or Arrow file"),
    "bene": (set(), "a file of the program bene"),
    "frame": (set(), "the source is in memory"),
    "mapping": (set(), "in memory"),
    "table": (set(), "in memory"),
}
ENDINGS = {"text": "t.csv", "excel": "t.xlsx", "parquet": "t.parquet", "bene": "t.vd"}
GIVEN = {
    "separator": ";",
    "decimal": ",",
    "missing_words": ["NA"],
    "sheet": 1,
    "encoding": "utf-8",
    "header": False,
}


@pytest.fixture
def source(tmp_path):
    """A source of each type."""
    frame = pl.DataFrame({"a": ["x", "y"], "b": [1, 2]})

    def made(kind):
        if kind in ("frame", "mapping", "table"):
            return {"frame": frame, "mapping": frame.to_dict(as_series=False), "table": read_table(frame)}[kind]
        path = tmp_path / ENDINGS[kind]
        if kind == "text":
            path.write_text("a;b\nx;1\ny;2\n", encoding="utf-8")
        elif kind == "excel":
            book = openpyxl.Workbook()
            for row in [frame.columns, *frame.rows()]:
                book.active.append(row)
            book.save(path)
        elif kind == "parquet":
            frame.write_parquet(path)
        else:
            write_bene(read_table(frame), tmp_path / "t")
        return path

    return made


@pytest.mark.filterwarnings("ignore::qnml.errors.ReadingWarning")
@pytest.mark.parametrize("kind", TAKES)
@pytest.mark.parametrize("option", GIVEN)
def test_options_that_a_source_does_not_take_are_refused(source, kind, option):
    takes, words = TAKES[kind]
    given = {option: GIVEN[option]}
    if option in takes:
        assert read_table(source(kind), **given).n_rows >= 2
    else:
        with pytest.raises(InputError, match=rf"read_table\({option}=.*\): only .* files .*{words}\."):
            read_table(source(kind), **given)


def test_all_options_that_do_not_fit_are_named_at_once():
    with pytest.raises(InputError, match=r"separator=';', sheet=2.*only text files have a separator, only Excel files"):
        read_table({"a": [1, 2]}, separator=";", sheet=2)


def test_the_options_are_those_of_all_readers():
    names = [field.name for field in dataclasses.fields(FileOptions)]
    for call in (read_table, read_frame):
        parameters = inspect.signature(call).parameters
        assert [name for name in parameters if name in names] == names
        assert [parameters[name].default for name in names] == [getattr(FileOptions(), name) for name in names]
    assert open_file(io.BytesIO(TEXT), FileOptions(separator=";", decimal=",")).notes == ()
