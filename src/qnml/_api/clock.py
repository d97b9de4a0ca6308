"""The time that is left of a call that runs several searches one after the other."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qnml._interrupts import Interrupts
    from qnml.search import Certificate

__all__ = ["Clock"]


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
