"""Whether sums over all structures will be done in time, from how fast they went so far.

Part of a sum tells nothing, so what time is left is better spent on chains, unless the sums are about to be done.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SumsOutlook"]

# Halfway, sums are given up that look like taking this many times as long as they may: chains draw better with more
# time, and such guesses are not far off.
_HOPELESS = 1.5


class SumsOutlook:
    """Watches the stages of the sums from their start; see `qnml.search.structure_sums.STAGES`.

    Parameters
    ----------
    limit : seconds for the sums.
    kept_back : seconds at the end of these that belong to others unless the sums will be done within them; more, up to
        half of all, where the sums look like taking far too long.
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
        if self._kept_back <= 0 or now < self._limit / 2:
            return False
        end = now + self._left(now, stage, share)
        if now < self._limit - self._kept_back:
            return end > _HOPELESS * self._limit
        return stage in ("starting", "counting") or end > self._limit

    def _left(self, now: float, stage: str, share: float) -> float:
        """Seconds to the end. The sums and their completions take equally many steps, the rest next to none.

        Sums over orders have no completions, tell little while they are at the sums, and go on with the probabilities.
        """
        if stage == "completions":
            # Who was never seen at the sums was through with them in a moment.
            return (self._began[stage] - self._began.get("sums", now)) * (1.0 - share)
        if share <= 0:  # not known yet
            return 0.0
        return (now - self._began[stage]) * ((2.0 if stage == "sums" else 1.0) - share) / share
