"""Networks beyond the exact range: score, distance to the truth and seconds, beside what other programs found.

    python benchmarks/large.py [--quick] [--networks NAME ...] [--rows N ...] [--scores NAME ...] [--seeds N] [--live]
                               [--json FILE]

Data are the samples in the data folder, with what other programs found on them in ``peers.csv``. Beside the default
search stand the best score of all of them, whichever score they searched with, the least distance, and the seconds of
Tetrad's BOSS with the score in question; beside a quick search over orders and plain climbing the same of hill
climbing with that score only, and the seconds of PyBNesian; beside greedy equivalence search its like, and the seconds
of Tetrad's FGES. All scores are ours or computed as ours are, with observed levels; distances are between CPDAGs.
Seconds are for the search alone, on one thread and on two; results must be the same on both. With more than one seed
the score is the worst of them, and the distance and the seconds are means.
``--live`` also runs pyAgrum, where it is installed, here and now. The run fails when a default search ends more than
0.01 % below the best of the others.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import importlib.util
import json
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import qnml
from qnml.datasets import data_folder

__all__ = ["Line", "Peers", "measure"]

NETWORKS = ("child", "insurance", "alarm", "hailfinder", "win95pts")
ROWS = (1000, 10000)
SCORES: dict[str, dict[str, Any]] = {"bic": {}, "bdeu": {"ess": 1.0}, "qnml": {}}
COLUMN = {"bic": "bic", "bdeu": "bdeu1", "qnml": "qnml"}  # of peers.csv
SEARCHES = {
    "default": ("order", "default"),
    "quick": ("order", "quick"),
    "climb": ("hill-climbing", "quick"),
    "ges": ("ges", "quick"),
}
# Whom a search is held against, and by whose seconds; all of them, and Tetrad's BOSS, where nothing is said.
RIVALS = {
    "quick": ({"hc"}, "pybnesian hc"),
    "climb": ({"hc"}, "pybnesian hc"),
    "ges": ({"ges", "fges"}, "tetrad fges"),
}
MAY_FALL_SHORT = 1e-4


@dataclass
class Peers:
    """What the rivals of a search found on one sample, judged by one score; infinities when nobody tried."""

    best: float = -float("inf")
    best_by: str = "-"
    least_distance: float = float("inf")
    rival_seconds: float = float("inf")


@dataclass
class Line:
    """One line of the report."""

    network: str
    rows: int
    score: str
    search: str
    worst: float
    distance: float
    one_thread: float
    two_threads: float
    peers: Peers

    @property
    def falls_short(self) -> bool:
        """Whether the best of the others is out of reach."""
        return self.worst < self.peers.best - MAY_FALL_SHORT * abs(self.peers.best)

    def __str__(self) -> str:
        gain = self.worst - self.peers.best
        faster = self.peers.rival_seconds / self.one_thread
        return (
            f"{self.network:<11}{self.rows:>6} {self.score:<6}{self.search:<8}{self.worst:>12.1f}{gain:>+9.1f}"
            f"{self.distance:>6.1f}{self.one_thread:>8.2f}{self.two_threads:>8.2f}"
            f"  {self.peers.best:>11.1f} {self.peers.best_by:<24}{self.peers.least_distance:>5.0f}"
            f"{self.peers.rival_seconds:>8.2f}{faster:>7.1f}{'  FALLS SHORT' if self.falls_short else ''}"
        )


HEADER = (
    f"{'network':<11}{'rows':>6} {'score':<6}{'search':<8}{'ours':>12}{'gain':>9}{'SHD':>6}{'1 thr':>8}{'2 thr':>8}"
    f"  {'best peer':>11} {'by':<24}{'SHD':>5}{'rival s':>8}{'times':>7}"
)


def read_peers(file: Path) -> dict[tuple[str, int, str, str], Peers]:
    """The best of ``peers.csv`` by network, rows, score and search of ours."""
    found: dict[tuple[str, int, str, str], Peers] = defaultdict(Peers)
    with file.open() as lines:
        for row in csv.DictReader(lines):
            name = f"{row['peer']} {row['algorithm']} {row['score_used']}"
            for score, column in COLUMN.items():
                for search in SEARCHES:
                    algorithms, clocked = RIVALS.get(search, (None, "tetrad boss"))
                    if algorithms is not None and (row["algorithm"] not in algorithms or row["score_used"] != score):
                        continue
                    peers = found[row["network"], int(row["N"]), score, search]
                    value = float(row[column] or "-inf")
                    if value > peers.best:
                        peers.best, peers.best_by = value, name
                    peers.least_distance = min(peers.least_distance, float(row["shd_cpdag"] or "inf"))
                    if name == f"{clocked} {score}":
                        peers.rival_seconds = float(row["seconds"])
    return found


def measure(table: qnml.Table, truth: qnml.Dag, score: str, search: str, seeds: int) -> dict[str, float]:
    """Search on one thread and on two with each seed; the worst score, mean distance and seconds."""
    method, effort = SEARCHES[search]
    values, distances, seconds = [], [], {1: [], 2: []}
    for seed in range(seeds):
        networks = []
        for jobs, spent in seconds.items():
            began = time.perf_counter()
            result = qnml.learn(
                table, score, method=method, effort=effort, guard="off", seed=seed, n_jobs=jobs, **SCORES[score]
            )
            spent.append(time.perf_counter() - began)
            networks.append(result.dag)
        if networks[0] != networks[1]:
            raise SystemExit(f"{score}, seed {seed}: two threads found another network than one")
        values.append(qnml.score(table, networks[0], score, **SCORES[score]))
        distances.append(qnml.shd(networks[0], truth))
    return {
        "worst": min(values),
        "distance": mean(distances),
        "one_thread": mean(seconds[1]),
        "two_threads": mean(seconds[2]),
    }


def live_pyagrum(file: Path, table: qnml.Table, truth: qnml.Dag, score: str) -> str:
    """Greedy hill climbing of pyAgrum on this machine, in words."""
    import pyagrum

    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / file.stem
        plain.write_bytes(gzip.decompress(file.read_bytes()))
        learner = pyagrum.BNLearner(str(plain))
    learner.useScoreBDeu() if score == "bdeu" else learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    began = time.perf_counter()
    found = learner.learnDAG()
    seconds = time.perf_counter() - began
    names = learner.names()
    arcs = [(names[tail], names[head]) for tail, head in found.arcs()]
    dag = qnml.Dag.from_arcs(table.names, arcs)
    value = qnml.score(table, dag, score, **SCORES[score])
    return f"{'':<11}{'':>6} {score:<6}pyAgrum {value:>12.1f}{'':>9}{qnml.shd(dag, truth):>6}{seconds:>8.2f}"


def report(given: argparse.Namespace, folder: Path) -> list[Line]:
    """Measure and print everything that was asked for."""
    peers = read_peers(folder / "samples" / "peers.csv")
    lines = []
    print(HEADER)
    for network in given.networks:
        for rows in given.rows:
            file = folder / "samples" / f"{network}_N{rows}.csv.gz"
            table = qnml.read_table(file, levels="observed")
            truth = qnml.datasets.load_network(network).dag
            for score in given.scores:
                for search in SEARCHES:
                    found = measure(table, truth, score, search, given.seeds)
                    line = Line(network, rows, score, search, **found, peers=peers[network, rows, score, search])
                    print(line, flush=True)
                    lines.append(line)
                if given.live and importlib.util.find_spec("pyagrum") and score != "qnml":
                    print(live_pyagrum(file, table, truth, score), flush=True)
    return lines


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="child and alarm with 1000 rows only")
    parser.add_argument("--networks", nargs="+", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS, choices=ROWS)
    parser.add_argument("--scores", nargs="+", default=tuple(SCORES), choices=tuple(SCORES))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--live", action="store_true", help="run pyAgrum as well")
    parser.add_argument("--json", type=Path, help="write the lines here, too")
    given = parser.parse_args()
    if given.quick:
        given.networks, given.rows = ("child", "alarm"), (1000,)
    folder = data_folder()
    if folder is None:
        print("benchmarks/large.py: no data folder; set QNML_DATA. Nothing measured.")
        return
    lines = report(given, folder)
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(line) for line in lines], indent=1))
    sys.exit(1 if any(line.falls_short and line.search == "default" for line in lines) else 0)


if __name__ == "__main__":
    _main()
