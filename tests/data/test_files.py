"""Text and Arrow files: what is read, and what is refused, with its place."""

from __future__ import annotations

import builtins
import contextlib
import csv
import gzip
import io
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qnml.data import Discretizer, read_frame, read_table
from qnml.errors import DataError, FileFormatError, InputError, MissingExtraError, QnmlError, RealValuesError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _file(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "a,b\nx,1\ny,2\n",
        "a,b\nx,1\ny,2",
        "a,b\r\nx,1\r\ny,2\r\n",
        "a,b\rx,1\ry,2\r",
        "\ufeffa,b\nx,1\ny,2\n",
        '"a","b"\n"x","1"\n"y","2"\n',
        "a,b\nx,1\ny,2\n\n\n",
        "a,b\n\nx,1\n\ny,2\n",
        " a , b \n x, 1\ny ,2 \n",
        'a,b\n"x" ,1\ny,2\n'.replace('" ,', '",'),
    ],
)
def test_one_table_many_spellings(tmp_path: Path, content: str) -> None:
    table = read_table(_file(tmp_path, content))
    assert table.names == ("a", "b")
    assert table.labels("a").tolist() == ["x", "y"]
    assert table.labels("b").tolist() == [1, 2]


def test_quoted_cells_keep_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    table = read_table(_file(tmp_path, 'a,b\n"x,1","say ""no"""\n"two\nlines",plain\n'))
    assert table.labels("a").tolist() == ["x,1", "two\nlines"]
    assert table.labels("b").tolist() == ['say "no"', "plain"]


def test_a_quote_inside_a_plain_cell_is_a_letter(tmp_path: Path) -> None:
    table = read_table(_file(tmp_path, 'size,n\n5" disk,1\n8" disk,2\n'))
    assert table.labels("size").tolist() == ['5" disk', '8" disk']


@pytest.mark.parametrize(
    "word", ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", " NA ", '""']
)
def test_words_for_missing(tmp_path: Path, word: str) -> None:
    path = _file(tmp_path, "a,b,c\n" + "x,1,1.0\n" * 5 + f"{word},{word},{word}\n")
    with pytest.raises(DataError, match=r"3 cells are missing, in 'a' \(1\), 'b' \(1\), 'c' \(1\)"):
        read_table(path)
    assert read_table(path, missing="drop").levels == (("x",), (1,), (1,))


@pytest.mark.parametrize("word", ["None", "none", "na", "-", "missing", "NAN"])
def test_other_words_are_labels(tmp_path: Path, word: str) -> None:
    assert word in read_table(_file(tmp_path, f"a\nx\n{word}\n")).levels["a"]


def test_a_blank_line_in_a_single_column_is_a_missing_cell(tmp_path: Path) -> None:
    path = _file(tmp_path, "a\nx\n\ny\n")
    assert read_table(path, missing="category").labels("a").tolist() == ["x", "?", "y"]
    quoted = _file(tmp_path, 'a\nx\n\n"y\nz"\n5" q\n', "quoted.csv")
    assert read_table(quoted, missing="category").labels("a").tolist() == ["x", "?", "y\nz", '5" q']


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["7", "10", "-1"], (-1, 7, 10)),
        (["+7", "7", "-0"], (0, 7)),
        (["1.0", "2", "3e0"], (1, 2, 3)),
        (["007", "7"], ("007", "7")),
        (["05", "10"], ("05", "10")),
        (["-01", "1"], ("-01", "1")),
        (["1", "x"], ("1", "x")),
        (["1", "1_0"], ("1", "1_0")),
        (["0x1", "1"], ("0x1", "1")),
        (["True", "False"], ("False", "True")),
        (["99999999999999999998", "99999999999999999999"], ("99999999999999999998", "99999999999999999999")),
        (["9223372036854775807", "1"], (1, 2**63 - 1)),
        (["٣", "1"], ("1", "٣")),
    ],
)
def test_numbers_and_text(tmp_path: Path, cells: list[str], levels: tuple[object, ...]) -> None:
    table = read_table(_file(tmp_path, "a\n" + "\n".join(cells) + "\n"))
    assert table.levels["a"] == levels
    assert [type(label) for label in table.levels["a"]] == [type(label) for label in levels]


