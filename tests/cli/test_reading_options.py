"""How data files are read: the options of every command that reads one, and standard input."""

import gzip
import inspect
import io
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import openpyxl
import polars as pl
import pytest
import typer

import qnml
from qnml.cli.app import app
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.data import FileOptions

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
READERS = ["learn", "posterior", "bootstrap", "k-best", "score", "info", "independence", "predict"]
PAGES = ["report", "show"]
NAMES = ["separator", "decimal", "missing_words", "sheet", "encoding", "no_header", "sql"]
CSV = "A,B\na,x\nb,y\na,x\nb,x\na,y\nb,y\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_reads_a_table_has_all_options(command):
    names = [one.name for one in COMMANDS[command].params]
    assert [name for name in names if name in NAMES] == (NAMES if command in READERS + PAGES else [])
    assert "file" not in names


def test_the_options_are_those_of_the_library():
    assert [field.name for field in fields(ReadingOptions)] == NAMES
    assert [field.name for field in fields(FileOptions)] == [*NAMES[:-2], "header"]
    assert ReadingOptions().file_options() == FileOptions()
    given = ReadingOptions("tab", ",", ["NA,-9", "x"], "2", "cp1252", True).file_options()
    assert given == FileOptions("\t", ",", ["NA", "-9", "x"], "2", "cp1252", False)
    assert ReadingOptions(missing_words=[""]).file_options().missing_words == ("",)


def test_options_stand_where_the_command_has_them():
    taken = {}

    @reading_command
    def command(data: str, *, before: int = 1, file: ReadingOptions, after: int = 2) -> None:
        taken.update(data=data, before=before, file=file, after=after)

    assert list(inspect.signature(command).parameters) == ["data", "before", *NAMES, "after"]
    defaults = {field.name: field.default for field in fields(ReadingOptions)}
    command(data="t.csv", before=3, after=4, **{**defaults, "sheet": "2"})
    assert taken == {"data": "t.csv", "before": 3, "file": ReadingOptions(sheet="2"), "after": 4}


@pytest.fixture
def run(qnml_command, tmp_path):
    """Run a command on a data file with options."""
    net = tmp_path / "net.bif"
    dag = qnml.Dag.from_modelstring("[A][B|A]")
    qnml.write_network(qnml.fit(qnml.read_table({"A": ["a", "b"], "B": ["x", "y"]}), dag), net)
    before = {"predict": [net]}
    after = {
        "score": ["[A][B]"],
        "independence": ["A", "B"],
        "predict": ["--target", "A"],
        "bootstrap": ["--replicates", "2", "--seed", "1"],
    }
    return lambda command, data, *options: qnml_command(
        command, *before.get(command, []), data, *after.get(command, []), *options, "--json"
    )


