"""Many searches in batches, one after the other: limits, interruption, progress."""

from __future__ import annotations

import time
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from qnml import _core
from qnml._interrupts import held_interrupts
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["run_batches"]

_Batch = TypeVar("_Batch")
_Answer = TypeVar("_Answer")


def run_batches(
    batches: Iterable[_Batch],
    solve: Callable[[_Batch, _core.Control], Sequence[_Answer | None]],
    searches: int,
    time_limit: float | None,
    watch: Watch | None,
    out_of_memory: str,
) -> tuple[list[_Answer], str | None]:
    """Solve batches until all are done or something stops them.

    Parameters
    ----------
    batches : the batches to solve.
    solve : returns the results of a batch, None for searches that were cut short.
    searches : total number of searches in all batches.
    time_limit : seconds.
    watch : called with the completed share.
    out_of_memory : message of the error if memory runs out.

    Returns
    -------
    tuple
        The results up to the first search that was cut short, and why there are fewer than requested, or None:
        ``"interrupted"``, ``"time limit"`` or ``"memory limit"``. Later results of that batch are left out: they would
        favour searches that finish quickly.
    """
    began = time.monotonic()
    found: list[_Answer] = []
    with held_interrupts() as interrupts:
        before = interrupts.count
        try:
            for batch in batches:
                control = _core.Control()
                if time_limit is not None:
                    control.set_deadline(max(time_limit - (time.monotonic() - began), 0.0))

                def work(batch: _Batch = batch, control: _core.Control = control) -> Sequence[_Answer | None]:
                    return solve(batch, control)

                answers, interrupted = interruptible(work, control, None, out_of_memory)
                finished = [answer for answer in takewhile(lambda one: one is not None, answers) if answer is not None]
                found += finished
                if watch is not None:
                    watch("replicates", len(found) / searches)
                # Also if the batch was finished by then: the next one must not begin.
                if (interrupted or interrupts.count > before) and len(found) < searches:
                    return found, "interrupted"
                if len(finished) < len(answers):
                    return found, "time limit" if control.is_timed_out else "memory limit"
        except KeyboardInterrupt:  # between two batches, where it could not be deferred
            return found, "interrupted" if len(found) < searches else None
    return found, None
