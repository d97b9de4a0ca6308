"""Questions as SQL. Names are always quoted, texts and numbers always written as literals of the dialect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml.data.engines.relation import COUNT, Binned, Blank, Cell, Kept, Raw

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DUCKDB", "POSTGRES", "SPARK", "Dialect", "Query"]


@dataclass(frozen=True)
class Dialect:
    """How an engine writes what standard SQL leaves open.

    Attributes
    ----------
    quote : the mark around names; doubled inside.
    double : the type of 64-bit floating point numbers.
    nan : tells whether a floating point number is not a number; ``{}`` stands for it.
    approximate : counts distinct values, about; ``{}`` stands for the value.
    row : one value made from several columns; ``{}`` stands for them. Empty if the engine has none.
    escapes : whether a backslash in a text must be doubled.
    """

    quote: str
    double: str
    nan: str
    approximate: str
    row: str
    escapes: bool = False

    def name(self, name: str) -> str:
        """A quoted name."""
        return f"{self.quote}{name.replace(self.quote, 2 * self.quote)}{self.quote}"

    def text(self, text: str) -> str:
        """A text literal."""
        escaped = text.replace("\\", "\\\\") if self.escapes else text
        quotes = "\\'" if self.escapes else "''"
        return "'" + escaped.replace("'", quotes) + "'"

    def number(self, value: float) -> str:
        """A floating point number, to the last bit."""
        return f"CAST({self.text(repr(value))} AS {self.double})"


DUCKDB = Dialect('"', "DOUBLE", "isnan({})", "approx_count_distinct({})", "hash({})")
SPARK = Dialect("`", "DOUBLE", "isnan({})", "approx_count_distinct({})", "xxhash64({})", escapes=True)
POSTGRES = Dialect('"', "DOUBLE PRECISION", "{} = 'NaN'::float8", "count(DISTINCT {})", "")


@dataclass(frozen=True)
class Query:
    """The questions about one table.

    Attributes
    ----------
    dialect : how to write them.
    source : the table: a quoted name, or a query in brackets with an alias.
    reals : the columns of floating point numbers, which may be "not a number".
    weights : the column of weights, or None.
    complete : the columns in which no cell may be missing.
    """

    dialect: Dialect
    source: str
    reals: frozenset[str] = frozenset()
    weights: str | None = None
    complete: tuple[str, ...] = ()

    def grouped(self, cells: Sequence[Cell]) -> str:
        """Count the combinations of cells."""
        parts = [f"{self._cell(cell)} AS c{place}" for place, cell in enumerate(cells)]
        groups = f" GROUP BY {', '.join(str(place + 1) for place in range(len(cells)))}" if cells else ""
        return f"SELECT {', '.join([*parts, f'{self._count()} AS {COUNT}'])} FROM {self.source}{self._where()}{groups}"

    def many(self, sets: Sequence[Sequence[Cell]]) -> str:
        """Count the combinations of several sets of cells; ``s`` says which, and cells beyond a set are null."""
        width = max(map(len, sets))
        texts = []
        for number, cells in enumerate(sets):
            parts = [f"{self._cell(cell)} AS c{place}" for place, cell in enumerate(cells)]
            parts += [f"NULL AS c{place}" for place in range(len(cells), width)]
            groups = ", ".join(str(place + 2) for place in range(len(cells)))
            texts.append(
                f"SELECT {number} AS s, {', '.join(parts)}, {self._count()} AS {COUNT} FROM {self.source}"
                f"{self._where()} GROUP BY {groups}"
            )
        return " UNION ALL ".join(texts)

    def sizes(self, cells: Sequence[Cell]) -> str:
        """Count the rows, and about the different values of each cell."""
        parts = [f"{self.dialect.approximate.format(self._cell(cell))} AS c{i}" for i, cell in enumerate(cells)]
        return f"SELECT {', '.join(['count(*) AS n', *parts])} FROM {self.source}{self._where()}"

    def distinct(self, cells: Sequence[Cell]) -> str:
        """Count the different combinations, about."""
        row = self.dialect.row.format(", ".join(map(self._cell, cells)))
        return f"SELECT {self.dialect.approximate.format(row)} AS n FROM {self.source}{self._where()}"

    def rows(self, names: Sequence[str]) -> str:
        """The rows, and their weights last."""
        parts = [f"{self.dialect.name(name)} AS c{place}" for place, name in enumerate(names)]
        if self.weights is not None:
            parts.append(f"{self.dialect.name(self.weights)} AS {COUNT}")
        return f"SELECT {', '.join(parts)} FROM {self.source}{self._where()}"

    def bad_weights(self, weights: str) -> str:
        """Count the weights that are missing, negative or no whole numbers."""
        name = self.dialect.name(weights)
        bad = f"{name} IS NULL OR {name} < 0 OR {name} <> floor({name})"
        return f"SELECT count(*) AS n FROM {self.source} WHERE {bad}"

    def _count(self) -> str:
        if self.weights is None:
            return "count(*)"
        return f"CAST(sum({self.dialect.name(self.weights)}) AS BIGINT)"

    def _where(self) -> str:
        terms = [f"NOT ({self._is_missing(name)})" for name in self.complete]
        if self.weights is not None:
            terms.append(f"{self.dialect.name(self.weights)} > 0")
        return f" WHERE {' AND '.join(terms)}" if terms else ""

    def _is_missing(self, name: str) -> str:
        quoted = self.dialect.name(name)
        absent = f"{quoted} IS NULL"
        return f"{absent} OR {self.dialect.nan.format(quoted)}" if name in self.reals else absent

    def _cell(self, cell: Cell) -> str:
        quoted = self.dialect.name(cell.name)
        if isinstance(cell, Raw):
            return quoted
        missing = self._is_missing(cell.name)
        if isinstance(cell, Blank):
            return f"({missing})"
        if isinstance(cell, Kept):
            if not cell.labels:
                return f"CASE WHEN {missing} THEN NULL ELSE {self.dialect.text(cell.other)} END"
            listed = ", ".join(map(self.dialect.text, cell.labels))
            other = self.dialect.text(cell.other)
            return f"CASE WHEN {missing} THEN NULL WHEN {quoted} IN ({listed}) THEN {quoted} ELSE {other} END"
        return self._bin(cell, quoted, missing)

    def _bin(self, cell: Binned, quoted: str, missing: str) -> str:
        value = f"CAST({quoted} AS {self.dialect.double})"
        steps = [f"WHEN {value} <= {self.dialect.number(cut)} THEN {place}" for place, cut in enumerate(cell.cuts)]
        return f"CASE WHEN {missing} THEN NULL {' '.join(steps)} ELSE {len(cell.cuts)} END"
