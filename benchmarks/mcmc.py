"""Sampling DAGs by MCMC: time, effective sample sizes, and the arcs outside the candidate parents.

    python benchmarks/mcmc.py [--quick] [--jobs N] [--score bdeu]

Tables are samples of 1000 rows from networks of the data folder; `andes` with 100 variables has its first hundred by
name. Every line also says whether the chains mixed (R-hat of all arcs at most 1.05, effective sample size at least
100), and estimates, one arc at a time, the expected number of arcs from parents that are not candidates.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import numpy as np

import qnml
from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.errors import DataFolderError, MixingWarning
from qnml.scores import bind_score, find_score
from qnml.search import SearchProblem
from qnml.search.chains.partition_mcmc import run
from qnml.search.posterior.method import RunOptions

N_ROWS = 1000
CASES = (("asia", 8), ("alarm", 37), ("win95pts", 76), ("andes", 100), ("andes", 223))


def problem_of(name: str, n: int, score: str, jobs: int | None) -> SearchProblem:
    """Return the first variables of a sampled table; over-full families are excluded for qNML."""
    table = qnml.datasets.sample(name, N_ROWS, seed=1)
    table = table.select(sorted(table.names)[:n])
    return SearchProblem(
        call="benchmark",
        columns=MemoryCounts(table).columns,
        score=bind_score("benchmark", find_score("benchmark", score), table.total, {}),
        compiled=qnml.Knowledge().compile(table.names),
        most_cells=N_ROWS / 2 if score == "qnml" else np.inf,
        memory_limit=1e10,
        n_jobs=resolve_jobs("benchmark", jobs),
        seed=1,
    )


def report(quick: bool, jobs: int | None, score: str) -> int:
    """Print a line for each case; return how many did not mix."""
    samples = 400 if quick else None
    wrong = 0
    print(f"{score}, {N_ROWS} rows, 4 chains, {samples or 4000} draws kept of {(samples or 4000) * 3 // 2}")
    print(
        f"{'case':<14}{'CPU s':>9}{'draws/s':>9}{'R-hat':>8}{'least ESS':>11}{'median':>8}{'mixed':>7}"
        f"{'above 1.05':>12}{'outside':>9}"
    )
    for name, n in CASES[:4] if quick else CASES:
        try:
            problem = problem_of(name, n, score, jobs)
        except DataFolderError:
            print(f"{name:<14} needs the data folder")
            continue
        options = RunOptions(samples)
        began = time.process_time()
        found = run(problem, options)
        seconds = time.process_time() - began
        facts = found.diagnostics
        mixed = not found.concerns()
        wrong += not mixed
        print(
            f"{f'{name} {n}':<14}{seconds:>9.1f}{found.draws.n_draws * 1.5 / seconds:>9.0f}{facts['worst_r_hat']:>8.3f}"
            f"{facts['least_effective_size']:>11.0f}{facts['median_effective_size']:>8.0f}"
            f"{'yes' if mixed else 'NO':>7}{facts['arcs_above_r_hat']:>12}{facts['arcs_outside_candidates']:>9.1f}",
            flush=True,
        )
    return wrong


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the draws, under a minute")
    parser.add_argument("--jobs", type=int, default=None, help="threads; all cores by default")
    parser.add_argument("--score", default="bdeu", help="name of a score")
    given = parser.parse_args()
    warnings.simplefilter("ignore", MixingWarning)  # the column says it
    sys.exit(1 if report(given.quick, given.jobs, given.score) else 0)


if __name__ == "__main__":
    _main()
