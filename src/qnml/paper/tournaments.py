"""Networks made of tournaments: their number, and a check that qNML is the true NML for them (Appendix C).

The results have one value per row, named by `quantity`:

``formula``, ``enumerated``
    Number of networks of `n` nodes whose components are tournaments, by the paper's sum over integer partitions and by
    enumeration of all networks (up to five nodes).
``networks``, ``largest``, ``smallest``
    For small random data sets: how many networks of `n` nodes have only tournaments as components (`tournament`) or
    not, and the largest and smallest |qNML − NML| among them, where NML is summed over all data sets of that size.
``fnml_empty``, ``fnml_smallest``
    |fNML − NML| of the network without arcs, and the smallest among all others.
"""

from __future__ import annotations

from collections import Counter
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml._api.scoring import score
from qnml.data import Table
from qnml.graph import all_dags, is_tournament_union

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CASES", "SCHEMA", "count_by_partitions", "learnings", "run_chunk"]

SCHEMA = {
    "quantity": pl.String,
    "n": pl.Int64,
    "levels": pl.String,
    "rows": pl.Int64,
    "tournament": pl.Boolean,
    "value": pl.Float64,
}
"""Columns of the results."""

CASES = (((2, 2), 8), ((3, 2), 8), ((2, 2, 2), 7), ((2, 3, 2), 6), ((2, 2, 2, 2), 4))
"""Levels and rows of the data sets on which all networks are scored: those whose sums over data sets are short."""

_MOST_COUNTED = 9
_MOST_ENUMERATED = 5


def count_by_partitions(n: int) -> int:
    """Number of networks of `n` nodes whose components are tournaments, by the paper's formula.

    It is the sum over the integer partitions of n of n! divided by the factorials of the multiplicities of their parts.

    Parameters
    ----------
    n
        Number of nodes.

    Examples
    --------
    >>> [count_by_partitions(n) for n in range(6)]
    [1, 1, 3, 13, 73, 501]
    """
    return sum(factorial(n) // prod(factorial(m) for m in Counter(parts).values()) for parts in _partitions(n, n))


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Count, and compare the two scores on small cases.

    Parameters
    ----------
    subject
        ``"all"``.
    first
        Not used.
    last
        Not used.
    seed
        Not used: the data sets are small and always the same.
    """
    rows: list[tuple[str, int, str | None, int | None, bool | None, float]] = []
    for n in range(_MOST_COUNTED + 1):
        rows.append(("formula", n, None, None, True, float(count_by_partitions(n))))
        if n <= _MOST_ENUMERATED:
            counted = sum(map(is_tournament_union, all_dags([f"X{i}" for i in range(n)])))
            rows.append(("enumerated", n, None, None, True, float(counted)))
    for levels, n_rows in CASES:
        shown = "×".join(map(str, levels))
        table = _random_table(levels, n_rows)
        gaps = [
            (dag, abs(score(table, dag, "qnml", n_jobs=1) - exact), abs(score(table, dag, "fnml", n_jobs=1) - exact))
            for dag in all_dags(table.names)
            for exact in (score(table, dag, "nml", n_jobs=1),)
        ]
        for tournament in (True, False):
            among = [gap for dag, gap, _ in gaps if is_tournament_union(dag) == tournament]
            head = (len(levels), shown, n_rows, tournament)
            rows.append(("networks", *head, float(len(among))))
            if among:
                rows.append(("largest", *head, max(among)))
                rows.append(("smallest", *head, min(among)))
        rows.append(("fnml_empty", len(levels), shown, n_rows, None, gaps[0][2]))
        rows.append(("fnml_smallest", len(levels), shown, n_rows, None, min(gap for _, _, gap in gaps[1:])))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """No network is learned.

    Parameters
    ----------
    subject
        ``"all"``.
    repetitions
        Not used.
    """
    return 0


def _random_table(levels: tuple[int, ...], n_rows: int) -> Table:
    rng = np.random.default_rng([*levels, n_rows])
    return Table.from_codes([rng.integers(r, size=n_rows) for r in levels], levels=list(levels))


def _partitions(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as a sum of parts of at most `most`, largest first."""
    if n == 0:
        yield ()
    for part in range(min(n, most), 0, -1):
        for rest in _partitions(n - part, part):
            yield (part, *rest)