def test_the_whole_file_decides_about_a_column(tmp_path: Path) -> None:
    rows = "".join(f"{number % 5}\n" for number in range(20_000))
    assert read_table(_file(tmp_path, f"a\n{rows}x\n")).levels["a"] == ("0", "1", "2", "3", "4", "x")


def test_real_values_name_the_discretizer(tmp_path: Path) -> None:
    path = _file(tmp_path, "height,b\n1.75,1\n.5,2\n")
    with pytest.raises(RealValuesError, match=r"'height' holds real values, such as 1\.75.*Discretizer"):
        read_table(path)
    assert read_frame(path)["height"].to_list() == [1.75, 0.5]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("a,b\n1,2\n3\n4,5\n", 3, "the number of cells is 1, but the first line has 2"),
        ("a,b\n1,2\n3,4,5\n", 3, "cells is 3"),
        ("a,b\n1,2\n\n3\n", 4, "cells is 1"),
        ("a,b\n1,2\n,\n3,4,\n", 4, "cells is 3"),
        ('a,b\n"1\n1",2\n3\n', 4, "cells is 1"),
        ('a,b\n1,"2\n3,4\n', 2, "quotes are wrong"),
        ('a,b\n"1"x,2\n', 2, "quotes are wrong"),
        ("a,b\n1,2\n  \n", 3, "cells is 1"),
        ("a,a\n1,2\n", 1, "repeats 'a'"),
        ("a, a\n1,2\n", 1, "repeats 'a'"),
        ("a,\n1,2\n", 1, "no name"),
        (",a\n0,1\n", 1, "row numbers"),
        ("a;b\n1;2\n3\n", 3, "cells is 1, but the first line has 2; if the separator is not ';', give separator="),
        (b"a,b\n1,\xff\n", 2, "0xff is not UTF-8"),
        (b"a,b\n1,2\n\xe9,2\n", 3, "0xe9 is not UTF-8"),
        (b"a,b\n1,\0\n", 2, "NUL"),
        ("", None, "empty"),
        ("\n\n", None, "empty"),
        ("  \n", None, "empty"),
        ("\ufeff", None, "empty"),
    ],
)
def test_bad_text_names_the_line(tmp_path: Path, content: str | bytes, line: int | None, message: str) -> None:
    path = _file(tmp_path, content)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_table(path)
    assert caught.value.path == str(path)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_a_header_alone_has_no_rows(tmp_path: Path) -> None:
    for content in ("a,b\n", "a,b", '"a","b"\r\n'):
        with pytest.raises(DataError, match="no rows"):
            read_table(_file(tmp_path, content))


def test_missing_file_unknown_ending_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.csv'\): there is no such file"):
        read_table(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match=r"\.csv, .*\(each also with \.gz\), \.parquet.*Save the sheet as \.xlsx"):
        read_table("data.ods")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="no data files are there"):
        read_table(tmp_path / "folder.csv")
    with pytest.raises(InputError, match="must be a path"):
        read_table("a\0.csv")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv.gz", b"a,b\n1,2\n", "gzip"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "gzip"),
        ("t.csv.gz", b"", "gzip"),
        ("t.csv.gz", gzip.compress(b"", mtime=0), "empty"),
        ("t.parquet", b"PAR1 nonsense PAR1", "Parquet"),
        ("t.parquet", b"", "empty"),
        ("t.feather", b"ARROW1 nonsense", "Arrow"),
        ("t.arrow", b"FEA1", "Arrow"),
    ],
)
def test_bad_packed_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        read_table(_file(tmp_path, content, name))
    assert "\n" not in str(caught.value)


