"""Whether sums over all structures will be done in time, from how fast they went so far.

Part of a sum tells nothing, so what time is left is better spent on chains, unless the sums are about to be done.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SumsOutlook"]


class SumsOutlook:
    """Watches the stages of the sums from their start; see `qnml.search.structure_sums.STAGES`.

    Parameters
    ----------
    limit : seconds for the sums.
    kept_back : seconds at the end of these that belong to others unless the sums will be done within them.
    clock : what tells the time.
    """

    def __init__(self, limit: float, kept_back: float, clock: Callable[[], float] = time.perf_counter) -> None:
        self._limit, self._kept_back, self._clock = limit, kept_back, clock
        self._started = clock()
        self._began: dict[str, float] = {}

    def is_hopeless(self, stage: str, share: float) -> bool:
        """Whether to end the sums now.

        Parameters
        ----------
        stage : where they are.
        share : how much of the stage is done.
        """
        now = self._clock() - self._started
        self._began.setdefault(stage, now)
        if self._kept_back <= 0 or now < self._limit - self._kept_back:
            return False
        return now + self._left(now, stage, share) > self._limit

    def _left(self, now: float, stage: str, share: float) -> float:
        """Seconds to the end. The sums and their completions take equally many steps, the rest next to none.

        Sums over orders have no completions, tell little while they are at the sums, and go on with the probabilities.
        """
        if stage == "sums":
            return (now - self._began["sums"]) * (2.0 - share) / share if share > 0 else float("inf")
        if stage == "completions":
            # Who was never seen at the sums was through with them in a moment.
            return (self._began["completions"] - self._began.get("sums", now)) * (1.0 - share)
        if stage == "probabilities":
            return (now - self._began[stage]) * (1.0 - share) / share if share > 0 else 0.0
        return float("inf")
