"""Measure what the structure prior changes: arcs, SHD and held-out log-probability, uniform beside sparse.

python benchmarks/structure_prior.py --out build/structure_prior.jsonl --processes 16
python benchmarks/structure_prior.py --out build/structure_prior.jsonl --summary

Every line of the file is one search: a network of the data folder, a number of rows, a fresh sample (columns renamed
in random order, because ties are decided by names), a score, a prior, a guard. What the file has already is not
measured again, so a stopped run continues. `--part 2/3` takes every third sample, for several machines; the files are
put together by `cat`. Structures are learned from the levels that occur, as in docs/benchmarks.md; probability tables
have the declared ones, so that every held-out row has a probability. Nothing but qnml and NumPy is needed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import qnml

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]
Task = tuple[str, int, int]

NETWORKS = (
    *(
        "sachs",
        "survey",
        "child",
        "insurance",
        "water",
        "mildew",
        "alarm",
        "barley",
        "hailfinder",
        "hepar2",
        "win95pts",
    ),
    *("pathfinder", "munin1", "andes", "pigs", "link"),
)
ROWS = (200, 1000, 10_000)
SCORES: dict[str, dict[str, float]] = {"qnml": {}, "bic": {}, "bdeu": {"ess": 1.0}, "fnml": {}, "ebic": {"gamma": 1.0}}
PRIORS = ("uniform", "sparse")
GUARDS = ("off", "cap")
HELD_OUT = 10_000
KEYS = ("network", "rows", "sample", "score", "prior", "guard")


@lru_cache(maxsize=1)
def network_of(folder: str, name: str) -> qnml.Network:
    return qnml.read_network(Path(folder) / f"{name}.bif.gz")


def renamed(table: qnml.Table, names: dict[str, str]) -> qnml.Table:
    levels = [[*table.levels[place]] for place in range(len(table.names))]
    columns = [table.codes(name) for name in table.names]
    return qnml.Table.from_codes(columns, names=[names[name] for name in table.names], levels=levels)


def mistakes(found: qnml.Dag, truth: qnml.Dag) -> tuple[int, int]:
    """Joined pairs that are not in the truth, and pairs of the truth that are not joined."""
    mine, theirs = ({frozenset(arc) for arc in dag.arcs} for dag in (found, truth))
    return len(mine - theirs), len(theirs - mine)


def measure(folder: str, task: Task, wanted: list[tuple[str, str, str]], effort: str) -> list[Record]:
    """All searches of one sample."""
    name, rows, sample = task
    net = network_of(folder, name)
    order = np.random.default_rng([sample, 17]).permutation(len(net.names))
    names = {old: f"v{place:04}" for old, place in zip(net.names, order.tolist(), strict=True)}
    truth = qnml.Dag.from_arcs([*names.values()], [(names[a], names[b]) for a, b in net.dag.arcs])
    declared = renamed(net.sample(rows, 2 * sample, n_jobs=1), names)
    later = net.sample(HELD_OUT, 2 * sample + 1, n_jobs=1)
    unseen = renamed(later, names)
    truly = float(np.mean(net.log_prob(later, n_jobs=1)))
    table = declared.with_observed_levels()
    records = []
    for score, prior, guard in wanted:
        began = time.perf_counter()
        options: dict[str, Any] = {"effort": effort, "prior": prior, "guard": guard, "n_jobs": 1, "memory_limit": 4e9}
        result = qnml.learn(table, score, "order", seed=1, **options, **SCORES[score])
        seconds = time.perf_counter() - began
        fitted = qnml.fit(declared, result.dag, n_jobs=1)
        false, missed = mistakes(result.dag, truth)
        records.append(
            {
                **dict(zip(KEYS, (*task, score, prior, guard), strict=True)),
                "variables": len(names),
                "true_arcs": truth.n_arcs,
                "arcs": result.dag.n_arcs,
                "shd": qnml.shd(result.dag.to_cpdag(), truth.to_cpdag()),
                "false_pairs": false,
                "missed_pairs": missed,
                "value": result.score,
                "log_prior": result.log_prior,
                "gap": result.certificate.gap,
                "proven": result.certificate.optimal,
                "held_out": float(np.mean(fitted.log_prob(unseen, n_jobs=1))),
                "held_out_truth": truly,
                "seconds": round(seconds, 3),
            }
        )
    return records


def known(file: Path) -> set[tuple[Any, ...]]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {tuple(json.loads(line)[key] for key in KEYS) for line in lines if line.endswith("}")}


def tasks(given: argparse.Namespace) -> Iterator[tuple[Task, list[tuple[str, str, str]]]]:
    """The samples of this part, with the searches that are not measured yet."""
    done = known(given.out)
    part, parts = (int(one) for one in given.part.split("/"))
    samples = [
        (name, rows, sample) for sample in range(given.samples) for name in given.networks for rows in given.rows
    ]
    for task in samples[part - 1 :: parts]:
        wanted = [
            (score, prior, guard)
            for score in given.scores
            for prior in PRIORS
            for guard in given.guards
            if (*task, score, prior, guard) not in done
        ]
        # Several searches of a large sample run beside each other; those of a small one share the drawing of its rows.
        size = 2 if task[0] in ("munin1", "andes", "pigs", "link") else len(wanted)
        for first in range(0, len(wanted), max(size, 1)):
            yield task, wanted[first : first + size]


def run(given: argparse.Namespace) -> None:
    given.out.parent.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    waiting = tasks(given)
    context = multiprocessing.get_context("spawn")
    with given.out.open("a", encoding="utf-8") as lines, ProcessPoolExecutor(given.processes, context) as pool:
        running = set()
        while True:
            while len(running) < given.processes and time.perf_counter() - began < given.budget:
                one = next(waiting, None)
                if one is None:
                    break
                running.add(pool.submit(measure, str(given.folder), *one, given.effort))
            if not running:
                return
            finished = next(as_completed(running))
            running.discard(finished)
            for record in finished.result():
                lines.write(json.dumps(record) + "\n")
            lines.flush()


def summary(file: Path) -> str:
    """Means over the samples: SHD and arcs of each score, uniform → sparse, without and with the cap."""
    found: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["network"], record["rows"], record["score"], record["guard"], record["prior"]].append(record)
    heads = ("network", "rows", "score", "guard", "samples", "SHD", "arcs (true)", "held-out nats", "seconds")
    page = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]

    def mean(records: list[Record], key: str) -> float:
        return float(np.mean([record[key] for record in records]))

    for network, rows, score, guard in dict.fromkeys(
        key[:4] for key in sorted(found, key=lambda key: (key[0], key[1]))
    ):
        pair = [found.get((network, rows, score, guard, prior), []) for prior in PRIORS]
        if not all(pair):
            continue
        cells = [
            *(network, f"{rows:,}", score, guard, str(len(pair[0]))),
            " → ".join(f"{mean(one, 'shd'):.1f}" for one in pair),
            " → ".join(f"{mean(one, 'arcs'):.1f}" for one in pair) + f" ({pair[0][0]['true_arcs']})",
            " → ".join(f"{mean(one, 'held_out'):.3f}" for one in pair),
            " → ".join(f"{mean(one, 'seconds'):.2f}" for one in pair),
        ]
        page.append("| " + " | ".join(cells) + " |")
    return "\n".join(page)


def main() -> None:
    """Read the options, and measure or summarise."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=Path("build/structure_prior.jsonl"))
    options.add_argument("--folder", type=Path, default=Path("../shared/data/networks"), help="with the .bif.gz files")
    options.add_argument("--networks", nargs="+", default=[*NETWORKS])
    options.add_argument("--rows", nargs="+", type=int, default=[*ROWS])
    options.add_argument("--samples", type=int, default=3, help="fresh samples of each network and number of rows")
    options.add_argument("--scores", nargs="+", choices=[*SCORES], default=[*SCORES])
    options.add_argument("--guards", nargs="+", choices=GUARDS, default=[*GUARDS])
    options.add_argument("--effort", default="default")
    options.add_argument("--part", default="1/1", help="K/N: the K-th of N parts")
    options.add_argument("--processes", type=int, default=1)
    options.add_argument("--budget", type=float, default=float("inf"), help="begin nothing after so many seconds")
    options.add_argument("--summary", action="store_true")
    given = options.parse_args()
    if given.summary:
        print(summary(given.out))
    else:
        run(given)


if __name__ == "__main__":
    main()
