"""Our own searches on one table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from records import SCORES, describe_network
from timing import timed

import qnml

if TYPE_CHECKING:
    from cases import Case, Problem
    from records import Records

__all__ = ["APART", "PROVEN", "SEARCHES", "measure", "prove"]

# Names of this benchmark: method and effort.
SEARCHES = {
    "default": ("order", "default"),
    "quick": ("order", "quick"),
    "climb": ("hill-climbing", "quick"),
}
PROVEN = ("child", "insurance")  # small enough for the proven optimum
# Number of their samples by rows, not used to choose any setting. A proof on insurance with 10,000 rows takes minutes.
APART = {
    ("child", 1000): range(1001, 1011),
    ("insurance", 1000): range(1001, 1011),
    ("child", 10000): range(1001, 1004),
    ("insurance", 10000): range(1001, 1002),
}


def measure(
    records: Records,
    case: Case,
    problem: Problem,
    score: str,
    search: str,
    *,
    seed: int,
    threads: int,
    guard: str,
    part: str = "ours",
) -> None:
    """Measure one search, unless it was measured before."""
    identity: dict[str, Any] = {
        "part": part,
        "network": case.network,
        "rows": case.rows,
        "sample": case.sample,
        "program": "qnml",
        "search": search,
        "score": score,
        "guard": guard,
        "seed": seed,
        "threads": threads,
    }
    if records.has(**identity):
        return
    method, effort = SEARCHES[search]
    result, spent = timed(
        lambda: qnml.learn(
            problem.table,
            score,
            method=method,
            effort=effort,
            prior="uniform",
            guard=guard,
            seed=seed,
            n_jobs=threads,
            **SCORES[score],
        )
    )
    records.add({**identity, **spent, "state": "done", **describe_network(problem, result.dag)})


def prove(records: Records, case: Case, problem: Problem, score: str, threads: int) -> None:
    """Find the proven optimum, to compare the searches with."""
    identity = {
        "part": "optimum",
        "network": case.network,
        "rows": case.rows,
        "sample": case.sample,
        "program": "qnml",
        "score": score,
    }
    if records.has(**identity):
        return
    began = time.perf_counter()
    options = {"prior": "uniform", "guard": "off", "n_jobs": threads, **SCORES[score]}
    result = qnml.learn(problem.table, score, method="exact", **options)
    assert result.certificate.optimal
    spent = {"seconds": time.perf_counter() - began, "state": "done"}
    records.add({**identity, **spent, **describe_network(problem, result.dag)})
