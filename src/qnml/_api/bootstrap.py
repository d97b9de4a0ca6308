"""`bootstrap`: resample the rows with replacement, and count how often each arc is found.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 500, seed=1)
>>> often = qnml.bootstrap(table, 50, seed=1)
>>> bool(often.adjacencies[often.names.index("bronc"), often.names.index("dysp")] > 0.9)
True
>>> often.replicates, len(often.dags)
(50, 50)
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._api.arguments import (
    MOST_SEED,
    MOST_STRUCTURES,
    as_table,
    check_progress,
    check_time_limit,
    check_whole_number,
    refuse_unknown_arguments,
)
from qnml._api.bootstrap_result import Bootstrap
from qnml._api.problem import Problem, admitted, prepare
from qnml._api.search_choice import METHODS, choose_search
from qnml._checks import check_choice, checked_number, checked_whole_number
from qnml._interrupts import held_interrupts
from qnml._progress import progress_bar
from qnml.counts import MemoryCounts
from qnml.errors import OutOfTimeError, TooLargeError
from qnml.graph.averaging import significance_threshold
from qnml.search.exact.exact import ExactRequest
from qnml.search.exact.reweighted import batch_size, run_reweighted, shares_walk
from qnml.search.local.local_search import EFFORTS, masks_of
from qnml.search.local.reweighted import run_each

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.search import Knowledge
    from qnml.search.local.local_search import LocalRequest
    from qnml.search.running.interruptible import Watch

__all__ = ["bootstrap"]

# What "auto" lets all exact searches together take, by their forecast.
MOST_SECONDS = 3600.0


def bootstrap(
    data: Any,
    replicates: int = 200,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "quick",
    seed: int | None = None,
    threshold: float | None = None,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    **parameters: float | str,
) -> Bootstrap:
    """Resample the rows with replacement, learn a network each time, and count how often each arc is found.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options.
    replicates : number of resampled tables, up to a million.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : as for :func:`learn`. ``"exact"``: every replicate's network is proven optimal; ``"auto"``: that, where it
        fits and all replicates are forecast to take no more than an hour, otherwise the search that suits the effort.
    effort : as for :func:`learn`: how much work goes into searches that are not exact.
    seed : seed of the resampling; the same seed gives the same result in any order of rows and columns.
    threshold : strength above which a pair is joined in the averaged network; by default the one that Scutari and
        Nagarajan derive from the strengths.
    prior : as for :func:`learn`.
    knowledge : arcs that are required or forbidden, tiers, limits: see :class:`Knowledge`. Always obeyed.
    max_parents : limit for every variable; none by default.
    guard : ``"cap"`` does not admit families with more cells than half the rows; ``"warn"`` and ``"off"`` do.
    time_limit : seconds after which the replicates done so far are returned.
    memory_limit : bytes; what would need more is refused before it starts. By default 90 % of what is free.
    n_jobs : threads; all cores by default. The result does not depend on it.
    progress : show a progress bar on standard error.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Returns
    -------
    Bootstrap
        Also after a time limit or Ctrl-C, with the replicates that were finished.

    Raises
    ------
    TooLargeError
        Before any work, with the figures and what would fit.
    OutOfTimeError
        When no replicate was finished within the time limit; KeyboardInterrupt, when none was before Ctrl-C.

    Notes
    -----
    Each replicate has as many rows as the table; a row drawn three times has the weight 3. What is learned is what
    :func:`learn` finds from the table with these weights.
    """
    refuse_unknown_arguments(bootstrap, [score], parameters)
    replicates = checked_whole_number("bootstrap", "replicates", replicates, 1, MOST_STRUCTURES)
    check_choice("bootstrap", "method", method, METHODS)
    check_choice("bootstrap", "effort", effort, EFFORTS)
    seed = check_whole_number("bootstrap", "seed", seed, 0, MOST_SEED)
    if threshold is not None:
        threshold = checked_number("bootstrap", "threshold", threshold, "a number from 0 to 1, or None", 0.0, 1.0)
    time_limit = check_time_limit("bootstrap", time_limit)
    shows_progress = check_progress("bootstrap", progress)
    table = as_table(data)
    # Merged rows come in order of their codes: what is drawn must not depend on the order of rows and columns.
    merged = table.select(sorted(table.names)).merged()
    limits = (knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    problem = prepare("bootstrap", merged, score, *limits, prior=prior, seed=seed)
    request = choose_search(problem.search, method, effort, MOST_SECONDS / replicates)
    if not request.plan.fits:
        raise TooLargeError(f"bootstrap: {request.plan.sentence()}")
    given = (problem, replicates, seed, time_limit)
    # Until there is a result to return, a second Ctrl-C must not lose it.
    with held_interrupts():
        with progress_bar() if shows_progress else nullcontext() as watch:
            found, reason = (
                _run_exact(request, *given, watch)
                if isinstance(request, ExactRequest)
                else _run_local(request, *given, watch)
            )
        if not found:
            if reason == "interrupted":
                raise KeyboardInterrupt
            raise OutOfTimeError(
                f"bootstrap(time_limit={time_limit}): no replicate was finished by then. Give it more time."
            )
        used = "exact" if isinstance(request, ExactRequest) else request.plan.method
        dags = tuple(problem.dag(masks).reorder(table.names) for masks in found)
        edges = _edges(problem, dags, table.names)
        upper = np.triu_indices(len(table.names), 1)
        strengths = (edges + edges.T)[upper]
        chosen = threshold if threshold is not None else significance_threshold(strengths.tolist())
        used_prior = problem.search.prior
        return Bootstrap(
            *(table.names, dags, edges, chosen, problem.score.label, used, seed, reason, used_prior),
            frame_kind=table.frame_kind,
        )


def _run_exact(
    request: ExactRequest,
    problem: Problem,
    replicates: int,
    seed: int | None,
    time_limit: float | None,
    watch: Watch | None,
) -> tuple[list[Sequence[int]], str | None]:
    table = problem.table
    columns_of = None if shares_walk(request, table.total) else partial(_reweighted, table)
    batches = _drawn(table, replicates, batch_size(request, table.total), seed)
    found, reason = run_reweighted("bootstrap", request, batches, columns_of, replicates, time_limit, watch)
    return [one.parents for one in found], reason


def _run_local(
    request: LocalRequest,
    problem: Problem,
    replicates: int,
    seed: int | None,
    time_limit: float | None,
    watch: Watch | None,
) -> tuple[list[Sequence[int]], str | None]:
    table = problem.table
    # Rows that stand for themselves are counted many at a time; those with weights are not. Where rows repeat a lot,
    # weights are the better way.
    columns_of = partial(_repeated if table.total <= 4 * table.n_rows else _reweighted, table)
    batches = (
        [partial(columns_of, weights) for weights in batch]
        for batch in _drawn(table, replicates, request.problem.n_jobs, seed)
    )
    found, reason = run_each("bootstrap", request, batches, replicates, time_limit, watch)
    return [masks_of(one, request.problem) for one in found], reason


def _drawn(table: Table, replicates: int, size: int, seed: int | None) -> Iterator[NDArray[np.uint64]]:
    """Weights of the rows in each replicate, in batches."""
    generator = np.random.default_rng(seed)
    shares = (np.ones(table.n_rows) if table.weights is None else table.weights.astype(float)) / table.total
    for first in range(0, replicates, size):
        drawn = generator.multinomial(table.total, shares, size=min(size, replicates - first))
        yield np.ascontiguousarray(drawn, dtype=np.uint64)


def _reweighted(table: Table, weights: NDArray[np.uint64]) -> Any:
    return MemoryCounts(table.with_weights(weights)).columns


def _repeated(table: Table, weights: NDArray[np.uint64]) -> Any:
    rows = np.repeat(np.arange(table.n_rows), weights.astype(np.int64))
    return MemoryCounts(table.with_weights(None).take(rows)).columns


def _edges(problem: Problem, dags: Sequence[Dag], names: tuple[str, ...]) -> NDArray[np.float64]:
    """Shares of the arcs; those of a class that neither data nor knowledge can direct count half each way."""
    place = {name: i for i, name in enumerate(names)}
    times: dict[Dag, int] = {}
    for dag in dags:
        times[dag] = times.get(dag, 0) + 1
    edges = np.zeros((len(names), len(names)))
    for dag, count in times.items():
        directed, undirected = _arcs_and_edges(dag, problem)
        for parent, child in directed:
            edges[place[parent], place[child]] += count
        for first, second in undirected:
            edges[place[first], place[second]] += count / 2
            edges[place[second], place[first]] += count / 2
    return edges / len(dags)


def _arcs_and_edges(dag: Dag, problem: Problem) -> tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]]:
    if not problem.score.score.is_equivalent:
        return dag.arcs, ()
    members = admitted(dag, problem.knowledge, problem.table.interventions)
    return members.directed, members.undirected
