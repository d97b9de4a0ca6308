"""How much faster searches become with more threads, stage by stage; every number of threads must find one network.

    python benchmarks/threads.py [--threads 1,2,4] [--orders 300x5000,1000x10000] [--exact 22,24] [--scores bic]
        [--efforts default] [--repeats 1] [--json FILE]

Order searches run on tables drawn from random networks, as in ``benchmarks/large``, and exact searches on those of
``exact.py`` with 1,000 rows. ``--orders -`` or ``--exact -`` leaves them out. Each run has a process of its own; the
fastest of ``--repeats`` counts, by wall-clock time. The ratio is to the first number of threads. ``--json`` appends one
line for each run. Needs only numpy and qnml. Ends with status 1 if two numbers of threads disagree.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
import time
from typing import Any

import qnml

__all__ = ["Case", "measure"]

EXACT_ROWS = 1000
SEED = 1


@dataclasses.dataclass(frozen=True)
class Case:
    """A search on a table of random data: in orders with the given effort, or exact if `effort` is None."""

    variables: int
    rows: int
    score: str
    effort: str | None

    @property
    def title(self) -> str:
        """A description of the case."""
        return f"{self.variables} x {self.rows:,} {self.score}, {self.effort or 'exact'}"

    def table(self) -> qnml.Table:
        """Draw the data."""
        if self.effort is None:
            from exact import random_table

            return random_table(self.variables, self.rows, SEED)
        from large.scale import draw

        codes, _ = draw(self.variables, self.rows, SEED)
        return qnml.Table.from_codes(codes).with_observed_levels()


def measure(case: Case, threads: int, repeats: int) -> dict[str, Any]:
    """Search, and return the seconds of the fastest run and what it found; in the process of one case."""
    table = case.table()
    options: dict[str, Any] = {"guard": "off", "n_jobs": threads, "seed": SEED}
    options |= {"method": "exact"} if case.effort is None else {"method": "order", "effort": case.effort}
    best: dict[str, Any] = {}
    for _ in range(repeats):
        began, began_processor = time.perf_counter(), time.process_time()
        found = qnml.learn(table, case.score, **options)
        seconds = time.perf_counter() - began
        if best and seconds >= best["seconds"]:
            continue
        best = {
            "seconds": seconds,
            "processor_seconds": time.process_time() - began_processor,
            "memory": found.certificate.peak_memory,
            "stages": {stage: round(spent, 4) for stage, spent in found.certificate.seconds.items()},
            "score": found.score,
            "network": hashlib.sha256(repr(found.dag.parent_masks).encode()).hexdigest()[:12],
            "method": found.certificate.method,
            "optimal": found.certificate.optimal,
        }
    return best


def _in_own_process(case: Case, threads: int, repeats: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--case", json.dumps([dataclasses.asdict(case), threads, repeats])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


def report(cases: list[Case], threads: list[int], repeats: int, lines: str | None) -> int:
    """Print a line for each case and number of threads; return how many cases found several networks."""
    wrong = 0
    print(
        f"{'case':<34}{'threads':>8}{'seconds':>10}{'CPU s':>10}{'times':>7}  {'network':<14}{'way':<10}stages (times)"
    )
    for case in cases:
        first: dict[str, Any] = {}
        differs = False
        for number in threads:
            found = _in_own_process(case, number, repeats)
            first = first or found
            differs |= (found["score"], found["network"]) != (first["score"], first["network"])
            stages = ", ".join(
                f"{stage} {spent:.3g} ({first['stages'].get(stage, 0.0) / max(spent, 1e-9):.1f})"
                for stage, spent in found["stages"].items()
                if max(spent, first["stages"].get(stage, 0.0)) >= 0.01
            )
            print(
                f"{case.title:<34}{number:>8}{found['seconds']:>10.3f}{found['processor_seconds']:>10.3f}"
                f"{first['seconds'] / found['seconds']:>7.2f}  {found['network']}  {found['method']:<10}{stages}",
                flush=True,
            )
            if lines is not None:
                with open(lines, "a", encoding="utf-8") as file:
                    file.write(json.dumps({**dataclasses.asdict(case), "threads": number, **found}) + "\n")
        if differs:
            print(f"{case.title}: THE NETWORK DEPENDS ON THE NUMBER OF THREADS")
            wrong += 1
    return wrong


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _main() -> None:
    cores = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = ",".join(map(str, sorted({1, cores})))
    parser.add_argument("--threads", default=usual, help="one and all cores by default")
    parser.add_argument("--orders", default="300x5000", help="variables x rows of order searches")
    parser.add_argument("--exact", default="22", help="variables of exact searches")
    parser.add_argument("--scores", default="bic", help="scores, each for all sizes")
    parser.add_argument("--efforts", default="default", help="of order searches")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", default=None, help="file to append to")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        fields, threads, repeats = json.loads(given.case)
        print(json.dumps(measure(Case(**fields), threads, repeats)))
        return
    cases = []
    for score in _listed(given.scores):
        for size in _listed(given.orders):
            variables, rows = size.split("x")
            cases += [Case(int(variables), int(rows), score, effort) for effort in _listed(given.efforts)]
        cases += [Case(int(variables), EXACT_ROWS, score, None) for variables in _listed(given.exact)]
    sys.exit(1 if report(cases, [int(number) for number in _listed(given.threads)], given.repeats, given.json) else 0)


if __name__ == "__main__":
    _main()
