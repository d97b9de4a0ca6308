"""States of Markov chains as lists and dictionaries ready for JSON, and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.search.chains.candidate_sets import OutsideOdds
from qnml.search.chains.state_check import CHAIN_PARTS, VERSION, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.search.problem import SearchProblem

__all__ = ["to_document", "to_outside", "to_states"]


def to_document(
    problem: SearchProblem,
    candidates: Sequence[Sequence[int]],
    outside: OutsideOdds | None,
    log_totals: Sequence[float],
    states: Sequence[_core.ChainState],
) -> dict[str, Any]:
    """Everything needed to continue the chains, except the data.

    Parameters
    ----------
    problem
        The problem the chains sample from.
    candidates
        Candidate parents: a DAG is stored as a set of candidates and a list of other parents for each column.
    outside
        Proposal odds of other parents; None if there are none.
    log_totals
        For each column the log of the summed weights of its families. They identify the problem.
    states
        States of the chains.
    """
    chains = [{part: getattr(state, part) for part in CHAIN_PARTS} for state in states]
    return {
        "version": VERSION,
        "names": list(problem.compiled.names),
        "prior": problem.prior,
        "candidates": [list(mine) for mine in candidates],
        "odds": None if outside is None else outside.odds.tolist(),
        "crowding": None if outside is None else outside.crowding.tolist(),
        "log_totals": list(log_totals),
        "chains": chains,
    }


def to_outside(state: Mapping[str, Any]) -> OutsideOdds | None:
    """Proposal odds of other parents, from a state that `checked_state` returned."""
    if state["odds"] is None:
        return None
    return OutsideOdds(*(np.array(state[part], dtype=np.float64) for part in ("odds", "crowding")))


def to_states(state: Mapping[str, Any], log_totals: Sequence[float]) -> list[_core.ChainState]:
    """The chains in the form the core takes, after a check that the family weights are unchanged.

    Parameters
    ----------
    state
        What `checked_state` returned.
    log_totals
        For each column the log of the summed weights of its families, as they are now.
    """
    for child, (before, now) in enumerate(zip(state["log_totals"], log_totals, strict=True)):
        if not math.isclose(before, now, rel_tol=1e-12, abs_tol=1e-6):
            allowed = f"{now!r}: the state belongs to other data, another score or other knowledge"
            raise refusal(f"log_totals[{child}]", before, allowed, "Start new chains.")
    states = []
    for chain in state["chains"]:
        one = _core.ChainState()
        for part in CHAIN_PARTS:
            setattr(one, part, chain[part])
        states.append(one)
    return states
