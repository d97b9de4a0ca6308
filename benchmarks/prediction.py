"""Speed of look-ups and predictions in a network, compared with a lower bound and with pyAgrum and pgmpy.

    python benchmarks/prediction.py [--rows 1000000] [--network alarm] [--peer-rows 2000]

Look-ups are families times rows: one probability of a variable given its parents, variables without parents left
out. Times are the best of several passes; those of the core alone are on codes that were matched beforehand, those
of `log_prob` and `predict_proba` include matching the labels of a table. The answers are compared as well.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import qnml
from qnml._jobs import resolve_jobs
from qnml.errors import DataFolderError
from qnml.model.matching import match_columns
from qnml.model.prediction import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET_LOOKUPS = 1e7
TARGET_SECONDS = 10.0
MANY_PARENTS = 40


def best_seconds(work: Callable[[], object], passes: int = 3) -> float:
    """Shortest of several timings."""
    times = []
    for _ in range(passes):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def say(*cells: object) -> None:
    """Print a row of the table."""
    first, *others = cells
    print(f"  {first!s:<58}" + "".join(f"{cell!s:>14}" for cell in others), flush=True)


def loaded(name: str) -> qnml.Network:
    """The network asked for, or the bundled one where the data folder is absent."""
    try:
        return qnml.datasets.load_network(name)
    except DataFolderError:
        print(f"'{name}' needs the data folder, which is absent: the bundled 'asia' is used.")
        return qnml.datasets.load_network("asia")


def crowded(n_rows: int, levels: int, seed: int) -> tuple[qnml.Network, qnml.Table]:
    """Return a variable with 40 parents, all drawn at random: almost every row has a configuration of its own."""
    names = [f"V{i}" for i in range(MANY_PARENTS + 1)]
    codes = np.random.default_rng(seed).integers(0, levels, (n_rows, len(names)), dtype=np.uint8)
    table = qnml.Table.from_codes(codes, names=names, levels=[levels] * len(names))
    dag = qnml.Dag.from_arcs(names, [(name, names[-1]) for name in names[:-1]])
    start = time.perf_counter()
    net = qnml.fit(table, dag)
    say(f"fit a variable with 40 parents of {levels} levels", f"{time.perf_counter() - start:.2f} s")
    return net, table


def lookups(net: qnml.Network, table: qnml.Table, threads: int) -> float:
    """Look-ups per second in the core, families without parents left out: they are too easy."""
    columns = list(match_columns(net, table, "benchmark").columns)
    roots = qnml.Network(
        qnml.Dag.empty(net.names),
        net.levels,
        {name: np.full(len(net.levels[name]), 1 / len(net.levels[name])) for name in net.names},
    )

    def seconds(model: qnml.Network) -> float:
        tables = compiled(model)
        return best_seconds(lambda: tables.log_prob(columns, table.n_rows, threads), 5)

    families = sum(1 for name in net.names if net.dag.parents(name))
    easy = seconds(roots) * (len(net.names) - families) / len(net.names)
    return table.n_rows * families / (seconds(net) - easy)


def bench_lookups(net: qnml.Network, table: qnml.Table, seed: int) -> bool:
    """Look-ups per second in dense, sparse and hashed tables; whether all of them reach the target."""
    cores = resolve_jobs("benchmark", None)
    print(f"\nFamily look-ups per second, {table.n_rows:,} rows")
    say("", "1 thread", f"{cores} threads")
    met = True
    for label, model in (("given tables (dense)", net), ("fitted tables (sparse)", qnml.fit(table, net))):
        speeds = [lookups(model, table, threads) for threads in (1, cores)]
        met &= speeds[0] >= TARGET_LOOKUPS
        say(label, *(f"{speed:.3g}" for speed in speeds))
    # As many configurations as rows: what is looked up lies anywhere in a hundred megabytes.
    for levels in (2, 10):
        model, rows = crowded(table.n_rows, levels, seed)
        speeds = [lookups(model, rows, threads) for threads in (1, cores)]
        met &= speeds[0] >= TARGET_LOOKUPS
        say(f"that variable, {len(rows):,} configurations, hashed", *(f"{speed:.3g}" for speed in speeds))
    index = np.random.default_rng(seed).integers(0, 64, table.n_rows)
    values = np.random.default_rng(seed).random(64)
    say(
        "floor: numpy, one value per row by a ready index",
        f"{table.n_rows / best_seconds(lambda: values[index], 7):.3g}",
    )
    say(f"target: at least {TARGET_LOOKUPS:g} a thread", "met" if met else "MISSED")
    return met


def bench_prediction(net: qnml.Network, table: qnml.Table, seed: int) -> bool:
    """Rows per second of the public calls; whether full rows are done in seconds."""
    target = max(net.names, key=lambda name: len(net.dag.markov_blanket(name)))
    blanket = len(net.dag.markov_blanket(target))
    print(
        f"\nWhole calls, {table.n_rows:,} rows, all cores; the target is {target}, {blanket} variables in its blanket"
    )
    say("", "seconds", "rows a second")

    def line(label: str, rows: int, work: Callable[[], object], passes: int = 3) -> float:
        seconds = best_seconds(work, passes)
        say(label, f"{seconds:.3f}", f"{rows / seconds:.3g}")
        return seconds

    line("log_prob", table.n_rows, lambda: net.log_prob(table))
    full = line("predict_proba, complete rows", table.n_rows, lambda: net.predict_proba(table, target))
    line("predict, complete rows", table.n_rows, lambda: net.predict(table, target))
    frame = table.to_frame().cast(pl.String)
    line("predict_proba, from a Polars frame of text", table.n_rows, lambda: net.predict_proba(frame, target))
    some = table.take(slice(0, table.n_rows // 10)).to_frame().cast(pl.String)
    holes = np.random.default_rng(seed).random((some.height, some.width)) < 0.1
    holed = some.with_columns(
        column.set(pl.Series(holes[:, place]), None) for place, column in enumerate(some.iter_columns())
    )
    line("predict_proba, a tenth of the cells missing", some.height, lambda: net.predict_proba(holed, target), 1)
    met = full <= TARGET_SECONDS
    say(f"target: complete rows within {TARGET_SECONDS:g} s", "met" if met else "MISSED")
    return met


def peer_pyagrum(net: qnml.Network, frame: Any, target: str, path: str) -> dict[str, tuple[float, np.ndarray]]:
    """Seconds and answers of pyAgrum: log-probabilities row by row, and its classifier."""
    import pyagrum
    from pyagrum import skbn

    bn = pyagrum.loadBN(path)
    start = time.perf_counter()
    row = pyagrum.Instantiation()
    for name in net.names:
        row.add(bn.variableFromName(name))
    values = []
    for cells in frame[list(net.names)].itertuples(index=False):
        row.fromdict(dict(zip(net.names, cells, strict=True)))
        values.append(bn.log2JointProbability(row) * np.log(2))
    seconds = time.perf_counter() - start
    # The way to make one has changed between versions.
    classifier = getattr(skbn, "createBNClassifier", skbn.BNClassifier)()
    classifier.fromTrainedModel(bn, targetAttribute=target)
    start = time.perf_counter()
    shares = classifier.predict_proba(frame.drop(columns=target))
    return {
        "log_prob": (seconds, np.array(values)),
        "predict_proba": (time.perf_counter() - start, np.asarray(shares, dtype=float)),
    }


def peer_pgmpy(net: qnml.Network, frame: Any, target: str, path: str) -> dict[str, tuple[float, np.ndarray]]:
    """Seconds and answers of pgmpy's predictions."""
    from pgmpy.readwrite import BIFReader

    model = BIFReader(path).get_model()
    start = time.perf_counter()
    shares = model.predict_probability(frame.drop(columns=target))
    seconds = time.perf_counter() - start
    return {"predict_proba": (seconds, shares[[f"{target}_{label}" for label in net.levels[target]]].to_numpy())}


