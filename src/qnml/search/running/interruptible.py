"""Long computations in the core that Ctrl-C can stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from qnml import _core
from qnml._interrupts import held_interrupts
from qnml.errors import TooLargeError

__all__ = ["Control", "Watch", "interruptible"]

Control = _core.Control
"""What stops a computation in the core, and tells how far it is."""

Watch = Callable[[str, float], None]
_Answer = TypeVar("_Answer")

_POLL_SECONDS = 0.05


def interruptible(
    work: Callable[[], _Answer],
    control: Control,
    watch: Watch | None,
    out_of_memory: str,
) -> tuple[_Answer, int]:
    """Run the work in a separate thread, so that we receive Ctrl-C; it then stops the work, which still returns.

    Parameters
    ----------
    work : the work; it must end soon after `control` says stop.
    control : polled by the work.
    watch : called with the name of the stage and the completed share of it, or None.
    out_of_memory : message of the error if memory runs out.

    Returns
    -------
    tuple
        The result, and how often it was interrupted: a user who interrupts twice does not want to wait any longer.
    """
    answers: list[_Answer] = []
    failures: list[BaseException] = []
    # Wait for an event, not for the thread: an interrupted join can take a running thread for finished.
    done = threading.Event()

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as failure:
            failures.append(failure)
        finally:
            done.set()

    with held_interrupts() as interrupts, interrupts.telling(control.stop) as told:
        raised = 0
        threading.Thread(target=run, name="qnml-core", daemon=True).start()
        is_done = False
        while not is_done:
            try:
                is_done = done.wait(_POLL_SECONDS)
                if watch is not None:
                    watch(control.stage, control.share_done)
            except KeyboardInterrupt:  # where it could not be deferred
                if interrupts.is_too_much:
                    raise
                raised += 1
                control.stop()
        interruptions = told() + raised
    if not failures:
        return answers[0], interruptions
    if isinstance(failures[0], MemoryError):
        raise TooLargeError(out_of_memory) from None
    raise failures[0]
