"""Learning bins and a network together, by the length of one code for both.

The network is learned for the bins; then the bins of one column after the other are chosen for the network and for the
bins of the other columns, exactly. Both steps shorten the code, until neither does. That is done from two starts, and
the shorter code wins: see ``docs/discretization.md``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from qnml._api.clock import Clock
from qnml._api.joint_binning import JointBinning
from qnml._api.joint_state import JointState, Prepare
from qnml._checks import check_choice
from qnml._interrupts import held_interrupts
from qnml.data import MOST_LEVELS
from qnml.data.numeric_column import Edges, bins_of_their_own, numeric_columns_of
from qnml.errors import DataError, bad_argument
from qnml.scores import SCORES, find_score
from qnml.search.column_bins import best_bins, most_levels

if TYPE_CHECKING:
    from qnml._api.run_search import Solve
    from qnml._api.search_result import SearchResult
    from qnml.data import Table
    from qnml.search.running.interruptible import Watch

__all__ = ["checked_joint", "guard_of_bins", "learn_jointly"]

# Bins of the second start, with counts as equal as ties allow. NML histograms, the first one, know nothing of other
# columns: two columns that are uniform by themselves have a bin each, and no network shows their dependence. Starting
# from 3, 5 or 12 bins instead led to codes of about the same length on the UCI data.
_EQUAL_BINS = 8


def checked_joint(call: str, discretize: object, score: str) -> bool:
    """Whether bins are to be learned with the network; refuses scores for which they cannot be."""
    if discretize is None:
        return False
    check_choice(call, "discretize", discretize, ("joint",))
    chosen = find_score(call, score)
    if chosen.price_ignores_counts and chosen.has_price_of_levels:
        return True
    known = [name for name, one in SCORES.items() if one.price_ignores_counts and one.has_price_of_levels]
    if chosen.price_ignores_counts:
        reason = "It charges nothing for levels, so that every value would get a bin of its own."
    else:
        reason = "It is not a fit minus a price of the levels, for which the best bins of a column can be found."
    raise bad_argument(call, "score", score, f"one of {', '.join(known)} with discretize='joint'", reason)


def guard_of_bins(guard: str, score: str) -> str:
    """The guard in force: bins that are free to grow would seek families in which the price of a score saturates."""
    return "cap" if guard == "warn" and find_score("learn", score).penalty_saturates else guard


def learn_jointly(
    call: str, table: Table, prepare: Prepare, solve: Solve, time_limit: float | None, watch: Watch | None
) -> tuple[SearchResult, JointState]:
    """The bins and the network with the shortest code that alternating finds.

    Parameters
    ----------
    call : the calling function, for errors.
    table : a table with raw numbers and without missing cells, other than as levels.
    prepare : makes the search problem of a table.
    solve : searches for the network.
    time_limit : seconds after which the best answer so far is returned.
    watch : receives the progress.

    Returns
    -------
    tuple
        The result; and the bins with the problem that its network solves.
    """
    began = time.perf_counter()
    if not table.numbers and table.preparation is None:
        raise DataError(
            f"{call}(discretize='joint'): the table does not have the numbers from which its columns were made. "
            "Read the data with qnml.read_table(source, prepare='auto'), which keeps them, or give the source itself."
        )
    columns = numeric_columns_of(call, table)
    with held_interrupts() as interrupts:
        clock = Clock(time_limit, interrupts)
        as_given = JointState(prepare(table), columns, {}, ())
        own = bins_of_their_own(columns, as_given.problem.search.n_jobs)
        ends = [_alternate(as_given.with_bins(prepare, own), prepare, solve, clock, watch)]
        equal = {name: column.equal_parts(_EQUAL_BINS) for name, column in columns.items()}
        if columns and not clock.is_over:
            ends.append(_alternate(as_given.with_bins(prepare, equal), prepare, solve, clock, watch))
        is_settled = all(end.is_settled for end in ends) and len(ends) == (2 if columns else 1)
        best = min(ends, key=lambda end: end.state.length)
        binning = JointBinning(
            code_length=best.state.length,
            network=-best.state.objective,
            positions=best.state.positions,
            choices=best.state.choices,
            separate=ends[0].trace[0][1],
            starts=tuple(zip(("nml", "frequency"), (end.state.length for end in ends), strict=False)),
            cuts={name: tuple(best.state.cuts(name)) for name in columns},
            trace=tuple(best.trace),
            is_settled=is_settled,
            seconds=time.perf_counter() - began,
        )
        certificate = clock.with_reason(best.result.certificate)
        return replace(best.result, binning=binning, certificate=certificate), best.state


@dataclass(frozen=True)
class _End:
    """Where alternating ended."""

    state: JointState
    result: SearchResult
    trace: list[tuple[str, float]]
    is_settled: bool


def _alternate(state: JointState, prepare: Prepare, solve: Solve, clock: Clock, watch: Watch | None) -> _End:
    trace: list[tuple[str, float]] = []
    while True:
        result = _no_worse(state, solve(state.problem, clock.left()))
        state = state.with_network(result)
        trace.append(("network", state.length))
        better, is_settled = _with_best_bins(state, prepare, clock, watch, trace)
        if better is state:
            return _End(state, result, trace, is_settled and not clock.is_over)
        state = better


def _with_best_bins(
    state: JointState, prepare: Prepare, clock: Clock, watch: Watch | None, trace: list[tuple[str, float]]
) -> tuple[JointState, bool]:
    """Choose the bins of one column after the other until none changes; False if there was not the time for it."""
    waiting = set(state.columns)
    while waiting:
        before = state
        for name in sorted(waiting):
            edges = _best_edges(state, name, clock, watch)
            if edges is None:
                return state, False
            waiting.discard(name)
            if np.array_equal(edges, state.edges[name]):
                continue
            better = state.with_bins(prepare, {name: edges})
            if better.length < state.length - state.tolerance:
                state = better
                waiting |= state.near(name)
        if state is not before:
            trace.append(("bins", state.length))
    return state, True


def _best_edges(state: JointState, name: str, clock: Clock, watch: Watch | None) -> Edges | None:
    search, column = state.problem.search, state.columns[name]
    place = state.problem.names.index(name)
    most = min(MOST_LEVELS, most_levels(search, state.masks, place)) - column.fixed_bins
    return best_bins(search, state.masks, place, column.core, column.pieces, int(most), clock.left(), watch)


def _no_worse(state: JointState, found: SearchResult) -> SearchResult:
    """What a search found, or the network that is held where a search without a proof did not find it again."""
    if not state.masks or found.objective >= state.objective - state.tolerance:
        return found
    bound = max(found.certificate.bound, state.objective)
    certificate = replace(found.certificate, optimal=False, score=state.objective, bound=bound, n_proven=0)
    dag = state.problem.dag(state.masks)
    return replace(found, dag=dag, score=state.score, log_prior=state.log_prior, certificate=certificate)
