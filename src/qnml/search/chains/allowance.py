"""A time limit that is divided among the stages of a run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qnml import _core

__all__ = ["Allowance"]


class Allowance:
    """A time limit that is divided among the stages of a run.

    Parameters
    ----------
    limit : seconds, or None.
    control : carries the deadline of each stage.
    starts : start networks that an earlier run found, one for each chain; None if there are none yet.
    """

    def __init__(
        self, limit: float | None, control: _core.Control, starts: list[list[list[int]]] | None = None
    ) -> None:
        self.limit, self.control, self.starts = limit, control, starts
        self.started = time.perf_counter()
        self.cut_short = False

    def begin(self, until: float, least: float = 0.0) -> None:
        """Begin a stage that has to end after this share of the limit, and has at least `least` seconds."""
        if self.limit is not None:
            self.control.set_deadline(max(least, until * self.limit - (time.perf_counter() - self.started)))

    def end(self) -> bool:
        """End the stage; whether it completed its work."""
        whole = not self.control.is_timed_out
        self.control.lift_deadline()
        self.cut_short |= not whole
        return whole
