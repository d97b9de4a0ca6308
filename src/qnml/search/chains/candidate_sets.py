"""The parents each column may have, and the sums over sets of the few that are its candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search.posterior.priors import prior_term

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

MOST_CANDIDATES = 20
"""Parents of a column that can be summed over, besides the required ones."""

BYTES_PER_SET = 20.0
"""For each set of candidates: a double weight, a double sum and the place in the order."""

# Bytes for families with parents that are no candidates; what does not fit is counted again.
_MOST_KEPT = 2.0**28


@dataclass(frozen=True)
class OutsideOdds:
    """By which parents that are no candidates are proposed.

    Attributes
    ----------
    odds : of an arc, row parent, column child, where no candidate is a parent of the child.
    crowding : for each column by how much their logarithm falls with every candidate that is a parent.
    """

    odds: FloatArray
    crowding: FloatArray


def allowed_parents(problem: SearchProblem) -> list[list[int]]:
    """For each column those that may be its parents, the required ones left out."""
    return [
        [j for j in range(problem.n_variables) if (allowed & ~required) >> j & 1]
        for allowed, required in zip(problem.compiled.allowed, problem.compiled.required, strict=True)
    ]


def kept_bytes(problem: SearchProblem) -> float:
    """Memory for families with parents that are no candidates."""
    return min(_MOST_KEPT, problem.memory_limit / 4)


def make_model(
    problem: SearchProblem,
    candidates: Sequence[Sequence[int]],
    outside: OutsideOdds | None,
    control: _core.Control,
) -> _core.StructureModel | None:
    """The sums of all columns; None when stopped.

    Parameters
    ----------
    problem
        What is to be drawn.
    candidates
        Parents that are summed over.
    outside
        A guess of the odds of arcs to other parents, by which they are proposed. None where all that are allowed are
        candidates.
    control
        To stop it.
    """
    n = problem.n_variables
    log_prior = [prior_term(problem.prior, n, size) for size in range(n)]
    return _core.structure_model(
        problem.columns,
        problem.kind,
        problem.parameter,
        _limits(problem),
        candidates,
        log_prior,
        np.zeros(0) if outside is None else outside.odds.reshape(-1),
        np.zeros(0) if outside is None else outside.crowding,
        kept_bytes(problem),
        problem.n_jobs,
        control,
    )


def choose_by_score(problem: SearchProblem, most: int, control: _core.Control) -> list[list[int]]:
    """Up to `most` parents for each column, from gains of single parents beside sets that the score grows.

    All that are allowed where they are no more; none where it is stopped.
    """
    if most == 0:
        return [[] for _ in range(problem.n_variables)]
    return _core.choose_candidates(
        problem.columns, problem.kind, problem.parameter, _limits(problem), most, problem.n_jobs, control
    )


def masks_of(words: NDArray[np.uint64]) -> tuple[Masks, ...]:
    """DAGs in words of 64 bits (DAGs × nodes × words) as masks of parents."""
    return tuple(tuple(int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows) for rows in words)


def _limits(problem: SearchProblem) -> _core.ParentLimits:
    n = problem.n_variables
    required = [[j for j in range(n) if mask >> j & 1] for mask in problem.compiled.required]
    return _core.ParentLimits(
        allowed_parents(problem), required, list(problem.compiled.max_parents), problem.most_cells
    )
