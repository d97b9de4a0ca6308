"""A crew of processes on this machine, each connected by its own pipe.

A pipe closes when the process at its other end ends, for whatever reason. So the loss of a worker is noticed at once,
its chunk is known, and no other worker is disturbed; and workers whose parent was killed end by themselves.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

from qnml.paper.execute import ChunkError, Finished, perform

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from qnml.paper.work import Chunk

__all__ = ["Processes"]

_MOST_LOSSES = 3
_PATIENCE = 5.0


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    chunk: Chunk | None = None


class Processes:
    """A crew of processes on this machine.

    Parameters
    ----------
    width
        Number of processes. They are started when there is work for them.
    """

    def __init__(self, width: int) -> None:
        # Not forked: a fork of a process with threads can hang, and the libraries that we use have threads.
        self._context = multiprocessing.get_context("spawn")
        self._width = width
        self._workers: list[_Worker] = []
        self._losses: Counter[Chunk] = Counter()

    @property
    def width(self) -> int:
        """Number of processes when all have work."""
        return self._width

    @property
    def room(self) -> int:
        """Number of processes without work."""
        return self._width - sum(worker.chunk is not None for worker in self._workers)

    @property
    def process_ids(self) -> list[int]:
        """Process ids of the running workers."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def start(self, chunk: Chunk) -> None:
        """Send a chunk to a process without work."""
        worker = next((one for one in self._workers if one.chunk is None), None)
        if worker is None:
            worker = self._hire()
        worker.chunk = chunk
        try:
            worker.pipe.send(chunk)
        except OSError:
            self._replace(worker)

    def wait(self) -> list[Finished]:
        """Wait for finished chunks; chunks of lost processes are sent to new ones."""
        done: list[Finished] = []
        while not done and any(worker.chunk for worker in self._workers):
            ready = wait([worker.pipe for worker in self._workers if worker.chunk])
            for worker in [one for one in self._workers if one.pipe in ready]:
                try:
                    done.append(worker.pipe.recv())
                except (EOFError, OSError):
                    self._replace(worker)
                else:
                    worker.chunk = None
        return done

    def close(self) -> None:
        """End all processes immediately."""
        for worker in self._workers:
            worker.process.terminate()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(_PATIENCE)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        self._workers = []

    def _hire(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), name="qnml paper worker", daemon=True)
        process.start()
        # Now only the process holds the other end, and the pipe closes when it ends.
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _replace(self, lost: _Worker) -> None:
        """Send the chunk of a lost process to a new one, unless the chunk itself seems to be the cause."""
        self._workers.remove(lost)
        lost.pipe.close()
        lost.process.kill()
        lost.process.join()
        code = lost.process.exitcode
        lost.process.close()
        chunk = lost.chunk
        if chunk is None:
            return
        self._losses[chunk] += 1
        if self._losses[chunk] >= _MOST_LOSSES:
            raise ChunkError(
                f"paper: {chunk.title}: {_MOST_LOSSES} worker processes were lost over it, the last with exit code "
                f"{code}; was there enough memory? What was finished is kept; try fewer --workers and --resume."
            )
        self.start(chunk)


def _serve(pipe: Connection) -> None:
    """Run chunks until the pipe closes; the main function of a worker."""
    # Ctrl-C reaches all processes of a terminal; the main process decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            pipe.send(perform(pipe.recv()))
    except (EOFError, OSError):
        return
