"""Open files: standard input, memory, archives; their format is found from their content."""

import gzip
import io
import subprocess
import sys
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest

import qnml
from qnml.data import FileOptions, open_file, read_frame, read_table
from qnml.data.file_objects import content_kind, file_object_name, is_file_object
from qnml.errors import FileFormatError, InputError

FRAME = pl.DataFrame({"a": ["x", "y", "x"], "b": [1, 2, 2]})


def _content(kind):
    content = io.BytesIO()
    if kind == "csv":
        FRAME.write_csv(content)
    elif kind == "parquet":
        FRAME.write_parquet(content)
    elif kind == "arrow":
        FRAME.write_ipc(content)
    else:
        book = openpyxl.Workbook()
        for row in [FRAME.columns, *FRAME.rows()]:
            book.active.append(row)
        book.save(content)
    return content.getvalue()


@pytest.mark.filterwarnings("ignore::qnml.errors.ReadingWarning")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "xlsx"])
def test_the_content_says_what_a_file_is(kind, packed):
    content = _content(kind)
    found = io.BytesIO(gzip.compress(content) if packed else content)
    assert read_table(found) == read_table(FRAME)
    found.seek(0)
    assert read_frame(found).equals(FRAME)
    assert content_kind(content) == (None if kind == "csv" else f".{kind}")


@pytest.mark.filterwarnings("ignore::qnml.errors.ReadingWarning")
def test_other_open_files(tmp_path):
    text = FRAME.write_csv()
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with open(path, encoding="utf-8") as file:
        assert read_table(file) == read_table(path)
    with open(path, "rb") as file:
        assert read_table(file) == read_table(path)
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", text)
    with zipfile.ZipFile(tmp_path / "t.zip") as archive, archive.open("t.csv") as part:
        assert read_table(part) == read_table(path)
    net = qnml.fit(read_table(path), qnml.Dag.empty(["a", "b"]))
    assert net.log_prob(io.StringIO(text)).tolist() == net.log_prob(FRAME).tolist()


def test_names_of_open_files(tmp_path):
    assert file_object_name(sys.__stdin__) == "standard input"
    assert file_object_name(io.StringIO()) == "the open file"
    with open(tmp_path / "x", "w", encoding="utf-8") as file:
        assert file_object_name(file) == str(tmp_path / "x")
    with pytest.raises(FileFormatError, match="the open file: the file is empty"):
        read_table(io.BytesIO())


class _Odd:
    def __getattr__(self, name):
        raise RuntimeError(name)


def test_what_has_a_column_called_read_is_no_file():
    for source in (pd.DataFrame({"read": [1, 2]}), FRAME, np.zeros(3), {"read": [1]}, _Odd(), io.BytesIO):
        assert not is_file_object(source)
    assert read_table(pd.DataFrame({"read": [1, 2]})).names == ("read",)


def test_options_must_fit_what_was_found():
    with pytest.raises(InputError, match="only text files have a separator, and the open file is a Parquet or Arrow"):
        open_file(io.BytesIO(_content("parquet")), FileOptions(separator=";"))


def test_standard_input_in_python():
    program = "import sys, qnml; print(qnml.read_table(sys.stdin.buffer, separator=';').levels)"
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"a;b\nx;1\ny;2\n", capture_output=True, check=True, timeout=120
    )
    assert done.stdout.decode().strip() == "(('x', 'y'), (1, 2))"
    assert done.stderr == b""
