"""Excel files: sheets, types of cells, empty rows and columns; judged by pandas and by the same table as text."""

import datetime
import io
import random
import zipfile

import openpyxl
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from qnml.data import FileOptions, open_file, read_frame, read_table
from qnml.errors import FileFormatError, InputError, QnmlError, TooLargeError, UnknownNameError

DAY, NOON = datetime.datetime(2024, 1, 2), datetime.datetime(2024, 1, 3, 12)


def workbook(**sheets):
    """A file of sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return io.BytesIO(content.getvalue())


def opened(*rows, **options):
    return open_file(workbook(Data=rows), FileOptions(**options))


def cells(*rows, **options):
    return opened(*rows, **options).frame.to_dict(as_series=False)


@pytest.mark.parametrize(
    ("column", "dtype", "expected"),
    [
        ([1, 2.0, None], pl.Int64, [1, 2, None]),
        ([1, 2.5, None], pl.Float64, [1.0, 2.5, None]),
        ([1, 1e300], pl.Float64, [1.0, 1e300]),
        ([1, 2**60], pl.Float64, [1.0, 2.0**60]),
        ([True, None, False], pl.Boolean, [True, None, False]),
        ([DAY, None], pl.Date, [DAY.date(), None]),
        ([DAY, NOON], pl.Datetime("us"), [DAY, NOON]),
        ([DAY.date(), DAY], pl.Date, [DAY.date(), DAY.date()]),
        ([datetime.time(1, 2)], pl.Time, [datetime.time(1, 2)]),
        ([datetime.timedelta(hours=30)], pl.Duration("us"), [datetime.timedelta(hours=30)]),
        ([" x ", "NA", "y"], pl.String, ["x", None, "y"]),
        (["1", 2, "?"], pl.Int64, [1, 2, None]),
        (["1.5", 2], pl.Float64, [1.5, 2.0]),
        (["007", "8"], pl.String, ["007", "8"]),
        (["x", 1.0, 2.5, True, DAY, NOON], pl.String, ["x", "1", "2.5", "TRUE", "2024-01-02", "2024-01-03 12:00:00"]),
        ([1, True], pl.String, ["1", "TRUE"]),
        (["#N/A", 1], pl.Int64, [None, 1]),
        (["#DIV/0!", 1], pl.String, ["#DIV/0!", "1"]),
    ],
)
def test_a_column_has_the_type_that_all_its_cells_have(column, dtype, expected):
    found = opened(["n", "v"], *([number, cell] for number, cell in enumerate(column))).frame["v"]
    assert (found.dtype, found.to_list()) == (dtype, expected)


def test_words_for_missing_cells_concern_text_only():
    rows = [["a", "b"], [-9, "-9"], [1, "x"]]
    assert cells(*rows, missing_words=["-9"]) == {"a": [-9, 1], "b": [None, "x"]}
    assert cells(["a", "b"], ["NA", 1], ["x", 2], missing_words=[]) == {"a": ["NA", "x"], "b": [1, 2]}


def test_text_cells_have_a_decimal_sign():
    found = opened(["a", "b"], ["1,5", 0.5], ["2,5", 1.5])
    assert found.frame.to_dict(as_series=False) == {"a": [1.5, 2.5], "b": [0.5, 1.5]}
    assert found.notes == ("Read text cells with decimal comma.",)
    assert cells(["a"], ["1,5"], ["2"], decimal=".") == {"a": ["1,5", "2"]}
    assert "thousands" in opened(["a"], ["1,234"]).notes[0]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[None], [None, "a", None, "b"], [None, 1, None, "x"], [], [None, 2]], {"a": [1, 2], "b": ["x", None]}),
        ([["a", "b"], [1, 2], [None, None], [None, None]], {"a": [1], "b": [2]}),
        ([["a"], [1], [None], [3], []], {"a": [1, None, 3]}),
        ([["a", "b"]], {"a": [], "b": []}),
        ([[1, 2.5, True], ["x", "y", "z"]], {"1": ["x"], "2.5": ["y"], "TRUE": ["z"]}),
    ],
)
def test_empty_rows_and_columns_are_skipped(rows, expected):
    assert cells(*rows) == expected


def test_headers():
    assert cells([1, "x"], [2, "y"], header=False) == {"X1": [1, 2], "X2": ["x", "y"]}
    with pytest.raises(FileFormatError, match="line 2, column 3: the header has no name here"):
        opened([], [None, "a"], [None, 1, 2])
    with pytest.raises(FileFormatError, match="line 1, column 2: the header repeats 'a'"):
        opened(["a", "a"], [1, 2])
    found = open_file(workbook(Data=[[None, "a"], [0, "x"]]), name_unnamed=True)
    assert (found.frame.columns, found.unnamed) == (["column 1", "a"], ("column 1",))


def test_sheets():
    book = {"One": [["a"], [1]], "Two": [["b"], [2]], "2024": [["c"], [3]], "Nothing": []}

    def names(sheet=None):
        return open_file(workbook(**book), FileOptions(sheet=sheet)).frame.columns

    assert [names(), names("Two"), names(2), names("2"), names("2024"), names(3)] == [
        ["a"], ["b"], ["b"], ["b"], ["c"], ["c"],
    ]  # fmt: skip
    (note,) = open_file(workbook(**book)).notes
    assert note == "Read sheet 'One'; sheet= chooses another: 'Two', '2024', 'Nothing'."
    assert open_file(workbook(**book), FileOptions(sheet=1)).notes == ()
    with pytest.raises(FileFormatError, match="the sheet 'Nothing' is empty"):
        names("Nothing")
    with pytest.raises(UnknownNameError, match=r"sheet='two'.*Known: One, Two, 2024, Nothing. Did you mean 'Two'"):
        names("two")
    for number in (5, "5"):
        with pytest.raises(UnknownNameError, match=r"sheet=.*5.*Known: One"):
            names(number)


def test_hidden_sheets_come_after_visible_ones():
    book = openpyxl.load_workbook(workbook(Hidden=[["a"], [1]], Seen=[["b"], [2]]))
    book["Hidden"].sheet_state = "hidden"
    content = io.BytesIO()
    book.save(content)
    content.seek(0)
    found = open_file(content)
    assert found.frame.columns == ["b"]
    assert found.notes == ("Read sheet 'Seen'; sheet= chooses another: 'Hidden'.",)


def test_formulas_count_as_their_stored_values(tmp_path):
    content = workbook(Data=[["a", "b"], [1, "=A2+1"], [2, "=A3+1"]])
    assert open_file(content).frame.to_dict(as_series=False) == {"a": [1, 2], "b": [None, None]}
    stored = io.BytesIO()
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(stored, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"<v/>", b"<v>7</v>").replace(b"<v />", b"<v>7</v>"))
    stored.seek(0)
    assert open_file(stored).frame["b"].to_list() == [7, 7]


def test_pandas_reads_the_same(tmp_path):
    chance = random.Random(1)
    frame = pd.DataFrame(
        {
            "whole": [chance.randrange(9) for _ in range(200)],
            "real": [chance.random() for _ in range(200)],
            "word": [chance.choice(["u", "v", None]) for _ in range(200)],
            "flag": [chance.random() < 0.5 for _ in range(200)],
            "day": [datetime.datetime(2024, 1, 1 + chance.randrange(30), 6) for _ in range(200)],
        }
    )
    path = tmp_path / "t.xlsx"
    frame.to_excel(path, index=False)
    expected = pl.from_pandas(pd.read_excel(path)).with_columns(pl.col("day").cast(pl.Datetime("us")))
    assert_frame_equal(read_frame(path), expected)


_cell = st.one_of(
    st.none(), st.integers(-5, 5), st.integers(-(10**7), 10**7).map(lambda number: number / 1024),
    st.sampled_from(["NA", "x", "1", "2.5", "1,5", "007", " y ", "é"]),
)  # fmt: skip


@settings(max_examples=50)
@given(st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(_cell, min_size=width, max_size=width), max_size=6)))
def test_text_files_with_the_same_cells_are_read_alike(rows):
    width = len(rows[0]) if rows else 2
    rows = [[f"n{place}" for place in range(width)], *(row for row in rows if any(cell is not None for cell in row))]
    lines = ["\t".join("" if cell is None else _spelled(cell) for cell in row) for row in rows]
    options = FileOptions(decimal=".")
    expected = open_file(io.BytesIO("\n".join(lines).encode()), FileOptions("\t", "."), name_unnamed=True)
    assert_frame_equal(open_file(workbook(Data=rows), options).frame, expected.frame)


def _spelled(cell):
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def test_tables(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook(Data=[["a", "b"], ["x", 1], ["y", 2], [None, 1]]).getvalue())
    table = read_table(path, missing="category")
    assert table.levels.as_dict() == {"a": ("x", "y", "?"), "b": (1, 2)}
    with pytest.raises(InputError, match="no rows"):
        read_table(workbook(Data=[["a", "b"]]))


@settings(max_examples=60)
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_damaged_files_are_refused_or_read(place, byte, cut):
    content = bytearray(workbook(Data=[["a", "b"], ["x", 1.5], ["y", DAY]]).getvalue())
    at = int(place * len(content))
    if cut:
        del content[at:]
    else:
        content[at] = byte
    try:
        assert open_file(io.BytesIO(bytes(content))).frame.width >= 1
    except QnmlError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 (either outcome is right)


def _changed(part, old, new):
    """A workbook with something replaced in one of its parts."""
    changed = io.BytesIO()
    with (
        zipfile.ZipFile(workbook(Data=[["a", "b"], ["x", 1], ["y", 2]])) as before,
        zipfile.ZipFile(changed, "w") as after,
    ):
        for name in before.namelist():
            content = before.read(name)
            assert name != part or old in content
            after.writestr(name, content.replace(old, new) if name == part else content)
    changed.seek(0)
    return changed


SHEET = "xl/worksheets/sheet1.xml"


def test_wrong_dimensions_are_not_believed():
    found = open_file(_changed(SHEET, b'ref="A1:B3"', b'ref="A1:A1"'))
    assert found.frame.to_dict(as_series=False) == {"a": ["x", "y"], "b": [1, 2]}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'r="3"', b'r="9999999999"', "row 9999999999 follows row 2"),
        (b'r="3"', b'r="2"', "row 2 follows row 2"),
        (b'r="3"', b'r="0"', "row 0 follows row 2"),
        (b'r="3"', b'r="1048577"', "row 1048577 follows row 2"),
        (b'r="3"', b'r="-3"', "row -3 follows row 2"),
        (b"</sheetData>", b"<sheetData>", "xl/worksheets/sheet1.xml: mismatched tag"),
        (b"<v>2</v>", b"<v>two</v>", "row 3, column 2 cannot be 'two'"),
        (b"<v>2</v>", b"<v>nan</v>", "row 3, column 2 cannot be 'nan'"),
        (b"<v>2</v>", b"<v>1e999</v>", "row 3, column 2 cannot be '1e999'"),
        (b'r="B3"', b'r="3B"', "row 3 has a cell in column -1"),
        (b'r="B3"', b'r="XFE3"', "row 3 has a cell in column 16385"),
        (b'r="B3"', b'r="A3"', "row 3 has two cells in column 1"),
        (b"<v>2</v>", b'<v>2</v></c><c t="b"><v>7</v>', "row 3, column 3 cannot be '7'"),
        (b"<v>2</v>", b'<v>2</v></c><c t="s"><v>-1</v>', "row 3, column 3 cannot be '-1'"),
        (b"<v>2</v>", b'<v>2</v></c><c t="s"><v>99</v>', "row 3, column 3 cannot be '99'"),
        (b"<v>2</v>", b'<v>2</v></c><c t="d"><v>noon</v>', "row 3, column 3 cannot be 'noon'"),
        (b"<sheetData>", b"<c><v>1</v></c><sheetData>", "row 0 has a cell"),
    ],
)
def test_damaged_sheets(old, new, message):
    with pytest.raises(FileFormatError, match=message):
        open_file(_changed(SHEET, old, new))


def test_cells_far_apart_do_not_fill_memory():
    """A file on which other readers abort the process: two cells at opposite corners of the sheet."""
    book = openpyxl.Workbook()
    book.active.cell(1, 1, "a")
    book.active.cell(2**20, 2**14, "b")
    content = io.BytesIO()
    book.save(content)
    content.seek(0)
    with pytest.raises(FileFormatError, match="column 16384: the header has no name here"):
        open_file(content)


def test_empty_cells_take_memory_only_in_the_table():
    book = openpyxl.Workbook()
    for place in range(1, 3000):
        book.active.cell(place, 5 * place, "a")
    content = io.BytesIO()
    book.save(content)
    content.seek(0)
    with pytest.raises(TooLargeError, match=r"8,994,001 cells in 2,999 columns"):
        open_file(content, memory_limit=1e8)
