"""Speed of counting and computing local scores, compared with a lower bound and with pgmpy and pyAgrum.

    python benchmarks/scoring.py [--rows 1000000] [--families 60] [--peer-rows 100000]

Families are a child with 0 to 3 parents, drawn among columns of 2 to 4 levels. Times are nanoseconds per row
and family, the best of three passes. Floors are measured in the same run: numpy counting an index that was
put together beforehand, and one pass over the bytes of four columns. The answers are compared as well.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import warnings
from importlib import metadata
from typing import TYPE_CHECKING

import numpy as np

from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.data import Table
from qnml.scores import SCORES, bind_score, local_scores

if TYPE_CHECKING:
    from collections.abc import Callable

Family = tuple[int, tuple[int, ...]]
N_COLUMNS = 12
SCORE_NAMES = ("qnml", "bic", "bdeu")
TARGET_NS = 3.0


def make_table(n_rows: int, seed: int) -> Table:
    """Columns of 2 to 4 levels, each depending on an earlier one."""
    generator = np.random.default_rng(seed)
    arities = [2 + i % 3 for i in range(N_COLUMNS)]
    columns = [generator.integers(0, arities[0], n_rows, dtype=np.uint8)]
    for i in range(1, N_COLUMNS):
        source = columns[generator.integers(0, i)]
        noise = generator.integers(0, arities[i], n_rows, dtype=np.uint8)
        columns.append(np.where(generator.random(n_rows) < 0.4, source % arities[i], noise).astype(np.uint8))
    return Table.from_codes(columns, levels=arities)


def make_families(size: int, number: int, seed: int) -> list[Family]:
    """Distinct families of `size` variables."""
    generator = np.random.default_rng(seed + size)
    found: dict[Family, None] = {}
    most = N_COLUMNS * math.comb(N_COLUMNS - 1, size - 1)
    while len(found) < min(number, most):
        child, *parents = generator.permutation(N_COLUMNS)[:size].tolist()
        found[child, tuple(sorted(parents))] = None
    return list(found)


def best_seconds(work: Callable[[], object], passes: int = 3) -> float:
    """Shortest of several timings."""
    times = []
    for _ in range(passes):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def our_scores(table: Table, families: list[Family], name: str, n_jobs: int) -> np.ndarray:
    """Scores of the families, counted from scratch."""
    bound = bind_score("benchmark", SCORES[name], table.total, {})
    return local_scores(MemoryCounts(table), families, bound, n_variables=N_COLUMNS, n_jobs=n_jobs)


def joint_index(table: Table, family: Family) -> tuple[np.ndarray, int]:
    """One number per row for the configuration of parents and child, the child being the last digit."""
    index = np.zeros(table.n_rows, dtype=np.intp)
    cells = 1
    for variable in (*family[1], family[0]):
        index = index * table.arities[variable] + table.columns[variable]
        cells *= table.arities[variable]
    return index, cells


def numpy_bic(table: Table, family: Family) -> float:
    """BIC by numpy alone, to check the answers."""
    index, cells = joint_index(table, family)
    joint = np.bincount(index, minlength=cells).reshape(-1, table.arities[family[0]])
    marginal = joint.sum(axis=1)

    def sum_log(counts: np.ndarray) -> float:
        seen = counts[counts > 0]
        return float(np.sum(seen * np.log(seen)))

    parameters = len(marginal) * (joint.shape[1] - 1)
    return sum_log(joint) - sum_log(marginal) - 0.5 * math.log(table.total) * parameters


def say(*cells: object) -> None:
    """Print a row of the table."""
    first, *others = cells
    print(f"  {first!s:<58}" + "".join(f"{cell!s:>12}" for cell in others), flush=True)


def check(label: str, ours: np.ndarray, theirs: np.ndarray, must_agree: bool) -> bool:
    """Say whether two programs computed the same scores; false when they differ and must not."""
    apart = float(np.max(np.abs(ours - theirs) / np.abs(ours)))
    verdict = "agree" if apart < 1e-9 else f"DIFFER by up to {apart:.1e}"
    print(f"    answers {label}: {verdict}")
    return apart < 1e-9 or not must_agree


def bench_ours(table: Table, number: int, seed: int) -> tuple[dict[str, float], bool]:
    """Times per family size and score, on one thread and on all; returns those of four variables."""
    cores = resolve_jobs("benchmark", None)
    sizes = (1, 2, 3, 4)
    print(f"\nqnml, {table.n_rows:,} rows, ns per row per family")
    say("variables in the family", *sizes)
    of_four: dict[str, float] = {}
    for name in SCORE_NAMES:
        for threads in sorted({1, cores}):
            row = []
            for size in sizes:
                families = make_families(size, number, seed)
                seconds = best_seconds(lambda f=families, n=name, t=threads: our_scores(table, f, n, t))
                row.append(seconds / len(families) / table.n_rows * 1e9)
            of_four[f"{name}/{threads}"] = row[-1]
            say(f"{name}, {threads} thread{'s' if threads > 1 else ''}", *(f"{value:.3f}" for value in row))
    some = make_families(4, 5, seed)
    expected = np.array([numpy_bic(table, family) for family in some])
    right = check("of qnml and numpy (bic)", our_scores(table, some, "bic", 1), expected, must_agree=True)
    return of_four, right


def bench_floors(table: Table, seed: int) -> dict[str, float]:
    """What counting a ready index costs in numpy, and what reading four columns costs."""
    family = make_families(4, 1, seed)[0]
    index, cells = joint_index(table, family)
    columns = [table.columns[variable] for variable in (family[0], *family[1])]
    floors = {
        "numpy.bincount of an index made beforehand": best_seconds(lambda: np.bincount(index, minlength=cells), 7),
        "one pass over the bytes of four columns": best_seconds(lambda: [column.max() for column in columns], 7),
        "numpy: make the index and count it": best_seconds(
            lambda: np.bincount(joint_index(table, family)[0], minlength=cells), 3
        ),
    }
    print("\nFloors in the same run, one family of four variables, one thread, ns per row")
    for label, seconds in floors.items():
        floors[label] = seconds / table.n_rows * 1e9
        say(label, f"{floors[label]:.3f}")
    return floors


def peer_pgmpy(table: Table, families: list[Family], score: str) -> tuple[float, np.ndarray]:
    """Seconds and scores of pgmpy."""
    import pandas as pd
    from pgmpy.structure_score import BIC, BDeu

    names = table.names
    frame = pd.DataFrame({name: pd.Categorical(table.labels(name)) for name in names})
    states = {name: list(table.levels[name]) for name in names}
    judge = BIC(frame, state_names=states) if score == "bic" else BDeu(frame, 1, state_names=states)
    judge.local_score(names[0], ())  # set-up done at the first call is not timed
    start = time.perf_counter()
    values = [judge.local_score(names[child], tuple(names[p] for p in parents)) for child, parents in families]
    return time.perf_counter() - start, np.array(values, dtype=float)


def peer_pyagrum(table: Table, families: list[Family], score: str) -> tuple[float, np.ndarray]:
    """Seconds and scores of pyAgrum, turned from bits to nats."""
    import pandas as pd
    import pyagrum

    names = table.names
    learner = pyagrum.BNLearner(pd.DataFrame({name: table.labels(name).astype(str) for name in names}))
    learner.setNumberOfThreads(1)
    if score == "bic":
        learner.useScoreBIC()
    else:
        learner.useScoreBDeu()
    learner.score(names[0], [])
    start = time.perf_counter()
    values = [learner.score(names[child], [names[p] for p in parents]) for child, parents in families]
    return time.perf_counter() - start, np.array(values) * math.log(2)


def bench_peers(n_rows: int, number: int, seed: int) -> bool:
    """Time the other programs on the same families of four variables, fewer rows, times per row."""
    table = make_table(n_rows, seed)
    families = make_families(4, number, seed)
    right = True
    print(
        f"\nOther programs, {len(families)} families of four variables, {n_rows:,} rows, one thread, "
        "ns per row per family"
    )
    ours: dict[str, tuple[float, np.ndarray]] = {}
    for score in ("bic", "bdeu"):
        seconds = best_seconds(lambda s=score: our_scores(table, families, s, 1))
        ours[score] = seconds, our_scores(table, families, score, 1)
        say(f"qnml, {score}", f"{seconds / len(families) / n_rows * 1e9:.3f}")
    for peer, run in (("pgmpy", peer_pgmpy), ("pyagrum", peer_pyagrum)):
        for score in ("bic", "bdeu"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    seconds, values = run(table, families, score)
            except ImportError:
                say(f"{peer}: absent (pip install 'qnml[bench]')")
                break
            own_seconds, own_values = ours[score]
            say(
                f"{peer} {metadata.version(peer)}, {score}",
                f"{seconds / len(families) / n_rows * 1e9:.3f}",
                f"{seconds / own_seconds:,.0f}x ours",
            )
            # pyAgrum's BDeu differs from the textbook formula, so the difference is shown but is not an error.
            right &= check(f"of qnml and {peer} ({score})", own_values, values, must_agree=score == "bic")
    return right


def main() -> int:
    """Run everything; exit code 1 when answers differ that should not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--families", type=int, default=60, help="families of each size")
    parser.add_argument("--peer-rows", type=int, default=100_000)
    parser.add_argument("--peer-families", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("Local scores of families, counted and scored from coded columns")
    table = make_table(options.rows, options.seed)
    times, right = bench_ours(table, options.families, options.seed)
    floors = bench_floors(table, options.seed)
    cores = resolve_jobs("benchmark", None)
    print("\nRatios for four variables, qnml score")
    alone = times["qnml/1"]
    for label, floor in floors.items():
        say(f"one thread / {label}", f"{alone / floor:.2f}x")
    if cores > 1:
        say(f"one thread / {cores} threads", f"{alone / times[f'qnml/{cores}']:.2f}x")
    say(f"target: at most {TARGET_NS:g} ns per row, one thread", "met" if alone <= TARGET_NS else "MISSED")
    right &= bench_peers(options.peer_rows, options.peer_families, options.seed)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
