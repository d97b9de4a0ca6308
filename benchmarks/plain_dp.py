"""Plain dynamic programming for the best network, for comparison: one thread, NumPy, no optimization.

After Silander and Myllymäki (2006): count every set of variables, score it, find the best parents of each
variable among each set, then the best last variable of each set. Counting re-labels the rows of every set from
those of a smaller one with ``numpy.unique``. Takes 2 to 4 s for 15 variables and 1000 rows; twice that for each
further variable. Only for scores that are set functions: qnml, bic, bdeu.

    python benchmarks/plain_dp.py [number of variables]
"""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SCORES", "best_score"]

Counts = np.ndarray


def _set_scores(total: int) -> dict[str, Callable[[Counts, int], float]]:
    """f(cell counts, product of levels) of each score, with local(i | P) = f(P + i) − f(P)."""
    times_log = np.arange(total + 1, dtype=float)
    times_log[1:] *= np.log(times_log[1:])
    regrets: dict[int, float] = {}
    rising: dict[int, np.ndarray] = {}

    def qnml_score(counts: Counts, product: int) -> float:
        if product not in regrets:
            regrets[product] = float(qnml.regret(total, product))
        return float(times_log[counts].sum()) - regrets[product]

    def bic_score(counts: Counts, product: int) -> float:
        return float(times_log[counts].sum()) - 0.5 * math.log(total) * product

    def bdeu_score(counts: Counts, product: int) -> float:
        if product not in rising:
            # log of a (a + 1) … (a + count − 1), for an equivalent sample size of 1.
            steps = np.log(1 / product + np.arange(total))
            rising[product] = np.concatenate([[0.0], np.cumsum(steps)])
        return float(rising[product][counts].sum())

    return {"qnml": qnml_score, "bic": bic_score, "bdeu": bdeu_score}


SCORES = tuple(_set_scores(1))


def _counted_sets(table: qnml.Table) -> Iterator[tuple[int, Counts, int]]:
    """Yield every set of variables as a bit mask, with the counts of its cells and the product of its arities."""
    n = len(table.names)

    def walk(mask: int, labels: np.ndarray, product: int, first: int) -> Iterator[tuple[int, Counts, int]]:
        for variable in range(first, n):
            joint = labels * table.arities[variable] + table.columns[variable]
            _, inverse, counts = np.unique(joint, return_inverse=True, return_counts=True)
            wider = mask | 1 << variable
            levels = product * table.arities[variable]
            yield wider, counts, levels
            yield from walk(wider, inverse, levels, variable + 1)

    yield 0, np.array([table.total]), 1
    yield from walk(0, np.zeros(table.n_rows, dtype=np.int64), 1, 0)


def best_score(table: qnml.Table, score: str) -> tuple[float, dict[str, float]]:
    """Return the score of the best network and the seconds spent on counting and on the search."""
    n = len(table.names)
    function = _set_scores(table.total)[score]
    began = time.perf_counter()
    values = np.empty(1 << n)
    for mask, counts, product in _counted_sets(table):
        values[mask] = function(counts, product)
    counted = time.perf_counter()
    masks = np.arange(1 << n)
    best = np.zeros(1 << n)
    # best_parents[child][set]: the best local score of the child with parents within the set.
    best_parents = []
    for child in range(n):
        local = values[masks | 1 << child] - values
        for bit in range(n):
            pairs = local.reshape(-1, 2, 1 << bit)
            if bit != child:
                np.maximum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
        best_parents.append(local)
    for mask in range(1, 1 << n):
        best[mask] = max(
            best[mask ^ 1 << last] + best_parents[last][mask ^ 1 << last] for last in range(n) if mask >> last & 1
        )
    ended = time.perf_counter()
    return float(best[-1]), {"counting": counted - began, "search": ended - counted}


def _main() -> None:
    from exact import random_table

    n = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    table = random_table(n, 1000, seed=1)
    for score in SCORES:
        value, seconds = best_score(table, score)
        print(f"{score}: {value:.6f} in {sum(seconds.values()):.2f} s, counting {seconds['counting']:.2f} s")


if __name__ == "__main__":
    _main()
