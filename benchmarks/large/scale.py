"""How time and memory scale: tables drawn from random networks of hundreds to thousands of variables.

Each search runs in a separate process, so that its peak memory can be measured: this file, with the size as argument.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from records import Records

__all__ = ["SIZES", "draw", "measure"]

# Variables, rows, and the search.
SIZES = (
    (300, 5_000, "quick"),
    (300, 5_000, "default"),
    (1_000, 10_000, "climb"),
    (1_000, 10_000, "quick"),
    (1_000, 10_000, "default"),
    (5_000, 2_000, "climb"),
    (5_000, 2_000, "quick"),
)


def draw(variables: int, rows: int, seed: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Codes and arcs of columns with two to four levels, each with up to three parents among the fifty before it."""
    random = np.random.default_rng(seed)
    levels = random.integers(2, 5, size=variables)
    codes = np.empty((rows, variables), dtype=np.uint8)
    arcs = []
    for child in range(variables):
        near = np.arange(max(0, child - 50), child)
        parents = random.choice(near, size=min(len(near), int(random.integers(0, 4))), replace=False)
        config = np.zeros(rows, dtype=np.int64)
        for parent in parents:
            config = config * levels[parent] + codes[:, parent]
            arcs.append((int(parent), child))
        chances = random.dirichlet(np.full(levels[child], 0.5), size=int(np.prod(levels[parents])))
        heights = np.cumsum(chances, axis=1)[config, :-1]
        codes[:, child] = (random.random(rows)[:, None] > heights).sum(axis=1)
    return codes, arcs


def measure(records: Records, variables: int, rows: int, search: str, threads: int) -> None:
    """Run one search in a separate process, unless it was measured before."""
    identity: dict[str, Any] = {
        "part": "scale",
        "network": f"random-{variables}",
        "rows": rows,
        "search": search,
        "score": "bic",
        "threads": threads,
    }
    if records.has(**identity):
        return
    command = [sys.executable, __file__, str(variables), str(rows), search, str(threads)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    records.add({**identity, "variables": variables, "state": "done", **json.loads(answer.stdout)})


def _main() -> None:
    from ours import SEARCHES

    import qnml

    variables, rows, threads = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[4])
    codes, arcs = draw(variables, rows, seed=1)
    names = [f"x{index}" for index in range(variables)]
    table = qnml.Table.from_codes(codes, names=names).with_observed_levels()
    truth = qnml.Dag.from_arcs(names, [(names[tail], names[head]) for tail, head in arcs])
    method, effort = SEARCHES[sys.argv[3]]
    began, began_processor = time.perf_counter(), time.process_time()
    found = qnml.learn(table, "bic", method=method, effort=effort, guard="off", n_jobs=threads)
    result = {
        "seconds": time.perf_counter() - began,
        "processor_seconds": time.process_time() - began_processor,
        "memory": found.certificate.peak_memory,  # of the whole process, in bytes
        "distance": qnml.shd(found.dag, truth),
        "arcs": len(found.dag.arcs),
        "true_arcs": len(arcs),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    _main()
