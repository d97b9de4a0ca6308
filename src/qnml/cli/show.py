"""Output of results on stdout: a page for people, or one JSON document for programs."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

import qnml
from qnml.cli.wording import in_shell_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from qnml.reports.fact_parts import Facts

__all__ = ["show"]

_SENTENCES = ("advice", "sentence", "warnings")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # rich would exit immediately; the exit code is chosen in one place.
        raise BrokenPipeError


def show(command: str, facts: Facts, page: Callable[[Facts], list[RenderableType]], *, as_json: bool) -> None:
    """Print facts as JSON, or as the page drawn from them."""
    facts = _worded(facts)
    if as_json:
        document = {"command": command, "version": qnml.__version__, **facts}
        print(json.dumps(_with_nulls(document), indent=2, allow_nan=False))
    else:
        console = _Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        for part in page(facts):
            console.print(part)
    # Here and not at exit, so that a closed pipe is noticed while it can still be handled.
    sys.stdout.flush()


def _worded(value: Any, key: str = "") -> Any:
    """Facts with the sentences of the library in the words of the shell."""
    if isinstance(value, dict):
        return {name: _worded(entry, name) for name, entry in value.items()}
    if isinstance(value, list):
        return [_worded(entry, key) for entry in value]
    return in_shell_words(value) if key in _SENTENCES and isinstance(value, str) else value


def _with_nulls(value: Any) -> Any:
    # JSON has no infinities, and strict readers reject a whole document because of one.
    if isinstance(value, dict):
        return {key: _with_nulls(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with_nulls(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
