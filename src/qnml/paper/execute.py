"""Giving chunks to workers until all are done.

A crew is what does the work: this process, several processes, or a cluster. Whoever does it, the results come back here
and are written here, so workers need no disk in common.
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
    """What comes back from a worker.

    Parameters
    ----------
    chunk
        What it was given.
    frame
        The results; None where it failed.
    seconds
        How long it took.
    processor_seconds
        Time processors spent in its process meanwhile: less than it took where others use them, too.
    version
        Of qnml, where it ran.
    failure
        What went wrong, in words.
    """

    chunk: Chunk
    frame: pl.DataFrame | None
    seconds: float
    processor_seconds: float
    version: str
    failure: str | None = None


class Crew(Protocol):
    """Those who do the work."""

    @property
    def width(self) -> int:
        """How many chunks are worked on at the same time."""

    @property
    def room(self) -> int:
        """How many chunks it would take now."""

    def start(self, chunk: Chunk) -> None:
        """Take a chunk."""

    def wait(self) -> list[Finished]:
        """Wait for chunks that are done; empty when there are none to wait for."""

    def close(self) -> None:
        """Stop, dropping what is under way."""


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
        """Remember the chunk; it is run when waited for."""
        self._chunk = chunk

    def wait(self) -> list[Finished]:
        """Run the chunk."""
        chunk, self._chunk = self._chunk, None
        return [perform(chunk)] if chunk is not None else []

    def close(self) -> None:
        """There is nothing to stop."""


def perform(chunk: Chunk) -> Finished:
    """Run a chunk, wherever this is called."""
    started, processor_started = time.perf_counter(), time.process_time()
    frame, failure = None, None
    try:
        frame = EXPERIMENTS[chunk.experiment].run_chunk(chunk.subject, chunk.first, chunk.last, chunk.seed)
    except Exception as error:
        # As text: not every exception survives the way back from another process.
        failure = f"{type(error).__name__}: {error}"
    seconds, processor_seconds = time.perf_counter() - started, time.process_time() - processor_started
    return Finished(chunk, frame, seconds, processor_seconds, installed_version(), failure)


def execute(work: WorkList, crew: Crew, keep: Callable[[Chunk, pl.DataFrame], None]) -> None:
    """Run all that is to be done.

    Parameters
    ----------
    work
        What is to be done.
    crew
        Who does it. It is closed at the end, also after an error or an interruption.
    keep
        Called with each chunk and its results, in this process, in the order they come.
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
            f"paper: {done.chunk.title}: was run by a worker with qnml {done.version}, and this is "
            f"{installed_version()}. Install the same version everywhere."
        )
    return done.frame
