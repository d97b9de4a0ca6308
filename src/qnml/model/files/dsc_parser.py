"""Parser of DSC, the belief network language of Microsoft's MSBN.

Rows of a probability block are headed by the numbers of the parents' states, counted from 0; quoted labels are
accepted too. GeNIe heads every row with zeros, one too many: if all rows are headed like that, they are read in
counting order.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from qnml.model.files.block_network import network_of_blocks
from qnml.model.files.block_text import Attribute, BlockScanner, unquoted
from qnml.model.files.number_table import read_rows, read_table
from qnml.model.files.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml._types import FloatArray
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["NAME_MARK", "PROPERTY_MARK", "DscParser"]

NAME_MARK, PROPERTY_MARK = "qnml_name", "qnml_property"

_COMMENT = r"//[^\n]*+|/\*.*?\*/"
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_MARKED = re.compile(rf"//\s*({NAME_MARK}|{PROPERTY_MARK}) ({_QUOTED})\s*", re.DOTALL)
_TYPE = re.compile(r"discrete\s*\[\s*(\d{1,9})\s*\]\s*=?\s*(?=\{)", re.ASCII)
_ROW = re.compile(rf'(?:\(((?:{_QUOTED}|[^()"{{}};])*+)\)\s*+:?+|(default)\s*+[:=]?+)?+([^;{{}}()"]*+);', re.DOTALL)
_ENTRY = re.compile(rf"\s*+({_QUOTED}|[^\s,\"]++)\s*+(?:,|$)", re.DOTALL)
_PLAIN_HEAD = re.compile(r" *+\d++ *+(?:, *+\d++ *+)*+", re.ASCII)
_BATCH = 4096
_OTHER_NODES = ("utility", "decision", "standard")


@dataclass
class _Node:
    offset: int
    end: int = 0
    labels: tuple[str, ...] = ()
    name: str | None = None
    title: str | None = None
    properties: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Row:
    offset: int
    head: str | None  # None: a row without a head
    is_default: bool
    numbers: str
    numbers_offset: int


@dataclass
class _Block:
    offset: int
    parents: list[tuple[str, int]]
    start: int = 0  # of the rows
    end: int = 0
    n_rows: int = 0
    properties: list[str] = field(default_factory=list)


class DscParser(BlockScanner):
    """A parser of one text."""

    def __init__(self, text: str, reading: Reading) -> None:
        super().__init__(text, reading, _COMMENT, ("//", "/*"))
        self._name: str | None = None
        self._properties: list[str] = []
        self._nodes: dict[str, _Node] = {}
        self._blocks: dict[str, _Block] = {}

    def read(self) -> Network:
        """Parse the whole text."""
        while not self.is_at_end:
            at = self.at
            kind = self.take_name("'belief network', 'node' or 'probability'")
            if kind in ("belief", "network"):
                self._header(kind)
            elif kind == "properties":
                self._declarations()
            elif kind == "node":
                self._node()
            elif kind == "probability":
                self._probability(at)
            else:
                known = "only discrete chance nodes are supported" if kind in _OTHER_NODES else "not part of a network"
                self.fail(f"{kind[:40]!r}: {known}; expected 'belief network', 'node' or 'probability'", at)
        return self._assembled()

    # --- blocks

    def _header(self, kind: str) -> None:
        if kind == "belief" and self.take_name("'network'") != "network":
            self.fail_expecting("'network' after 'belief'")
        if self.sees('"'):
            self._name = self.take_name("the name of the network")
        if self.sees("{"):
            self._properties.extend(f"{entry.key} = {entry.value}" for entry in self.attributes())

    def _declarations(self) -> None:
        self.take_sign("{")
        entry = re.compile(rf'((?:{_QUOTED}|[^;"{{}}])*+);', re.DOTALL)
        while not self.sees("}"):
            match = entry.match(self.text, self.at)
            if match is None:
                self.fail_expecting("a property that ends in ';' or '}'")
            self._properties.append(re.sub(r"\s*:\s*|\s*=\s*", " = ", match[1].strip(), count=1))
            self.at = match.end()
            self.skip_space()
        self.take_sign("}")

    def _node(self) -> None:
        node = _Node(self.at)
        name = self.take_name("the name of a node")
        if name in self._nodes:
            self.fail(f"the node {name!r} is declared twice", node.offset)
        for attribute in self.attributes():
            if attribute.key == "type":
                if node.labels:
                    self.fail(f"{name!r} has two types", attribute.offset)
                node.labels = self._labels(name, attribute)
            else:
                if attribute.key == "name":
                    node.title = unquoted(attribute.value)
                node.properties.append(f"{attribute.key} = {attribute.value}")
        if not node.labels:
            self.fail(f"the node {name!r} has no type", node.offset)
        node.end = self.at
        self._nodes[name] = node

    def _labels(self, name: str, attribute: Attribute) -> tuple[str, ...]:
        match = _TYPE.match(attribute.value)
        if match is None:
            self.fail("expected the type 'discrete[count] = { states }'", attribute.value_offset)
        listed = Attribute("type", attribute.value[match.end() :], 0, attribute.value_offset + match.end())
        labels = [label for label, _ in self.names_in(listed, "{}")]
        if int(match[1]) != len(labels) or not labels:
            self.fail(f"{name!r} announces {match[1]} states and lists {len(labels)}", attribute.value_offset)
        seen: set[str] = set()
        for label, at in self.names_in(listed, "{}"):
            if label in seen:
                self.fail(f"the state {label!r} of {name!r} is listed twice", at)
            seen.add(label)
        return tuple(labels)

    def _probability(self, offset: int) -> None:
        self.take_sign("(")
        child = self.take_name("the name of a node")
        block = _Block(offset, [])
        if child in self._blocks:
            self.fail(f"the node {child!r} has two probability blocks", offset)
        if self.sees("|"):
            self.take_sign("|")
        while not self.sees(")"):
            at = self.at
            block.parents.append((self.take_name("the name of a node or ')'"), at))
            if self.sees(","):
                self.take_sign(",")
        self.take_sign(")")
        self.take_sign("{")
        block.start = self.at
        # Rows are read a second time once all nodes are known: storing them would take far more memory than the text.
        for _ in self._rows(block.start):
            block.n_rows += 1
        block.end = self.at
        self.take_sign("}")
        self._blocks[child] = block

    def _rows(self, start: int) -> Iterator[_Row]:
        self.at = start
        while not self.sees("}"):
            match = _ROW.match(self.text, self.at)
            if match is None:
                self.fail_expecting("a row of numbers that ends in ';', or '}'")
            yield _Row(self.at, match[1], match[2] is not None, match[3], match.start(3))
            self.at = match.end()
            self.skip_space()

    # --- the whole

    def _assembled(self) -> Network:
        comments = self._sorted_comments()
        return network_of_blocks(
            self, self._nodes, self._blocks, "probability block", self._table, self._name, comments, self._properties
        )

    def _sorted_comments(self) -> list[str]:
        """Assign the comments written by qnml to the blocks that contain them, and return the others."""
        every: list[_Node | _Block] = [*self._nodes.values(), *self._blocks.values()]
        blocks = sorted(every, key=lambda block: block.offset)
        others: list[str] = []
        place = 0
        for offset, comment in self.comments:
            marked = _MARKED.fullmatch(comment)
            if marked is None:
                inside = comment[2:-2] if comment.startswith("/*") else comment.lstrip("/")
                others.extend(line.strip() for line in inside.splitlines() if line.strip())
                continue
            while place < len(blocks) and blocks[place].end < offset:
                place += 1
            block = blocks[place] if place < len(blocks) and blocks[place].offset <= offset else None
            text = unquoted(marked[2])
            if marked[1] == PROPERTY_MARK:
                (self._properties if block is None else block.properties).append(text)
            elif isinstance(block, _Node):
                block.name = text
        return others

    # --- the numbers

    def _table(self, child: str, block: _Block) -> FloatArray | SparseTable:
        sizes = [len(self._nodes[name].labels) for name, _ in block.parents] + [len(self._nodes[child].labels)]
        if not block.n_rows:
            self.fail(f"the probability block of {child!r} has no numbers", block.end)
        only = next(self._rows(block.start))
        if block.n_rows == 1 and only.head is None and not only.is_default:
            return self._whole(child, only, sizes)
        length = block.end - block.start
        rows = RowList(child, sizes, length, self.reading, lambda: self.line(block.offset), self.fail)
        in_order = block.n_rows == math.prod(sizes[:-1]) > 1 and all(
            _is_zeros(row.head, len(sizes)) for row in self._rows(block.start)
        )
        counting = _counted(sizes[:-1])
        default: list[float] | None = None
        for row, values in self._numbers(child, block, sizes[-1]):
            if row.is_default:
                if default is not None:
                    self.fail(f"{child!r} has two default rows", row.offset)
                default = values
            else:
                rows.add(next(counting) if in_order else self._codes_of(child, block, row, sizes), values, row.offset)

        def fail_missing(missing: tuple[int, ...]) -> NoReturn:
            listed = ", ".join(map(str, missing))
            self.fail(f"the probability block of {child!r} has no row for ({listed}) and no default", block.end)

        return rows.table(default, fail_missing)

    def _numbers(self, child: str, block: _Block, arity: int) -> Iterator[tuple[_Row, list[float]]]:
        """Read the rows of a block, many at a time if they have no errors."""
        rows = self._rows(block.start)
        while batch := list(itertools.islice(rows, _BATCH)):
            together = self._together(child, batch, arity)
            for number, row in enumerate(batch):
                yield row, self._whole(child, row, [arity]).tolist() if together is None else together[number]

    def _together(self, child: str, rows: list[_Row], arity: int) -> list[list[float]] | None:
        def fail(problem: str, _: int) -> NoReturn:
            raise ValueError(problem)

        if any(row.numbers.count(",") != arity - 1 for row in rows):
            return None
        text = " ".join([row.numbers.replace(",", " ") for row in rows])
        try:
            read = read_rows(text, len(rows), arity, child, self.reading, lambda: self.line(rows[0].offset), fail)
        except ValueError:
            return None
        together: list[list[float]] = read.tolist()
        return together

    def _whole(self, child: str, row: _Row, sizes: list[int]) -> FloatArray:
        def fail(problem: str, offset: int) -> NoReturn:
            at = row.numbers_offset + offset
            self.fail(problem, at if offset else row.offset)

        text = row.numbers.replace(",", " ")
        return read_table(text, sizes, child, self.reading, lambda: self.line(row.offset), fail)

    def _codes_of(self, child: str, block: _Block, row: _Row, sizes: list[int]) -> list[int]:
        head = row.head or ""
        entries = head.replace(" ", "").split(",") if _PLAIN_HEAD.fullmatch(head) else _entries(head)
        if entries is None or len(entries) != len(block.parents):
            self.fail(f"expected the states of the {len(block.parents)} parents of {child!r}", row.offset)
        codes = []
        for entry, (parent, _), size in zip(entries, block.parents, sizes, strict=False):
            if entry.startswith('"'):
                labels = self._nodes[parent].labels
                code = labels.index(unquoted(entry)) if unquoted(entry) in labels else size
            else:
                code = int(entry) if entry.isascii() and entry.isdigit() and len(entry) < 10 else size
            if code >= size:
                self.fail(f"{entry[:40]} is not a state of {parent!r}, which has {size}", row.offset)
            codes.append(code)
        return codes


def _counted(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All configurations, the last parent changing fastest."""
    return itertools.product(*map(range, sizes))


def _entries(head: str) -> list[str] | None:
    found = []
    at = 0
    while at < len(head.rstrip()):
        match = _ENTRY.match(head, at)
        if match is None:
            return None
        found.append(match[1])
        at = match.end()
    return found


def _is_zeros(head: str | None, length: int) -> bool:
    return head is not None and [entry.strip() for entry in head.split(",")] == ["0"] * length
