"""Graphs in the notation of dagitty: ``dag { a -> b <- c }``, or ``pdag { a -- b }`` with undirected edges.

A statement is a node, or a chain of nodes with edges between them; ``{a b}`` stands for several nodes. Statements end
with a semicolon or where the next node begins. Attributes in brackets, positions and the size of the drawing are
skipped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from qnml.errors import FileFormatError, InputError, bad_argument, shown
from qnml.graph import Dag, Mpdag
from qnml.model.files.assemble import line_and_column

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_dagitty"]

_SOURCE = "dagitty text"
_TOKEN = re.compile(
    r"""\s+ | (?://|\#)[^\n]*
    | (?P<edge><->|->|<-|--)
    | (?P<mark>[{};])
    | (?P<attributes>\[(?:[^\]"]|"[^"]*")*\])
    | (?P<setting>[A-Za-z]+\s*=\s*(?:"[^"]*"|[^\s;}]+))
    | (?P<quoted>"(?:[^"\\]|\\"|\\(?!"))*")
    | (?P<name>[A-Za-z0-9_.]+)""",
    re.VERBOSE,
)


def read_dagitty(text: str) -> Dag | Mpdag:
    """Read a graph in the notation of dagitty.

    Attributes such as ``exposure``, ``outcome`` and ``latent`` are not part of a graph and are skipped: name unobserved
    variables in :meth:`Dag.adjustment_sets`.

    Parameters
    ----------
    text
        The text, as dagitty shows it in the browser or in R.

    Returns
    -------
    Dag or Mpdag
        A Dag of ``dag { … }``; an Mpdag of ``pdag { … }``, with the directions that follow from the others.

    Raises
    ------
    FileFormatError
        With line and column, if the text is malformed or has bidirected edges, which stand for unobserved causes.

    Examples
    --------
    >>> read_dagitty("dag { x -> y <- {a b}; x [exposure] }")
    Dag(4 nodes, 3 arcs: x -> y, a -> y, b -> y)
    >>> read_dagitty("pdag { x -> y -- z }")
    Mpdag(3 nodes, 2 edges: x -> y, y -> z)
    """
    if not isinstance(text, str):
        raise bad_argument("read_dagitty", "text", text, "a text such as 'dag { a -> b }'")
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [*self._split()]
        self._at = 0
        self._is_partial = False
        self._names: dict[str, None] = {}
        self._directed: list[tuple[str, str]] = []
        self._undirected: list[tuple[str, str]] = []

    def read(self) -> Dag | Mpdag:
        kind = self._next()
        if kind[1] not in ("dag", "pdag"):
            self._fail(f"must begin with dag or pdag, not {shown(kind[1])}", kind[2])
        self._is_partial = kind[1] == "pdag"
        opening = self._next()
        if opening[0] in ("name", "quoted"):  # the name of the graph
            opening = self._next()
        if opening[1] != "{":
            self._fail("the nodes must be in braces", opening[2])
        while self._peek()[1] != "}":
            self._statement()
        self._next()
        if self._peek()[0] != "end":
            self._fail("there is text after the last brace", self._peek()[2])
        names = list(self._names)
        try:
            if self._is_partial:
                return Mpdag.from_edges(names, self._directed, self._undirected, complete=True)
            return Dag.from_arcs(names, self._directed)
        except InputError as error:
            raise FileFormatError(_SOURCE, str(error)) from error

    def _statement(self) -> None:
        if self._peek()[1] == ";" or self._peek()[0] == "setting":
            self._next()
            return
        left = self._nodes()
        while self._peek()[0] == "edge":
            _, edge, place = self._next()
            right = self._nodes()
            if edge == "<->":
                self._fail("<-> stands for an unobserved cause, which no graph here has; write it as a node", place)
            if edge == "--" and not self._is_partial:
                self._fail("-- is an undirected edge, which only a pdag has", place)
            pairs = [(a, b) for a in left for b in right]
            if edge == "--":
                self._undirected += pairs
            else:
                self._directed += pairs if edge == "->" else [(b, a) for a, b in pairs]
            left = right

    def _nodes(self) -> list[str]:
        kind, text, place = self._next()
        if kind in ("name", "quoted"):
            found = [text]
        elif text == "{":
            found = []
            while self._peek()[0] in ("name", "quoted"):
                found.append(self._next()[1])
            if self._next()[1] != "}":
                self._fail("a group of nodes must be names in braces", place)
        else:
            self._fail("the text ends too early" if kind == "end" else f"a node is expected, not {shown(text)}", place)
        self._names.update(dict.fromkeys(found))
        while self._peek()[0] == "attributes":
            self._next()
        return found

    def _split(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                self._fail(f"cannot be read from {shown(self._text[at : at + 20])} on", at)
            if match.lastgroup is not None:
                # In dagitty a backslash is literal unless a quote follows.
                is_quoted = match.lastgroup == "quoted"
                yield match.lastgroup, match[0][1:-1].replace('\\"', '"') if is_quoted else match[0], at
            at = match.end()
        yield "end", "", len(self._text)

    def _peek(self) -> tuple[str, str, int]:
        return self._tokens[self._at]

    def _next(self) -> tuple[str, str, int]:
        token = self._tokens[self._at]
        if token[0] != "end":
            self._at += 1
        return token

    def _fail(self, problem: str, place: int) -> NoReturn:
        raise FileFormatError(_SOURCE, problem, *line_and_column(self._text, place))
