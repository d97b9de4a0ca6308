"""Running the command line, in this process or in a separate one."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from qnml.cli import main


@dataclass(frozen=True)
class Outcome:
    """The exit code and the output of a run."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))

    def assert_refused(self, *words: str, code: int = 2) -> None:
        """Exactly one line on stderr that contains all the words, nothing on stdout, and the exit code."""
        assert self.code == code, self
        assert self.out == ""
        assert self.err.startswith("qnml: ")
        assert self.err.endswith("\n")
        assert len(self.err.splitlines()) == 1, self.err
        assert "Traceback" not in self.err
        assert "internal error" not in self.err
        for word in words:
            assert word in self.err, (word, self.err)


@pytest.fixture(scope="session")
def qnml_command() -> Callable[..., Outcome]:
    """Run ``qnml`` with these words in this process."""

    def run(*words: object) -> Outcome:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(word) for word in words])
        return Outcome(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def qnml_process() -> Callable[..., Outcome]:
    """Run ``python -m qnml`` with these words, and with more environment variables if wanted."""

    # Variables that would make a program write colours or other widths without a terminal.
    loud = {"FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "COLUMNS", "QNML_DEBUG"}
    plain = {name: value for name, value in os.environ.items() if name not in loud}

    def run(*words: object, **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "qnml", *map(str, words)],
            capture_output=True,
            encoding="utf-8",
            env={**plain, "PYTHONIOENCODING": "utf-8", **environment},
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """Three columns, eight rows, five of them distinct."""
    path = tmp_path / "table.csv"
    path.write_text("A,B,C\na,x,1\nb,y,2\na,x,1\na,y,3\nb,y,2\na,x,1\nb,x,1\na,y,2\n", encoding="utf-8")
    return path


# The command line, interrupted a while after a function of the core was called.
_INTERRUPTED = """
import os, signal, sys, threading
from qnml import _core
from qnml.cli import main

name, seconds = sys.argv[1], float(sys.argv[2])
function = getattr(_core, name)

def interrupted(*given):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    return function(*given)

setattr(_core, name, interrupted)
sys.exit(main(sys.argv[3:]))
"""


@pytest.fixture(scope="session")
def interrupted_process() -> Callable[..., Outcome]:
    """Run ``qnml`` in a separate process, and send Ctrl-C this long after the core has started to work."""

    def run(function: str, seconds: float, *words: object) -> Outcome:
        if os.name == "nt":
            pytest.skip("interrupts are sent differently on Windows")
        command = [sys.executable, "-c", _INTERRUPTED, function, str(seconds), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run
