"""bnlearn's one-line notation for networks: ``[A][C][B|A:C]``.

Each node is in square brackets, followed after a bar by its parents, separated by colons; every node must be listed,
including isolated ones. White space between the brackets is skipped; inside them every character is significant, so
that names may contain spaces. The notation has no escape for ``[``, ``]``, ``|`` and ``:``, so names with these
characters cannot be written and are rejected.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from qnml.errors import FileFormatError, InputError, bad_argument
from qnml.graph.masks import bits, child_masks, topological_order

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["check_writable", "parse", "written"]

_RESERVED = re.compile(r"[\[\]|:]")
_OUTSIDE = re.compile(r"\s*")
_NAME = re.compile(r"[^\[\]|:]*")


def parse(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Read a model string into its node names, in order of appearance, and its arcs.

    Raises
    ------
    FileFormatError
        If the text does not follow the notation or a parent is not a node; the message gives the position.
    """
    if not isinstance(text, str):
        raise bad_argument("Dag.from_modelstring", "text", text, "a string such as '[A][B|A]'")
    nodes: dict[str, int] = {}
    arcs: list[tuple[str, str, int]] = []
    position = _skip_outside(text, 0)
    while position < len(text):
        if text[position] != "[":
            raise _problem(text, position, f"expected '[' but found {text[position]!r}")
        start = position + 1
        child, position = _name(text, start)
        if child in nodes:
            raise _problem(text, start, f"the node {child!r} is listed twice")
        nodes[child] = start
        separator = "|"
        listed: set[str] = set()
        while position < len(text) and text[position] == separator:
            start = position + 1
            parent, position = _name(text, start)
            if parent in listed:
                raise _problem(text, start, f"the parent {parent!r} of {child!r} is listed twice")
            listed.add(parent)
            arcs.append((parent, child, start))
            separator = ":"
        if position == len(text):
            raise _problem(text, position, f"the bracket of {child!r} is not closed; expected ']'")
        if text[position] != "]":
            raise _problem(text, position, f"expected {separator!r} or ']' but found {text[position]!r}")
        position = _skip_outside(text, position + 1)
    for parent, child, start in arcs:
        if parent not in nodes:
            near = difflib.get_close_matches(parent, nodes, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise _problem(text, start, f"the parent {parent!r} of {child!r} has no bracket of its own; add one.{hint}")
        if parent == child:
            raise _problem(text, start, f"the node {child!r} is listed as its own parent")
    return list(nodes), [(parent, child) for parent, child, _ in arcs]


def written(names: Sequence[str], parents: Sequence[int]) -> str:
    """Write a graph; nodes are sorted by the length of the longest path to them, then by position.

    This is also bnlearn's order, so equal graphs with equal node order give equal text in both programs.
    """
    depth = [0] * len(names)
    for node in topological_order(parents, child_masks(parents)):
        depth[node] = 1 + max((depth[parent] for parent in bits(parents[node])), default=-1)
    pieces = []
    for node in sorted(range(len(names)), key=depth.__getitem__):
        listed = ":".join(names[parent] for parent in bits(parents[node]))
        pieces.append(f"[{names[node]}|{listed}]" if parents[node] else f"[{names[node]}]")
    return "".join(pieces)


def check_writable(names: Sequence[str]) -> None:
    """Raise an error unless every name can be written in a model string."""
    for name in names:
        if not name or _RESERVED.search(name):
            raise InputError(
                f"Dag.to_modelstring: the name {name!r} cannot be written: a model string has no escape for "
                "'[', ']', '|', ':' and no empty names. Rename the node with Dag.relabel first."
            )


def _skip_outside(text: str, position: int) -> int:
    match = _OUTSIDE.match(text, position)
    return match.end() if match else position


def _name(text: str, start: int) -> tuple[str, int]:
    match = _NAME.match(text, start)
    end = match.end() if match else start
    if end == start:
        found = repr(text[start]) if start < len(text) else "the end of the text"
        raise _problem(text, start, f"expected a node name but found {found}")
    return text[start:end], end


def _problem(text: str, position: int, problem: str) -> FileFormatError:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return FileFormatError("model string", problem, line=line if "\n" in text else None, column=column)
