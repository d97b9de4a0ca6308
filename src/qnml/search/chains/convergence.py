"""Whether draws along Markov chains can be trusted yet: facts about convergence, and concerns in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.search.chains.diagnostics import effective_sizes, rank_normalised, split_r_hat, weights_size
from qnml.search.chains.settings import MOVES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._types import FloatArray
    from qnml.search.chains.diagnostics import SampleEstimate
    from qnml.search.chains.draws import ChainDraws

__all__ = ["concerns", "convergence_facts"]

# Of hundreds of arcs some exceed 1.01 by chance; above this, the chains are in different places.
_HIGHEST_R_HAT = 1.05
_LEAST_EFFECTIVE = 100.0
# Arcs that are nearly always present or nearly always absent are not judged: their few changes say little about mixing.
_LEAST_SHARE = 0.01


def convergence_facts(draws: ChainDraws, edges: SampleEstimate) -> dict[str, Any]:
    """Facts about the chains, ready for JSON; R-hat and effective sizes of arcs with a share from 0.01 to 0.99.

    Parameters
    ----------
    draws
        The draws of all chains.
    edges
        The shares of the arcs in them.
    """
    return {
        "chains": int(draws.words.shape[0]),
        "draws_per_chain": int(draws.words.shape[1]),
        "burn_in_per_chain": draws.burn_in,
        "sweeps_per_draw": draws.sweeps_per_draw,
        "candidates_per_variable": max(map(len, draws.candidates), default=0),
        "all_parents_are_candidates": not any(draws.others),
        "arcs_outside_candidates": _arcs_outside(draws, edges),
        **_arc_facts(edges),
        **_log_weight_facts(draws.log_weights),
        "acceptance": _acceptance(draws.state["chains"]),
        "stop_reason": draws.stop_reason,
        "preparations_cut_short": draws.is_hurried,
        "weights_effective_size": None if draws.weights is None else weights_size(draws.weights),
    }


def concerns(facts: Mapping[str, Any]) -> list[str]:
    """Reasons not to trust the draws yet, in sentences; empty if there are none.

    Parameters
    ----------
    facts
        What `convergence_facts` returned.
    """
    found = []
    if facts["arcs_stuck"]:
        found.append(f"{facts['arcs_stuck']} arcs are always present in some chains and never in others.")
    worst = max(facts["worst_r_hat"] or 1.0, facts["log_weight_r_hat"] or 1.0)
    if worst > _HIGHEST_R_HAT:
        where = f"{facts['arcs_above_r_hat']} of {facts['arcs_judged']} arcs"
        found.append(f"R-hat reaches {worst:.3g} (above {_HIGHEST_R_HAT} for {where}): the chains disagree.")
    least, worth = facts["least_effective_size"], facts["weights_effective_size"]
    if worth is not None and worth < _LEAST_EFFECTIVE:
        found.append(f"The weights of the draws vary so much that their effective number is {worth:.0f}.")
    n_draws = facts["chains"] * facts["draws_per_chain"]
    if n_draws < _LEAST_EFFECTIVE:
        found.append(f"There are only {n_draws} draws.")
    elif least is not None and least < _LEAST_EFFECTIVE:
        found.append(f"An arc has an effective sample size of {least:.0f} (below {_LEAST_EFFECTIVE:.0f}).")
    return found


def _arc_facts(edges: SampleEstimate) -> dict[str, Any]:
    shares = edges.values
    judged = (shares >= _LEAST_SHARE) & (shares <= 1 - _LEAST_SHARE) & ~np.isnan(edges.r_hat)
    r_hats = edges.r_hat[judged]
    stuck = np.isinf(r_hats)
    sizes = edges.effective_sizes[judged]
    return {
        "arcs_judged": int(judged.sum()),
        "arcs_stuck": int(stuck.sum()),
        "arcs_above_r_hat": int((r_hats > _HIGHEST_R_HAT).sum()),
        "worst_r_hat": float(r_hats[~stuck].max()) if (~stuck).any() else None,
        "least_effective_size": float(sizes.min()) if sizes.size else None,
        "median_effective_size": float(np.median(sizes)) if sizes.size else None,
    }


def _log_weight_facts(log_weights: FloatArray) -> dict[str, Any]:
    trace = rank_normalised(log_weights[:, :, None])
    return {
        "log_weight_r_hat": _finite(split_r_hat(trace)),
        "log_weight_effective_size": _finite(effective_sizes(trace)),
    }


def _acceptance(chains: list[Mapping[str, Any]]) -> dict[str, float]:
    """Share of the moves of each kind that changed something, since the chains began."""
    tried = np.sum([chain["tried"] for chain in chains], axis=0)
    changed = np.sum([chain["changed"] for chain in chains], axis=0)
    return {name: float(changed[k] / tried[k]) for k, name in enumerate(MOVES) if tried[k]}


def _arcs_outside(draws: ChainDraws, edges: SampleEstimate) -> float:
    """Average number of arcs of a DAG from parents that are not candidates."""
    return sum(float(edges.values[list(mine), child].sum()) for child, mine in enumerate(draws.others))


def _finite(values: FloatArray) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None
