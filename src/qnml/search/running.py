"""Running the core such that it can be watched and interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from qnml.errors import TooLargeError

if TYPE_CHECKING:
    from qnml import _core

__all__ = ["Watch", "interruptible"]

Watch = Callable[[str, float], None]
_Answer = TypeVar("_Answer")

_POLL_SECONDS = 0.05


def interruptible(
    work: Callable[[], _Answer], control: _core.Control, stages: Mapping[int, str], watch: Watch | None
) -> tuple[_Answer, bool]:
    """Do the work in a thread of its own, so that Ctrl-C reaches us: it then stops the work, which still answers.

    Parameters
    ----------
    work
        One call into the core, with the control.
    control
        Stops it, and knows how far it is.
    stages
        The names of its stages.
    watch
        Told the stage and the share of it that is done, every now and then.

    Returns
    -------
    tuple
        The answer, and whether it was interrupted.
    """
    answers: list[_Answer] = []
    failures: list[BaseException] = []
    # Waiting for an event, not for the thread: an interrupted join can take a running thread for finished.
    done = threading.Event()

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as failure:
            failures.append(failure)
        finally:
            done.set()

    interrupted = False
    threading.Thread(target=run, name="qnml-search", daemon=True).start()
    while not done.is_set():
        try:
            done.wait(_POLL_SECONDS)
            if watch is not None:
                watch(stages[control.stage], control.share_done)
        except KeyboardInterrupt:
            interrupted = True
            control.stop()
    if not failures:
        return answers[0], interrupted
    if isinstance(failures[0], MemoryError):
        raise TooLargeError(
            "learn: memory ran out during the search. Set memory_limit, max_parents or guard='cap'."
        ) from None
    raise failures[0]
