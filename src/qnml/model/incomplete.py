"""Rows with missing cells under a network structure, as the core computes with them.

Columns are in the order of their names: the order of elimination, and with it what is drawn for missing cells, must
not depend on the order of the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.data import Table
from qnml.errors import TooLargeError
from qnml.model.tables import MOST_ENTRIES, magnitude

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray

__all__ = ["Completed", "Estimate", "IncompleteData", "StructuredRows"]

_MOST_ROW_ENTRIES = 2**24
"""Most entries of the tables of one row: 384 megabytes with their messages and posterior probabilities."""

_NEVER = 1e-9  # a configuration expected less often is not listed: it counts as one that does not occur


class IncompleteData:
    """The distinct rows of a table with missing cells.

    Attributes
    ----------
    names : the variables in order of their names.
    arities : declared levels of each.
    total : number of observations.
    table : the distinct rows, columns in that order.
    """

    def __init__(self, table: Table) -> None:
        self.table = table.select(sorted(table.names)).merged()
        self.names = self.table.names
        self.arities = tuple(self.table.arities)
        self.total = self.table.total
        self._codes = [self.table.codes(name).astype(np.int32) for name in self.names]

    @property
    def n_incomplete(self) -> int:
        """Number of observations with missing cells."""
        weights = self.table.weights
        assert weights is not None
        holed = np.zeros(self.table.n_rows, dtype=bool)
        for mask in self.table.missing:
            if mask is not None:
                holed |= mask
        return int(weights[holed].sum())

    @cached_property
    def marginals(self) -> list[FloatArray]:
        """How the observed cells of each column are distributed; equal shares if no cell is observed."""
        weights = self.table.weights
        assert weights is not None
        shares = []
        for codes, arity in zip(self._codes, self.arities, strict=True):
            seen = codes >= 0
            counts = np.bincount(codes[seen], weights[seen].astype(np.float64), arity)
            shares.append(counts / counts.sum() if seen.any() else np.full(arity, 1.0 / arity))
        return shares

    def under(
        self, call: str, parents: Sequence[Sequence[int]], n_jobs: int, control: _core.Control | None = None
    ) -> StructuredRows:
        """Prepare the rows for a structure.

        Parameters
        ----------
        call
            The calling function, for errors.
        parents
            The parents of each variable, as positions among the names.
        n_jobs
            Threads.
        control
            Can stop the work; without it Ctrl-C raises an exception.

        Raises
        ------
        TooLargeError
            Before any work, if the missing cells of a row depend on each other too much for exact sums.
        """
        rows = _core.IncompleteRows(self._codes, self.arities, self.table.weights, [list(one) for one in parents])
        if rows.most_entries > _MOST_ROW_ENTRIES:
            raise TooLargeError(
                f"{call}: a row lacks {rows.most_missing} cells, and under this network the exact distribution of its "
                f"missing cells takes tables of {magnitude(int(rows.most_entries))} entries, more than the "
                f"{_MOST_ROW_ENTRIES} allowed. Give variables fewer parents (max_parents= when learning), merge "
                "levels, or leave out rows that lack most cells."
            )
        if rows.slots_needed > MOST_ENTRIES:
            raise TooLargeError(
                f"{call}: the configurations that rows with missing cells may have take "
                f"{magnitude(int(rows.slots_needed))} numbers, more than the {MOST_ENTRIES} allowed. Give variables "
                f"fewer parents (max_parents=, guard='cap' when learning) or merge levels."
            )
        rows.prepare(control)
        return StructuredRows(self, tuple(map(tuple, parents)), rows, n_jobs)


@dataclass(frozen=True)
class Estimate:
    """Parameters of a structure that EM found.

    Attributes
    ----------
    counts : expected counts of the families given the observed cells, as the core numbers them.
    shares : the parameters under which they are expected.
    trace : the log-likelihood of the observed cells after each step; empty if EM was stopped before the first.
    is_converged : whether the last step changed it by no more than the tolerance.
    """

    counts: FloatArray
    shares: FloatArray
    trace: tuple[float, ...]
    is_converged: bool


@dataclass(frozen=True)
class Completed:
    """Complete rows in the place of rows with missing cells.

    Attributes
    ----------
    table : the complete rows; their weights are units.
    scale : units of an observation.
    sources : the distinct row of the data that each completes.
    draws : for each distinct row how often it was drawn; 0 if it was complete or completed exactly.
    rounding : how much the rounded weights of the exact rows differ from their probabilities: the sum of the
        Kullback–Leibler divergences, in nats.
    """

    table: Table
    scale: int
    sources: NDArray[np.uint32]
    draws: NDArray[np.uint32]
    rounding: float


@dataclass(frozen=True)
class StructuredRows:
    """The rows of a table under one structure.

    Attributes
    ----------
    data : the table.
    parents : the parents of each variable, as positions.
    core : the rows as the core keeps them.
    n_jobs : threads.
    """

    data: IncompleteData
    parents: tuple[tuple[int, ...], ...]
    core: _core.IncompleteRows
    n_jobs: int

    def spread_counts(self) -> NDArray[np.float64]:
        """Expected counts if missing cells were independent of all others and distributed as the observed ones."""
        return self.core.spread(np.concatenate(self.data.marginals))

    def completed_counts(self, completed: Completed) -> FloatArray:
        """Counts of completed rows, in observations."""
        table = completed.table
        assert table.weights is not None
        columns = [column.astype(np.int32) for column in table.columns]
        return self.core.count(columns, table.weights) / completed.scale

    def relative_frequencies(self, counts: FloatArray) -> FloatArray:
        """The parameters of the highest likelihood for some counts."""
        return self.core.maximise(np.ascontiguousarray(counts))

    def log_prob(self, shares: FloatArray, completed: Completed) -> FloatArray:
        """The log-probability of every completed row under some parameters."""
        return self.core.log_prob([column.astype(np.int32) for column in completed.table.columns], shares)

    def climb(
        self, counts: FloatArray, tolerance: float, most_steps: int, control: _core.Control | None = None
    ) -> Estimate:
        """Run EM from some counts.

        Parameters
        ----------
        counts
            Expected counts, all of completions of the rows.
        tolerance
            EM ends when a step raises the log-likelihood of the observed cells by no more than this share of it.
        most_steps
            Or after this number of steps.
        control
            Can stop the work; without it Ctrl-C raises an exception.
        """
        found = self.core.run_em(np.ascontiguousarray(counts), tolerance, most_steps, self.n_jobs, control)
        return Estimate(found.counts, found.probabilities, tuple(found.trace), found.is_converged)

    def complete(self, shares: FloatArray, scale: int, few: int, draws: int, seed: int) -> Completed:
        """Complete the rows under some parameters.

        Parameters
        ----------
        shares
            The parameters.
        scale
            Units of an observation.
        few
            Joint values of the missing cells of a row up to which it is completed exactly.
        draws
            How often the cells of any other observation are drawn.
        seed
            Of the draws.
        """
        # Nothing stops it: an incomplete answer would be of no use.
        control = _core.Control()
        found = self.core.complete(np.ascontiguousarray(shares), scale, few, draws, seed, self.n_jobs, control)
        assert not found.impossible, "EM made rows impossible"
        data = self.data.table
        table = Table._of(data.names, found.columns, list(data.levels), found.weights, preparation=data.preparation)
        return Completed(table, scale, found.sources, found.draws, found.rounding)

    def family_counts(self, counts: FloatArray, child: int) -> tuple[NDArray[np.int32], FloatArray]:
        """The configurations of the parents of a variable that are expected to occur, with counts of its levels."""
        first = self.core.first_slots
        width = len(self.parents[child])
        of_child = counts[first[child] : first[child + 1]].reshape(-1, self.data.arities[child])
        configs = self.core.configs(child).reshape(len(of_child), width)
        occurs = of_child.sum(axis=1) >= _NEVER
        return configs[occurs], of_child[occurs]
