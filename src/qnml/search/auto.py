"""An exact search that starts from the network of another, and falls back on it.

Whether an exact search ends is known only on its way. So a search that always ends comes first: its network bounds the
exact one from below, and is the answer where that outgrows its forecast.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml._memory import peak_memory
from qnml.search.running.certificate import GIVEN_UP, SEARCHES, Certificate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.search.exact.exact import ExactRequest, Found
    from qnml.search.local.local_search import LocalRequest
    from qnml.search.plan import Plan

__all__ = ["AutoRequest", "exact_after", "most_states", "without_proof"]

# Sets of variables that the search over orders of an exact search may be expected to keep, by effort: half a second's
# worth on two cores, half a minute's, and whatever fits into memory.
_MOST_STATES = {"quick": 2.0**20, "default": 2.0**26, "thorough": math.inf}
# The sets counted at a time may be so many times the forecast, which knows of prices and not of fits.
_MOST_TIMES = 8.0
_LEAST_SETS = 1e6


def most_states(effort: str) -> float:
    """Sets of variables that the search over orders of an exact search may be expected to keep."""
    return _MOST_STATES[effort]


@dataclass(frozen=True)
class AutoRequest:
    """Two searches for the same problem: one that always ends, then an exact one."""

    first: LocalRequest
    exact: ExactRequest

    @property
    def plan(self) -> Plan:
        """That of the exact search, which says what comes before it."""
        advice = (
            f"{SEARCHES[self.first.plan.method].capitalize()} comes first, and has the answer if the exact search "
            f"outgrows this forecast by far."
        )
        return replace(self.exact.plan, advice=advice)

    def exact_from(self, masks: Sequence[int]) -> ExactRequest:
        """The exact search from a network, given up when it outgrows its forecast by far.

        Parameters
        ----------
        masks
            The parents of each variable in the network.
        """
        plan = self.exact.plan
        is_dense = plan.method == "lattice"  # which needs what it was forecast to need
        return replace(
            self.exact,
            known=tuple(masks),
            most_sets=max(_LEAST_SETS, _MOST_TIMES * plan.sets),
            most_states=math.inf if is_dense else _MOST_STATES[self.first.effort],
        )


def exact_after(first: Certificate, exact: Certificate) -> Certificate:
    """The certificate of an exact search, whose first answer was that of another search."""
    seconds = {**exact.seconds, "first answer": exact.seconds.get("first answer", 0.0) + first.total_seconds}
    bound = exact.bound if exact.optimal else max(min(first.bound, exact.bound), exact.score)
    return replace(exact, seconds=seconds, bound=bound)


def without_proof(first: Certificate, found: Found, reason: str | None) -> Certificate:
    """The certificate of the first search, after an exact one that found no better network and proved nothing.

    Parameters
    ----------
    first
        What the first search claims.
    found
        What the exact search returned.
    reason
        Why it stopped.
    """
    spent = sum(seconds for _, seconds in found.seconds)
    seconds = {**first.seconds, "exact search": spent}
    if first.optimal:
        return replace(first, seconds=seconds, peak_memory=peak_memory())
    bound = max(min(first.bound, found.bound), first.score)
    return replace(first, seconds=seconds, bound=bound, stop_reason=reason or GIVEN_UP, peak_memory=peak_memory())
