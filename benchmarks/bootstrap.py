"""The bootstrap: the cost of 200 replicates, in units of one run of ``learn``.

    python benchmarks/bootstrap.py [--replicates R] [--variables N] [--jobs N]

Data are those of ``exact.py``: a random sparse network, 1000 rows. Times are CPU seconds, the best of three, so that a
busy machine hardly changes the ratio. Some replicates are checked against ``learn`` on the re-weighted table.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from exact import random_table

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["best_seconds", "report"]


def best_seconds(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Return the CPU seconds of the fastest run, and its result."""
    best, result = float("inf"), None
    for _ in range(times):
        began = time.process_time()
        result = work()
        best = min(best, time.process_time() - began)
    return best, result


def report(n: int, replicates: int, jobs: int | None) -> int:
    """Print a line for each score; return how many were wrong."""
    wrong = 0
    table = random_table(n, 1000, seed=1)
    merged = table.select(sorted(table.names)).merged()
    shares = np.asarray(merged.weights, dtype=float) / merged.total
    drawn = np.random.default_rng(1).multinomial(merged.total, shares, size=10)
    print(f"n={n}, 1000 rows, {replicates} replicates; processor seconds")
    print(f"{'score':<8}{'one learn':>10}{'bootstrap':>11}{'ratio':>8}{'right':>7}")
    for score in ("qnml", "bic", "aic", "bdq", "bdeu"):
        single, _ = best_seconds(lambda s=score: qnml.learn(table, s, guard="off", n_jobs=jobs))
        many, found = best_seconds(lambda s=score: qnml.bootstrap(table, replicates, s, seed=1, n_jobs=jobs))
        right = True
        for dag, weights in zip(found.dags, drawn, strict=False):
            codes = {"names": merged.names, "levels": [*map(list, merged.levels)], "weights": weights}
            right &= dag == qnml.learn(qnml.Table.from_codes([*merged.columns], **codes), score, guard="off").dag
        wrong += not right
        print(f"{score:<8}{single:>10.3f}{many:>11.3f}{many / single:>8.1f}{'yes' if right else 'NO':>7}", flush=True)
    return wrong


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--variables", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    given = parser.parse_args()
    sys.exit(1 if report(given.variables, given.replicates, given.jobs) else 0)


if __name__ == "__main__":
    _main()
