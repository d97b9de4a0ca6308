"""Detection of forked processes, in which Polars has lost its threads.

A fork copies only the calling thread. If Polars had already started its threads, a child process that gives them
work waits forever. So files and Polars frames are rejected there, with advice; tables and NumPy arrays are
processed without those threads.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from qnml.errors import InputError

__all__ = ["has_lost_threads", "refuse_lost_threads"]

_WORKERS = re.compile(r"polars-[0-9]|async-executor|tokio")
_TASKS = Path("/proc/self/task")


class _State:
    used = False  # whether Polars may have started threads, on systems that do not tell
    lost = False  # whether this process was forked after Polars had started its threads
    lost_by_fork = False  # whether a process forked now would lose them


def has_lost_threads() -> bool:
    """Whether this process was forked from one in which Polars had started its threads."""
    return _State.lost


def refuse_lost_threads(call: str) -> None:
    """Raise an error instead of giving Polars work it would never finish; `call` names the caller in the error."""
    if _State.lost:
        raise InputError(
            f"{call}: this process was forked from one that had used Polars, whose threads a fork does not copy. Read "
            "the data before forking, use the start method 'spawn' or 'forkserver', or pass NumPy arrays."
        )
    _State.used = True


def _threads_run() -> bool:
    try:
        tasks = list(_TASKS.iterdir())
    except OSError:  # not Linux
        return _State.used
    return any(_WORKERS.match(_name(task)) for task in tasks)


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text()
    except OSError:  # the thread has ended meanwhile
        return ""


def _before_fork() -> None:
    _State.lost_by_fork = _State.lost or _threads_run()


def _after_fork() -> None:
    _State.lost = _State.lost_by_fork


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
