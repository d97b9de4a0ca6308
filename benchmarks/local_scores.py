"""Learning from lists of local scores: seconds to write and read a file, to search and to prove.

Run: python benchmarks/local_scores.py. The figures are in docs/local-scores.md.

For every variable of a network, all sets of at most `most` of the `candidates` best single parents are scored by BIC on
1,000 rows. Nothing is left out of the lists beforehand.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from pathlib import Path

import numpy as np

import qnml
from qnml.counts import MemoryCounts
from qnml.scores import LocalScores, bind_score, find_score, local_scores, write_jkl

ROWS = 1_000
# The network, how many candidate parents, and how many parents at most.
CASES = (("insurance", 26, 4), ("alarm", 36, 3), ("hailfinder", 40, 3), ("andes", 30, 3))


def scores_of(name: str, candidates: int, most: int) -> LocalScores:
    """The scores of all these families."""
    table = qnml.datasets.sample(name, ROWS, seed=1)
    counts, bound = MemoryCounts(table), bind_score("local_scores", find_score("local_scores", "bic"), ROWS, {})
    n = len(table.names)

    def scored(families: list[tuple[int, tuple[int, ...]]]) -> np.ndarray:
        return local_scores(counts, families, bound, n_variables=n, n_jobs=2)

    found = {}
    for child in range(n):
        others = [one for one in range(n) if one != child]
        single = scored([(child, (one,)) for one in others])
        best = sorted(others[place] for place in np.argsort(-single)[:candidates])
        sets = [one for size in range(most + 1) for one in itertools.combinations(best, size)]
        values = scored([(child, one) for one in sets])
        keys = [frozenset(table.names[parent] for parent in one) for one in sets]
        found[table.names[child]] = dict(zip(keys, map(float, values), strict=True))
    return LocalScores(found)


def main() -> None:
    """Print one line of the table for each case."""
    print("| network | variables | families | file | read | learn | certificate |\n|---|---:|---:|---:|---:|---:|---|")
    for name, candidates, most in CASES:
        scores = scores_of(name, candidates, most)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scores.jkl"
            path.write_text(write_jkl(scores))
            began = time.perf_counter()
            qnml.read_local_scores(path)
            read = time.perf_counter() - began
            size = path.stat().st_size / 1e6
        began = time.perf_counter()
        result = qnml.learn(scores, n_jobs=2, time_limit=300.0)
        learned = time.perf_counter() - began
        proven = (
            "optimal" if result.certificate.optimal else f"gap {100 * result.certificate.gap / -result.score:.2g} %"
        )
        families = f"{scores.n_families:,}"
        print(f"| {name} | {len(scores)} | {families} | {size:.0f} MB | {read:.1f} s | {learned:.1f} s | {proven} |")
        print(f"<!-- {result.sentence()} {dict(result.certificate.seconds)} -->", flush=True)


if __name__ == "__main__":
    main()
