"""Speed of the paper's experiments: networks learned per second, and minutes for three large runs.

    python benchmarks/paper.py                  # some repetitions of every subject, and what they amount to
    python benchmarks/paper.py --full           # all repetitions, for real

Each subject is run a few times by worker processes that are all busy, as in a real run; the first repetition of a
subject in a process, which reads its data, is not counted. The target is 30 minutes per run on two cores. Minutes are
given twice: by the wall clock, and by CPU time, which is what the same cores would take without other load. Missing
data sets are reported.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml.paper.experiments import EXPERIMENTS
from qnml.paper.processes import Processes
from qnml.paper.run import run
from qnml.paper.subjects import absent_datasets
from qnml.paper.wanted import Settings
from qnml.paper.work import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator

AIM_MINUTES = 30


@dataclass(frozen=True)
class Target:
    """A run whose time matters."""

    part: str
    experiment: str
    repetitions: int


TARGETS = (
    Target("table3", "parsimony", 1000),
    Target("figure2", "structure", 100),
    Target("table2", "prediction", 10),
)


def measured(target: Target, subjects: list[str], workers: int, seconds: float) -> dict[str, tuple[int, float, float]]:
    """Return, for each subject, the number of timed repetitions, their wall-clock seconds and their CPU seconds."""
    crew = Processes(workers)
    timed: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    following = dict.fromkeys(subjects, 0)
    started = time.perf_counter()

    def chunks() -> Iterator[Chunk]:
        # Every process meets every subject once before it is timed on it, give or take who takes which chunk.
        length = 1
        while True:
            for subject in subjects:
                yield Chunk(target.experiment, subject, following[subject], following[subject] + length, seed=1)
                following[subject] += length
            spent = time.perf_counter() - started
            rounds = min(map(len, timed.values()), default=0)
            if rounds > workers and spent > seconds:
                return
            # Later rounds take more at once where one repetition is short.
            length = 1 if rounds <= workers else min(2 * length, max(1, target.repetitions // 20))

    try:
        source = chunks()
        open_chunks = True
        while True:
            while open_chunks and crew.room:
                chunk = next(source, None)
                open_chunks = chunk is not None
                if chunk is not None:
                    crew.start(chunk)
            done = crew.wait()
            if not done:
                break
            for one in done:
                if one.failure:
                    raise SystemExit(f"{one.chunk.title}: {one.failure}")
                length = one.chunk.last - one.chunk.first
                timed[one.chunk.subject].append((length, one.seconds, one.processor_seconds))
    finally:
        crew.close()
    sums = {subject: [sum(column) for column in zip(*spans[workers:], strict=True)] for subject, spans in timed.items()}
    return {subject: (int(count), clock, processor) for subject, (count, clock, processor) in sums.items()}


def report(workers: int, seconds: float, per_subject: bool) -> int:
    """Measure all runs and print a line for each; return how many miss the target."""
    late = 0
    print(f"{workers} worker processes; extrapolated from the repetitions said to be measured")
    heads = f"{'run':<28}{'networks':>10}{'measured':>10}  {'by the clock':>31}  {'by the time of processors':>31}"
    print(f"{heads}{'aim':>5}")
    for target in TARGETS:
        experiment = EXPERIMENTS[target.experiment]
        absent = set(absent_datasets()) if experiment.kind == "dataset" else set()
        subjects = [subject for subject in experiment.subjects if subject not in absent]
        spans = measured(target, subjects, workers, seconds)
        networks = sum(experiment.learnings(subject, target.repetitions) for subject in subjects)
        done = sum(experiment.learnings(subject, count) for subject, (count, _, _) in spans.items())
        clock = sum(target.repetitions * spent / count for count, spent, _ in spans.values()) / workers
        processor = sum(target.repetitions * spent / count for count, _, spent in spans.values()) / workers
        title = f"{target.part}, {target.repetitions} repetitions"
        told = [f"{networks / whole:>9,.0f} a second {whole / 60:>6.1f} min" for whole in (clock, processor)]
        print(f"{title:<28}{networks:>10,}{done:>10,}  {'  '.join(told)}{AIM_MINUTES:>5}", flush=True)
        if absent:
            print(f"  without {len(absent)} data sets that are not here")
        if per_subject:
            for subject, (count, clock_spent, spent) in sorted(
                spans.items(), key=lambda item: -item[1][2] / item[1][0]
            ):
                print(
                    f"  {subject:<26}{1000 * clock_spent / count:>10.1f} ms a repetition, "
                    f"{1000 * spent / count:.1f} of a processor, {count} measured"
                )
        late += clock > 60 * AIM_MINUTES
    return late


def full(workers: int) -> int:
    """Run all experiments in full and print a line for each; return how many miss the target."""
    late = 0
    for target in TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            outcome = run([target.part], Settings(repetitions=target.repetitions), folder, workers=workers)
        rate = outcome.learnings / outcome.seconds
        print(
            f"{target.part}, {target.repetitions} repetitions: {outcome.learnings:,} networks in "
            f"{outcome.seconds / 60:.1f} minutes, {rate:,.0f} a second, {workers} workers; aim {AIM_MINUTES} minutes",
            flush=True,
        )
        late += outcome.seconds > 60 * AIM_MINUTES
    return late


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes; all cores by default")
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure each run, at least")
    parser.add_argument("--subjects", action="store_true", help="also a line for each data set and network")
    parser.add_argument("--full", action="store_true", help="run everything instead of extrapolating")
    given = parser.parse_args()
    late = full(given.workers) if given.full else report(given.workers, given.seconds, given.subjects)
    raise SystemExit(1 if late else 0)


if __name__ == "__main__":
    _main()
