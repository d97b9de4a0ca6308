"""Write docs/benchmarks.md from a file of measurements: every figure on the page is computed here.

python benchmarks/large/document.py [--results build/large.jsonl] docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import about_scores
import against_others
import over_samples
from records import IDENTITY
from results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable

    from records import Record

__all__ = ["failures", "page", "summary"]

INTRODUCTION = """\
There are two kinds of tables. The *recorded* samples of the data folder (`samples/`) come with results of other
programs: `peers.csv` has their scores, recomputed by one independent scorer, and their times on one thread of a loaded
machine. *Fresh* samples are drawn here from the networks of the data folder. Levels are those observed in the table. We
score every network, ours and those of other programs. SHD is the structural Hamming distance between the learned CPDAG
and that of the network the rows were drawn from. BDeu has an equivalent sample size of 1. Unless stated otherwise,
`guard="off"` and `prior="uniform"`, so that all programs search the same space and maximise the score alone.
[large-networks.md](large-networks.md) describes our searches."""


def failures(records: Iterable[Record]) -> list[str]:
    """Failures: a default search that scores below the others, two threads that disagree."""
    results = Results(records)
    short = [
        f"{line.case}: {line.worst:.1f}, {line.best().name} has {line.best().values[line.score]:.1f}"
        for line in results.lines("default")
        if line.others and line.falls_short()
    ]
    differing = [
        f"{record['network']} {record['rows']} {record['score']}: two threads found a different network"
        for record in results.disagreements()
    ]
    return short + differing


def summary(records: Iterable[Record]) -> str:
    """A few lines for the terminal."""
    records = list(records)
    results = Results(records)
    text = []
    for search in ("default", "quick", "climb"):
        lines = [line for line in results.lines(search) if line.others]
        if search == "default":
            rivals = [(line, line.best()) for line in lines]
        else:
            rivals = [(line, line.best(line.climbers())) for line in lines if line.climbers()]
        if rivals:
            level = sum(line.gain(other) > -1e-6 * abs(line.worst) for line, other in rivals)
            text.append(f"{search}: at least as good as its rivals in {level} of {len(rivals)} cases")
    return "\n".join([*text, *(f"FALLS SHORT {failure}" for failure in failures(records))])


def _head(results: Results) -> str:
    machine = results.machine
    here = [f"{name} {version}" for name, version in machine["peers"].items() if version != "absent"]
    absent = [name for name, version in machine["peers"].items() if version == "absent"]
    loads = [record["load"] for part in results.parts.values() for record in part]
    busy = median(loads)
    count = sum(len(part) for name, part in results.parts.items() if name != "machine")
    text = (
        f"Written by `benchmarks/large/document.py` from {count:,} measurements; do not edit. Last measured "
        f"{machine['when']} UTC on {machine['cores']} cores with Python {machine['python']}, qnml {machine['qnml']}"
    )
    text += f"; compared with: {', '.join(here)}." if here else "; no other program was run."
    if absent:
        text += f" Not installed here, recorded results only: {', '.join(absent)}."
    text += f" The load average of the machine was {min(loads):.1f} to {max(loads):.1f} (median {busy:.1f}). "
    if busy > machine["cores"]:
        text += (
            "More was running than there are cores for half of the time, so wall-clock times may be too long; CPU "
            "times, given for one thread, suffer less. Each is the minimum of three runs for searches that take less "
            "than a third of a second; ours are medians over the seeds."
        )
    else:
        text += (
            "Times are CPU seconds for one thread and wall-clock seconds for two; the minimum of three runs for "
            "searches that take less than a third of a second; ours are medians over the seeds."
        )
    return text


def page(results: Results) -> str:
    """The whole document."""
    parts = [
        "# Benchmarks: large networks",
        _head(results),
        INTRODUCTION,
        against_others.default_settings(results),
        against_others.distances(results),
        over_samples.mean_distances(results),
        over_samples.column_order(results),
        against_others.quick_answers(results),
        against_others.proven(results),
        against_others.live(results),
        about_scores.scores(results),
        about_scores.guard(results),
        about_scores.costs(results),
        about_scores.scale(results),
    ]
    return "\n\n".join(_wrapped(part) for part in parts if part) + "\n"


def _wrapped(part: str) -> str:
    """Wrap paragraphs at 120 characters; leave tables and headings unchanged."""
    blocks = part.split("\n\n")
    return "\n\n".join(
        block if block[0] in "|#" else textwrap.fill(block, 120, break_on_hyphens=False) for block in blocks
    )


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("build/large.jsonl"))
    parser.add_argument("page", type=Path)
    given = parser.parse_args()
    known = {}
    for line in given.results.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        known[tuple(record.get(name) for name in IDENTITY)] = record
    given.page.write_text(page(Results(known.values())), encoding="utf-8")


if __name__ == "__main__":
    _main()
