"""The format of a path, and its reader."""

import io
from pathlib import Path

import pytest

from qnml.data import FileOptions
from qnml.data.paths import FILE_KINDS, file_kind, is_bene, is_readable, read_path
from qnml.data.table import Table
from qnml.errors import InputError, ReadingWarning


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_endings_are_known_in_any_case(kind):
    assert file_kind(Path(f"a.b{kind}")) == kind
    assert file_kind(Path(f"A{kind.upper()}")) == kind
    assert is_bene(Path(f"a{kind}")) == (".vd" in kind or ".idt" in kind)


def test_other_endings_are_refused_with_those_known():
    with pytest.raises(InputError, match=r"a file ending in \.csv, "):
        file_kind(Path("a.xyz"))
    for ending in ("xls", "XLSB", "ods"):
        with pytest.raises(InputError, match=r"Save the sheet as \.xlsx or \.csv"):
            file_kind(Path(f"a.{ending}"))


def test_a_file_is_read_by_its_own_reader(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\nx,1\n", encoding="utf-8")
    assert read_path("call", "data", tmp_path / "t.csv").columns == ["a", "b"]
    (tmp_path / "t.vd").write_text("a\tx\ty\n", encoding="utf-8")
    (tmp_path / "t.idt").write_text("1\n", encoding="utf-8")
    assert read_path("call", "data", str(tmp_path / "t.idt")) == Table.from_codes({"a": [1]}, levels=[["x", "y"]])


@pytest.mark.parametrize(
    ("source", "expected"),
    [("a.csv", True), (Path("a"), True), (io.BytesIO(), True), (io.StringIO(), True), ({}, False), ([], False)],
)
def test_paths_and_open_files_are_readable(source, expected):
    assert is_readable(source) is expected


def test_guesses_are_warnings_that_blame_the_caller(tmp_path):
    (tmp_path / "t.csv").write_text("a;b\nx;1\n", encoding="utf-8")
    with pytest.warns(ReadingWarning, match=r"t\.csv: Read with separator ';'\.") as caught:
        read_path("call", "data", tmp_path / "t.csv")
    assert caught[0].filename == __file__
    options = FileOptions(separator=";")
    assert read_path("call", "data", tmp_path / "t.csv", options=options).columns == ["a", "b"]
