"""What Markov chains over DAGs leave: the draws, what they say, and how far they can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.errors import bad_argument
from qnml.search.chains.candidate_sets import masks_of
from qnml.search.chains.diagnostics import (
    SampleEstimate,
    effective_sizes,
    estimate_shares,
    estimate_weighted_shares,
    rank_normalised,
    split_r_hat,
    weights_size,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.posterior.structure_posterior import Masks

__all__ = ["MOVES", "SampledChains"]

MOVES = ("relocate", "swap_adjacent", "swap_any", "split_or_merge", "draw_family", "reverse_arc", "draw_parent")

# Of hundreds of arcs some exceed 1.01 by chance; beyond this, chains are in different places.
_HIGHEST_R_HAT = 1.05
_LEAST_EFFECTIVE = 100.0
# Arcs that are nearly always or nearly never there: their few changes say little about mixing.
_LEAST_SHARE = 0.01


@dataclass(frozen=True, eq=False)
class SampledChains:
    """DAGs drawn along several chains after burn-in.

    Attributes
    ----------
    words : parents as bits, in words of 64: chains × draws × nodes × words.
    log_weights : of every draw, score and prior: chains × draws.
    candidates : parents of each column that were summed over, besides the required ones.
    others : parents it may have as well, drawn one by one.
    burn_in : draws of each chain that were thrown away before these.
    sweeps_per_draw : sweeps from one draw to the next.
    stop_reason : None, ``"time limit"`` or ``"interrupted"``.
    is_hurried : whether the time limit cut the preparations short: the draws are as good, but the chains slower.
    state : where the chains stand, in lists and dictionaries ready for JSON; to go on from there.
    weights : what each draw counts for another prior than the one it was drawn under (chains × draws), or None.
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
        """DAGs in all chains together."""
        return int(self.words.shape[0] * self.words.shape[1])

    @cached_property
    def dags(self) -> tuple[Masks, ...]:
        """The draws as masks of parents, one chain after the other; each as often as its weight says, if it has one."""
        drawn = masks_of(self.words.reshape(self.n_draws, self.n_variables, -1))
        if self.weights is None:
            return drawn
        # As many places, evenly spread over the weights laid end to end.
        ends = np.cumsum(self.weights.reshape(-1))
        spread = (np.arange(self.n_draws) + 0.5) / self.n_draws * ends[-1]
        return tuple(drawn[place] for place in np.searchsorted(ends, spread).tolist())

    @cached_property
    def edges(self) -> SampleEstimate:
        """Shares of the arcs i → j in row i, column j."""
        return self._estimate(lambda child: _members(self.words, child))

    @cached_property
    def adjacencies(self) -> SampleEstimate:
        """Shares of the pairs with an arc, either way."""
        return self._estimate(lambda node: _members(self.words, node) | _holders(self.words, node))

    @cached_property
    def ancestors(self) -> SampleEstimate:
        """Shares of the pairs with a directed path from i to j."""
        above = _core.ancestors(self.words.reshape(-1), self.n_variables, 1).reshape(self.words.shape)
        return self._estimate(lambda child: _members(above, child))

    @property
    def effective_sizes(self) -> FloatArray:
        """How many independent draws the chains are worth for each arc; for arcs that never changed, the median."""
        sizes = self.edges.effective_sizes
        known = np.isfinite(sizes)
        return np.where(known, sizes, np.median(sizes[known]) if known.any() else float(self.n_draws))

    @cached_property
    def acceptance(self) -> dict[str, float]:
        """For each kind of move, the share that changed something, since the chains began."""
        chains = self.state["chains"]
        tried = np.sum([chain["tried"] for chain in chains], axis=0)
        changed = np.sum([chain["changed"] for chain in chains], axis=0)
        return {name: float(changed[k] / tried[k]) for k, name in enumerate(MOVES) if tried[k]}

    @cached_property
    def diagnostics(self) -> dict[str, Any]:
        """Plain facts, ready for JSON. R-hat and effective sizes of arcs with a share from 0.01 to 0.99."""
        shares = self.edges.values
        judged = (shares >= _LEAST_SHARE) & (shares <= 1 - _LEAST_SHARE) & ~np.isnan(self.edges.r_hat)
        r_hats = self.edges.r_hat[judged]
        stuck = np.isinf(r_hats)
        sizes = self.edges.effective_sizes[judged]
        trace = rank_normalised(self.log_weights[:, :, None])
        return {
            "chains": int(self.words.shape[0]),
            "draws_per_chain": int(self.words.shape[1]),
            "burn_in_per_chain": self.burn_in,
            "sweeps_per_draw": self.sweeps_per_draw,
            "candidates_per_variable": max(map(len, self.candidates), default=0),
            "all_parents_are_candidates": not any(self.others),
            "arcs_outside_candidates": self._arcs_outside(),
            "arcs_judged": int(judged.sum()),
            "arcs_stuck": int(stuck.sum()),
            "arcs_above_r_hat": int((r_hats > _HIGHEST_R_HAT).sum()),
            "worst_r_hat": float(r_hats[~stuck].max()) if (~stuck).any() else None,
            "least_effective_size": float(sizes.min()) if sizes.size else None,
            "median_effective_size": float(np.median(sizes)) if sizes.size else None,
            "log_weight_r_hat": _finite(split_r_hat(trace)),
            "log_weight_effective_size": _finite(effective_sizes(trace)),
            "acceptance": self.acceptance,
            "stop_reason": self.stop_reason,
            "preparations_cut_short": self.is_hurried,
            "weights_effective_size": None if self.weights is None else weights_size(self.weights),
        }

    def concerns(self) -> list[str]:
        """Why the draws should not be trusted yet, in sentences; empty when nothing speaks against them."""
        facts = self.diagnostics
        found = []
        if facts["arcs_stuck"]:
            found.append(f"{facts['arcs_stuck']} arcs are always there in some chains and never in others.")
        worst = max(facts["worst_r_hat"] or 1.0, facts["log_weight_r_hat"] or 1.0)
        if worst > _HIGHEST_R_HAT:
            where = f"{facts['arcs_above_r_hat']} of {facts['arcs_judged']} arcs"
            found.append(f"R-hat reaches {worst:.3g} (above {_HIGHEST_R_HAT} for {where}): the chains disagree.")
        least, worth = facts["least_effective_size"], facts["weights_effective_size"]
        if worth is not None and worth < _LEAST_EFFECTIVE:
            found.append(f"The draws differ so much in weight that they are worth {worth:.0f} of equal weight.")
        if self.n_draws < _LEAST_EFFECTIVE:
            found.append(f"There are {self.n_draws} draws only.")
        elif least is not None and least < _LEAST_EFFECTIVE:
            found.append(f"An arc has an effective sample size of {least:.0f} (below {_LEAST_EFFECTIVE:.0f}).")
        return found

    def joined(self, later: SampledChains) -> SampledChains:
        """These draws and those of a run that went on from their state, as one."""
        if later.words.shape[0] != self.words.shape[0] or later.candidates != self.candidates:
            raise bad_argument("joined", "later", "other chains", "a run that went on from the state of this one")
        return SampledChains(
            np.concatenate([self.words, later.words], axis=1),
            np.concatenate([self.log_weights, later.log_weights], axis=1),
            self.candidates,
            self.others,
            self.burn_in,
            self.sweeps_per_draw,
            later.stop_reason,
            self.is_hurried,
            later.state,
        )

    def weighted(self, weights: FloatArray) -> SampledChains:
        """The same draws, each counting what is given for it, in the order of `dags`."""
        return replace(self, weights=weights.reshape(self.log_weights.shape))

    def _arcs_outside(self) -> float:
        """Arcs of a DAG to parents that are no candidates, on average."""
        return sum(float(self.edges.values[list(mine), child].sum()) for child, mine in enumerate(self.others))

    def _estimate(self, series_of: Callable[[int], NDArray[np.bool_]]) -> SampleEstimate:
        """With the node that is asked for in the columns."""
        weights = self.weights
        rows = [
            estimate_shares(series) if weights is None else estimate_weighted_shares(series, weights)
            for series in (series_of(node).astype(float) for node in range(self.n_variables))
        ]
        values, errors, r_hat, sizes = (
            np.ascontiguousarray(np.stack(part).T)
            for part in zip(*((r.values, r.standard_errors, r.r_hat, r.effective_sizes) for r in rows), strict=True)
        )
        np.fill_diagonal(errors, 0.0)
        return SampleEstimate(values, errors, r_hat, sizes)


def _members(words: NDArray[np.uint64], child: int) -> NDArray[np.bool_]:
    """For each draw, who is in the set of a node."""
    mine = np.ascontiguousarray(words[:, :, child, :].astype("<u8"))
    bits = np.unpackbits(mine.view(np.uint8), axis=2, bitorder="little")
    return bits[:, :, : words.shape[2]].astype(bool)


def _holders(words: NDArray[np.uint64], parent: int) -> NDArray[np.bool_]:
    """For each draw, whose sets a node is in."""
    return (words[:, :, :, parent // 64] >> np.uint64(parent % 64) & np.uint64(1)).astype(bool)


def _finite(values: FloatArray) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None
