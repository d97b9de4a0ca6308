"""Fuzz each reader for a given time, and report the number of inputs and findings.

Exits with 1 if anything was found, and with 2 if the fuzzer cannot run.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fuzz.reader import run_input
from fuzz.readers import READERS
from fuzz.run import fuzz_reader

_MISSING = (
    "make fuzz needs atheris, which is not installed. It is the group 'fuzz' of pyproject.toml and has wheels for "
    "CPython on Linux x86-64; elsewhere it is built from source with clang (see https://pypi.org/project/atheris)."
)


def main() -> int:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"all by default: {', '.join(READERS)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader (default: 60)")
    parser.add_argument("--runs", type=int, default=-1, help="maximum number of inputs for each reader")
    parser.add_argument("--jobs", type=int, default=_cores(), help="readers fuzzed in parallel (default: one per core)")
    parser.add_argument("--output", type=Path, default=Path("build/fuzz"), help="for findings (default: build/fuzz)")
    parser.add_argument("--input", type=Path, help="read only this file, and show the result")
    asked = parser.parse_args()
    unknown = [name for name in asked.readers if name not in READERS]
    if unknown:
        parser.error(f"no such reader: {', '.join(unknown)}")
    chosen = [READERS[name] for name in asked.readers or READERS]
    if asked.input is not None:
        return _replay(chosen, asked.input)
    if importlib.util.find_spec("atheris") is None:
        print(_MISSING, file=sys.stderr)
        return 2
    with ThreadPoolExecutor(asked.jobs) as pool:
        outcomes = pool.map(lambda one: fuzz_reader(one, asked.output, asked.seconds, asked.runs), chosen)
        print(f"{'reader':16}{'inputs':>12}{'per s':>10}{'findings':>10}", flush=True)
        found = []
        for one in outcomes:
            print(f"{one.name:16}{one.inputs:12,}{one.inputs / one.seconds:10,.0f}{len(one.findings):10}", flush=True)
            found += one.findings
    for path in found:
        print(f"found: {path}")
    return 1 if found else 0


def _replay(chosen: list, path: Path) -> int:
    if len(chosen) != 1:
        print("--input needs the name of one reader", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        taken = run_input(chosen[0], path.read_bytes(), Path(folder))
    print("taken" if taken else "refused")
    return 0


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
