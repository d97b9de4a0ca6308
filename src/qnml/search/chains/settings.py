"""Settings of the Markov chains: their number, length and moves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qnml import _core
from qnml.errors import bad_argument
from qnml.search.chains.candidate_sets import MOST_CANDIDATES

__all__ = ["LEAST_KEPT", "LEAST_RECORDED", "MOVES", "ChainSettings"]

MOVES = _core.MOVES

LEAST_RECORDED = 6
"""Draws that every chain makes, whatever the time limit."""

LEAST_KEPT = 4
"""Draws of every chain that are left after burn-in: two halves of two draws."""

_DEFAULT_SAMPLES = 4000
_MOST_CHAINS = 1000
# Candidate sets of all columns together: if all parents are candidates, and if the others are drawn one by one.
_MOST_SETS = 2.0**21
_MOST_CHOSEN_SETS = 2.0**19


@dataclass(frozen=True)
class ChainSettings:
    """How to run the chains; the defaults suit up to a few hundred columns.

    Attributes
    ----------
    chains : number of independent chains, each with its own start.
    sweeps_per_draw : sweeps from one draw to the next.
    burn_in : share of each chain that is discarded at its beginning.
    candidates : number of candidate parents of each column, besides the required ones. None takes all parents up to 17
        columns; else as many as keep all candidate sets together below 2^19, on average 13 for 37 columns and 12 for
        100, more for columns with more important parents.
    moves : moves of each kind in a sweep, per column, in the order of `MOVES`.
    """

    chains: int = 4
    sweeps_per_draw: int = 2
    burn_in: float = 1 / 3
    candidates: int | None = None
    moves: tuple[float, ...] = (0.5, 0.25, 0.25, 0.25, 1.0, 5.0, 2.0)

    def __post_init__(self) -> None:
        for name, value, highest in (
            ("chains", self.chains, _MOST_CHAINS),
            ("sweeps_per_draw", self.sweeps_per_draw, math.inf),
            ("candidates", self.candidates, MOST_CANDIDATES),
        ):
            lowest = 0 if name == "candidates" else 1
            if value is not None and not lowest <= value <= highest:
                raise bad_argument("ChainSettings", name, value, f"a whole number from {lowest} to {highest}")
        if not 0 <= self.burn_in < 1:
            raise bad_argument("ChainSettings", "burn_in", self.burn_in, "a share from 0 to less than 1")

    def most_candidates(self, n_variables: int) -> int:
        """Largest or average number of candidate parents of a column."""
        if self.candidates is not None:
            return self.candidates
        if n_variables * 2.0 ** (n_variables - 1) <= _MOST_SETS:
            return max(1, n_variables - 1)
        return max(1, math.floor(math.log2(_MOST_CHOSEN_SETS / n_variables)))

    def schedule(self, n_variables: int, is_complete: bool) -> list[int]:
        """Moves of each kind in a sweep; single parents are drawn only if not all parents are candidates."""
        counts = [math.ceil(n_variables * share) for share in self.moves]
        return [*counts[:-1], 0 if is_complete else counts[-1]]

    def draws_per_chain(self, samples: int | None) -> tuple[int, int]:
        """Draws of each chain that are kept and that are made, for this number of samples in all; None for 4000."""
        kept = max(math.ceil((_DEFAULT_SAMPLES if samples is None else samples) / self.chains), LEAST_KEPT)
        return kept, math.ceil(kept / (1 - self.burn_in))
