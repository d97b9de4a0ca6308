"""The time that is left of a call that runs several searches one after the other, and times in words."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qnml._interrupts import Interrupts
    from qnml.search import Certificate

__all__ = ["Clock", "seconds_said"]


def seconds_said(seconds: float) -> str:
    """A time in words: two digits, or whole seconds.

    >>> seconds_said(0.01234), seconds_said(1234.5)
    ('0.012 s', '1,234 s')
    """
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:,.0f} s"


class Clock:
    """The time that is left, and whether Ctrl-C was pressed."""

    def __init__(self, time_limit: float | None, interrupts: Interrupts) -> None:
        self._end = None if time_limit is None else time.monotonic() + time_limit
        self._interrupts = interrupts

    def left(self) -> float | None:
        """Seconds; None without a limit, 0 after Ctrl-C."""
        if self.is_interrupted:
            return 0.0
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed since the call began."""
        return self._interrupts.count > 0

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0.0

    def with_reason(self, certificate: Certificate) -> Certificate:
        """The certificate of the last search; after Ctrl-C, which leaves a search no time, it says so."""
        is_cut_short = self.is_interrupted and certificate.stop_reason == "time limit"
        return replace(certificate, stop_reason="interrupted") if is_cut_short else certificate
