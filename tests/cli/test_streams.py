"""Streams that are closed, full, or not read: one line where it can be written, and always the exit code."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="closes streams by the words of a Unix shell")

CLOSED = "qnml: error: standard output is closed. Redirect it to /dev/null to discard the output.\n"
FULL = "qnml: error: No space left on device\n"
UNKNOWN = "qnml: error: No such command 'nosuch'. 'qnml --help' shows how it is used.\n"


@pytest.mark.parametrize(
    ("words", "streams", "code", "said"),
    [
        ("learn TABLE", ">&-", 1, CLOSED),
        ("info TABLE --json", ">&-", 1, CLOSED),
        ("--help", ">&-", 1, CLOSED),
        ("info TABLE", ">&- 2>&-", 1, ""),
        ("info TABLE", ">/dev/full", 1, FULL),
        ("--help", ">/dev/full", 1, FULL),
        ("info TABLE", ">/dev/full 2>/dev/full", 1, ""),
        ("nosuch", "2>&-", 2, ""),
        ("nosuch", "2>/dev/full", 2, ""),
        ("nosuch", "2>&1 | true", 2, ""),
        ("nosuch", "| true", 2, UNKNOWN),
        ("info TABLE", "| true", 141, ""),
        ("--help", "| true", 141, ""),
    ],
)
def test_streams_that_take_nothing(words, streams, code, said, table_file):
    if "/dev/full" in streams and not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    line = f"{sys.executable} -m qnml {words.replace('TABLE', str(table_file))} {streams}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


@pytest.mark.parametrize("words", ["learn TABLE", "posterior TABLE --json"])
def test_messages_do_not_go_where_results_go(words, table_file):
    """Without a standard error stream there is no progress bar, and the command succeeds."""
    line = f"{sys.executable} -m qnml {words.replace('TABLE', str(table_file))}"
    plain, closed = (
        subprocess.run(["bash", "-c", one], capture_output=True, text=True, timeout=60, check=False)
        for one in (line, f"{line} 2>&-")
    )
    assert (plain.returncode, closed.returncode, closed.stderr) == (0, 0, "")
    assert len(closed.stdout.splitlines()) == len(plain.stdout.splitlines()) > 5


def test_a_closed_stream_is_no_place_for_a_file():
    """The next opened file must not get the number of a closed stream, and with it the output of libraries."""
    program = (
        "import os; from qnml.cli.streams import check_streams; check_streams(); print(os.open('.', os.O_RDONLY) > 2)"
    )
    line = f'{sys.executable} -c "{program}" <&- 2>&-'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n")
