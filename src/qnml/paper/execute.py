"""Distributing chunks to workers until all are done.

A crew does the work: this process, several processes, or a cluster. Results always come back to this process and are
written here, so workers need no shared disk.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from qnml.errors import QnmlError
from qnml.paper.experiments import EXPERIMENTS
from qnml.paper.store import installed_version

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from qnml.paper.work import Chunk, WorkList

__all__ = ["ChunkError", "Crew", "Finished", "Serial", "execute", "perform"]


class ChunkError(QnmlError):
    """A chunk could not be run."""


@dataclass(frozen=True)
class Finished:
    """The result of a chunk, as a worker returns it.

    Parameters
    ----------
    chunk
        The chunk.
    frame
        The results; None if it failed.
    seconds
        Elapsed time.
    processor_seconds
        Processor time of its process: less than the elapsed time if other processes compete for processors.
    version
        Version of qnml in the worker.
    failure
        Description of the failure.
    """

    chunk: Chunk
    frame: pl.DataFrame | None
    seconds: float
    processor_seconds: float
    version: str
    failure: str | None = None


class Crew(Protocol):
    """The workers that run chunks."""

    @property
    def width(self) -> int:
        """Number of chunks that run at the same time."""

    @property
    def room(self) -> int:
        """Number of chunks that can be started now."""

    def start(self, chunk: Chunk) -> None:
        """Start a chunk."""

    def wait(self) -> list[Finished]:
        """Wait for finished chunks; empty if none is pending."""

    def close(self) -> None:
        """Stop, dropping pending chunks."""


class Serial:
    """A crew of one: this process."""

    width = 1

    def __init__(self) -> None:
        self._chunk: Chunk | None = None

    @property
    def room(self) -> int:
        """One, unless a chunk is waiting."""
        return int(self._chunk is None)

    def start(self, chunk: Chunk) -> None:
        """Store the chunk; it runs when waited for."""
        self._chunk = chunk

    def wait(self) -> list[Finished]:
        """Run the chunk."""
        chunk, self._chunk = self._chunk, None
        return [perform(chunk)] if chunk is not None else []

    def close(self) -> None:
        """Do nothing: there is nothing to stop."""


def perform(chunk: Chunk) -> Finished:
    """Run a chunk in this process."""
    started, processor_started = time.perf_counter(), time.process_time()
    frame, failure = None, None
    try:
        frame = EXPERIMENTS[chunk.experiment].run_chunk(chunk.subject, chunk.first, chunk.last, chunk.seed)
    except Exception as error:
        # As text, since not every exception can be sent between processes.
        failure = f"{type(error).__name__}: {error}"
    seconds, processor_seconds = time.perf_counter() - started, time.process_time() - processor_started
    return Finished(chunk, frame, seconds, processor_seconds, installed_version(), failure)


def execute(work: WorkList, crew: Crew, keep: Callable[[Chunk, pl.DataFrame], None]) -> None:
    """Run all chunks of a work list.

    Parameters
    ----------
    work
        The work list.
    crew
        The workers. They are stopped at the end, also after an error or an interruption.
    keep
        Called in this process with each chunk and its results, in the order of completion.
    """
    try:
        while True:
            while crew.room > 0 and (chunk := work.take()) is not None:
                crew.start(chunk)
            done = crew.wait()
            if not done:
                return
            for one in done:
                work.record(one.chunk, one.seconds)
                keep(one.chunk, _results(one))
    finally:
        crew.close()


def _results(done: Finished) -> pl.DataFrame:
    if done.frame is None:
        raise ChunkError(f"paper: {done.chunk.title}: {done.failure}")
    if done.version != installed_version():
        raise ChunkError(
            f"paper: {done.chunk.title}: was run by a worker with qnml {done.version}, but this is "
            f"{installed_version()}. Install the same version everywhere."
        )
    return done.frame
