"""The work to be done, divided into chunks of a few seconds as it proceeds.

The duration of a repetition differs a thousandfold between subjects and is not known in advance. So the first chunk of
each subject is one repetition, and the length of later ones follows from the time of the last. Results do not depend
on the division into chunks: the random numbers of a repetition depend on its own number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["CHUNK_SECONDS", "Chunk", "Task", "WorkList", "gaps"]

CHUNK_SECONDS = 2.0
"""How long a chunk should take: long compared with the cost of sending it, short enough to lose."""


@dataclass(frozen=True)
class Chunk:
    """Repetitions that one worker runs together and that are stored in one file.

    Parameters
    ----------
    experiment, subject
        The experiment and its subject.
    first, last
        The repetitions ``range(first, last)``.
    seed
        Seed of the whole run.
    """

    experiment: str
    subject: str
    first: int
    last: int
    seed: int

    @property
    def title(self) -> str:
        """A description of the chunk."""
        if self.subject == "all":
            return self.experiment
        return f"{self.experiment} on {self.subject}, repetitions {self.first} to {self.last - 1}"


@dataclass
class Task:
    """The remaining work of one experiment on one subject.

    Parameters
    ----------
    experiment, subject
        The experiment and its subject.
    left
        Repetitions not yet assigned, in contiguous ranges.
    seconds
        Duration of a repetition as last measured; None before the first is done.
    """

    experiment: str
    subject: str
    left: list[range]
    seconds: float | None = None

    @property
    def n_left(self) -> int:
        """Number of repetitions not yet assigned."""
        return sum(map(len, self.left))

    def take(self, most: int) -> range:
        """Assign the next repetitions, up to `most`."""
        first, *rest = self.left
        taken, kept = first[:most], first[most:]
        self.left = [kept, *rest] if kept else rest
        return taken


@dataclass
class WorkList:
    """All remaining work, assigned chunk by chunk.

    Parameters
    ----------
    tasks
        The tasks, each with its remaining repetitions.
    seed
        Seed of the whole run.
    chunk_seconds
        How long a chunk should take.
    """

    tasks: Sequence[Task]
    seed: int
    chunk_seconds: float = CHUNK_SECONDS
    _under_way: dict[Chunk, Task] = field(init=False, default_factory=dict)

    def take(self) -> Chunk | None:
        """The next chunk, or None if all are assigned.

        Subjects that have not been measured come first; then the one with the most work left, so that no long one
        remains at the end.
        """
        open_tasks = [task for task in self.tasks if task.left]
        if not open_tasks:
            return None
        started = {id(task) for task in self._under_way.values()}
        fresh = [task for task in open_tasks if task.seconds is None]
        unseen = [task for task in fresh if id(task) not in started]
        known = [task for task in open_tasks if task.seconds is not None]
        if unseen:
            task = unseen[0]
        elif known:
            task = max(known, key=lambda one: one.n_left * (one.seconds or 0.0))
        else:
            task = fresh[0]
        taken = task.take(self._length(task))
        chunk = Chunk(task.experiment, task.subject, taken.start, taken.stop, self.seed)
        self._under_way[chunk] = task
        return chunk

    def record(self, chunk: Chunk, seconds: float) -> None:
        """Use the duration of a finished chunk for the forecast."""
        task = self._under_way.pop(chunk)
        task.seconds = seconds / (chunk.last - chunk.first)

    def seconds_left(self) -> float | None:
        """Remaining work in seconds of one worker; None while a subject is not measured."""
        total = 0.0
        waiting = [(task, task.n_left) for task in self.tasks]
        waiting += [(task, chunk.last - chunk.first) for chunk, task in self._under_way.items()]
        for task, repetitions in waiting:
            if repetitions and task.seconds is None:
                return None
            total += repetitions * (task.seconds or 0.0)
        return total

    def _length(self, task: Task) -> int:
        if task.seconds is None:
            return 1
        if task.seconds * task.n_left <= self.chunk_seconds:
            return task.n_left
        return max(1, int(self.chunk_seconds / task.seconds))


def gaps(repetitions: int, covered: Iterable[range]) -> list[range]:
    """The parts of ``range(repetitions)`` that are missing.

    Parameters
    ----------
    repetitions
        Number of repetitions required.
    covered
        Ranges that are present; they may overlap and extend beyond what is required.

    Examples
    --------
    >>> gaps(10, [range(2, 4), range(7, 20)])
    [range(0, 2), range(4, 7)]
    """
    missing = []
    start = 0
    for known in sorted(covered, key=lambda one: (one.start, one.stop)):
        if known.start > start:
            missing.append(range(start, min(known.start, repetitions)))
        start = max(start, known.stop)
        if start >= repetitions:
            return missing
    return [*missing, range(start, repetitions)] if start < repetitions else missing
