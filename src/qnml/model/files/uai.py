"""UAI, the numeric format of the inference competitions (networks of type BAYES).

The format has no names: variables are read as ``x0``, ``x1``, … and their levels as ``0``, ``1``, …, in the order of
the file; writing keeps this order and nothing else. In a table the variable itself changes fastest and the first
parent slowest. Numbers are written without exponents, which not every reader supports; pyAgrum's comments after a
``#`` are skipped.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from qnml.data.labels import MOST_LEVELS
from qnml.errors import FileFormatError
from qnml.model.files.assemble import assemble_network, line_and_column
from qnml.model.files.number_table import ROUNDING, plain_number, read_table
from qnml.model.files.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml._types import FloatArray
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["read_uai", "write_uai"]

_TOKEN = re.compile(r"\S+")
_REMARK = re.compile(r"#[^\n]*+")
_BYTES_PER_VARIABLE = 2048  # names, labels and the objects made from a variable and its table
_INTEGER = re.compile(r"[0-9]{1,12}")


def read_uai(text: str, source: str = "UAI text", reading: Reading | None = None) -> Network:
    """Build a network from the text of a UAI file.

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
        With line and column, if the text is not a complete and consistent network.
    """
    return _UaiReader(text, reading or Reading(source)).read()


class _UaiReader:
    def __init__(self, text: str, reading: Reading) -> None:
        reading.hold_text(text, "", 0)
        self._text = _REMARK.sub(lambda remark: " " * len(remark[0]), text) if "#" in text else text
        self._reading = reading
        self._at = 0

    def read(self) -> Network:
        kind, at = self._token("'BAYES'")
        if kind.upper() != "BAYES":
            what = "a Markov network, which has no directions" if kind.upper() == "MARKOV" else f"{kind[:40]!r}"
            self._fail(f"expected 'BAYES' and found {what}", at)
        count = self._integer("the number of variables", 1)
        arities = [self._integer("a number of levels", 1, MOST_LEVELS) for _ in range(count)]
        self._reading.hold(_BYTES_PER_VARIABLE * count, f"a network of {count:,} variables")
        at = self._at
        if self._integer("the number of tables") != count:
            self._fail(f"a network of {count} variables has {count} tables, one for each", at)
        names = [f"x{i}" for i in range(count)]
        parents: dict[str, tuple[str, ...]] = {}
        scopes = []
        places = {}
        for _ in range(count):
            at = self._at
            scope = [
                self._integer("the number of a variable", 0, count - 1)
                for _ in range(self._integer("the size of a table's scope", 1, count))
            ]
            child = names[scope[-1]]
            if len(set(scope)) < len(scope) or child in parents:
                self._fail(f"the scope repeats a variable, or {child} has two tables", self._next(at))
            parents[child] = tuple(names[i] for i in scope[:-1])
            places[child] = self._next(at)
            scopes.append(scope)
        tables: dict[str, FloatArray | SparseTable] = {}
        for scope in scopes:
            tables[names[scope[-1]]] = self._table(names, scope, arities)
        if self._next(self._at) < len(self._text):
            self._fail("text after the last table", self._next(self._at))
        return assemble_network(
            self._reading,
            {name: tuple(map(str, range(arity))) for name, arity in zip(names, arities, strict=True)},
            parents,
            tables,
            {},
            lambda name: line_and_column(self._text, places[name]),
        )

    def _table(self, names: list[str], scope: list[int], arities: list[int]) -> FloatArray:
        child = names[scope[-1]]
        announced = self._integer("the number of entries of a table")
        # As many tokens as announced, or fewer if the file ends; the count of numbers reveals that.
        start = self._at
        for token in itertools.islice(_TOKEN.finditer(self._text, start), announced):
            self._at = token.end()
        numbers = self._text[start : self._at]
        sizes = [arities[i] for i in scope]

        def fail(problem: str, offset: int) -> NoReturn:
            self._fail(problem + _hint(numbers, sizes), self._next(start + offset))

        def line() -> int:
            return line_and_column(self._text, start)[0]

        return read_table(numbers, sizes, child, self._reading, line, fail)

    def _integer(self, what: str, least: int = 0, most: int = 10**12) -> int:
        token, at = self._token(what)
        if not _INTEGER.fullmatch(token) or not least <= int(token) <= most:
            self._fail(f"expected {what} and found {token[:40]!r}", at)
        return int(token)

    def _token(self, what: str) -> tuple[str, int]:
        token = _TOKEN.search(self._text, self._at)
        if token is None:
            self._fail(f"expected {what} and found the end of the file", len(self._text))
        self._at = token.end()
        return token[0], token.start()

    def _next(self, at: int) -> int:
        token = _TOKEN.search(self._text, at)
        return len(self._text) if token is None else token.start()

    def _fail(self, problem: str, at: int) -> NoReturn:
        raise FileFormatError(self._reading.source, problem, *line_and_column(self._text, at))


def _hint(numbers: str, sizes: list[int]) -> str:
    """A hint for tables that are valid only with the variable changing slowest, as some programs write it."""
    try:
        values = np.array(numbers.split(), dtype=np.float64).reshape(sizes[-1], -1)
    except ValueError:
        return ""
    fits = len(sizes) > 1 and values.size == math.prod(sizes) and np.allclose(values.sum(axis=0), 1.0, atol=ROUNDING)
    return ". The numbers fit if the variable changes slowest, but in this format it changes fastest" if fits else ""


def write_uai(net: Network) -> str:
    """Return the text of a UAI file. Names, labels and annotations are lost."""
    return "".join(_lines(net))


def _lines(net: Network) -> Iterator[str]:
    count = len(net.names)
    place = {name: i for i, name in enumerate(net.names)}
    yield f"BAYES\n{count}\n{' '.join(str(len(net.levels[name])) for name in net.names)}\n{count}\n"
    for name in net.names:
        scope = [*(place[parent] for parent in net.dag.parents(name)), place[name]]
        yield f"{len(scope)} {' '.join(map(str, scope))}\n"
    for name in net.names:
        table = net.table(name)
        yield f"\n{table.size}\n"
        for row in table.reshape(-1, table.shape[-1]).tolist():
            yield f" {' '.join(map(plain_number, row))}\n"
