"""A method for structure posteriors: it forecasts its cost, runs, and returns a posterior or why it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from qnml.search.plan import Plan
    from qnml.search.posterior.interface import StructurePosterior
    from qnml.search.problem import SearchProblem

__all__ = ["Method", "RunOptions", "Unfinished"]


@dataclass(frozen=True)
class RunOptions:
    """How to run a method, as opposed to the problem it solves.

    Attributes
    ----------
    samples : number of structures to draw, if any are drawn; None for the method's default.
    time_limit : seconds, or None.
    watch : called with the stage and the completed share of it, or None.
    state : where the chains of an earlier run stopped, to continue from there; or None.
    kept_back : seconds at the end of the time limit that are reserved for chains unless the method will finish by then.
    instead_of : the method that these figures replace, and why; empty if the method is the requested one.
    stopped : why that other method stopped, ``"time limit"`` or ``"interrupted"``; empty if it did not.
    """

    samples: int | None = None
    time_limit: float | None = None
    watch: Callable[[str, float], None] | None = None
    state: Mapping[str, Any] | None = None
    kept_back: float = 0.0
    instead_of: str = ""
    stopped: str = ""


@dataclass(frozen=True)
class Unfinished:
    """Returned by a method that was stopped before it had any figures.

    Attributes
    ----------
    reason : ``"time limit"`` or ``"interrupted"``.
    how_far : the progress it made, to follow "it ended …".
    seconds : how long it ran.
    interruptions : number of times Ctrl-C was pressed.
    """

    reason: str
    how_far: str
    seconds: float
    interruptions: int = 0


class Method(Protocol):
    """One way to compute a posterior."""

    def forecast(self, problem: SearchProblem) -> Plan:
        """Forecast of its cost."""

    def run(self, problem: SearchProblem, options: RunOptions) -> StructurePosterior | Unfinished:
        """The posterior, or the progress made when it was stopped."""
