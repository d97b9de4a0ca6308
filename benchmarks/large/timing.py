"""Timing of a search: the minimum of a few runs if it is short, since other load only adds to the time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RUNS", "SINGLE", "timed"]

# Threads of numerical libraries would distort single-thread times, since they wait for work in a busy loop.
SINGLE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

Answer = TypeVar("Answer")

RUNS = 3
ENOUGH = 1.0  # seconds, after which a search is not run again


def timed(search: Callable[[], Answer], runs: int = RUNS) -> tuple[Answer, dict[str, float]]:
    """Return the result of a search, and its wall-clock and CPU seconds, each the minimum over the runs."""
    started = time.perf_counter()
    clock, processor = [], []
    while True:
        began, began_processor = time.perf_counter(), time.process_time()
        found = search()
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - began_processor)
        if len(clock) == runs or time.perf_counter() - started > ENOUGH:
            return found, {"seconds": min(clock), "processor_seconds": min(processor)}
