"""DAGs drawn along Markov chains, as the core returns them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.search.chains.candidate_sets import masks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Masks

__all__ = ["ChainDraws"]


@dataclass(frozen=True, eq=False)
class ChainDraws:
    """DAGs drawn along several chains after burn-in.

    Attributes
    ----------
    words : parents as bits, in words of 64: chains × draws × nodes × words.
    log_weights : score plus log prior of every draw: chains × draws.
    candidates : candidate parents of each column, besides the required ones.
    others : other parents it may have, which are drawn one by one.
    burn_in : draws of each chain that were discarded before these.
    sweeps_per_draw : sweeps from one draw to the next.
    stop_reason : None, ``"time limit"`` or ``"interrupted"``.
    is_hurried : whether the time limit cut the preparations short: the draws are valid, but the chains mix more slowly.
    state : where the chains stopped, in lists and dictionaries ready for JSON, to continue from there.
    weights : importance weights (chains × draws) for a prior other than the one they were drawn under, or None.
    """

    words: NDArray[np.uint64]
    log_weights: FloatArray
    candidates: tuple[tuple[int, ...], ...]
    others: tuple[tuple[int, ...], ...]
    burn_in: int
    sweeps_per_draw: int
    stop_reason: str | None
    is_hurried: bool
    state: Mapping[str, Any]
    weights: FloatArray | None = None

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return int(self.words.shape[2])

    @property
    def n_draws(self) -> int:
        """Number of DAGs in all chains."""
        return int(self.words.shape[0] * self.words.shape[1])

    @cached_property
    def dags(self) -> tuple[Masks, ...]:
        """The draws as parent masks, one chain after the other; resampled by their weights if they have any."""
        drawn = masks_of(self.words.reshape(self.n_draws, self.n_variables, -1))
        if self.weights is None:
            return drawn
        # Systematic resampling: evenly spaced points on the cumulative weights.
        ends = np.cumsum(self.weights.reshape(-1))
        points = (np.arange(self.n_draws) + 0.5) / self.n_draws * ends[-1]
        return tuple(drawn[place] for place in np.searchsorted(ends, points).tolist())

    def weighted(self, weights: FloatArray) -> ChainDraws:
        """The same draws with importance weights, in the order of `dags`."""
        return replace(self, weights=weights.reshape(self.log_weights.shape))