def bench_peers(net: qnml.Network, n_rows: int, seed: int) -> bool:
    """Time the other programs on the same network and rows; false when answers differ."""
    table = net.sample(n_rows, seed=seed + 1)
    target = max(net.names, key=lambda name: len(net.dag.markov_blanket(name)))
    calls: dict[str, Callable[[], np.ndarray]] = {
        "log_prob": lambda: net.log_prob(table, n_jobs=1),
        "predict_proba": lambda: net.predict_proba(table, target, n_jobs=1),
    }
    ours = {what: (best_seconds(call), call()) for what, call in calls.items()}
    right = True
    print(f"\nOther programs, {n_rows:,} rows, qnml on one thread")
    say("", "rows a second", "qnml's", "ratio")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "net.bif")
        qnml.write_network(net, path)
        frame = table.to_frame().cast(pl.String).to_pandas()
        for peer, run, rows in (("pyagrum", peer_pyagrum, n_rows), ("pgmpy", peer_pgmpy, max(1, n_rows // 20))):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    answers = run(net, frame.head(rows), target, path)
            except ImportError:
                say(f"{peer}: absent (pip install 'qnml[bench]')")
                continue
            for what, (seconds, values) in answers.items():
                mine, expected = ours[what]
                apart = float(np.max(np.abs(values - expected[:rows]) / np.maximum(1.0, np.abs(expected[:rows]))))
                right &= apart < 1e-6
                verdict = "" if apart < 1e-6 else f"  DIFFER by {apart:.1e}"
                say(
                    f"{peer} {metadata.version(peer)}, {what}{verdict}",
                    f"{rows / seconds:.3g}",
                    f"{n_rows / mine:.3g}",
                    f"{n_rows / mine / (rows / seconds):,.0f}x",
                )
    return right


def main() -> int:
    """Run everything; exit code 1 when a target is missed or answers differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--peer-rows", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    net = loaded(options.network)
    print(f"Looking rows up in {net}")
    table = net.sample(options.rows, seed=options.seed)
    good = bench_lookups(net, table, options.seed)
    good &= bench_prediction(net, table, options.seed)
    good &= bench_peers(net, options.peer_rows, options.seed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
