"""Seconds of a search: the least of a few runs, where it is short, since whatever else runs only adds to them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RUNS", "SINGLE", "timed"]

# Numerical libraries that start threads would spoil the seconds of one: they wait for more to do, and are busy with it.
SINGLE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

Answer = TypeVar("Answer")

RUNS = 3
ENOUGH = 1.0  # seconds, after which a search is not run again


def timed(search: Callable[[], Answer], runs: int = RUNS) -> tuple[Answer, dict[str, float]]:
    """What a search answers, and its seconds by the clock and of the processor, each the least of its runs."""
    started = time.perf_counter()
    clock, processor = [], []
    while True:
        began, began_processor = time.perf_counter(), time.process_time()
        found = search()
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - began_processor)
        if len(clock) == runs or time.perf_counter() - started > ENOUGH:
            return found, {"seconds": min(clock), "processor_seconds": min(processor)}