def _written(folder: Path, text: str, name: str = "t.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("command", READERS)
def test_every_command_reads_the_same_table_however_it_is_written(run, tmp_path, command):
    plain = run(command, _written(tmp_path, CSV)).document
    odd = _written(tmp_path, CSV.replace(",", "#"), "t.txt", "utf-16")
    for path, options, notes in (
        (_written(tmp_path, CSV.replace(",", ";"), "s.csv"), [], 1),
        (_written(tmp_path, CSV.replace(",", ";"), "s.csv"), ["--separator", ";"], 0),
        (odd, ["--separator", "#"], 1),
        (odd, ["--separator", "#", "--encoding", "utf-16"], 0),
    ):
        outcome = run(command, path, *options)
        assert outcome.code == 0, outcome.err
        assert len(outcome.err.splitlines()) == notes
        assert _figures(json.loads(outcome.out)) == _figures(plain)


def _figures(value: object) -> object:
    """A document without file names and measured times."""
    if isinstance(value, dict):
        # The preparation also records how the file was read.
        left_out = ("source", "sentence", "trace", "peak_memory", "preparation")
        return {key: _figures(entry) for key, entry in value.items() if key not in left_out and "second" not in key}
    return [_figures(entry) for entry in value] if isinstance(value, list) else value


def test_each_option_reaches_the_reader(qnml_command, tmp_path):
    text = "A;B\n1,5;-9\n2,5;y\n1,5;y\n"
    path = _written(tmp_path, text)
    words = ["info", path, "--separator", "semicolon", "--decimal", ".", "--missing-words", "-9,x", "--json"]
    columns = qnml_command(*words).document["columns"]
    assert [(one["kind"], one["distinct"], one["missing"]) for one in columns] == [("text", 2, 0), ("text", 1, 1)]
    bare = _written(tmp_path, "a,x\nb,y\n", "bare.csv")
    columns = qnml_command("info", bare, "--no-header", "--json").document["columns"]
    assert [one["name"] for one in columns] == ["X1", "X2"]
    latin = _written(tmp_path, "A,grün\na,x\n", "latin.csv", "latin-1")
    qnml_command("info", latin).assert_refused("--encoding cp1252", "--encoding latin-1")
    columns = qnml_command("info", latin, "--encoding", "latin-1", "--json").document["columns"]
    assert columns[1]["name"] == "grün"


def test_row_numbers_of_pandas_are_left_out(qnml_command, tmp_path):
    path = tmp_path / "rows.csv"
    pl.read_csv(io.StringIO(CSV + CSV[4:] * 5)).to_pandas().to_csv(path)
    for command in ("info", "learn"):
        outcome = qnml_command(command, path, "--json")
        assert outcome.code == 0
        assert outcome.err == f"qnml: {path}: The header has no name for one column, now called 'column 1'.\n"
    document = json.loads(outcome.out)
    assert document["data"]["variables"] == 2
    assert document["data"]["preparation"]["columns"][0]["reason"] == "It numbers the rows."
    qnml_command("learn", path, "--prepare", "strict").assert_refused("line 1, column 1", "no name")


def test_sheets(qnml_command, tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["A"])
    book.active.append(["a"])
    other = book.create_sheet("Other")
    other.append(["B"])
    other.append([1])
    book.save(tmp_path / "t.xlsx")
    outcome = qnml_command("info", tmp_path / "t.xlsx", "--json")
    assert json.loads(outcome.out)["columns"][0]["name"] == "A"
    assert "Read sheet 'Sheet'; --sheet chooses another: 'Other'." in outcome.err
    for sheet in ("Other", "2"):
        document = qnml_command("info", tmp_path / "t.xlsx", "--sheet", sheet, "--json").document
        assert document["columns"][0]["name"] == "B"
    qnml_command("info", tmp_path / "t.xlsx", "--sheet", "Third").assert_refused("--sheet Third: unknown. Known: Sheet")
    qnml_command("info", tmp_path / "t.xlsx", "--separator", ";").assert_refused("--separator ';': only text files")


def test_guesses_are_told_on_stderr(qnml_command, tmp_path):
    path = _written(tmp_path, "A;B\n1,5;x\n2,5;y\n")
    outcome = qnml_command("learn", path, "--discretize", "width", "--bins", "2")
    assert outcome.code == 0
    assert outcome.err == f"qnml: {path}: Read with separator ';' and decimal comma.\n"


def _piped(content: bytes, *words: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "qnml", *map(str, words)]
    return subprocess.run(command, input=content, capture_output=True, timeout=120, check=False)


def test_standard_input(tmp_path):
    frame, content = pl.read_csv(io.StringIO(CSV)), io.BytesIO()
    frame.write_parquet(content)
    for data, notes in (
        (CSV.encode(), 1),
        (CSV.replace(",", ";").encode(), 1),
        (gzip.compress(CSV.encode()), 1),
        (content.getvalue(), 0),
    ):
        done = _piped(data, "info", "-", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["rows"] == 6
        assert done.stderr.count(b"qnml: standard input: Read with separator") == notes
    done = _piped(CSV.encode(), "score", "-", "[A][B|A]", "--separator", "comma")
    assert done.stdout.startswith(b"standard input: 6 rows, 2 columns")
    assert done.stderr == b""
    done = _piped(b"A,B\na\n", "info", "-")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"standard input, line 2: the number of cells is 1" in done.stderr
    done = _piped(CSV.encode() * 10_000, "info", "-", "--memory", "0.0001")
    assert done.returncode == 1
    assert b"standard input" in done.stderr


def test_standard_input_that_is_closed(qnml_command, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    qnml_command("info", "-").assert_refused("standard input is closed")


def test_the_file_behind_standard_input_is_not_overwritten(tmp_path):
    rows = _written(tmp_path, CSV)
    net = tmp_path / "net.bif"
    qnml.write_network(qnml.fit(qnml.read_table(rows), qnml.Dag.from_modelstring("[A][B|A]")), net)
    command = [sys.executable, "-m", "qnml", "predict", net, "-", "--target", "A", "--output"]
    for output, code in ((rows, 2), (tmp_path / "other.csv", 0)):
        with open(rows, "rb") as file:
            done = subprocess.run([*command, output], stdin=file, capture_output=True, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        assert (b"must be another file than the input" in done.stderr) == (code == 2)
    assert rows.read_text(encoding="utf-8") == CSV
