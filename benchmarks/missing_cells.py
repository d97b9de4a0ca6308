"""Networks learned from tables with missing cells: structural EM beside three simpler ways, and beside complete data.

    python benchmarks/missing_cells.py [--networks asia,alarm,insurance] [--samples 5] [--rows 1000] [--seed 0]

Samples of known networks lose 5, 20 and 40 % of the cells of every column that may have missing ones.

*MCAR* (missing completely at random): any cell of any column is missing with the same probability.
*MAR* (missing at random): a third of the columns is always observed. Whether a cell of another column is missing
depends on one of them: its levels have random shares between none and twice the mean.

Four ways to deal with that: ``em`` is ``learn(missing="em")``; ``drop`` leaves incomplete rows out; ``category`` makes
"missing" a level; ``mode`` puts the most frequent level of the column into missing cells. ``complete`` learns from the
sample before cells were lost. SHD is the structural Hamming distance between the learned equivalence class and the true
one. Held out are 5,000 complete rows; figures are mean log probabilities of a row in nats. Under ``category`` a network
also gives probability to missing cells, so every conditional distribution is divided by what it gives to the levels.
``drop`` has no figures where fewer than five rows are complete: `read_table` refuses these.

All methods learn with the same search, ``method="order"`` where a network has more than 20 variables, and `fit` with
its default parameters. The data folder is required. Takes about ten minutes of processor time.
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import qnml
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Outcome", "holed", "outcomes"]

METHODS = ("complete", "em", "drop", "category", "mode")
MECHANISMS = ("MCAR", "MAR")
SHARES = (0.05, 0.2, 0.4)
_HELD_OUT = 5000
_MOST_EXACT = 20
_MOST_SHARE = 0.95


@dataclass(frozen=True)
class Outcome:
    """What one method made of one sample; NaN where it had no rows to learn from."""

    shd: float
    log_prob: float
    seconds: float


def holed(frame: pl.DataFrame, mechanism: str, share: float, rng: np.random.Generator) -> pl.DataFrame:
    """The frame with a share of missing cells in the columns that may have any."""
    n, names = len(frame), list(frame.columns)
    if mechanism == "MCAR":
        return _without(frame, {name: rng.random(n) < share for name in names})
    observed = [names[k] for k in rng.permutation(len(names))[: max(1, len(names) // 3)]]
    masks = {}
    for name in names:
        if name in observed:
            continue
        codes = frame[observed[rng.integers(len(observed))]].to_physical().to_numpy()
        weights = 2.0 * rng.random(int(codes.max()) + 1)[codes]
        masks[name] = rng.random(n) < np.minimum(share * weights / weights.mean(), _MOST_SHARE)
    return _without(frame, masks)


def _without(frame: pl.DataFrame, masks: dict[str, np.ndarray]) -> pl.DataFrame:
    return frame.with_columns(
        pl.when(pl.Series(mask)).then(None).otherwise(pl.col(name)).alias(name) for name, mask in masks.items()
    )


def outcomes(net: qnml.Network, mechanism: str, share: float, n_rows: int, seed: int) -> dict[str, Outcome]:
    """What each method makes of one sample."""
    sample = net.sample(n_rows, seed=seed).to_frame()
    held_out = net.sample(_HELD_OUT, seed=seed + 10**6)
    frame = holed(sample, mechanism, share, np.random.default_rng((seed, round(100 * share))))
    filled = frame.with_columns(pl.col(name).fill_null(frame[name].drop_nulls().mode()[0]) for name in frame.columns)
    sources = {"complete": (sample, "raise"), "mode": (filled, "raise")}
    return {
        method: _outcome(net, held_out, *sources.get(method, (frame, method)), seed=seed)  # ways are named as `missing`
        for method in METHODS
    }


def _outcome(net: qnml.Network, held_out: qnml.Table, frame: pl.DataFrame, missing: str, seed: int) -> Outcome:
    began = time.perf_counter()
    try:
        table = qnml.read_table(frame, missing=missing)
    except DataError:
        return Outcome(np.nan, np.nan, np.nan)
    method = "exact" if len(net.names) <= _MOST_EXACT else "order"
    result = qnml.learn(table, method=method, seed=seed, progress=False)
    learned = result.fit()
    seconds = time.perf_counter() - began
    if missing == "category":
        learned = _given_observed(learned, net)
    return Outcome(qnml.shd(result.cpdag, net.dag.to_cpdag()), float(learned.log_prob(held_out).mean()), seconds)


def _given_observed(learned: qnml.Network, net: qnml.Network) -> qnml.Network:
    """The conditional distributions without the level for missing cells, which comes last where there is one."""
    tables = {}
    for name in learned.names:
        kept = tuple(slice(len(net.levels[member])) for member in (*learned.dag.parents(name), name))
        table = np.asarray(learned.table(name))[kept]
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    return qnml.Network(learned.dag, net.levels, tables)


def report(networks: list[str], samples: int, n_rows: int, seed: int) -> Iterator[str]:
    """Two tables in Markdown, and how often EM is the best of the four ways."""
    found = {}
    for name in networks:
        net = qnml.datasets.load_network(name)
        for mechanism in MECHANISMS:
            for share in SHARES:
                many = [outcomes(net, mechanism, share, n_rows, seed + k) for k in range(samples)]
                found[name, mechanism, share] = many
    for part, digits in (("shd", 1), ("log_prob", 3), ("seconds", 2)):
        yield f"\n{part}\n"
        yield f"| network | cells | missing | {' | '.join(METHODS)} |"
        yield "|---|---|---:|" + "---:|" * len(METHODS)
        for (name, mechanism, share), many in found.items():
            means = [_mean([getattr(one[method], part) for one in many], digits) for method in METHODS]
            yield f"| {name} | {mechanism} | {share:.0%} | {' | '.join(means)} |"
        every = [one for many in found.values() for one in many]
        means = [_mean([getattr(one[method], part) for one in every], digits) for method in METHODS]
        yield f"| mean | | | {' | '.join(means)} |"
        if part == "seconds":
            continue
        sign = -1 if part == "shd" else 1
        for other in METHODS[2:]:
            pairs = [(sign * getattr(one["em"], part), sign * getattr(one[other], part)) for one in every]
            known = [(a, b) for a, b in pairs if not np.isnan(b)]
            better, worse = (sum(a > b for a, b in known), sum(a < b for a, b in known))
            gain = float(np.mean([a - b for a, b in known]))
            yield f"\nem beside {other}: better {better}, worse {worse} of {len(known)}; mean gain {gain:.3f}"


def _mean(values: list[float], digits: int) -> str:
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return "–"
    some = "" if len(known) == len(values) else f" ({len(known)})"
    return f"{np.mean(known):.{digits}f}{some}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--networks", default="asia,alarm,insurance")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for line in report(asked.networks.split(","), asked.samples, asked.rows, asked.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
