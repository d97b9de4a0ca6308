"""The best bins of one column of numbers, while a network and the bins of the other columns stay."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qnml import _core
from qnml.graph.masks import bits
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from qnml.search.problem import SearchProblem

__all__ = ["best_bins", "most_levels"]

_OUT_OF_MEMORY = "learn: memory ran out while bins were chosen. Take fewer rows, or set max_parents."


def best_bins(
    problem: SearchProblem,
    masks: Sequence[int],
    column: int,
    candidates: _core.CutCandidates,
    pieces: NDArray[np.uint16],
    most_bins: int,
    time_limit: float | None,
    watch: Watch | None,
) -> NDArray[np.int32] | None:
    """The edges between the bins with the shortest code; None after the time limit or Ctrl-C.

    Parameters
    ----------
    problem : the columns as they are binned now, the score and the rules.
    masks : the parents of every variable.
    column : the column to bin.
    candidates : where it may be cut.
    pieces : for each row the piece between candidates that holds its value; any number beyond them for rows in bins
        that never move.
    most_bins : upper bound on the number of bins.
    time_limit : seconds.
    watch : receives the progress.
    """
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    parents = [[*bits(mask)] for mask in masks]

    def work() -> NDArray[np.int32] | None:
        return _core.best_bins(
            problem.columns,
            problem.kind,
            problem.parameter,
            parents,
            column,
            candidates,
            pieces,
            most_bins,
            problem.n_jobs,
            control,
        )

    edges, interruptions = interruptible(work, control, watch, _OUT_OF_MEMORY)
    return None if interruptions else edges


def most_levels(problem: SearchProblem, masks: Sequence[int], column: int) -> float:
    """How many levels a column may have in a network before a family has more cells than the rules admit."""
    most = math.inf
    for child, mask in enumerate(masks):
        if (child != column and not mask >> column & 1) or mask == problem.compiled.required[child]:
            continue
        others = math.prod(problem.arities[member] for member in (child, *bits(mask)) if member != column)
        most = min(most, problem.most_cells // others)
    return most
