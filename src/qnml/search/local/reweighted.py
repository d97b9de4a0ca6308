"""Running a search that is not exact on many tables side by side: limits, interruption."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from qnml import _core
from qnml.search.local.local_search import STAGES, LocalRequest
from qnml.search.running.run_batches import run_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
    """Do the same search on each of many tables, one thread a table.

    Parameters
    ----------
    call : the function that was called, for messages.
    request : the search; its own columns are not looked at.
    batches : makers of the tables' columns; a batch is searched side by side.
    searches : how many searches there will be.
    time_limit : seconds.
    watch : told the share that is done.

    Returns
    -------
    tuple
        What was found from each table, up to the first whose search was cut short; and why there are fewer than
        wanted, if so.
    """
    memory = f"{call}: memory ran out during the search. Set memory_limit, or select fewer columns."
    return run_batches(batches, partial(_search_batch, request), searches, time_limit, watch, STAGES, memory)


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
