"""Running the exact search for many weights of the same rows: batches, limits, interruption.

If the core supports it, the searches of a batch share one traversal of the lattice: the cells of every set of
variables are found once and counted for every weighting (``learn_reweighted``). The results are those of separate
searches, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml import _core
from qnml.errors import TooLargeError
from qnml.search.running.run_batches import run_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from qnml.search.exact.exact import ExactRequest, Found
    from qnml.search.running.interruptible import Watch

__all__ = ["batch_size", "run_reweighted", "shares_walk"]

_BATCHES = (224, 64, 32)  # the core counts for blocks of 32 weightings
_ENOUGH = 512e6  # bytes: a larger batch saves little, and a time limit has to wait for it


def shares_walk(request: ExactRequest, total: int) -> bool:
    """Whether a batch shares a traversal: the score allows it, and a single search would use ``"lattice"``."""
    return (
        request.plan.method == "lattice"
        and not request.problem.columns.is_split
        and _core.can_reweight(request.problem.kind, request.problem.parameter, total)
        and _walk_bytes(request, _BATCHES[-1]) <= request.problem.memory_limit
    )


def batch_size(request: ExactRequest, total: int) -> int:
    """Number of weightings in a batch."""
    large, middle, small = _BATCHES
    if not shares_walk(request, total):
        return middle
    limit = request.problem.memory_limit
    if _walk_bytes(request, large) <= min(limit, _ENOUGH):
        return large
    return middle if _walk_bytes(request, middle) <= limit else small


def _walk_bytes(request: ExactRequest, weights: int) -> float:
    problem = request.problem
    walk = _core.reweighted_bytes(problem.n_variables, problem.n_rows, weights, problem.n_jobs)
    return walk + float(request.plan.memory_bytes)


def run_reweighted(
    call: str,
    request: ExactRequest,
    batches: Iterator[NDArray[Any]],
    columns_of: Callable[[NDArray[Any]], _core.Columns] | None,
    replicates: int,
    time_limit: float | None,
    watch: Watch | None,
) -> tuple[list[Found], str | None]:
    """Search for the best network under each of many weightings of the rows.

    Parameters
    ----------
    call : the public function, named in messages.
    request : the search, with the table's own weights.
    batches : arrays of weights with one row per search and at most `batch_size` rows.
    columns_of : returns the columns with other weights, for searches that do not share a traversal; else None.
    replicates : total number of searches.
    time_limit : seconds.
    watch : called with the completed share.

    Returns
    -------
    tuple
        The networks found, all proven optimal, and why there are fewer than requested, or None.
    """

    def solve(weights: NDArray[Any], control: _core.Control) -> list[Found | None]:
        problem, options = request.problem, request.options()
        if columns_of is None:
            results = _core.learn_reweighted(problem.core, weights, options, control)
        else:
            alone = [problem.core_for(columns_of(one), problem.memory_limit, 1) for one in weights]
            many = _core.learn_exact_many([[(one, options)] for one in alone], control, problem.n_jobs)
            results = [one for (one,) in many]
        return [result if result.optimal else None for result in results]

    memory = f"{call}: memory ran out. Set memory_limit, max_parents or guard='cap'."
    found, reason = run_batches(batches, solve, replicates, time_limit, watch, memory)
    if reason == "memory limit":
        raise TooLargeError(
            f"{call}: the search outgrew its memory limit. Set max_parents or guard='cap', or raise memory_limit."
        )
    return found, reason
