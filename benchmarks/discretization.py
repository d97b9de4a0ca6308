"""Bins learned with the network, beside bins of each column by itself, on data with known cuts and on UCI data.

    python benchmarks/discretization.py [--part cuts|uci] [--sets iris,wine,...] [--folds 5] [--seed 0]

*Known cuts.* Samples of 200, 1,000 and 5,000 rows from three networks whose densities change at known places. A cut is
found if one of the bins' cuts is within 2 % of the range; the others are counted, too.

*UCI.* The raw sets with columns of numbers, cross-validated. All binnings are piecewise constant densities on the same
columns, so that their held-out log densities can be compared: the log probability of the bins of a row under the
network, minus the logarithms of their widths. The range of a column is that of the training rows, ended half the
distance to the neighbour beyond the outermost values; a held-out value outside is moved to the end. Accuracy is that
of the class given all other columns. Rows with missing cells are left out, and with them heart_hungarian, of which one
row is complete. All methods learn with ``guard="cap"`` and the default parameters of `fit`. The data folder is
required. Takes a few minutes.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

import qnml
from qnml.data import read_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl

__all__ = ["Outcome", "cross_validated", "recovered"]

METHODS = ("joint", "nml", "nml:10", "frequency:3", "frequency:5", "paper")
SETS = (
    "iris,wine,glass,thyroid,heart_statlog,heart_cleveland,ecoli,liver,diabetes,yeast,abalone,page_blocks,adult,shuttle"
)
_SIZES = (200, 1000, 5000)
_REPETITIONS = 10
_NEAR = 0.02

Columns = dict[str, np.ndarray]


def steps(rng: np.random.Generator, n: int) -> Columns:
    """Densities with steps: every column shows its cuts by itself."""
    kind = rng.integers(0, 2, n)
    x = np.where(rng.random(n) < 0.8, rng.uniform(0, 0.3, n), rng.uniform(0.3, 1, n))
    y = np.where(kind == 1, rng.uniform(0, 0.5, n), rng.uniform(0, 1, n))
    return {"kind": kind, "x": x, "y": y}


def hidden(rng: np.random.Generator, n: int) -> Columns:
    """Uniform columns: only what they say about each other shows where to cut."""
    x = rng.random(n)
    kind = np.where((x > 0.25) & (x < 0.6), rng.random(n) < 0.9, rng.random(n) < 0.2).astype(int)
    return {"kind": kind, "x": x}


def chain(rng: np.random.Generator, n: int) -> Columns:
    """Two uniform columns that depend on each other, and a third one that depends on the second."""
    a = rng.random(n)
    b = np.where((a > 0.4) == (rng.random(n) < 0.9), rng.uniform(0.5, 1, n), rng.uniform(0, 0.5, n))
    c = np.where(b > 0.5, rng.uniform(0.2, 1, n), rng.uniform(0, 0.8, n))
    return {"a": a, "b": b, "c": c}


CASES: dict[str, tuple[Callable[[np.random.Generator, int], Columns], dict[str, tuple[float, ...]]]] = {
    "steps": (steps, {"x": (0.3,), "y": (0.5,)}),
    "hidden": (hidden, {"x": (0.25, 0.6)}),
    "chain": (chain, {"a": (0.4,), "b": (0.5,), "c": (0.2, 0.8)}),
}


def recovered(case: str, n: int, method: str, seed: int) -> tuple[int, int, int]:
    """How many cuts there are, how many of them were found, and how many others were made."""
    draw, true = CASES[case]
    columns = draw(np.random.default_rng(seed), n)
    free = "bins" if method == "joint" else "nml"
    how = {name: free if name in true else "category" for name in columns}
    table = qnml.read_table(columns, columns=how)
    if method == "joint":
        table = qnml.learn(table, discretize="joint").table
    found = others = 0
    for name, cuts in true.items():
        near = np.abs(np.subtract.outer(np.array(table.preparation.columns[name].cuts), np.array(cuts))) <= _NEAR
        found += int(near.any(axis=0).sum())
        others += int((~near.any(axis=1)).sum())
    return sum(map(len, true.values())), found, others


@dataclass(frozen=True)
class Outcome:
    """What one method did on one fold: means over the held-out rows, and the size of what was learned."""

    log_density: float
    accuracy: float
    bins: float
    arcs: float
    seconds: float


class Rows:
    """A raw set: its frame, which columns are numbers, and the levels of the others."""

    def __init__(self, name: str) -> None:
        folder = qnml.datasets.data_folder() / "uci"
        path = next(one for ending in ("csv", "csv.gz") if (one := folder / f"{name}.{ending}").exists())
        whole = qnml.read_table(path, prepare="auto", missing="drop")
        self.frame = read_frame(path).select(whole.names).drop_nulls()
        self.numbers = [*whole.numbers]
        self.levels = {name: whole.levels[name] for name in whole.names if name not in whole.numbers}
        self.target = self.frame.columns[-1]

    def table(self, rows: pl.DataFrame, method: str) -> qnml.Table:
        """Rows with numbers binned by a method."""
        # Bins by a method that was asked for would stay as they are.
        how = dict.fromkeys(self.numbers, "bins" if method == "joint" else method)
        return qnml.read_table(rows, columns=how | dict.fromkeys(self.levels, "category"), levels=self.levels)


def log_widths(train: pl.DataFrame, test: pl.DataFrame, preparation: qnml.Preparation, names: list[str]) -> np.ndarray:
    """The sum of the logarithms of the widths of the bins of each held-out row."""
    total = np.zeros(test.height)
    for name in names:
        seen = np.unique(train[name].to_numpy().astype(float))
        gaps = np.diff(seen) if len(seen) > 1 else np.ones(1)
        low, high = seen[0] - gaps[0] / 2, seen[-1] + gaps[-1] / 2
        cuts = np.array(preparation.columns[name].cuts)
        inside = np.clip(test[name].to_numpy().astype(float), seen[0], seen[-1])
        widths = np.diff([low, *cuts, high])
        total += np.log(widths[np.searchsorted(cuts, inside, side="left")])
    return total


def evaluated(rows: Rows, train: pl.DataFrame, test: pl.DataFrame, method: str) -> Outcome:
    """Learn from some rows, and look at others."""
    table = rows.table(train, method)
    began = time.perf_counter()
    result = qnml.learn(table, guard="cap", discretize="joint" if method == "joint" else None)
    seconds = time.perf_counter() - began
    net, preparation = result.fit(), result.table.preparation
    held_out = preparation.apply(test)
    density = net.log_prob(held_out) - log_widths(train, test, preparation, rows.numbers)
    accuracy = np.nan
    if rows.target in rows.levels:
        guessed = net.predict_proba(held_out, rows.target).argmax(axis=1)
        accuracy = float((guessed == held_out.codes(rows.target)).mean())
    bins = float(np.mean([result.table.arities[name] for name in rows.numbers]))
    return Outcome(float(density.mean()), accuracy, bins, result.dag.n_arcs, seconds)


def cross_validated(name: str, folds: int, seed: int) -> dict[str, Outcome]:
    """The means of each method over the folds."""
    rows = Rows(name)
    order = np.random.default_rng(seed).permutation(rows.frame.height)
    found: dict[str, list[Outcome]] = {method: [] for method in METHODS}
    for fold in range(folds):
        test = np.sort(order[fold::folds])
        train = np.setdiff1d(order, test)
        for method in METHODS:
            found[method].append(evaluated(rows, rows.frame[train], rows.frame[test], method))
    return {
        method: Outcome(*(float(np.mean([getattr(one, part.name) for one in outcomes])) for part in fields(Outcome)))
        for method, outcomes in found.items()
    }


def cuts_report(seed: int) -> Iterator[str]:
    """Lines of a table about known cuts."""
    yield "| data | rows | cuts | joint: found | others | nml: found | others |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for case in CASES:
        for n in _SIZES:
            cells = []
            for method in ("joint", "nml"):
                runs = [recovered(case, n, method, seed + k) for k in range(_REPETITIONS)]
                number = runs[0][0]
                cells += [f"{np.mean([run[1] for run in runs]):.1f}", f"{np.mean([run[2] for run in runs]):.1f}"]
            yield f"| {case} | {n:,} | {number} | {' | '.join(cells)} |"


def uci_report(names: list[str], folds: int, seed: int) -> Iterator[str]:
    """Lines of tables about held-out rows."""
    parts: dict[str, Callable[[Outcome], str]] = {
        "log density": lambda one: f"{one.log_density:.2f}",
        "accuracy": lambda one: "–" if np.isnan(one.accuracy) else f"{one.accuracy:.3f}",
        "bins for each number": lambda one: f"{one.bins:.1f}",
        "arcs": lambda one: f"{one.arcs:.1f}",
        "seconds": lambda one: f"{one.seconds:.2f}",
    }
    outcomes = {}
    for name in names:
        outcomes[name] = cross_validated(name, folds, seed)
        print(f"{name} done", file=sys.stderr, flush=True)
    for part, written in parts.items():
        yield f"\n{part}\n"
        yield f"| set | {' | '.join(METHODS)} |"
        yield "|---|" + "---:|" * len(METHODS)
        for name in names:
            yield f"| {name} | {' | '.join(written(outcomes[name][method]) for method in METHODS)} |"
        if part in ("log density", "accuracy"):
            values = {m: [getattr(outcomes[n][m], part.replace(" ", "_")) for n in names] for m in METHODS}
            yield "| mean | " + " | ".join(f"{np.nanmean(values[m]):.3f}" for m in METHODS) + " |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", choices=("cuts", "uci"))
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.part != "uci":
        for line in cuts_report(asked.seed):
            print(line, flush=True)
    if asked.part != "cuts":
        for line in uci_report(asked.sets.split(","), asked.folds, asked.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()
