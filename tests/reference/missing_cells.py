"""Rows with missing cells by enumeration of all completions of every row.

A row is a tuple of codes, None where a cell is missing. A network is a tuple of parent tuples. Parameters map
(child, configuration of the parents, level) to a probability; what is not listed has equal probabilities.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from qnml.data import Table
from qnml.graph import Dag

__all__ = [
    "Holed",
    "completions",
    "em",
    "expected_counts",
    "family_cells",
    "holed_tables",
    "joint",
    "log_likelihood",
    "marginals_of",
    "maximised",
    "posterior",
    "spread_counts",
    "with_missing",
]

Row = tuple[int | None, ...]
Complete = tuple[int, ...]
Parents = Sequence[tuple[int, ...]]
Cell = tuple[int, Complete, int]
Parameters = Mapping[Cell, float]


def completions(row: Row, levels: Sequence[int]) -> Iterator[Complete]:
    """All complete rows that agree with the row, the last missing cell changing fastest."""
    return itertools.product(
        *(range(count) if code is None else (code,) for code, count in zip(row, levels, strict=True))
    )


def family_cells(row: Complete, parents: Parents) -> list[Cell]:
    """The cell of each family that a complete row falls into."""
    return [(child, tuple(row[p] for p in mine), row[child]) for child, mine in enumerate(parents)]


def joint(row: Complete, parents: Parents, parameters: Parameters, levels: Sequence[int]) -> float:
    """The probability of a complete row."""
    return math.prod(parameters.get(cell, 1 / levels[cell[0]]) for cell in family_cells(row, parents))


def posterior(row: Row, parents: Parents, parameters: Parameters, levels: Sequence[int]) -> dict[Complete, float]:
    """The probabilities of the completions given the observed cells; empty if the row is impossible."""
    shares = {full: joint(full, parents, parameters, levels) for full in completions(row, levels)}
    total = math.fsum(shares.values())
    return {full: share / total for full, share in shares.items() if share} if total else {}


def log_likelihood(
    rows: Sequence[Row], weights: Sequence[int], parents: Parents, parameters: Parameters, levels: Sequence[int]
) -> float:
    """The log-probability of the observed cells of all rows."""
    terms = []
    for row, weight in zip(rows, weights, strict=True):
        total = math.fsum(joint(full, parents, parameters, levels) for full in completions(row, levels))
        terms.append(weight * math.log(total) if total else -math.inf)
    return math.fsum(terms)


def expected_counts(
    rows: Sequence[Row], weights: Sequence[int], parents: Parents, parameters: Parameters, levels: Sequence[int]
) -> dict[Cell, float]:
    """The expected count of each cell of each family."""
    counts: dict[Cell, float] = {}
    for row, weight in zip(rows, weights, strict=True):
        for full, share in posterior(row, parents, parameters, levels).items():
            for cell in family_cells(full, parents):
                counts[cell] = counts.get(cell, 0.0) + weight * share
    return counts


def marginals_of(rows: Sequence[Row], weights: Sequence[int], levels: Sequence[int]) -> list[list[float]]:
    """The share of each level among the observed cells of its column; equal shares if none is observed."""
    shares = []
    for column, count in enumerate(levels):
        seen = [0.0] * count
        for row, weight in zip(rows, weights, strict=True):
            code = row[column]
            if code is not None:
                seen[code] += weight
        total = sum(seen)
        shares.append([one / total for one in seen] if total else [1 / count] * count)
    return shares


def spread_counts(
    rows: Sequence[Row], weights: Sequence[int], parents: Parents, levels: Sequence[int]
) -> dict[Cell, float]:
    """Expected counts if missing cells are independent of all others and distributed as the observed ones."""
    shares = marginals_of(rows, weights, levels)
    counts: dict[Cell, float] = {}
    for row, weight in zip(rows, weights, strict=True):
        for full in completions(row, levels):
            share = math.prod(shares[v][full[v]] for v, code in enumerate(row) if code is None)
            for cell in family_cells(full, parents):
                counts[cell] = counts.get(cell, 0.0) + weight * share
    return counts


def maximised(counts: Mapping[Cell, float]) -> dict[Cell, float]:
    """Relative frequencies; configurations without counts are left out."""
    totals: dict[tuple[int, Complete], float] = {}
    for (child, config, _), count in counts.items():
        totals[child, config] = totals.get((child, config), 0.0) + count
    configs = {(child, config) for (child, config), total in totals.items() if total > 0.0}
    found = {cell: count / totals[cell[0], cell[1]] for cell, count in counts.items() if (cell[0], cell[1]) in configs}
    return _Sparse(found, configs)


class _Sparse(dict[Cell, float]):
    """Parameters in which a level that does not occur in a known configuration has probability zero."""

    def __init__(self, found: Mapping[Cell, float], configs: set[tuple[int, Complete]]) -> None:
        super().__init__(found)
        self._configs = configs

    def get(self, cell: Cell, default: float) -> float:  # type: ignore[override]
        if cell in self:
            return self[cell]
        return 0.0 if (cell[0], cell[1]) in self._configs else default


def em(
    rows: Sequence[Row], weights: Sequence[int], parents: Parents, levels: Sequence[int], steps: int
) -> tuple[dict[Cell, float], dict[Cell, float], list[float]]:
    """The parameters after some steps, the counts expected under them, and the log-likelihoods on the way."""
    counts = spread_counts(rows, weights, parents, levels)
    trace = []
    for _ in range(steps):
        parameters = maximised(counts)
        trace.append(log_likelihood(rows, weights, parents, parameters, levels))
        counts = expected_counts(rows, weights, parents, parameters, levels)
    return parameters, counts, trace


@dataclass(frozen=True)
class Holed:
    """A table with missing cells and a network structure on its columns.

    Attributes
    ----------
    rows : codes, None where missing.
    weights : how often each row counts.
    levels : declared numbers of levels.
    parents : of each column.
    """

    rows: tuple[Row, ...]
    weights: tuple[int, ...]
    levels: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]

    @property
    def names(self) -> list[str]:
        """Names of the columns, in ascending order."""
        return [f"v{column}" for column in range(len(self.levels))]

    @property
    def masks(self) -> list[np.ndarray]:
        """The missing cells of each column."""
        return [np.array([row[column] is None for row in self.rows]) for column in range(len(self.levels))]

    @property
    def codes(self) -> list[np.ndarray]:
        """The codes of each column, 0 in missing cells."""
        return [np.array([row[column] or 0 for row in self.rows], dtype=np.int32) for column in range(len(self.levels))]

    def table(self) -> Table:
        """The same as the package has it."""
        full = Table.from_codes(self.codes, self.names, list(self.levels), np.array(self.weights, np.uint64))
        return with_missing(full, self.masks)

    def dag(self) -> Dag:
        """The structure as the package has it."""
        arcs = [
            (self.names[parent], name) for name, mine in zip(self.names, self.parents, strict=True) for parent in mine
        ]
        return Dag.from_arcs(self.names, arcs)


def with_missing(table: Table, masks: Sequence[np.ndarray]) -> Table:
    """The table with some cells missing."""
    return Table._of(table.names, list(table.columns), list(table.levels), table.weights, missing=list(masks))


@st.composite
def holed_tables(draw: st.DrawFn, max_columns: int = 4, max_levels: int = 3, max_rows: int = 7) -> Holed:
    """Small tables: rows without observed cells, columns of one level, unseen levels, complete tables."""
    n = draw(st.integers(1, max_columns))
    levels = draw(st.lists(st.integers(1, max_levels), min_size=n, max_size=n))
    cells = [st.one_of(st.none(), st.integers(0, count - 1)) for count in levels]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=max_rows))
    weights = draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    order = draw(st.permutations(range(n)))
    parents: list[tuple[int, ...]] = [()] * n
    for place, child in enumerate(order):
        parents[child] = tuple(parent for parent in order[:place] if draw(st.booleans()))
    return Holed(tuple(rows), tuple(weights), tuple(levels), tuple(parents))
