"""Code blocks of a Markdown page, and the blocks of output below them.

A block is a fence with a language, or an HTML comment that begins with ``<!--python`` or ``<!--console``: readers do
not see it, and it is run like the others. A comment ``<!-- not run: why -->`` before a block leaves it out. Code in
the cells of a table is run if the head of its column is the name of a package in `PACKAGES`.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PACKAGES", "Block", "blocks_of", "with_outputs"]

OUTPUT = "output"
# By the head of a column: the module without which its cells cannot be run.
PACKAGES = {"qnml": "qnml", "pgmpy": "pgmpy", "pyAgrum": "pyagrum", "causal-learn": "causallearn"}
_WIDEST = 120
_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,})(?P<language>[\w-]+) *$")
_HIDDEN = re.compile(r"^<!--(?P<language>python|console)$")
_NOT_RUN = re.compile(r"^<!-- not run: (?P<why>.+) -->$")


@dataclass(frozen=True)
class Block:
    """One block of code.

    Attributes
    ----------
    language
        The word after the backquotes.
    code
        The lines between the fences, without their indentation.
    line
        The number of the first line of code, from 1.
    not_run
        Why it is not run, or None.
    output
        The text of the block of output that follows, or None where there is none.
    output_lines
        The first and the last-but-one line of that text, as indices into the lines of the page.
    indent
        What stands before every line.
    needs
        The module without which it cannot be run, or None.
    """

    language: str
    code: str
    line: int
    not_run: str | None = None
    output: str | None = None
    output_lines: tuple[int, int] = (0, 0)
    indent: str = ""
    needs: str | None = None


def blocks_of(text: str) -> list[Block]:
    """All blocks of code of a page, in order."""
    lines = text.splitlines()
    found: list[Block] = []
    not_run: str | None = None
    heads: list[str] = []
    at = 0
    while at < len(lines):
        heads = _heads(lines, at) or (heads if lines[at].startswith("|") else [])
        found.extend(_cells(heads, lines[at], at + 1))
        if said := _NOT_RUN.match(lines[at]):
            not_run = said["why"]
        if not (start := _FENCE.match(lines[at]) or _HIDDEN.match(lines[at])):
            at += 1
            continue
        parts = start.groupdict()
        indent, closing = parts.get("indent", ""), parts.get("marks", "-->")
        end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == closing), None)
        if end is None:
            raise ValueError(f"line {at + 1}: the block is not closed")
        code = "\n".join(line.removeprefix(indent) for line in lines[at + 1 : end])
        if parts["language"] == OUTPUT:
            if not found:
                raise ValueError(f"line {at + 1}: there is no code above this output")
            found[-1] = replace(found[-1], output=code, output_lines=(at + 1, end))
        else:
            found.append(Block(parts["language"], code, at + 2, not_run, indent=indent))
            not_run = None
        at = end + 1
    return found


def _heads(lines: list[str], at: int) -> list[str]:
    """The heads of the columns of a table that begins in this line."""
    is_head = lines[at].startswith("|") and at + 1 < len(lines) and set(lines[at + 1]) <= set("|-: ") and lines[at + 1]
    return _row(lines[at]) if is_head else []


def _cells(heads: list[str], line: str, number: int) -> Iterator[Block]:
    """The code in the cells of one row of a table."""
    for head, cell in zip(heads, _row(line) if heads else [], strict=False):
        for code in re.findall(r"`([^`]+)`", cell) if head in PACKAGES else []:
            yield Block("python", code.replace(r"\|", "|"), number, needs=PACKAGES[head])


def _row(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def with_outputs(text: str, outputs: dict[int, str]) -> str:
    """The page with other outputs, given by the line of their code."""
    lines = text.splitlines()
    for block in reversed(blocks_of(text)):
        if block.output is not None and block.line in outputs:
            first, after = block.output_lines
            wrapped = [part for line in outputs[block.line].splitlines() for part in _wrapped(line)]
            lines[first:after] = [f"{block.indent}{line}".rstrip() for line in wrapped]
    return "\n".join(lines) + "\n"


def _wrapped(line: str) -> list[str]:
    """A long line of prose, in several; a line of a table as it is."""
    if len(line) <= _WIDEST or "   " in line:
        return [line]
    return textwrap.wrap(line, 100, break_long_words=False, break_on_hyphens=False)
