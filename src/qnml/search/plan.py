"""What a search would do and need, known before it starts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qnml._memory import format_bytes
from qnml.search.running.certificate import SEARCHES

if TYPE_CHECKING:
    from qnml.search.problem import SearchProblem

__all__ = ["Plan", "refused"]

# The searches that may prove nothing, and the sampler.
_WITHOUT_PROOF = frozenset({*SEARCHES, "mcmc"})


@dataclass(frozen=True)
class Plan:
    """What a search would do and need, known before it starts.

    Attributes
    ----------
    n_variables, n_rows : size of the table.
    method : the search. :func:`qnml.plan` answers ``"lattice"`` or ``"families"``, both exact, or a search that may
        prove nothing: ``"order"``, ``"hill-climbing"`` or ``"ges"``.
    sets : sets of variables to count; for a search that may prove nothing, those it starts with.
    families : families to score, likewise.
    memory_bytes : memory at the peak, without the table.
    memory_limit : memory that may be used.
    seconds : a rough forecast of the time on this many threads.
    fits : whether it may start.
    advice : what would fit instead, when it does not.
    work : the work in words, for the sentence.
    """

    n_variables: int
    n_rows: int
    method: str
    sets: float
    families: float
    memory_bytes: float
    memory_limit: float
    seconds: float
    fits: bool
    advice: str
    work: str = field(default="", repr=False)

    @property
    def is_exact(self) -> bool:
        """Whether the answer will be exact, for a network proven optimal, if nothing cuts the search short."""
        return self.method not in _WITHOUT_PROOF

    def sentence(self) -> str:
        """The plan in words."""
        parts = [self.work] if self.work else []
        if math.isfinite(self.memory_bytes):
            needed, limit = format_bytes(self.memory_bytes), format_bytes(self.memory_limit)
            parts.append(f"{needed} of memory ({limit} may be used)")
            # A search that may prove nothing goes on as long as it finds something: its forecast says little.
            if self.method not in SEARCHES:
                parts.append(f"about {self.seconds:.2g} s")
        size = f"{self.n_variables} variables, {self.n_rows} rows: "
        verdict = "fits" if self.fits else "does not fit"
        text = f"{size}{', '.join(parts)}: {verdict}." if parts else f"{size}{verdict}."
        return f"{text} {self.advice}" if self.advice else text


def refused(problem: SearchProblem, method: str, advice: str, work: str = "") -> Plan:
    """The plan of a search that cannot take so many variables: nothing about it can be counted.

    Parameters
    ----------
    problem
        What is asked.
    method
        The search.
    advice
        What would fit instead.
    work
        The work in words, where they can say it.
    """
    return Plan(
        n_variables=problem.n_variables,
        n_rows=problem.n_rows,
        method=method,
        sets=math.inf,
        families=math.inf,
        memory_bytes=math.inf,
        memory_limit=problem.memory_limit,
        seconds=math.inf,
        fits=False,
        advice=advice,
        work=work,
    )
