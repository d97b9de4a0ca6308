"""What is to be done, cut into chunks of a few seconds while it is being done.

How long a repetition takes differs a thousandfold between subjects and is not known beforehand. So the first chunk of
each subject is one repetition, and later ones are as long as the last one says they should be. Results do not depend
on where the cuts fall: a repetition draws its chance from its own number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["CHUNK_SECONDS", "Chunk", "Task", "WorkList", "gaps"]

CHUNK_SECONDS = 2.0
"""How long a chunk should take: long against sending it away, short against losing it."""


@dataclass(frozen=True)
class Chunk:
    """Repetitions that are run together, by one worker, and kept in one file.

    Parameters
    ----------
    experiment, subject
        What is run.
    first, last
        The repetitions ``range(first, last)``.
    seed
        Of the whole run.
    """

    experiment: str
    subject: str
    first: int
    last: int
    seed: int

    @property
    def title(self) -> str:
        """The chunk in words."""
        if self.subject == "all":
            return self.experiment
        return f"{self.experiment} on {self.subject}, repetitions {self.first} to {self.last - 1}"


@dataclass
class Task:
    """One experiment on one subject: what is left of it.

    Parameters
    ----------
    experiment, subject
        What is run.
    left
        Repetitions still to be given out, in runs without a gap.
    seconds
        What a repetition took when last measured; None before the first is done.
    """

    experiment: str
    subject: str
    left: list[range]
    seconds: float | None = None

    @property
    def n_left(self) -> int:
        """Repetitions still to be given out."""
        return sum(map(len, self.left))

    def take(self, most: int) -> range:
        """Give out the next repetitions, at most so many."""
        first, *rest = self.left
        taken, kept = first[:most], first[most:]
        self.left = [kept, *rest] if kept else rest
        return taken


@dataclass
class WorkList:
    """Everything that is still to be done, given out chunk by chunk.

    Parameters
    ----------
    tasks
        With what is left of each.
    seed
        Of the whole run.
    chunk_seconds
        How long a chunk should take.
    """

    tasks: Sequence[Task]
    seed: int
    chunk_seconds: float = CHUNK_SECONDS
    _under_way: dict[Chunk, Task] = field(init=False, default_factory=dict)

    def take(self) -> Chunk | None:
        """The next chunk, or None when all are given out.

        Subjects not measured yet come first; then the one with most work left, so that no long one is left for last.
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
        """Learn from a chunk that is done."""
        task = self._under_way.pop(chunk)
        task.seconds = seconds / (chunk.last - chunk.first)

    def seconds_left(self) -> float | None:
        """Work still to be done, in seconds of one worker; None while a subject is not measured."""
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
    """What is missing of ``range(repetitions)``.

    Parameters
    ----------
    repetitions
        How many are wanted.
    covered
        Those that are there; they may overlap and reach beyond what is wanted.

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
