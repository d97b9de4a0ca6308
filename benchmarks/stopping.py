"""Time limits and Ctrl-C: how far each kind of work overruns them, and whether it returns a result.

    python benchmarks/stopping.py [--stops K] [--seed S] [--most SECONDS] [--jobs N] [KIND ...]

Every stop runs in a separate process. The process prepares its data, reports that it starts, and is stopped at a random
moment: by its own time limit, or by a SIGINT from this program. Work without a time limit is stopped only by SIGINT.
The overrun is the wall-clock time from that moment to the result. It must not exceed one second or 5 % of the time the
work was given, whichever is larger; otherwise the program exits with 1. Kinds whose data are missing are skipped and
reported.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from stopping_kinds import KINDS, Kind

from qnml.errors import DataFolderError, OutOfTimeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Stop", "most_overrun"]

LEAST, SHARE = 1.0, 0.05
BY_LIMIT, BY_SIGNAL = "limit", "Ctrl-C"
# Work that has not returned this many seconds after it was stopped is killed.
HUNG = 60.0


@dataclass(frozen=True)
class Stop:
    """What happened when one piece of work was stopped."""

    way: str
    moment: float
    overrun: float
    answer: str

    @property
    def is_kept(self) -> bool:
        """Whether the work ended in time."""
        return self.overrun <= most_overrun(self.moment)


def most_overrun(moment: float) -> float:
    """Seconds that work may take after it should have ended."""
    return max(LEAST, SHARE * moment)


def run_case(kind: Kind, way: str, moment: float, jobs: int | None) -> None:
    """Do the work in this process and say when it began and ended, and with what."""
    try:
        work = kind.prepare(jobs)
    except DataFolderError as problem:
        print(json.dumps({"absent": str(problem)}), flush=True)
        return
    print(json.dumps({"began": time.monotonic()}), flush=True)
    try:
        answer = work(moment if way == BY_LIMIT else None)
    except KeyboardInterrupt:
        answer = "KeyboardInterrupt"
    except OutOfTimeError:
        answer = "OutOfTimeError"
    print(json.dumps({"ended": time.monotonic(), "answer": answer}), flush=True)


def stop_once(kind: Kind, way: str, moment: float, jobs: int | None) -> Stop | str:
    """Start the work in a separate process and stop it; return the reason if there is no measurement."""
    case = json.dumps([kind.name, way, moment, jobs])
    child = subprocess.Popen([sys.executable, __file__, "--case", case], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    errors: list[bytes] = []
    reader = threading.Thread(target=lambda: errors.append(_of(child.stderr).read()), daemon=True)
    reader.start()
    try:
        begun = _line(child)
        if "absent" in begun:
            return str(begun["absent"])
        should_end = begun["began"] + moment
        if way == BY_SIGNAL:
            time.sleep(max(0.0, should_end - time.monotonic()))
            should_end = time.monotonic()
            child.send_signal(signal.SIGINT)
        killer = threading.Timer(max(0.0, should_end - time.monotonic()) + HUNG, child.kill)
        killer.start()
        ended = _line(child)
        killer.cancel()
    finally:
        child.kill()
        child.wait()
        reader.join()
    if "ended" not in ended:
        last = (errors[0].decode(errors="replace").strip().splitlines() or ["killed"])[-1]
        return Stop(way, moment, HUNG, f"FAILED: {last}"[:100])
    if ended["ended"] < should_end:
        return Stop(way, moment, 0.0, "done before")
    return Stop(way, moment, ended["ended"] - should_end, ended["answer"])


def _of(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the streams of the child are pipes")
    return stream


def _line(child: subprocess.Popen[bytes]) -> dict[str, Any]:
    line = _of(child.stdout).readline()
    return dict(json.loads(line)) if line else {}


def report(kinds: Sequence[Kind], stops: int, seed: int, most: float, jobs: int | None) -> int:
    """Stop every kind of work and print a line for each way; returns how many stops came too late."""
    late = 0
    print("overrun in seconds after the moment of the stop, the worst of all stops in the last columns")
    print(f"{'work':<42}{'by':<8}{'worst':>7}{'at':>7}{'kept':>6}  overrun@moment, answer")
    for kind in kinds:
        for way in (BY_LIMIT, BY_SIGNAL) if kind.has_limit else (BY_SIGNAL,):
            # By the name, so that a kind is stopped at the same moments whichever others run.
            generator = np.random.default_rng([seed, *kind.name.encode(), *way.encode()])
            moments = generator.uniform(0.1, min(kind.longest, most), size=stops)
            found = [stop_once(kind, way, round(float(moment), 2), jobs) for moment in moments]
            told = [one for one in found if isinstance(one, Stop)]
            if not told:
                print(f"{kind.name:<42}{way:<8} left out: {found[0]}", flush=True)
                continue
            late += sum(not one.is_kept for one in told)
            worst = max(told, key=lambda one: one.overrun - most_overrun(one.moment))
            each = "; ".join(f"{one.overrun:.2f}@{one.moment:.2f} {one.answer}" for one in told)
            kept = "yes" if all(one.is_kept for one in told) else "NO"
            print(f"{kind.name:<42}{way:<8}{worst.overrun:>7.2f}{worst.moment:>7.2f}{kept:>6}  {each}", flush=True)
    return late


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="parts of the names of what to stop; all by default")
    parser.add_argument("--stops", type=int, default=2, help="how many times each is stopped in each way")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--most", type=float, default=8.0, help="the latest moment, in seconds")
    parser.add_argument("--jobs", type=int, default=None, help="threads; all cores by default")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        name, way, moment, jobs = json.loads(given.case)
        run_case(next(kind for kind in KINDS if kind.name == name), way, moment, jobs)
        return
    chosen = [kind for kind in KINDS if not given.kinds or any(part in kind.name for part in given.kinds)]
    sys.exit(1 if report(chosen, given.stops, given.seed, given.most, given.jobs) else 0)


if __name__ == "__main__":
    _main()
