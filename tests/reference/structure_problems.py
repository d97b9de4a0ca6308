"""Problems for tests of the searches and the posterior."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

import qnml
from qnml.counts import MemoryCounts
from qnml.scores import bind_score, find_score
from qnml.search import SearchProblem

__all__ = ["five_columns", "four_column_problem", "make_problem", "small_table", "widened"]


def make_problem(
    table: qnml.Table,
    score: str = "bdeu",
    prior: str = "uniform",
    knowledge: qnml.Knowledge | None = None,
    max_parents: int | None = None,
    most_cells: float = math.inf,
    n_jobs: int = 1,
    memory_limit: float = 1e9,
    seed: int = 0,
    **parameters: Any,
) -> SearchProblem:
    """The problem that a public call would pose, with the columns in the order of the table."""
    return SearchProblem(
        call="test",
        columns=MemoryCounts(table).columns,
        score=bind_score("test", find_score("test", score), table.total, parameters),
        compiled=(knowledge or qnml.Knowledge()).compile(table.names, max_parents=max_parents),
        most_cells=most_cells,
        prior=prior,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        seed=seed,
    )


def widened(problem: SearchProblem, n: int) -> SearchProblem:
    """The same problem on n columns of two levels."""
    columns = np.zeros((problem.n_rows, n), dtype=np.uint8)
    table = qnml.Table.from_codes(columns, levels=[2] * n)
    return replace(problem, columns=MemoryCounts(table).columns, compiled=qnml.Knowledge().compile(table.names))


def small_table(n: int, n_rows: int, seed: int) -> qnml.Table:
    """Each column depends weakly on the one before it, so that many structures are probable."""
    generator = np.random.default_rng(seed)
    levels = [2 + (k == 2) for k in range(n)]
    columns = [generator.integers(0, levels[0], n_rows)]
    for k in range(1, n):
        copied = generator.random(n_rows) < 0.5
        columns.append(np.where(copied, columns[-1] % levels[k], generator.integers(0, levels[k], n_rows)))
    return qnml.Table.from_codes(columns, names=list("abcdefgh")[:n], levels=levels)


def five_columns() -> qnml.Table:
    """Weak dependences between columns of two and three levels, whose names are not in causal order."""
    generator = np.random.default_rng(6)
    columns = [generator.integers(0, 3, 80)]
    for arity in (2, 3, 2, 2):
        follows = generator.random(80) < 0.4
        columns.append(np.where(follows, columns[-1], generator.integers(0, arity, 80)) % arity)
    return qnml.Table.from_codes(columns, names=["e", "b", "d", "a", "c"])


def four_column_problem() -> SearchProblem:
    """A problem small enough to enumerate, on a table in which no structure has all the weight."""
    generator = np.random.default_rng(1)
    columns = [generator.integers(0, 2, 60)]
    for _ in range(3):
        columns.append(np.where(generator.random(60) < 0.35, columns[-1], generator.integers(0, 2, 60)))
    return make_problem(qnml.Table.from_codes(columns, names=list("abcd")))
