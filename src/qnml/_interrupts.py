"""Counting Ctrl-C during a search, so that a second one does not lose the result that the first one saved."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["Interrupts", "held_interrupts"]

# A user who presses it this often wants to get out, whatever is lost.
_MOST_HELD = 5


class Interrupts:
    """How often Ctrl-C was pressed in a block, and what it does there.

    Attributes
    ----------
    count : how often so far.
    """

    def __init__(self) -> None:
        self.count = 0
        self._stop: Callable[[], None] | None = None
        self._unheard = 0
        self._is_raised = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self._stop is not None:
            self._stop()
        elif not self._is_raised:  # presses that the work has not been told of yet
            self._unheard += 1
        if self._is_raised or self.is_too_much:
            signal.default_int_handler(number, frame)

    @contextmanager
    def telling(self, stop: Callable[[], None]) -> Iterator[Callable[[], int]]:
        """A part of the block that is notified of each Ctrl-C, including earlier ones not yet reported.

        Parameters
        ----------
        stop : called within the signal's handler.

        Yields
        ------
        Callable
            How often it was called.
        """
        before = self.count - self._unheard
        if self._unheard:
            stop()
        self._unheard = 0
        self._stop = stop
        try:
            yield lambda: self.count - before
        finally:
            self._stop = None

    @property
    def is_too_much(self) -> bool:
        """Whether it was pressed so often that nothing should be saved any more."""
        return self.count >= _MOST_HELD

    @contextmanager
    def raised(self) -> Iterator[None]:
        """A part of the block that may be skipped: there Ctrl-C raises KeyboardInterrupt again."""
        self._is_raised = True
        try:
            yield
        finally:
            self._is_raised = False


_held: list[Interrupts] = []


@contextmanager
def held_interrupts() -> Iterator[Interrupts]:
    """Count Ctrl-C while the block runs, instead of raising KeyboardInterrupt.

    Nested blocks share one count. Outside the main thread, and if a custom signal handler is installed, nothing
    changes and nothing is counted. The fifth one always raises.
    """
    if _held and threading.current_thread() is threading.main_thread():
        yield _held[-1]
        return
    found = Interrupts()
    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not is_ours:
        yield found
        return
    _held.append(found)
    signal.signal(signal.SIGINT, found._handle)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _held.pop()
