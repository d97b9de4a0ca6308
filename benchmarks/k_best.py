"""The k best networks and classes: time, peak memory, and the number of networks listed.

    python benchmarks/k_best.py [--quick] [--score NAME] [--jobs N]

Data are those of ``exact.py``: random sparse networks, 1000 rows. Every case runs in a separate process, so that its
peak memory can be measured. The best entry must have the score that ``learn`` proves, and the list must be sorted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any

from exact import _peak, random_table

import qnml

__all__ = ["run_case"]


def run_case(n: int, k: int, what: str, score: str, jobs: int | None) -> dict[str, Any]:
    """List the best, and return the cost; runs in the process of one case."""
    table = random_table(n, 1000, seed=1)
    began = time.perf_counter()
    best = qnml.k_best(table, k, score, what, guard="off", n_jobs=jobs)
    seconds = time.perf_counter() - began
    weights = [entry.log_weight for entry in best]
    optimum = qnml.learn(table, score, guard="off", n_jobs=jobs).score
    return {
        "seconds": seconds,
        "peak": _peak(),
        "stages": best.seconds,
        "held": best.networks_held,
        "last": weights[-1],
        "right": best.proven == k
        and weights == sorted(weights, reverse=True)
        and abs(best[0].score - optimum) <= 1e-9 * abs(optimum),
    }


def _in_own_process(case: list[Any]) -> dict[str, Any]:
    command = [sys.executable, __file__, "--case", json.dumps(case)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"failure": done.stderr.strip().splitlines()[-1] if done.stderr else f"exit {done.returncode}"}
    return dict(json.loads(done.stdout))


def report(quick: bool, score: str, jobs: int | None) -> int:
    """Run all cases and print a line for each; return how many failed."""
    wrong = 0
    print(f"{'case':<26}{'seconds':>9}{'peak MB':>9}{'held':>10}{'last':>9}{'right':>7}  stages")
    for n in (12, 15) if quick else (15, 18, 20):
        for what in ("dags", "classes"):
            for k in (10, 100, 1000):
                found = _in_own_process([n, k, what, score, jobs])
                title = f"n={n} k={k} {what}"
                if "failure" in found:
                    print(f"{title:<26} {found['failure']}", flush=True)
                    wrong += 1
                    continue
                wrong += not found["right"]
                stages = ", ".join(f"{stage} {spent:.3g}" for stage, spent in found["stages"].items())
                print(
                    f"{title:<26}{found['seconds']:>9.2f}{found['peak'] / 1e6:>9.0f}{found['held']:>10,}"
                    f"{found['last']:>9.2f}{'yes' if found['right'] else 'NO':>7}  {stages}",
                    flush=True,
                )
    return wrong


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the small cases only")
    parser.add_argument("--score", default="qnml", help="the score")
    parser.add_argument("--jobs", type=int, default=None, help="threads; all cores by default")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        print(json.dumps(run_case(*json.loads(given.case))))
    else:
        sys.exit(1 if report(given.quick, given.score, given.jobs) else 0)


if __name__ == "__main__":
    _main()
