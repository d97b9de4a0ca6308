"""Whether sums over all structures will finish in time, extrapolated from their progress.

A partial sum is worthless, so the remaining time is better spent on chains unless the sums are about to finish.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from qnml import _core

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SumsOutlook"]

# After half of the time, the sums are abandoned if their expected time is more than this multiple of the limit: chains
# profit from more time, and such extrapolations are rarely far off.
_HOPELESS = 1.5


class SumsOutlook:
    """Follows the stages of the sums, as the core names them, from their start.

    Parameters
    ----------
    limit : time limit in seconds.
    kept_back : seconds at the end of the limit in which the sums run only if they are expected to finish. Sums that are
        expected to take far too long end earlier, after half of the limit at the earliest.
    clock : returns the time in seconds.
    """

    def __init__(self, limit: float, kept_back: float, clock: Callable[[], float] = time.perf_counter) -> None:
        self._limit, self._kept_back, self._clock = limit, kept_back, clock
        self._started = clock()
        self._began: dict[str, float] = {}

    def is_hopeless(self, stage: str, share: float) -> bool:
        """Whether to stop the sums now.

        Parameters
        ----------
        stage : the current stage.
        share : completed share of it.
        """
        now = self._clock() - self._started
        self._began.setdefault(stage, now)
        if self._kept_back <= 0 or now < self._limit / 2:
            return False
        end = now + self._left(now, stage, share)
        if now < self._limit - self._kept_back:
            return end > _HOPELESS * self._limit
        return stage in (_core.NO_STAGE, _core.STAGE_COUNTING) or end > self._limit

    def _left(self, now: float, stage: str, share: float) -> float:
        """Expected seconds to the end. The sums and their completions take the same number of steps, other stages few.

        Sums over orders have no completions; they report little progress during the sums, then compute probabilities.
        """
        if stage == _core.STAGE_COMPLETIONS:
            # If the stage "sums" was never reported, it took no time.
            return (self._began[stage] - self._began.get(_core.STAGE_SUMS, now)) * (1.0 - share)
        if share <= 0:  # unknown as yet
            return 0.0
        return (now - self._began[stage]) * ((2.0 if stage == _core.STAGE_SUMS else 1.0) - share) / share
