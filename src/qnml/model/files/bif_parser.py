"""Parser of the Bayesian network interchange format (BIF).

The grammar is that of F. Cozman's interchange format 0.15, relaxed as files in circulation require: state names may
begin with a digit or contain symbols, and may be quoted, with a backslash before a quote or backslash inside. Between
tokens, blanks, commas and bars are ignored, so the first name of a probability block is the variable and the others
are its parents. Variables are declared before they are used.

A ``table`` lists the numbers with the variable itself changing slowest and the last parent fastest, as JavaBayes
writes it; rows headed by parent states and the ``default`` row are distributions of the variable.
"""

from __future__ import annotations

import math
import re
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from qnml.errors import FileFormatError
from qnml.model.files.assemble import line_and_column
from qnml.model.files.number_table import ROUNDING, lift_negatives
from qnml.model.files.reading import TINY, Reading
from qnml.model.files.row_list import RowList
from qnml.model.network import ROW_SUM_TOLERANCE
from qnml.model.tables import magnitude

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.tables import SparseTable

__all__ = ["BARE_WORD", "BifParser", "Distribution", "Variable"]

_WORD = r'(?:[^\s{}()\[\],;|"/]|/(?![/*]))++'
BARE_WORD = re.compile(_WORD)
_SKIP = re.compile(r"(?:[\s,|]++|//(?P<line>[^\r\n]*+)|/\*(?P<block>.*?)\*/)", re.DOTALL)
_TOKEN = re.compile(rf'(?P<word>{_WORD})|"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<sign>[{{}}()\[\];])', re.DOTALL)
_PROPERTY = re.compile(r'\s*+((?:"(?:[^"\\]|\\.)*+"|[^;"])*+);', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_PLAIN_NUMBERS = re.compile(r"[0-9eE+\-.,\s]*+", re.ASCII)
_ESCAPED = re.compile(r'\\(["\\])')

_BYTES_PER_BLOCK = 1024  # the objects, dictionaries and arrays made from a block in braces
_PIECE = 1 << 16  # characters of plain rows split at once: the words take ten times as much memory


@dataclass
class Variable:
    """A variable block."""

    offset: int
    labels: tuple[str, ...] = ()
    properties: list[str] = field(default_factory=list)
    codes: dict[str, int] = field(default_factory=dict)
    # Only labels that need no quotes, which the fast path may look up.
    bare_codes: dict[str, int] = field(default_factory=dict)


@dataclass
class Distribution:
    """A probability block; the axes of the table are the parents as listed, then the variable."""

    offset: int
    parents: tuple[str, ...]
    table: FloatArray | SparseTable
    properties: list[str]


class BifParser:
    """A parser that goes through a text once; the results are in the attributes."""

    def __init__(self, text: str, reading: Reading) -> None:
        reading.hold_text(text, "{", _BYTES_PER_BLOCK)
        self._reading = reading
        self.name = "unknown"
        self.properties: list[str] = []
        self.comments: list[str] = []
        self.variables: dict[str, Variable] = {}
        self.distributions: dict[str, Distribution] = {}
        self._text = text
        self._at = 0
        self._start = 0  # where the current token begins
        self._kind: str | None = None  # word, quoted, sign or None at the end
        self._value = ""
        self._advance()

    def parse(self) -> None:
        """Parse the whole text."""
        blocks = {"network": self._network, "variable": self._variable, "probability": self._probability}
        while self._kind is not None:
            block = blocks.get(self._value) if self._kind == "word" else None
            if block is None:
                self._fail_expecting("'network', 'variable' or 'probability'")
            self._advance()
            block()
        if not self.variables:
            self.fail("no variable block in the file", self._start)
        for name, variable in self.variables.items():
            if name not in self.distributions:
                self.fail(f"the variable {name!r} has no probability block", variable.offset)

    def fail(self, problem: str, offset: int) -> NoReturn:
        """Raise an error that points at a character."""
        raise FileFormatError(self._reading.source, problem, *line_and_column(self._text, offset))

    # --- blocks

    def _network(self) -> None:
        self.name = self._take_name("the name of the network")
        self._take_sign("{")
        while not self._is_sign("}"):
            self.properties.append(self._take_property("a property or '}'"))
        self._advance()

    def _variable(self) -> None:
        variable = Variable(self._start)
        name = self._take_name("the name of a variable")
        if name in self.variables:
            self.fail(f"the variable {name!r} is declared twice", variable.offset)
        self._take_sign("{")
        while not self._is_sign("}"):
            if self._is_word("type"):
                self._type(name, variable)
            else:
                variable.properties.append(self._take_property("'type', a property or '}'"))
        if not variable.labels:
            self.fail(f"the variable {name!r} has no type", self._start)
        self._advance()
        self.variables[name] = variable

    def _type(self, name: str, variable: Variable) -> None:
        if variable.labels:
            self.fail(f"the variable {name!r} has two types", self._start)
        self._advance()
        if not self._is_word("discrete"):
            self._fail_expecting("'discrete', the only type of variable supported,")
        self._advance()
        self._take_sign("[")
        count, count_at = self._value, self._start
        self._take_name("the number of states")
        self._take_sign("]")
        self._take_sign("{")
        while not self._is_sign("}"):
            at = self._start
            label = self._take_name("a state or '}'")
            if label in variable.codes:
                self.fail(f"the state {label!r} of {name!r} is listed twice", at)
            variable.codes[label] = len(variable.codes)
        if count != str(len(variable.codes)) or not variable.codes:
            self.fail(f"{name!r} announces {count} states and lists {len(variable.codes)}", count_at)
        self._advance()
        self._take_sign(";")
        variable.labels = tuple(variable.codes)
        variable.bare_codes = {k: v for k, v in variable.codes.items() if BARE_WORD.fullmatch(k)}

    def _probability(self) -> None:
        offset = self._start
        self._take_sign("(")
        names: list[str] = []
        while not self._is_sign(")"):
            at = self._start
            name = self._take_name("a variable or ')'")
            if name not in self.variables:
                self.fail(f"the variable {name!r} is not declared before this line", at)
            if name in names:
                self.fail(f"the variable {name!r} is named twice", at)
            names.append(name)
        if not names:
            self._fail_expecting("the name of a variable")
        child, parents = names[0], tuple(names[1:])
        if child in self.distributions:
            self.fail(f"the variable {child!r} has two probability blocks", offset)
        self._advance()
        if not self._is_sign("{"):
            self._fail_expecting("'{'")
        properties: list[str] = []
        table: FloatArray | SparseTable | None = self._plain_rows(child, parents)
        if table is None:
            self._advance()
            table = self._rows(child, parents, offset, properties)
        self.distributions[child] = Distribution(offset, parents, table, properties)

    # --- the numbers

    def _plain_rows(self, child: str, parents: tuple[str, ...]) -> FloatArray | None:
        """Read a body in the plain dialect of the repository in bulk, or return None and change nothing.

        A plain body is a complete set of valid rows of bare state names and comma-separated numbers, and nothing else.
        Any other body is read token by token.
        """
        start, end = self._at, self._text.find("}", self._at)
        if end < 0 or not parents or any(self._text.find(sign, start, end) >= 0 for sign in ('"', "//", "/*")):
            return None
        arity = len(self.variables[child].labels)
        sizes = [len(self.variables[parent].labels) for parent in parents]
        count = math.prod(sizes)
        # The shortest row has a character and a comma for every state and number; a table that cannot fit is not made.
        if count * 2 * (len(parents) + arity) > end - start or self._text.count(";", start, end) != count:
            return None
        self._reading.hold_table(child, (*sizes, arity), lambda: self._line(start))
        table, seen = np.empty((count, arity)), np.zeros(count, dtype=bool)
        while start < end:
            cut = self._text.rfind(";", start, min(start + _PIECE, end)) + 1
            cut = cut or self._text.find(";", start, end) + 1 or end
            if not self._plain_piece(self._text[start:cut], parents, table, seen):
                self._reading.release_table((*sizes, arity))
                return None
            start = cut
        if not seen.all():
            self._reading.release_table((*sizes, arity))
            return None
        self._at = end + 1
        self._advance()
        return table.reshape(*sizes, arity)

    def _plain_piece(self, text: str, parents: tuple[str, ...], table: FloatArray, seen: NDArray[np.bool_]) -> bool:
        """Read some plain rows into the table; return whether they are plain."""
        of_parents = [(self.variables[parent].bare_codes, len(self.variables[parent].labels)) for parent in parents]
        arity = table.shape[1]
        entries = text.split(";")
        if entries.pop().strip():
            return False
        rows: list[int] = []
        numbers: list[str] = []
        for entry in entries:
            head, close, tail = entry.partition(")")
            head = head.lstrip()
            labels = head[1:].split(",")
            if head[:1] != "(" or not close or len(labels) != len(parents) or tail.count(",") != arity - 1:
                return False
            row = 0
            for label, (codes, size) in zip(labels, of_parents, strict=True):
                code = codes.get(label.strip())
                if code is None:
                    return False
                row = row * size + code
            rows.append(row)
            numbers.append(tail)
        joined = ",".join(numbers)
        if not _PLAIN_NUMBERS.fullmatch(joined):
            return False
        try:
            values = np.array(list(map(float, joined.split(",") if rows else ()))).reshape(-1, arity)
        except ValueError:
            return False
        if not (np.all(values >= 0.0) and np.all(np.abs(values.sum(axis=1) - 1.0) <= ROW_SUM_TOLERANCE)):
            return False
        table[rows], seen[rows] = values, True
        return True

    def _rows(
        self, child: str, parents: tuple[str, ...], offset: int, properties: list[str]
    ) -> FloatArray | SparseTable:
        sizes = tuple(len(self.variables[name].labels) for name in (*parents, child))
        end = self._text.find("}", self._at)
        length = 0 if self._is_word("table") else (len(self._text) if end < 0 else end) - self._at
        rows = RowList(child, sizes, length, self._reading, lambda: self._line(offset), self.fail)
        table: FloatArray | None = None
        default: Sequence[float] | None = None
        while not self._is_sign("}"):
            at = self._start
            if self._is_sign("("):
                self._advance()
                given = self._given(parents)
                if table is not None:
                    self.fail(f"these states of the parents of {child!r} have two rows", at)
                rows.add(given, self._numbers(child, sizes[-1], at, is_row=True), at)
            elif self._is_word("default"):
                self._advance()
                if default is not None:
                    self.fail(f"{child!r} has two default rows", at)
                default = self._numbers(child, sizes[-1], at, is_row=True)
            elif self._is_word("table"):
                self._advance()
                if table is not None or len(rows):
                    self.fail(f"{child!r} has both rows and a table, or two tables", at)
                table = self._whole_table(child, sizes, at)
            else:
                properties.append(self._take_property("a row '(...)', 'table', 'default', a property or '}'"))

        def fail_missing(missing: tuple[int, ...]) -> NoReturn:
            states = [self.variables[p].labels[code] for p, code in zip(parents, missing, strict=True)]
            absent = f"no row for ({', '.join(states)})" if parents else "no table"
            self.fail(f"the probability block of {child!r} has {absent} and no default", self._start)

        made = table if table is not None else rows.table(default, fail_missing)
        self._advance()
        return made

    def _given(self, parents: tuple[str, ...]) -> tuple[int, ...]:
        codes = []
        for parent in parents:
            at = self._start
            label = self._take_name(f"a state of {parent!r}")
            code = self.variables[parent].codes.get(label)
            if code is None:
                known = ", ".join(self.variables[parent].labels[:12])
                self.fail(f"{label!r} is not a state of {parent!r}, whose states are {known}", at)
            codes.append(code)
        self._take_sign(")")
        return tuple(codes)

    def _numbers(self, child: str, count: int, at: int, *, is_row: bool) -> array[float]:
        values = array("d")
        found = 0
        while not self._is_sign(";"):
            if self._kind != "word" or not _NUMBER.fullmatch(self._value):
                self._fail_expecting("a number or ';'")
            value = float(self._value)
            if not -TINY <= value <= 1.0 + ROUNDING:
                self.fail(f"{self._value} is not a probability", self._start)
            found += 1
            if found <= count:
                values.append(value)
            self._advance()
        if found != count:
            self.fail(f"{child!r} needs {magnitude(count)} numbers here, {found} are given", at)
        self._advance()
        if min(values) < 0.0:
            lift_negatives(np.frombuffer(values), self._reading, lambda: self._line(at))
        if is_row:
            self._check_sum(math.fsum(values), child, at)
        return values

    def _whole_table(self, child: str, sizes: tuple[int, ...], at: int) -> FloatArray:
        values = self._numbers(child, math.prod(sizes), at, is_row=False)
        self._reading.hold_table(child, sizes, lambda: self._line(at))
        # The variable changes slowest here.
        table = np.ascontiguousarray(np.frombuffer(values).reshape(sizes[-1], -1).T)
        totals = table.sum(axis=1)
        self._check_sum(float(totals[np.argmax(np.abs(totals - 1.0))]), child, at)
        return table.reshape(sizes)

    def _check_sum(self, total: float, child: str, at: int) -> None:
        if abs(total - 1.0) > ROUNDING:
            self.fail(f"a distribution of {child!r} sums to {total:.9g} instead of 1", at)

    def _line(self, offset: int) -> int:
        return line_and_column(self._text, offset)[0]

    # --- tokens

    def _advance(self) -> None:
        while skipped := _SKIP.match(self._text, self._at):
            self._at = skipped.end()
            for line in (skipped["line"] or skipped["block"] or "").splitlines():
                if line.strip():
                    self.comments.append(line.strip())
        self._start = self._at
        token = _TOKEN.match(self._text, self._at)
        if token is None:
            self._kind, self._value = None, ""
            if self._at < len(self._text):
                what = "quoted name" if self._text[self._at] == '"' else "comment"
                self.fail(f"a {what} begins here and does not end", self._at)
            return
        self._at = token.end()
        self._kind, self._value = token.lastgroup, token[token.lastgroup or 0]
        if self._kind == "quoted":
            self._value = _ESCAPED.sub(r"\1", self._value)

    def _is_sign(self, sign: str) -> bool:
        if self._kind is None:
            self._fail_expecting(f"{sign!r}")
        return self._kind == "sign" and self._value == sign

    def _is_word(self, word: str) -> bool:
        return self._kind == "word" and self._value == word

    def _take_sign(self, sign: str) -> None:
        if not self._is_sign(sign):
            self._fail_expecting(f"{sign!r}")
        self._advance()

    def _take_name(self, what: str) -> str:
        if self._kind not in ("word", "quoted"):
            self._fail_expecting(what)
        name = self._value
        self._advance()
        return name

    def _take_property(self, expected: str) -> str:
        if not self._is_word("property"):
            self._fail_expecting(expected)
        match = _PROPERTY.match(self._text, self._at)
        if match is None:
            self.fail("a property begins here and no ';' ends it", self._start)
        self._at = match.end()
        text = match[1].strip()
        whole = _TOKEN.fullmatch(text)
        if whole is not None and whole.lastgroup == "quoted":
            text = _ESCAPED.sub(r"\1", whole["quoted"])
        self._advance()
        return text

    def _fail_expecting(self, expected: str) -> NoReturn:
        found = "the end of the file" if self._kind is None else repr(self._value[:40])
        self.fail(f"expected {expected} and found {found}", self._start)
