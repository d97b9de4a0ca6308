"""Where Markov chains stand, as lists and dictionaries ready for JSON, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.errors import bad_argument
from qnml.search.candidate_sets import OutsideOdds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.errors import InputError
    from qnml.search.structure_posterior import StructureProblem

__all__ = ["refuse_strange", "to_document", "to_outside", "to_states"]

_VERSION = 3
_KEYS = ("version", "names", "prior", "candidates", "odds", "crowding", "log_totals", "chains")
_PARTS = ("random", "dag", "outside", "sweeps", "tried", "changed")


def to_document(
    problem: StructureProblem,
    candidates: Sequence[Sequence[int]],
    outside: OutsideOdds | None,
    log_totals: Sequence[float],
    states: Sequence[_core.ChainState],
) -> dict[str, Any]:
    """All that is needed to go on, but for the data.

    Parameters
    ----------
    problem
        What the chains are for.
    candidates
        Parents that are summed over: a DAG is kept as a set of these for each column, and further ones.
    outside
        By which other parents are proposed; None where there are none.
    log_totals
        For each column the log of the sum of the weights of its families. They tell whether it is the same problem.
    states
        Of the chains.
    """
    chains = [{part: getattr(state, part) for part in _PARTS} for state in states]
    return {
        "version": _VERSION,
        "names": list(problem.compiled.names),
        "prior": problem.prior,
        "candidates": [list(mine) for mine in candidates],
        "odds": None if outside is None else outside.odds.tolist(),
        "crowding": None if outside is None else outside.crowding.tolist(),
        "log_totals": list(log_totals),
        "chains": chains,
    }


def refuse_strange(document: Mapping[str, Any], problem: StructureProblem) -> None:
    """Raise an error unless this is a state of chains on the same variables, with parents that are admitted."""
    if not set(_KEYS) <= set(document) or document["version"] != _VERSION or not document["chains"]:
        raise _refusal(sorted(document), "the state of an earlier run")
    if tuple(document["names"]) != problem.compiled.names or document["prior"] != problem.prior:
        raise _refusal(document["names"], "the state of a run on the same variables with the same prior")
    compiled = problem.compiled
    for mine, allowed, required in zip(document["candidates"], compiled.allowed, compiled.required, strict=True):
        possible = [j for j in range(len(compiled.names)) if (allowed & ~required) >> j & 1]
        if list(mine) != sorted(set(mine) & set(possible)):
            raise _refusal(mine, "a state whose candidates are all allowed as parents")


def to_outside(document: Mapping[str, Any]) -> OutsideOdds | None:
    """By which other parents are proposed."""
    if document["odds"] is None:
        return None
    return OutsideOdds(*(np.array(document[part], dtype=np.float64) for part in ("odds", "crowding")))


def to_states(document: Mapping[str, Any], log_totals: Sequence[float]) -> list[_core.ChainState]:
    """The chains as the core takes them, after checking that families weigh what they weighed."""
    if not np.allclose(document["log_totals"], log_totals, rtol=1e-12, atol=1e-6):
        raise _refusal("...", "of the same data, score and knowledge", "Start new chains.")
    states = []
    for chain in document["chains"]:
        state = _core.ChainState()
        for part in _PARTS:
            setattr(state, part, chain[part])
        states.append(state)
    return states


def _refusal(value: object, allowed: str, advice: str = "") -> InputError:
    return bad_argument("posterior", "state", value, allowed, advice)
