"""Networks too large for exact learning: score, distance to the true network and time, compared with other programs.

    python benchmarks/large [--quick] [--parts samples proofs peers scale fresh rivals] [--out FILE] [--resume]
    python benchmarks/large/document.py --results FILE docs/benchmarks.md

``samples`` runs our searches on the samples of the data folder, on one thread and on two; ``proofs`` finds the proven
optimum of the small ones, and how often our searches find it on further samples; ``fresh`` draws new samples and learns
with four scores, with and without the guard against over-full families; ``peers`` runs the installed programs, each
search in a process with a time limit; ``rivals`` runs the fast ones on the fresh samples, with the columns shuffled
and, for some, in the original order; ``scale`` draws tables of up to 5,000 variables from random networks. Everything
takes more than an hour, most of it ``rivals``. Every measurement is a line of JSON, written immediately: ``--resume``
continues a stopped run. The run fails if a default search ends more than 0.01 % below the best of the others, recorded
or run, or if two threads find a different network than one.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import ours
import peers
import scale
from cases import FRESH, SAMPLED, SHARED, WIDE, Case, load
from document import failures, summary
from records import SCORES, Records, describe_truth, machine
from timing import SINGLE

from qnml.datasets import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS = ("samples", "proofs", "peers", "scale", "fresh", "rivals")
FEW = 200  # rows, few enough for over-full families to occur
WIDE_SAMPLES = 2  # fresh samples of networks with hundreds of variables
MANY_MINUTES = ("pigs", "link")  # for order searches written in Python
LONGER = 3.0  # factor on the time limit of other programs for networks with hundreds of variables
AS_THEY_COME = 5  # fresh samples on which other programs also run with the columns in the order of the network
JUDGES = ("bic", "bdeu", "qnml")


def _samples(records: Records, networks: list[str], rows: list[int], seeds: int) -> None:
    for case in (Case(network, size, SHARED) for network in networks for size in rows):
        problem = load(case)
        for score in JUDGES:
            for seed in range(seeds):
                for search in ours.SEARCHES:
                    ours.measure(records, case, problem, score, search, seed=seed, threads=1, guard="off")
            for seed in range(2 if seeds > 1 else 1):
                ours.measure(records, case, problem, score, "default", seed=seed, threads=2, guard="off")
        _truth(records, case)
        print(f"  {case.network} {case.rows}", flush=True)


def _proofs(records: Records, networks: list[str], rows: list[int], seeds: int) -> None:
    for network in networks:
        if network not in ours.PROVEN:
            continue
        for size in rows:
            apart = [Case(network, size, str(sample)) for sample in ours.APART[network, size]]
            for case in (Case(network, size, SHARED), *apart):
                for score in JUDGES:
                    ours.prove(records, case, load(case), score, threads=2)
                    for seed in range(seeds if case in apart else 0):
                        ours.measure(
                            records, case, load(case), score, "default", seed=seed, threads=1, guard="off", part="apart"
                        )
            print(f"  {network} {size}", flush=True)


def _is_large(network: str, size: int) -> bool:
    """Return whether the table has hundreds of variables and thousands of rows: then one quick search must do."""
    return network in WIDE and (size > 1000 or network == "link")


def _drawn(network: str, size: int, samples: int) -> list[Case]:
    """Return the fresh samples of a network; more if they are small, since each is less informative and quick."""
    number = samples if size > 1000 else 2 * samples
    if network in WIDE:
        number = 1 if _is_large(network, size) else min(samples, WIDE_SAMPLES)
    return [Case(network, size, str(sample)) for sample in range(1, number + 1)]


def _fresh(records: Records, networks: list[str], rows: list[int], samples: int) -> None:
    for network in networks:
        for size in rows if network in WIDE else (FEW, *rows):
            if network == "link" and size > 1000:
                continue  # BDeu and fNML add thousands of arcs to it, which takes minutes
            for case in _drawn(network, size, samples):
                problem = load(case)
                search = "quick" if _is_large(network, size) else "default"
                for score in SCORES:
                    ours.measure(records, case, problem, score, search, seed=0, threads=2, guard="off")
                ours.measure(records, case, problem, "qnml", search, seed=0, threads=2, guard="cap")
                _truth(records, case)
            print(f"  {network} {size}", flush=True)


def _truth(records: Records, case: Case) -> None:
    if not records.has(part="truth", network=case.network, rows=case.rows, sample=case.sample):
        records.add(describe_truth(case, load(case)))


def _peers(records: Records, networks: list[str], rows: list[int], limit: float, found: dict[str, str]) -> None:
    for program, version in found.items():
        if version == "absent":
            print(f"  {program}: absent")
            continue
        _, searches, scores, is_slow = peers.PEERS[program]
        for search in searches:
            for score in scores:
                for case in (Case(network, size, SHARED) for size in rows for network in networks):
                    if is_slow and case.rows > 1000:
                        continue
                    peers.measure(records, [case], program, search, score, time_limit=limit)
                    if records.state(case, program, search, score) == "time limit":
                        break  # the tables that follow are larger
        print(f"  {program} {version}", flush=True)


def _rivals(
    records: Records, networks: list[str], rows: list[int], limit: float, found: dict[str, str], samples: int
) -> None:
    for network, size in ((network, size) for network in networks for size in rows):
        is_wide = network in WIDE
        if is_wide and size > 1000:
            continue  # minutes for each
        cases = _drawn(network, size, samples)
        for program, (_, searches, scores, is_slow) in peers.PEERS.items():
            if is_slow or found[program] == "absent" or (program == peers.GIVEN and network in MANY_MINUTES):
                continue
            patience = LONGER * limit if is_wide else limit
            for search in searches:
                for score in scores:
                    asked = (program, search + peers.SHUFFLED, score)
                    peers.measure(records, cases, *asked, time_limit=patience, runs=1)
                    if not is_wide:
                        asked = (program, search, score)
                        peers.measure(records, cases[:AS_THEY_COME], *asked, time_limit=patience, runs=1)
        print(f"  {network} {size}", flush=True)


def _scale(records: Records, sizes: Sequence[tuple[int, int, str]]) -> None:
    for variables, rows, search in sizes:
        scale.measure(records, variables, rows, search, threads=2)
        print(f"  {variables} x {rows} {search}", flush=True)


def _stay_single() -> None:
    """Restart with numerical libraries limited to one thread, since they read the environment only once."""
    if any(os.environ.get(name) != value for name, value in SINGLE.items()):
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **SINGLE})


def _main() -> None:
    _stay_single()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="child and alarm, 1000 rows, one seed")
    parser.add_argument("--parts", nargs="+", default=PARTS, choices=PARTS)
    parser.add_argument("--networks", nargs="+", default=FRESH, choices=FRESH)
    parser.add_argument("--rows", nargs="+", type=int, default=(1000, 10000), choices=(1000, 10000))
    parser.add_argument("--seeds", type=int, default=5, help="seeds of our searches (default: 5)")
    parser.add_argument("--fresh", type=int, default=10, help="samples of each network (default: 10)")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for another program's search (default: 20)")
    parser.add_argument("--out", type=Path, default=Path("build/large.jsonl"))
    parser.add_argument("--resume", action="store_true", help="keep existing measurements, add missing ones")
    given = parser.parse_args()
    if given.quick:
        given.networks, given.rows, given.seeds, given.fresh = ("child", "alarm"), (1000,), 1, 1
    if data_folder() is None:
        print("benchmarks/large: no data folder; set QNML_DATA. Nothing measured.")
        return
    records = Records(given.out, goes_on=given.resume)
    found = peers.versions()
    records.add(machine(found))
    sampled = [network for network in given.networks if network in SAMPLED]
    work = {
        "samples": lambda: _samples(records, sampled, given.rows, given.seeds),
        "proofs": lambda: _proofs(records, sampled, given.rows, given.seeds),
        "fresh": lambda: _fresh(records, given.networks, given.rows, given.fresh),
        "peers": lambda: _peers(records, sampled, given.rows, given.limit, found),
        "rivals": lambda: _rivals(records, given.networks, given.rows, given.limit, found, given.fresh),
        "scale": lambda: _scale(records, scale.SIZES[:1] if given.quick else scale.SIZES),
    }
    for part in given.parts:
        began = time.perf_counter()
        print(f"{part}:", flush=True)
        work[part]()
        print(f"  {time.perf_counter() - began:.0f} s", flush=True)
    print(summary(records.known.values()))
    sys.exit(1 if failures(records.known.values()) else 0)


if __name__ == "__main__":
    _main()
