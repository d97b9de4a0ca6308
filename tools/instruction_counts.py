"""Count the instructions of five fixed searches with valgrind's callgrind: a measure of speed without noise.

    python tools/instruction_counts.py

Each search runs in a separate process on one thread; the instructions of the same process without the search (starting
the interpreter, imports, creating the table) are subtracted.
Compare the counts of two commits on one machine. Needs valgrind and the data folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = "import qnml; t = qnml.datasets.sample('networks/{network}', {rows}, seed=3); t = t.select(t.names[:{columns}])"
SEARCHES = {
    "exact, lattice": (("child", 1000, 20), "qnml.learn(t, method='exact', guard='off', n_jobs=1)"),
    "exact, families": (
        ("child", 1000, 20),
        "qnml.learn(t, 'fnml', method='exact', guard='off', max_parents=4, n_jobs=1)",
    ),
    "order search": (
        ("win95pts", 1000, 76),
        "qnml.learn(t, 'bdeu', method='order', seed=1, guard='off', n_jobs=1)",
    ),
    "k best": (("child", 500, 18), "qnml.k_best(t, 20, what='classes', guard='off', n_jobs=1)"),
    "sums": (("child", 500, 16), "qnml.posterior(t, method='exact', seed=1, guard='off', n_jobs=1).edges"),
}


def instructions(code: str) -> int:
    """Return the number of instructions of a Python process that runs `code`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"},
        )
        found = re.search(r"^(?:summary|totals): (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
        if found is None:
            raise SystemExit("callgrind wrote no total")
        return int(found[1])


def main() -> None:
    for name, ((network, rows, columns), search) in SEARCHES.items():
        table = TABLE.format(network=network, rows=rows, columns=columns)
        # A search on three columns imports everything that any search needs.
        warm = search.replace("(t,", "(t.select(t.names[:3]),", 1)
        total, start = instructions(f"{table}; {warm}; {search}"), instructions(f"{table}; {warm}")
        print(f"{name:16} {total - start:16,}")


if __name__ == "__main__":
    main()
