"""Running a local search on many tables in parallel: limits, interruption."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from qnml import _core
from qnml.search.running.run_batches import run_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from qnml.search.local.local_search import LocalRequest
    from qnml.search.running.interruptible import Watch

__all__ = ["run_each"]


def run_each(
    call: str,
    request: LocalRequest,
    batches: Iterable[Sequence[Callable[[], _core.Columns]]],
    searches: int,
    time_limit: float | None,
    watch: Watch | None,
) -> tuple[list[_core.LocalSearchResult], str | None]:
    """Run the same search on each of many tables, with one thread per table.

    Parameters
    ----------
    call : the public function, named in messages.
    request : the search; its own columns are ignored.
    batches : functions that make the columns of the tables; the tables of a batch are searched in parallel.
    searches : total number of searches.
    time_limit : seconds.
    watch : called with the completed share.

    Returns
    -------
    tuple
        The results up to the first table whose search was cut short, and why there are fewer than requested, or None.
    """
    memory = f"{call}: memory ran out during the search. Set memory_limit, or select fewer columns."
    return run_batches(batches, partial(_search_batch, request), searches, time_limit, watch, memory)


def _search_batch(
    request: LocalRequest, batch: Sequence[Callable[[], _core.Columns]], control: _core.Control
) -> list[_core.LocalSearchResult | None]:
    with ThreadPoolExecutor(request.problem.n_jobs) as pool:
        return list(pool.map(partial(_search_one, request, control), batch))


def _search_one(
    request: LocalRequest, control: _core.Control, columns: Callable[[], _core.Columns]
) -> _core.LocalSearchResult | None:
    problem = request.problem
    alone = problem.core_for(columns(), problem.memory_limit / problem.n_jobs, 1)
    answer = _core.learn_local(alone, request.options(), control)
    # What was cut short is not what the search finds.
    return None if control.is_stopped else answer
