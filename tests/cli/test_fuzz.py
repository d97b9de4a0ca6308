"""No file, however odd, gives a traceback: only an answer, or one line and exit code 2."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

_BOLD = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

# Mostly what tables and networks are made of, so that many examples get past the first check.
_PIECES = [
    "A",
    "B",
    "a",
    "0",
    "1",
    "2.5",
    "-",
    "?",
    "NA",
    "nan",
    " ",
    ",",
    ",",
    "\n",
    "\n",
    "\r\n",
    '"',
    "'",
    "\t",
    ";",
]
_TABLE_TEXT = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=40).map("".join)
_TABLE_BYTES = _TABLE_TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200)
_BIF_PIECES = [
    *("network ", "variable ", "probability ", " type discrete ", " table ", "property ", "default "),
    *("A", "B", "{", "}", "(", ")", "|", ";", ",", "[2]", "0.5", "//", "/*", "*/", "\n", '"'),
]
_NETWORK_TEXT = st.lists(st.sampled_from([*_BIF_PIECES, "[", "]", ":", "null"]) | st.text(max_size=2), max_size=40)
_NETWORK_BYTES = _NETWORK_TEXT.map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))


def assert_answered_or_refused(outcome, path=None):
    """Lines about how the file was read may come first."""
    told = outcome.err.splitlines(keepends=True)
    rest = [line for line in told if path is None or not line.startswith(f"qnml: {path}: ")]
    outcome = replace(outcome, err="".join(rest))
    if outcome.code == 0:
        assert outcome.err == ""
        json.loads(outcome.out)
    else:
        outcome.assert_refused()


@_BOLD
@given(content=_TABLE_BYTES, ending=st.sampled_from(["csv", "tsv", "csv.gz", "parquet", "arrow", "vd", "idt"]))
def test_any_table(qnml_command, tmp_path, content, ending):
    path = tmp_path / f"table.{ending}"
    path.write_bytes(content)
    assert_answered_or_refused(qnml_command("info", path, "--json"), path)
    assert_answered_or_refused(qnml_command("score", path, "[A][B|A]", "--json", "--explain"), path)
    assert_answered_or_refused(qnml_command("learn", path, "--json", "--missing", "category"), path)
    words = ("--discretize", "paper", "--missing", "drop")
    assert_answered_or_refused(qnml_command("learn", path, "--json", *words), path)


@_BOLD
@given(rows=st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), min_size=1, max_size=6))
def test_any_cells(qnml_command, tmp_path, rows):
    path = tmp_path / "cells.csv"
    quoted = ["{},{}".format(*('"' + cell.replace('"', '""') + '"' for cell in row)) for row in rows]
    path.write_bytes(("A,B\n" + "\n".join(quoted) + "\n").encode("utf-8", "surrogatepass"))
    assert_answered_or_refused(qnml_command("info", path, "--json"), path)
    outcome = qnml_command("score", path, "[A][B|A]", "--missing", "category", "--json")
    assert_answered_or_refused(outcome, path)
    page = qnml_command("info", path)
    assert page.code in (0, 2)
    assert not any(letter in page.out for letter in "\x1b\x07\x08\r")


@_BOLD
@given(content=_NETWORK_BYTES | st.binary(max_size=100), ending=st.sampled_from(["bif", "json", "txt", "bif.gz"]))
def test_any_network_file(qnml_command, tmp_path, content, ending):
    table, network = tmp_path / "table.csv", tmp_path / f"network.{ending}"
    table.write_text("A,B\na,x\nb,y\n", encoding="utf-8")
    network.write_bytes(content)
    assert_answered_or_refused(qnml_command("score", table, network, "--json"))


@_BOLD
@given(words=st.lists(st.text(max_size=12).filter(lambda word: not word.startswith("-")), min_size=4, max_size=4))
def test_any_words(qnml_command, tmp_path, words):
    table = tmp_path / "table.csv"
    table.write_text("A,B\na,x\nb,y\n", encoding="utf-8")
    network, scores, levels, number = words
    assert_answered_or_refused(qnml_command("score", table, network, "--json"))
    assert_answered_or_refused(qnml_command("score", table, "[A]", "--score", scores, "--json"))
    assert_answered_or_refused(qnml_command("score", table, "[A]", "--levels", levels, "--json"))
    assert_answered_or_refused(qnml_command("regret", number, number, "--json"))
    assert_answered_or_refused(qnml_command("compare", network, "[A]", "--json"))


def test_the_check_itself_can_fail(qnml_command, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr("qnml.regret", fail)
    with pytest.raises(AssertionError):
        assert_answered_or_refused(qnml_command("regret", "1", "2", "--json"))
