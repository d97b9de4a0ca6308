"""Running parts of the paper: find which results they need, and compute those that are missing."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from qnml._jobs import resolve_jobs
from qnml.errors import InputError, QnmlError, bad_argument
from qnml.paper.cluster import Cluster
from qnml.paper.execute import Crew, Serial, execute
from qnml.paper.experiments import EXPERIMENTS, find_parts
from qnml.paper.processes import Processes
from qnml.paper.store import Store
from qnml.paper.wanted import Settings, find_wanted
from qnml.paper.work import CHUNK_SECONDS, Chunk, Task, WorkList, gaps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import polars as pl

__all__ = ["Outcome", "Progress", "run"]


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Parameters
    ----------
    doing
        Title of the last finished chunk.
    done, total
        Number of networks learned, and number that this run has to learn.
    seconds_left
        A forecast from finished chunks; None until every subject has been measured.
    """

    doing: str
    done: int
    total: int
    seconds_left: float | None


@dataclass(frozen=True)
class Outcome:
    """What a run did, and the contents of its folder.

    Parameters
    ----------
    asked
        Names of the requested parts, in the order of the paper.
    parts
        Those of them that could be run.
    missing
        Why others could not be run, or not on all data sets: a sentence by part.
    frames
        Raw results by experiment: all results in the folder that the parts need.
    files
        The tidy tables that were written.
    learnings, kept
        Number of networks learned in this run, and number learned before.
    seconds
        Time taken by the learning.
    workers
        Number of chunks that ran at the same time.
    unreadable
        Files of earlier runs that could not be read and were replaced.
    """

    asked: tuple[str, ...]
    parts: tuple[str, ...]
    missing: Mapping[str, str]
    frames: Mapping[str, pl.DataFrame]
    files: tuple[Path, ...]
    learnings: int
    kept: int
    seconds: float
    workers: int
    unreadable: int


def run(
    parts: Sequence[str],
    settings: Settings | None = None,
    out: str | Path = "paper-output",
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: bool = False,
    watch: Callable[[Progress], None] | None = None,
    chunk_seconds: float = CHUNK_SECONDS,
) -> Outcome:
    """Run the experiments behind parts of the paper.

    Parameters
    ----------
    parts
        Names of parts; ``"all"`` for all of them.
    settings
        The settings that determine the results.
    out
        Folder for the raw results.
    workers
        Number of processes; all cores by default.
    scheduler
        Address of a Dask scheduler, to be used instead of local processes.
    resume
        Continue with the results in the folder.
    watch
        Called after each chunk.
    chunk_seconds
        How long a chunk should take. Neither this nor the workers change a bit of the results.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, with a sentence on what is kept and how to continue.
    """
    settings = settings or Settings()
    found = find_parts("paper", parts)
    wanted = find_wanted(found, settings)
    store = Store(out)
    crew = _crew(workers, scheduler)
    try:
        store.prepare(settings.seed, list(dict.fromkeys(name for name, _ in wanted.repetitions)), resume=resume)
        tasks = [
            Task(name, subject, gaps(number, store.covered(name, subject)))
            for (name, subject), number in wanted.repetitions.items()
        ]
    except BaseException:
        crew.close()
        raise
    tally = _Tally(store, WorkList(tasks, settings.seed, chunk_seconds), crew, watch)
    asked = sum(EXPERIMENTS[name].learnings(subject, n) for (name, subject), n in wanted.repetitions.items())
    started = time.perf_counter()
    try:
        execute(tally.work, crew, tally.keep)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{tally.done} of {tally.total} networks were learned and are kept in {store.folder}. "
            "Give the same command with --resume to continue."
        ) from None
    finally:
        seconds = time.perf_counter() - started
        _note(store, {part.name: wanted.missing.get(part.name) for part in found}, tally, seconds)
    frames, files = _collect(store, [name for name, _ in wanted.repetitions])
    return Outcome(
        asked=tuple(part.name for part in found),
        parts=wanted.parts,
        missing=wanted.missing,
        frames=frames,
        files=files,
        learnings=tally.done,
        kept=asked - tally.total,
        seconds=seconds,
        workers=tally.width,
        unreadable=store.removed,
    )


@dataclass
class _Tally:
    """Stores incoming results and reports progress."""

    store: Store
    work: WorkList
    crew: Crew
    watch: Callable[[Progress], None] | None
    done: int = 0
    total: int = field(init=False)
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = self.crew.width
        self.total = sum(EXPERIMENTS[one.experiment].learnings(one.subject, one.n_left) for one in self.work.tasks)

    def keep(self, chunk: Chunk, frame: pl.DataFrame) -> None:
        self.store.save(chunk, frame)
        self.done += EXPERIMENTS[chunk.experiment].learnings(chunk.subject, chunk.last - chunk.first)
        self.width = max(self.width, self.crew.width)
        if self.watch is not None:
            left = self.work.seconds_left()
            self.watch(
                Progress(chunk.title, self.done, self.total, None if left is None else left / max(self.width, 1))
            )


def _note(store: Store, parts: Mapping[str, str | None], tally: _Tally, seconds: float) -> None:
    facts = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "parts": dict(parts),
        "learnings": tally.done,
        "seconds": round(seconds, 3),
        "workers": tally.width,
    }
    # A run that ends because the disk is full cannot record this either, and raises its own error.
    with contextlib.suppress(QnmlError):
        store.note_run(facts)


def _crew(workers: int | None, scheduler: str | None) -> Crew:
    if scheduler is not None:
        if workers is not None:
            raise InputError("paper: --workers and --scheduler exclude each other. Give one of them.")
        return Cluster(scheduler)
    if workers is not None and workers < 1:
        raise bad_argument("paper", "workers", workers, "a whole number of at least 1")
    width = resolve_jobs("paper", workers)
    return Serial() if width == 1 else Processes(width)


def _collect(store: Store, experiments: Sequence[str]) -> tuple[dict[str, pl.DataFrame], tuple[Path, ...]]:
    frames: dict[str, pl.DataFrame] = {}
    files: list[Path] = []
    for name in dict.fromkeys(experiments):
        frame = store.frame(name, EXPERIMENTS[name].subjects)
        if frame is not None:
            frames[name] = frame
            files += store.write_tidy(name, frame)
    return frames, tuple(files)
