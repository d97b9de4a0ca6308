"""Reporting of failures: one line on stderr and an exit code, never a traceback.

0 done, 1 the work failed, 2 bad usage or bad input, 130 interrupted, 141 the output pipe was closed by its reader.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import TextIO

import typer

from qnml.cli.wording import in_shell_words
from qnml.errors import DataFolderError, InputError, QnmlError
from qnml.reports.parts import visible

__all__ = ["BROKEN_PIPE", "DONE", "FAILED", "INTERRUPTED", "MISUSED", "report", "tell"]

DONE, FAILED, MISUSED, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

# Some versions of typer bring their own copy of click, others use the installed one: ask typer for the
# class that all its usage errors share.
_UsageError: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def report(error: BaseException) -> int:
    """Report an error on stderr and return the exit code."""
    if isinstance(error, BrokenPipeError):
        _abandon(sys.stdout)
        return BROKEN_PIPE
    line, code = _described(error)
    try:
        if os.environ.get("QNML_DEBUG") == "1":
            traceback.print_exception(error)
    except OSError:
        _abandon(sys.stderr)
    tell(line)
    return code


def tell(text: str) -> None:
    """Print one line on stderr."""
    try:
        print(f"qnml: {_one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        # stderr is gone; the exit code still says what happened.
        _abandon(sys.stderr)


def _described(error: BaseException) -> tuple[str, int]:
    if isinstance(error, KeyboardInterrupt):
        # The message of a long computation says which results are kept.
        return f"interrupted: {in_shell_words(str(error))}" if str(error) else "interrupted", INTERRUPTED
    if isinstance(error, _UsageError):
        return f"error: {_usage_problem(error)}", MISUSED
    if isinstance(error, InputError | DataFolderError):
        return f"error: {in_shell_words(str(error))}", MISUSED
    if isinstance(error, QnmlError):
        return f"error: {in_shell_words(str(error))}", FAILED
    if isinstance(error, MemoryError):
        return "error: not enough memory for this. Use fewer rows, fewer columns or fewer parents.", FAILED
    if isinstance(error, OSError):
        # An error with a file name is about the input; one without is about the output stream.
        where = f"{error.filename}: " if error.filename else ""
        return f"error: {where}{error.strerror or error}", MISUSED if error.filename else FAILED
    return (
        f"internal error: {type(error).__name__}: {error}; please report it (QNML_DEBUG=1 shows where)",
        FAILED,
    )


def _usage_problem(error: Exception) -> str:
    format_message = getattr(error, "format_message", None)
    problem = str(format_message() if format_message else error).strip()
    if not problem.endswith((".", "?", "!")):
        problem += "."
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "qnml"
    return f"{problem} '{command} --help' shows how it is used."


def _one_line(text: str) -> str:
    return visible(re.sub(r"\s*[\r\n]+\s*", " ", text.strip()))


def _abandon(stream: TextIO) -> None:
    # Flushing the rest of the buffer when the interpreter closes the stream would raise again, with a message.
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        # Not a real file (a test, a notebook): nothing to protect.
        return
