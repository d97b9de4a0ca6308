"""The command as a whole: help, version, exit codes, and the messages of failures."""

import os
import subprocess
import sys

import pytest

import qnml
from qnml.errors import DataFolderError, InputError, MissingExtraError, TooLargeError

COMMANDS = [
    "learn",
    "score",
    "regret",
    "compare",
    "info",
    "independence",
    "scores",
    "predict",
    "query",
    "effect",
    "sample",
    "convert",
]


def test_version(qnml_command):
    outcome = qnml_command("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"qnml {qnml.__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_in_80_columns(qnml_command, command):
    outcome = qnml_command(command, "--help")
    assert outcome.code == 0
    assert "Example" in outcome.out
    assert f"  qnml {command}" in outcome.out
    assert "--json" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_help_keeps_model_strings_whole(qnml_command):
    assert "'[A][C][B|A:C]'" in qnml_command("compare", "--help").out


def test_without_a_command_the_help_is_shown(qnml_command):
    outcome = qnml_command()
    assert outcome.code == 2
    for command in COMMANDS:
        assert command in outcome.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scroe"], ["scroe", "qnml --help"]),
        (["score"], ["DATA", "qnml score --help"]),
        (["score", "a.csv"], ["NETWORK"]),
        (["score", "a.csv", "[A]", "--jobs", "many"], ["--jobs"]),
        (["score", "a.csv", "[A]", "--scores", "bic"], ["--scores"]),
        (["regret", "1", "2", "3"], ["3"]),
        (["regret", "-5", "2"], ["-5"]),
    ],
)
def test_bad_usage_is_one_line(qnml_command, words, expected):
    qnml_command(*words).assert_refused("qnml: error: ", *expected)


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("too\n  bad"), 2, "qnml: error: too bad"),
        (DataFolderError("no folder"), 2, "qnml: error: no folder"),
        (TooLargeError("10^9 bytes"), 1, "qnml: error: 10^9 bytes"),
        (MissingExtraError("install it"), 1, "qnml: error: install it"),
        (MemoryError(), 1, "qnml: error: not enough memory"),
        (PermissionError(13, "Permission denied", "x.csv"), 2, "qnml: error: x.csv: Permission denied"),
        (OSError(28, "No space left on device"), 1, "qnml: error: No space left on device"),
        (KeyboardInterrupt(), 130, "qnml: interrupted"),
        (
            ZeroDivisionError("1/0\nhm"),
            1,
            "qnml: internal error: ZeroDivisionError: 1/0 hm; please report it",
        ),
        (InputError("\x1b[2J\u2028gone"), 2, "qnml: error: \\x1b[2J\\u2028gone"),
    ],
)
def test_failures_are_one_line_and_a_code(qnml_command, monkeypatch, error, code, line):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(qnml, "regret", fail)
    monkeypatch.delenv("QNML_DEBUG", raising=False)
    outcome = qnml_command("regret", "1", "2")
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(line)
    assert len(outcome.err.splitlines()) == 1


def test_a_traceback_only_when_asked_for(qnml_command, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(qnml, "regret", fail)
    monkeypatch.setenv("QNML_DEBUG", "1")
    assert "Traceback" in qnml_command("regret", "1", "2").err


def test_as_a_process_of_its_own(qnml_process, table_file):
    outcome = qnml_process("score", table_file, "[A][B|A]", "--json")
    expected = qnml.score(qnml.read_table(table_file), qnml.Dag.from_modelstring("[A][B|A]"))
    assert outcome.document["scores"][0]["value"] == expected
    refused = qnml_process("score", table_file, "[A][B|A]", "--score", "qmnl")
    refused.assert_refused("Did you mean 'qnml'?")


def test_no_colour_and_80_columns_away_from_a_terminal(qnml_process, table_file):
    outcome = qnml_process("score", table_file, "[A][B|A][C|A:B]", "--explain")
    assert outcome.code == 0
    assert "\x1b" not in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_letters_the_terminal_lacks_are_no_failure(qnml_process, tmp_path):
    path = tmp_path / "letters.csv"
    path.write_text("Größe,B\nweiß,1\n黒,2\n", encoding="utf-8")
    outcome = qnml_process("info", path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Gr??e" in outcome.out


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently on Windows")
def test_a_reader_that_goes_away_is_no_failure_to_talk_about(tmp_path):
    path = tmp_path / "wide.csv"
    # More output than a pipe holds, so that writing does meet the closed end.
    names = [f"column_{i}" for i in range(4000)]
    path.write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "qnml", "info", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()
        assert process.wait(60) == 141
    assert complaint == b""
