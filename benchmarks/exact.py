"""Exact learning: time, peak memory, and ratios to plain dynamic programming and to a lower bound, the floor.

    python benchmarks/exact.py [--quick] [--large] [--jobs N]

Data are drawn from random sparse networks (at most 3 parents, 2 to 4 levels, rows of the probability tables from
Dirichlet(1)), 1000 rows unless stated otherwise. Every case runs in a separate process, so that its peak memory can be
measured; short cases run three times and the best counts. The floor is the number of rows visited in the lattice times
the cost of one visit, measured in the same run (one read and one increment in cache, by ``numpy.bincount``), divided by
the number of threads. Plain dynamic programming runs up to 15 variables and must give the same score; for more
variables its time is scaled by the number of sets and marked ``~``.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

import qnml

__all__ = ["Case", "random_table"]

PLAIN_UP_TO = 15
ANY = "qnml bic bdeu"


@dataclasses.dataclass(frozen=True)
class Case:
    """One line of the report; `aim` is the target in seconds."""

    n: int
    score: str
    aim: float
    n_rows: int = 1000
    max_parents: int | None = None
    tables: int = 1
    seed: int = 1

    @property
    def title(self) -> str:
        """A description of the case."""
        words = [f"n={self.n}", self.score]
        if self.n_rows != 1000:
            words.append(f"N={self.n_rows}")
        if self.max_parents is not None:
            words.append(f"max_parents={self.max_parents}")
        if self.tables > 1:
            words.append(f"{self.tables} tables")
        return " ".join(words)


def cases(quick: bool, large: bool) -> list[Case]:
    """Return the cases, in the order of the report."""
    sizes = {15: 0.05, 20: 1.0}
    limited = {20: 0.1, 24: 0.3}
    if not quick:
        sizes |= {24: 10.0}
        limited |= {30: 5.0}
    if large:
        sizes |= {28: 180.0, 30: 900.0}
    found = [Case(n, score, aim) for n, aim in sizes.items() for score in ANY.split()]
    found.append(Case(20, "fnml", 10.0))
    found += [Case(n, score, aim, max_parents=3) for n, aim in limited.items() for score in ANY.split()]
    further = ["qnml"] if quick else ANY.split()
    found += [Case(15, score, 2.0, n_rows=10**5) for score in further]
    found += [Case(10, score, 3.0, n_rows=100, tables=1000) for score in further]
    return found


def random_table(n: int, n_rows: int, seed: int) -> qnml.Table:
    """Draw rows from a random sparse network."""
    generator = np.random.default_rng([seed, n])
    arities = generator.integers(2, 5, n)
    order = generator.permutation(n)
    columns: dict[int, np.ndarray] = {}
    for place, node in enumerate(order.tolist()):
        parents = generator.choice(order[:place], size=generator.integers(0, min(3, place) + 1), replace=False)
        configuration = np.zeros(n_rows, dtype=np.int64)
        for parent in parents.tolist():
            configuration = configuration * arities[parent] + columns[parent]
        rows = generator.dirichlet(np.ones(arities[node]), size=int(np.prod(arities[parents])))
        below = rows.cumsum(axis=1)[configuration, :-1]
        columns[node] = (generator.random((n_rows, 1)) > below).sum(axis=1)
    return qnml.Table.from_codes([columns[node] for node in range(n)], levels=arities.tolist())


def run_case(case: Case, jobs: int | None) -> dict[str, Any]:
    """Learn, and return the cost; runs in the process of one case."""
    tables = [random_table(case.n, case.n_rows, case.seed + number) for number in range(case.tables)]
    before = _peak()
    seconds = np.inf
    for _ in range(3):
        began = time.perf_counter()
        if case.tables > 1:
            results = qnml.learn_many(tables, case.score, max_parents=case.max_parents, guard="off", n_jobs=jobs)
        else:
            options = {"max_parents": case.max_parents, "guard": "off", "n_jobs": jobs}
            results = [qnml.learn(tables[0], case.score, **options)]
        seconds = min(seconds, time.perf_counter() - began)
        if seconds > 5:
            break
    certificates = [result.certificate for result in results]
    return {
        "seconds": seconds,
        "peak": _peak(),
        "before": before,
        "optimal": all(certificate.optimal for certificate in certificates),
        "visits": sum(getattr(certificate, "visits", 0) for certificate in certificates),
        "score": results[0].score,
        "stages": dict(certificates[0].seconds),
        "widest": max(mask.bit_count() for mask in results[0].dag.parent_masks),
    }


def _peak() -> int:
    # Kilobytes, except on a Mac.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def visit_cost() -> float:
    """Return the seconds for one read and one increment in cache."""
    codes = np.random.default_rng(0).integers(0, 64, 1 << 14)
    best = np.inf
    for _ in range(200):
        began = time.perf_counter()
        np.bincount(codes, minlength=64)
        best = min(best, time.perf_counter() - began)
    return best / codes.size


def plain_seconds(quick: bool) -> dict[str, tuple[int, float, float]]:
    """Return the size, the seconds and the optimum of plain dynamic programming for each score."""
    from plain_dp import SCORES, best_score

    n = 12 if quick else PLAIN_UP_TO
    found = {}
    for score in SCORES:
        value, seconds = best_score(random_table(n, 1000, seed=1), score)
        found[score] = (n, sum(seconds.values()), value)
        learned = qnml.learn(random_table(n, 1000, seed=1), score, guard="off").score
        if abs(learned - value) > 1e-9 * abs(value):
            raise SystemExit(f"{score}: learn says {learned}, the plain dynamic programme {value}")
    return found


def _in_own_process(case: Case, jobs: int | None) -> dict[str, Any]:
    command = [sys.executable, __file__, "--case", json.dumps([dataclasses.asdict(case), jobs])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"failure": done.stderr.strip().splitlines()[-1] if done.stderr else f"exit {done.returncode}"}
    return dict(json.loads(done.stdout))


def report(quick: bool, large: bool, jobs: int | None) -> int:
    """Run all cases and print a line for each; return how many failed or were not proven."""
    wrong = 0
    threads = jobs or os.cpu_count() or 1
    cost = visit_cost()
    print(f"one visit: {cost * 1e9:.2f} ns; {threads} threads")
    plain = plain_seconds(quick)
    for score, (n, seconds, _) in plain.items():
        print(f"plain dynamic programme, n={n} {score}: {seconds:.2f} s, the same optimum")
    print(
        f"\n{'case':<30}{'seconds':>9}{'aim':>8}{'peak MB':>9}{'(before)':>9}{'optimal':>9}"
        f"{'visits':>10}{'x floor':>9}{'plain /':>10}  widest, stages"
    )
    for case in cases(quick, large):
        found = _in_own_process(case, jobs)
        if "failure" in found:
            print(f"{case.title:<30} {found['failure']}", flush=True)
            wrong += 1
            continue
        wrong += not found["optimal"]
        floor = found["visits"] * cost / threads
        ratio = "-"
        if case.score in plain and case.max_parents is None and case.n_rows == 1000:
            n, seconds, _ = plain[case.score]
            mark = "" if n == case.n else "~"
            ratio = f"{mark}{seconds * 2 ** (case.n - n) / found['seconds']:.0f}"
        stages = ", ".join(f"{stage} {spent:.3g}" for stage, spent in found["stages"].items())
        print(
            f"{case.title:<30}{found['seconds']:>9.3f}{case.aim:>8g}{found['peak'] / 1e6:>9.0f}"
            f"{found['before'] / 1e6:>9.0f}{'yes' if found['optimal'] else 'NO':>9}{found['visits']:>10.2g}"
            f"{found['seconds'] / floor if floor else float('nan'):>9.1f}{ratio:>10}  "
            f"{found['widest']} parents; {stages}",
            flush=True,
        )
    return wrong


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the small cases only, under a minute")
    parser.add_argument("--large", action="store_true", help="also 28 and 30 variables: minutes and many GB")
    parser.add_argument("--jobs", type=int, default=None, help="threads; all cores by default")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        fields, jobs = json.loads(given.case)
        print(json.dumps(run_case(Case(**fields), jobs)))
    else:
        sys.exit(1 if report(given.quick, given.large, given.jobs) else 0)


if __name__ == "__main__":
    _main()
