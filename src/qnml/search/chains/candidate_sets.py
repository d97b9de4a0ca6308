"""Allowed parents of each column, and sums over sets of its candidate parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = [
    "BYTES_PER_SET",
    "MOST_CANDIDATES",
    "OutsideOdds",
    "allowed_parents",
    "choose_by_score",
    "kept_bytes",
    "make_model",
    "masks_of",
]

MOST_CANDIDATES = _core.MOST_CANDIDATES
"""Largest number of candidate parents of a column, besides the required ones."""

BYTES_PER_SET = _core.BYTES_PER_CANDIDATE_SET
"""Memory of a set of candidates, in bytes."""

# Bytes of the cache for families with parents that are not candidates; families that do not fit are counted again.
_MOST_KEPT = 2.0**28


@dataclass(frozen=True)
class OutsideOdds:
    """Proposal odds of parents that are not candidates.

    Attributes
    ----------
    odds : odds of an arc, row parent, column child, if no candidate is a parent of the child.
    crowding : for each column, the decrease of the log odds with every candidate that is a parent.
    """

    odds: FloatArray
    crowding: FloatArray


def allowed_parents(problem: SearchProblem) -> list[list[int]]:
    """Allowed parents of each column without the required ones."""
    return [
        [j for j in range(problem.n_variables) if (allowed & ~required) >> j & 1]
        for allowed, required in zip(problem.compiled.allowed, problem.compiled.required, strict=True)
    ]


def kept_bytes(problem: SearchProblem) -> float:
    """Memory of the cache for families with parents that are not candidates."""
    return min(_MOST_KEPT, problem.memory_limit / 4)


def make_model(
    problem: SearchProblem,
    candidates: Sequence[Sequence[int]],
    outside: OutsideOdds | None,
    control: _core.Control,
) -> _core.StructureModel | None:
    """The sums over candidate sets of all columns; None if stopped.

    Parameters
    ----------
    problem
        The problem to sample from.
    candidates
        Candidate parents of each column.
    outside
        Proposal odds of other parents; None if all allowed parents are candidates.
    control
        Can stop it.
    """
    return _core.structure_model(
        problem.core,
        candidates,
        np.zeros(0) if outside is None else outside.odds.reshape(-1),
        np.zeros(0) if outside is None else outside.crowding,
        kept_bytes(problem),
        control,
    )


def choose_by_score(problem: SearchProblem, most: int, control: _core.Control) -> list[list[int]]:
    """Up to `most` candidates for each column, by the gains of single parents added to greedily grown parent sets.

    If a column has at most that many allowed parents, all of them; none if stopped.
    """
    if most == 0:
        return [[] for _ in range(problem.n_variables)]
    return _core.choose_candidates(problem.core, most, control)


def masks_of(words: NDArray[np.uint64]) -> tuple[Masks, ...]:
    """DAGs in words of 64 bits (DAGs × nodes × words) as parent masks."""
    return tuple(tuple(int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows) for rows in words)