def test_dictionary_columns_need_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"c": pl.Series(["a"], dtype=pl.Categorical)}).write_parquet(path)
    plain = builtins.__import__

    def without_pyarrow(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return plain(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(MissingExtraError, match="pip install pyarrow"):
        read_table(path)


def test_read_frame_leaves_bene_to_read_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read_table"):
        read_frame(_file(tmp_path, "a\tx\n", "t.vd"))


# a letter at the start prevents numbers and missing cells; the last character is not a blank, so none is stripped
_word = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5).map(lambda t: f"w{t}w")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(_word, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    terminator=st.sampled_from(["\n", "\r\n"]),
    separator=st.sampled_from(",\t"),
)
def test_what_the_csv_module_writes_is_read_back(
    tmp_path: Path, rows: list[list[str]], quoting: int, terminator: str, separator: str
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=terminator)  # type: ignore[arg-type]
    writer.writerows([[f"n{place}" for place in range(len(rows[0]))], *rows])
    path = _file(tmp_path, text.getvalue(), "t.csv" if separator == "," else "t.tsv")
    table = read_table(path)
    assert [list(row) for row in zip(*(table.labels(name) for name in table.names), strict=True)] == rows


_PATTERNS = ["^a$", "*", "^.*$", "a", "^($"]


@pytest.mark.parametrize("source", ["csv", "parquet", "polars", "categorical", "lazy", "pandas", "arrow"])
def test_names_that_look_like_patterns_are_names(tmp_path: Path, source: str) -> None:
    labels = {name: [f"{name}{(row + place) % 3}" for row in range(9)] for place, name in enumerate(_PATTERNS)}
    frame = pl.DataFrame(labels)
    made: dict[str, Callable[[], Any]] = {
        "csv": lambda: _file(tmp_path, frame.write_csv(), "t.csv"),
        "parquet": lambda: (frame.write_parquet(tmp_path / "t.parquet"), tmp_path / "t.parquet")[1],
        "polars": lambda: frame,
        "categorical": lambda: frame.cast(pl.Categorical),
        "lazy": frame.lazy,
        "pandas": lambda: pd.DataFrame(labels),
        "arrow": frame.to_arrow,
    }
    table = read_table(made[source]())
    assert {name: list(table.labels(name)) for name in table.names} == labels


def test_columns_with_such_names_are_binned() -> None:
    numbers = {name: [row * (place + 1) / 2 for row in range(8)] for place, name in enumerate(_PATTERNS)}
    plain = {f"c{place}": column for place, column in enumerate(numbers.values())}
    binned = Discretizer(bins=2).fit_transform(pl.DataFrame(numbers))
    assert binned.columns == _PATTERNS
    assert binned.rows() == Discretizer(bins=2).fit_transform(pl.DataFrame(plain)).rows()


_PIECES = st.sampled_from(
    [",", '"', "\n", "\r", "\t", " ", "a", "7", "0", ".", "?", "NA", "\0", "é", "\ufeff", "\x1c", ";"]
)
_nasty = st.one_of(st.binary(max_size=60), st.lists(_PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode()))


@pytest.mark.filterwarnings("ignore::qnml.errors.ReadingWarning")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(content=_nasty, name=st.sampled_from(["t.csv", "t.tsv"]), packed=st.booleans())
def test_no_text_file_crashes_the_reader(tmp_path: Path, content: bytes, name: str, packed: bool) -> None:
    path = _file(tmp_path, gzip.compress(content) if packed else content, name + ".gz" * packed)
    with contextlib.suppress(QnmlError):
        assert read_table(path, missing="category").n_rows >= 1


def _packed_frames() -> dict[str, bytes]:
    frame = pl.DataFrame({"a": ["x", "y", None] * 5, "b": range(15)}, schema_overrides={"a": pl.Enum(["y", "x"])})
    parquet, arrow = io.BytesIO(), io.BytesIO()
    frame.write_parquet(parquet)
    frame.write_ipc(arrow)
    return {"t.parquet": parquet.getvalue(), "t.arrow": arrow.getvalue()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    name=st.sampled_from(["t.parquet", "t.arrow"]),
    place=st.floats(0, 1, exclude_max=True),
    byte=st.integers(0, 255),
    cut=st.booleans(),
)
def test_damaged_arrow_files_are_refused_or_read(tmp_path: Path, name: str, place: float, byte: int, cut: bool) -> None:
    content = bytearray(_packed_frames()[name])
    at = int(place * len(content))
    if cut:
        del content[at:]
    else:
        content[at] = byte
    with contextlib.suppress(QnmlError):
        assert read_table(_file(tmp_path, bytes(content), name), missing="category").names
