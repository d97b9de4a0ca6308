"""Which parents each column may choose from when there are too many for all sums.

The score makes a first choice, from gains of single parents beside sets that it grows. Short trial runs then mend it:
what was never used makes room for what the draws miss most. That the search space is grown from what chains find is the
idea of J. Kuipers, P. Suter, G. Moffa, "Efficient sampling and structure learning of Bayesian networks", Journal of
Computational and Graphical Statistics 31(3), 2022; what is missed is measured as in `qnml.search.left_out_arcs`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.search.left_out_arcs import left_out_shares
from qnml.search.structure_posterior import prior_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.search.structure_posterior import Masks, StructureProblem

__all__ = ["allowed_parents", "choose_candidates", "make_model", "masks_of"]

_TRIAL_CHAINS = 2
_TRIAL_DRAWS = 60
_MOST_TRIALS = 3
# Nothing to be mended when no arc that is left out is likelier than this.
_NEGLIGIBLE = 0.02


def allowed_parents(problem: StructureProblem) -> list[list[int]]:
    """For each column those that may be its parents, the required ones left out."""
    return [
        [j for j in range(problem.n_variables) if (allowed & ~required) >> j & 1]
        for allowed, required in zip(problem.compiled.allowed, problem.compiled.required, strict=True)
    ]


def make_model(
    problem: StructureProblem, candidates: Sequence[Sequence[int]], control: _core.Control
) -> _core.StructureModel | None:
    """The sums of all columns; None when stopped."""
    log_prior = [prior_term(problem.prior, problem.n_variables, size) for size in range(problem.n_variables)]
    return _core.structure_model(
        problem.columns,
        problem.kind,
        problem.parameter,
        _limits(problem),
        candidates,
        log_prior,
        problem.n_jobs,
        control,
    )


def choose_candidates(
    problem: StructureProblem, most: int, schedule: Sequence[int], seed: int, control: _core.Control, until: float
) -> list[list[int]] | None:
    """Up to `most` parents for each column; None when stopped.

    Parameters
    ----------
    problem
        What is to be drawn.
    most
        Candidates of each column.
    schedule
        Moves of the trial runs.
    seed
        Of the trial runs.
    control
        To stop it.
    until
        When no further trial run may begin, by `time.perf_counter`.
    """
    allowed = allowed_parents(problem)
    chosen = _core.choose_candidates(
        problem.columns, problem.kind, problem.parameter, _limits(problem), most, problem.n_jobs, control
    )
    if all(len(mine) <= most for mine in allowed):
        return chosen
    for trial in range(_MOST_TRIALS):
        if time.perf_counter() > until:
            break
        dags = _trial(problem, chosen, schedule, seed + trial, control)
        if dags is None:
            return None
        missed = left_out_shares(problem, dags, chosen)
        if missed.max() <= _NEGLIGIBLE:
            break
        chosen = _mended(allowed, chosen, most, _joined_shares(dags), missed)
    return chosen


def masks_of(words: NDArray[np.uint64]) -> tuple[Masks, ...]:
    """DAGs in words of 64 bits (DAGs × nodes × words) as masks of parents."""
    return tuple(tuple(int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows) for rows in words)


def _limits(problem: StructureProblem) -> _core.ParentLimits:
    n = problem.n_variables
    required = [[j for j in range(n) if mask >> j & 1] for mask in problem.compiled.required]
    return _core.ParentLimits(
        allowed_parents(problem), required, list(problem.compiled.max_parents), problem.most_cells
    )


def _trial(
    problem: StructureProblem,
    chosen: Sequence[Sequence[int]],
    schedule: Sequence[int],
    seed: int,
    control: _core.Control,
) -> tuple[Masks, ...] | None:
    """The second halves of a few short chains."""
    n = problem.n_variables
    model = make_model(problem, chosen, control)
    if model is None:
        return None
    # Other starts than those of the run proper, whose chains have the numbers from zero on.
    states = [_core.start_chain(model, seed, 2**32 + chain) for chain in range(_TRIAL_CHAINS)]
    _, dags, log_weights = _core.run_chains(model, states, schedule, _TRIAL_DRAWS, 1, problem.n_jobs, control)
    if min(map(len, log_weights)) < _TRIAL_DRAWS:
        return None
    halves = [one.reshape(-1, n, (n + 63) // 64)[_TRIAL_DRAWS // 2 :] for one in dags]
    return masks_of(np.concatenate(halves))


def _joined_shares(dags: Sequence[Masks]) -> FloatArray:
    """How often two columns are joined, either way: an arc may be the other way round in other draws."""
    n = len(dags[0])
    shares = np.zeros((n, n))
    for masks in dags:
        for child, mask in enumerate(masks):
            for parent in range(n):
                if mask >> parent & 1:
                    shares[parent, child] += 1 / len(dags)
    joined: FloatArray = shares + shares.T
    return joined


def _mended(
    allowed: Sequence[Sequence[int]],
    chosen: Sequence[Sequence[int]],
    most: int,
    joined: FloatArray,
    missed: FloatArray,
) -> list[list[int]]:
    found = []
    for child, mine in enumerate(allowed):
        inside = set(chosen[child])
        worth = {parent: joined[parent, child] if parent in inside else missed[parent, child] for parent in mine}
        # Of equal worth, those that are there stay.
        ranked = sorted(mine, key=lambda parent: (-worth[parent], parent not in inside, parent))
        found.append(sorted(ranked[:most]))
    return found
