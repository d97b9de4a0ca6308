"""The NET language of HUGIN, in its plain form: discrete chance nodes and their potentials.

Nodes are named by C identifiers. A name that is not an identifier is replaced by one, and the original is kept in the
attribute ``qnml_name``. States are quoted text, so any label can be a state. Annotations of the form ``key = value``
are attributes; others are stored in ``qnml_property_1`` and so on.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from qnml.model.files.assemble import of_variable, texts
from qnml.model.files.block_network import network_of_blocks
from qnml.model.files.block_text import Attribute, BlockScanner, quoted, simple_attributes, unquoted
from qnml.model.files.identifiers import ASCII_IDENTIFIER, identifiers
from qnml.model.files.number_table import number_rows, read_table
from qnml.model.files.preparation_text import network_texts
from qnml.model.files.reading import Reading
from qnml.model.files.row_list import uniform_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml._types import FloatArray
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["read_net", "write_net"]

_COMMENT = r"%[^\n]*+|//[^\n]*+|/\*.*?\*/"
_WITHOUT_PARENTHESES = str.maketrans("()", "  ")
_NAME, _PROPERTY = "qnml_name", "qnml_property"
_OWN_PROPERTY = re.compile(rf"{_PROPERTY}_\d+")
_OTHER_NODES = ("continuous", "utility", "decision", "function", "class", "instance")


def read_net(text: str, source: str = "NET text", reading: Reading | None = None) -> Network:
    """Build a network from the text of a NET file.

    As the language specifies, a potential without data is uniform, and the rows of a potential are weights.

    Parameters
    ----------
    text
        The content.
    source
        The file it came from, for error messages.
    reading
        The record of this read; a new one by default.

    Raises
    ------
    FileFormatError
        With line and column, if the text is not a complete and consistent network of discrete nodes.
    """
    return _NetReader(text, reading or Reading(source)).read()


@dataclass
class _Node:
    offset: int
    labels: tuple[str, ...] = ()
    name: str | None = None
    title: str | None = None
    properties: list[str] = field(default_factory=list)


@dataclass
class _Potential:
    offset: int
    child: tuple[str, int]
    parents: list[tuple[str, int]]
    data: Attribute | None = None
    model: Attribute | None = None
    properties: list[str] = field(default_factory=list)


class _NetReader(BlockScanner):
    def __init__(self, text: str, reading: Reading) -> None:
        super().__init__(text, reading, _COMMENT, ("%", "//", "/*"))
        self._name: str | None = None
        self._properties: list[str] = []
        self._nodes: dict[str, _Node] = {}
        self._potentials: dict[str, _Potential] = {}

    def read(self) -> Network:
        while not self.is_at_end:
            at = self.at
            kind = self.take_name("'net', 'node' or 'potential'")
            if kind == "discrete":
                kind = self.take_name("'node'")
            if kind == "net":
                self._net()
            elif kind == "node":
                self._node()
            elif kind == "potential":
                self._potential(at)
            else:
                known = "only discrete chance nodes are supported" if kind in _OTHER_NODES else "not part of a network"
                self.fail(f"{kind[:40]!r}: {known}; expected 'net', 'node' or 'potential'", at)
        return self._assembled()

    def _net(self) -> None:
        for attribute in self.attributes():
            if attribute.key == "name":
                self._name = unquoted(attribute.value)
            else:
                self._properties.append(_property(attribute))

    def _node(self) -> None:
        node = _Node(self.at)
        name = self.take_name("the name of a node")
        if name in self._nodes:
            self.fail(f"the node {name!r} is declared twice", node.offset)
        for attribute in self.attributes():
            if attribute.key == "states":
                if node.labels:
                    self.fail(f"{name!r} has two lists of states", attribute.offset)
                node.labels = self._labels(name, attribute)
            elif attribute.key == _NAME:
                node.name = unquoted(attribute.value)
            else:
                if attribute.key == "label":
                    node.title = unquoted(attribute.value)
                node.properties.append(_property(attribute))
        if not node.labels:
            self.fail(f"the node {name!r} has no states", node.offset)
        self._nodes[name] = node

    def _labels(self, name: str, attribute: Attribute) -> tuple[str, ...]:
        labels: dict[str, None] = {}
        for label, at in self.names_in(attribute, "()"):
            if label in labels:
                self.fail(f"the state {label!r} of {name!r} is listed twice", at)
            labels[label] = None
        return tuple(labels)

    def _potential(self, offset: int) -> None:
        self.take_sign("(")
        child = (self.take_name("the name of a node"), offset)
        parents: list[tuple[str, int]] = []
        if not self.sees(")"):
            self.take_sign("|")
        while not self.sees(")"):
            at = self.at
            parents.append((self.take_name("the name of a node or ')'"), at))
        self.take_sign(")")
        if child[0] in self._potentials:
            self.fail(f"the node {child[0]!r} has two potentials", offset)
        potential = _Potential(offset, child, parents)
        for attribute in self.attributes():
            if attribute.key == "data":
                if potential.data is not None:
                    self.fail(f"the potential of {child[0]!r} has data twice", attribute.offset)
                potential.data = attribute
            else:
                potential.model = potential.model or (attribute if attribute.key == "model_data" else None)
                potential.properties.append(_property(attribute))
        self._potentials[child[0]] = potential

    def _assembled(self) -> Network:
        comments = [text for _, comment in self.comments for text in _comment_texts(comment)]
        return network_of_blocks(
            self, self._nodes, self._potentials, "potential", self._table, self._name, comments, self._properties
        )

    def _table(self, child: str, potential: _Potential) -> FloatArray | SparseTable:
        sizes = [len(self._nodes[name].labels) for name, _ in (*potential.parents, potential.child)]
        data = potential.data
        if data is None:
            if potential.model is not None:
                problem = f"the potential of {child!r} is given by a model, which is not supported, and not by data"
                self.fail(problem, potential.model.offset)
            return uniform_table(child, sizes, self.reading, lambda: self.line(potential.offset))
        if data.value.count("(") != data.value.count(")"):
            self.fail(f"the parentheses in the data of {child!r} do not match", data.value_offset)
        # The nesting of the numbers is ignored: their order determines the table.
        numbers = data.value.translate(_WITHOUT_PARENTHESES)
        first = len(numbers) - len(numbers.lstrip())

        def fail(problem: str, offset: int) -> NoReturn:
            self.fail(problem, data.value_offset + max(offset, first))

        def line() -> int:
            return self.line(data.value_offset + first)

        return read_table(numbers, sizes, child, self.reading, line, fail, weights=True)


def _property(attribute: Attribute) -> str:
    if _OWN_PROPERTY.fullmatch(attribute.key):
        return unquoted(attribute.value)
    return f"{attribute.key} = {attribute.value}"


def _comment_texts(comment: str) -> list[str]:
    inside = comment[2:-2] if comment.startswith("/*") else comment.lstrip("%/")
    return [line.strip() for line in inside.splitlines() if line.strip()]


def write_net(net: Network) -> str:
    """Return the text of a NET file; numbers are written so that they read back to the last bit."""
    return "".join(_lines(net))


def _lines(net: Network) -> Iterator[str]:
    properties = net.properties
    keys = identifiers(net.names, ASCII_IDENTIFIER, "x")
    for comment in texts(properties.get("comments")):
        yield from (f"% {line.strip()}\n" for line in comment.splitlines() if line.strip())
    yield "net\n{\n"
    if "name" in properties:
        yield f"  name = {quoted(str(properties['name']))};\n"
    yield from _property_lines(network_texts(net, "quoted"), ("name",))
    yield "}\n"
    for name in net.names:
        yield f"node {keys[name]}\n{{\n"
        yield f"  states = ({' '.join(quoted(str(label)) for label in net.levels[name])});\n"
        if keys[name] != name:
            yield f"  {_NAME} = {quoted(name)};\n"
        yield from _property_lines(of_variable(properties, "variables", name), ("states", _NAME))
        yield "}\n"
    for name in net.names:
        parents = net.dag.parents(name)
        bar = f" | {' '.join(keys[parent] for parent in parents)}" if parents else ""
        yield f"potential ({keys[name]}{bar})\n{{\n  data = "
        sizes = [len(net.levels[parent]) for parent in parents]
        yield _nested([f"({' '.join(row)})" for row in number_rows(net, name)], sizes)
        yield ";\n"
        yield from _property_lines(of_variable(properties, "probabilities", name), ("data",))
        yield "}\n"


def _nested(rows: list[str], sizes: Sequence[int]) -> str:
    """Put parentheses around the rows of each parent, with one line per row."""
    if not sizes:
        return rows[0]
    steps = [math.prod(sizes[axis:]) for axis in range(len(sizes))]
    pieces = []
    for i, row in enumerate(rows):
        opened = sum(i % step == 0 for step in steps)
        closed = sum((i + 1) % step == 0 for step in steps)
        before = "" if i == 0 else "\n" + " " * (9 + len(sizes) - opened)
        pieces.append(before + "(" * opened + row + ")" * closed)
    return "".join(pieces)


def _property_lines(given: list[str], reserved: Sequence[str]) -> Iterator[str]:
    number = 0
    for key, value, text in simple_attributes(given, reserved):
        if key is None or key.startswith(_PROPERTY):
            number += 1
            yield f"  {_PROPERTY}_{number} = {quoted(text)};\n"
        else:
            yield f"  {key} = {value};\n"
