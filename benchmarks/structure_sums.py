"""Exact sums over structures: seconds, CPU nanoseconds per step, and the time of a thousand draws.

    python benchmarks/structure_sums.py [--large] [--jobs N]

Scores are random. The same sums with all scores zero must give the number of DAGs, or of DAGs with an order.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from qnml._jobs import resolve_jobs
from qnml.graph.enumerate import count_dags
from qnml.search.posterior.structure_sums import sum_scores

__all__: list[str] = []


def known_log_total(n: int, prior: str) -> float:
    """Return the log of the total weight if all scores are zero."""
    if prior == "order":
        return math.lgamma(n + 1) + n * (n - 1) / 2 * math.log(2)
    return math.log(count_dags(n))


def run(n: int, prior: str, jobs: int) -> None:
    """Print one line."""
    nothing = sum_scores(np.zeros((n, 2 ** (n - 1))), prior, jobs)
    if not math.isclose(nothing.log_total, known_log_total(n, prior), rel_tol=1e-13):
        raise AssertionError(f"{nothing.log_total} is not the log of the number of DAGs")
    scores = 10 * np.random.default_rng(n).normal(size=(n, 2 ** (n - 1)))
    wall, processor = time.perf_counter(), time.process_time()
    sums = sum_scores(scores, prior, jobs)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    started = time.perf_counter()
    sums.sample_dags(1000, seed=1)
    draws = time.perf_counter() - started
    steps = n * n * 2.0**n / 4 if prior == "order" else 3.0**n
    print(
        f"n={n:2}  {prior:8} {wall:8.2f} s  {processor:8.2f} s of processor  {processor / steps * 1e9:6.1f} ns a step"
        f"  1000 draws {draws:6.2f} s  error below {sums.error_bound:.0e}"
    )


def main() -> None:
    """All cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--large", action="store_true", help="also 18 and 20 variables, and 22 for orders")
    parser.add_argument("--jobs", type=int)
    arguments = parser.parse_args()
    jobs = resolve_jobs("benchmark", arguments.jobs)
    print(f"Exact sums over structures, {jobs} threads")
    cases = {"uniform": [12, 14, 16], "order": [16, 18, 20]}
    if arguments.large:
        cases = {"uniform": [*cases["uniform"], 18, 20], "order": [*cases["order"], 22]}
    for prior, sizes in cases.items():
        for n in sizes:
            run(n, prior, jobs)


if __name__ == "__main__":
    main()
