"""Exact learning on a GPU beside the CPU of the same machine: seconds by stage, speed-up, shares of the bandwidth.

    python benchmarks/gpu.py [--sizes 25,28,30,32,33] [--cpu 25,28] [--scores qnml] [--jobs N] [--json FILE]

Tables of 1,000 rows from random networks, those of ``exact.py``; no limit on parents. Sizes in ``--cpu`` also run on
the CPU, where the network, the score and the certificate must be the same; otherwise the benchmark ends with status 1.
The first search compiles the kernels and is not counted.

Bandwidth: the bytes that filling, transforming and listing must read or write at least, over the seconds of the stage
"candidates", beside a copy within the card's memory (bytes read and written). Rows: those visited by the counting
kernel, over the seconds of the stage "counting". The ``--emulated`` card of the tests shows that the benchmark runs;
its times mean nothing. Needs numpy, CuPy and qnml.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from exact import random_table

import qnml
from qnml.gpu import checked_card
from qnml.gpu.child import _TILE_BITS, spreads

__all__ = ["measure", "transform_bytes"]

SEED = 1


def transform_bytes(n: int) -> float:
    """Bytes that the candidates of n children take at least: two values read twice, gains written and read again."""
    bits = n - 1
    passes = len(spreads(min(bits, _TILE_BITS), bits))
    return n * 2.0**bits * (16 + 4 + 8 * passes + 16 + 4)


def copy_rate(size: int = 2**33) -> float:
    """Bytes a second that a copy within the card's memory reads and writes."""
    import cupy

    source = cupy.arange(size // 8, dtype=cupy.int64)
    target = cupy.empty_like(source)
    rates = []
    for _ in range(5):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        cupy.copyto(target, source)
        end.record()
        end.synchronize()
        rates.append(2.0 * size / (cupy.cuda.get_elapsed_time(begin, end) / 1000))
    del source, target
    cupy.get_default_memory_pool().free_all_blocks()
    return sorted(rates)[len(rates) // 2]


def measure(table: qnml.Table, score: str, device: str, jobs: int | None) -> dict[str, Any]:
    """One search."""
    began = time.perf_counter()
    result = qnml.learn(table, score, method="exact", guard="off", device=device, n_jobs=jobs)
    seconds = time.perf_counter() - began
    certificate = result.certificate
    return {
        "n": len(table.names),
        "score": score,
        "device": device,
        "seconds": seconds,
        "stages": dict(certificate.seconds),
        "visits": certificate.visits,
        "answer": (str(result.dag), result.score, certificate.optimal, certificate.ties, certificate.candidates),
    }


def line(run: dict[str, Any], cpu: dict[str, Any] | None, copied: float) -> str:
    """A line of the report."""
    stages = run["stages"]
    counting, candidates = stages.get("counting", 0.0), stages.get("candidates", 0.0)
    rate = transform_bytes(run["n"]) / max(candidates, 1e-9)
    share = f", {rate / copied:.0%} of a copy" if copied else ""
    parts = [
        f"n={run['n']} {run['score']}: {run['seconds']:.2f} s",
        f"counting {counting:.2f} ({run['visits'] / max(counting, 1e-9):.2g} rows/s)",
        f"candidates {candidates:.2f} ({rate / 1e12:.2f} TB/s{share})",
        f"orders {stages.get('orders', 0.0):.2f}",
    ]
    if cpu is not None:
        parts.append(f"CPU {cpu['seconds']:.2f} s, {cpu['seconds'] / run['seconds']:.1f} times")
        parts.append("same answer" if cpu["answer"] == run["answer"] else "ANOTHER ANSWER")
    return "; ".join(parts)


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sizes", default="25,28,30,32,33")
    parser.add_argument("--cpu", default="25,28", help="sizes that also run on the CPU")
    parser.add_argument("--scores", default="qnml")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--json", default=None, help="file to which each run is appended")
    parser.add_argument("--emulated", action="store_true")
    given = parser.parse_args()
    copied = 0.0
    if given.emulated:
        sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]
        from unittest import mock

        from gpu.emulated import emulated_card

        mock.patch("qnml.gpu.checked_card", emulated_card).start()
        print(f"on {emulated_card().name}")
    else:
        began = time.perf_counter()
        print(f"on {checked_card().name}, checked in {time.perf_counter() - began:.1f} s", flush=True)
        copied = copy_rate()
        print(f"a copy within its memory: {copied / 1e12:.2f} TB/s", flush=True)
    on_cpu = {int(size) for size in given.cpu.split(",") if size.strip()}
    is_same = True
    for score in given.scores.split(","):
        measure(random_table(15, 200, SEED), score, "gpu", given.jobs)
        for size in (int(size) for size in given.sizes.split(",")):
            table = random_table(size, 1000, SEED)
            run = measure(table, score, "gpu", given.jobs)
            cpu = measure(table, score, "cpu", given.jobs) if size in on_cpu else None
            is_same &= cpu is None or cpu["answer"] == run["answer"]
            print(line(run, cpu, copied), flush=True)
            if given.json:
                with open(given.json, "a", encoding="utf-8") as stream:
                    for one in (run, cpu):
                        if one is not None:
                            stream.write(json.dumps(one) + "\n")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
