"""Code blocks of a Markdown page, and the blocks of output below them.

A block is a fence with a language, or an HTML comment that begins with ``<!--python`` or ``<!--console``: readers do
not see it, and it is run like the others. A comment ``<!-- not run: why -->`` before a block leaves it out.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, replace

__all__ = ["Block", "blocks_of", "with_outputs"]

OUTPUT = "output"
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
    """

    language: str
    code: str
    line: int
    not_run: str | None = None
    output: str | None = None
    output_lines: tuple[int, int] = (0, 0)
    indent: str = ""


def blocks_of(text: str) -> list[Block]:
    """All blocks of code of a page, in order."""
    lines = text.splitlines()
    found: list[Block] = []
    not_run: str | None = None
    at = 0
    while at < len(lines):
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
