"""Running the blocks of a page, in order, in an empty folder with the files that the pages speak of."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tools.pages.blocks import Block, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Finding", "run_page"]

# Languages that are run; others, such as text and C++, are left to the tests of their pages.
RUN = ("python", "pycon", "console")
# Programs that change the machine or serve, which no test of a page may start; tests of their own name them.
NOT_STARTED = ("make", "pip", "conda", "git", "cd", "python", "asv", "pre-commit")
# Durations and sizes differ from run to run; so does the work of threads that look ahead.
_UNITS = "s|ms|µs|seconds?|milliseconds?|MB|GB|kB|bytes|sets of variables counted"
_VARYING = re.compile(rf"(?<![\w.])[\d][\d,.]*(e[+-]?\d+)?(?= ?({_UNITS})\b)")
_PICTURE = re.compile(r"\]\((?:\.\./)*(pictures/[\w./-]+)\)")


@dataclass(frozen=True)
class Finding:
    """What is wrong with one block: its line in the page, and a message for people."""

    line: int
    message: str


def run_page(page: Path, files: Path, folder: Path, docs: Path, *, write: bool = False) -> tuple[list[Finding], dict]:
    """Run all blocks of a page.

    Parameters
    ----------
    page
        The Markdown file.
    files
        A folder with files that the pages use; they are copied.
    folder
        An empty folder to run in.
    docs
        The folder of the documentation, in which `pictures` lies.
    write
        Whether to store the pictures that the page shows.

    Returns
    -------
    What is wrong, and the output of each block by its line.
    """
    shutil.copytree(files, folder, dirs_exist_ok=True)
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    findings: list[Finding] = []
    outputs: dict[int, str] = {}
    with _in(folder), _same_look():
        for block in blocks_of(text):
            if block.language not in RUN or block.not_run or (block.needs and not find_spec(block.needs)):
                continue
            try:
                outputs[block.line] = printed = _run(block, names)
            except Exception:
                findings.append(Finding(block.line, traceback.format_exc(limit=-3)))
                # Later blocks build on this one; cells of a table stand for themselves.
                if not block.needs:
                    break
            if block.output is not None and not _same(block.output, printed):
                findings.append(Finding(block.line, f"printed\n{printed}\ninstead of\n{block.output}"))
    findings.extend(_compare_pictures(text, folder, docs, write=write))
    return findings, outputs


def _run(block: Block, names: dict[str, Any]) -> str:
    if block.needs:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(block.code, names)
        return ""
    session = block.language == "pycon" or block.code.startswith(">>> ")
    run = _run_session if session else {"python": _run_python, "console": _run_commands}[block.language]
    return run(block.code, names).rstrip("\n")


def _run_python(code: str, names: dict[str, Any]) -> str:
    """Run statements as a notebook does: what they print, their warnings, and the value of the last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for silent in (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning):
            warnings.simplefilter("ignore", silent)
        exec(compile(tree, "<page>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
            if value is not None:
                print(repr(value))
    for warning in told:
        printed.write(f"{warning.category.__name__}: {warning.message}\n")
    return printed.getvalue()


def _run_session(code: str, names: dict[str, Any]) -> str:
    """Run lines that begin with ``>>>``, and compare what follows them."""
    session = doctest.DocTestParser().get_doctest(f"{code}\n\n", names, "page", None, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(session, out=report.append, clear_globs=False)
    names.update(session.globs)
    if report:
        raise AssertionError("".join(report))
    return ""


def _run_commands(code: str, names: dict[str, Any]) -> str:
    """Run lines that begin with ``$``; those with the comment ``# error`` must fail. Other lines are not compared."""
    joined = re.sub(r"\\\n\s*", "", code)
    return "".join(_run_command(line[2:]) for line in joined.splitlines() if line.startswith("$ "))


def _run_command(command: str) -> str:
    words = shlex.split(command, comments=True)
    if not words or words[0] in NOT_STARTED:
        return ""
    if words[0] == "qnml" and not {"|", ">", "<"} & set(words):
        return _run_qnml(words[1:], wanted=2 if "# error" in command else 0)
    # `qnml` inside a pipe is the one of this interpreter.
    shell = f'qnml() {{ "{sys.executable}" -m qnml "$@"; }}; set -o pipefail; {command}'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"{command}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def _run_qnml(words: list[str], wanted: int) -> str:
    from qnml.cli import main

    printed, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said), warnings.catch_warnings():
        try:
            code = main(words)
        except SystemExit as leaving:
            code = leaving.code
    if code != wanted:
        raise RuntimeError(f"qnml {shlex.join(words)}: ended with {code}\n{printed.getvalue()}{said.getvalue()}")
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()) + "\n"


def _same(wanted: str, printed: str) -> bool:
    return _without_varying(wanted) == _without_varying(printed)


def _without_varying(text: str) -> str:
    """The text without durations and line breaks: tables are as wide as their longest cell, and lines are wrapped."""
    return re.sub(r"[\s─]+", " ", _VARYING.sub("#", text)).strip()


def _compare_pictures(text: str, folder: Path, docs: Path, *, write: bool) -> Iterator[Finding]:
    """Pictures that the page shows and its code has drawn are the stored ones."""
    for name in dict.fromkeys(_PICTURE.findall(text)):
        drawn, stored = folder / name.rpartition("/")[2], docs / name
        if not drawn.is_file():
            continue
        if write:
            stored.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(drawn, stored)
        elif not stored.is_file():
            yield Finding(1, f"{name} is not stored: python -m tools.pages --write")
        elif drawn.suffix == ".svg" and _words_of(drawn) != _words_of(stored):
            yield Finding(1, f"{name} is not the picture that the page draws")


def _words_of(picture: Path) -> list[str]:
    """The names, titles and numbers that readers see; places may move."""
    return sorted(re.findall(r">([^<>\s][^<>]*)<", picture.read_text(encoding="utf-8")))


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _same_look() -> Iterator[None]:
    """Text of the same width and without colours, wherever it is run."""
    wanted = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "MPLBACKEND": "agg"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
