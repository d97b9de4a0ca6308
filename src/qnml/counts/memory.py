"""Counting in memory: the coded columns of a :class:`~qnml.data.Table`, passed to the core."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.data.missing import refuse_incomplete

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml.data import Table

__all__ = ["MemoryCounts"]


class MemoryCounts:
    """Counts of any set of variables of a table, by column index.

    Attributes
    ----------
    columns : the core's view of the table. Where variables were set in some rows, it is split: each family is counted
        on the rows in which its child was observed.
    arities : declared number of levels per column.
    total : number of observations, the sum of the row weights.
    """

    def __init__(self, table: Table) -> None:
        refuse_incomplete("counting", table)
        self.arities: tuple[int, ...] = tuple(table.arities)
        self.total: int = table.total
        self.columns = _split(_core.Columns(list(table.columns), list(self.arities), table.weights), table)

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return len(self.arities)

    def family_counts(self, child: int, parents: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The observed configurations of the parents, and the count of each level of the child in each.

        Configurations are rows of codes in lexicographic order. Memory is proportional to their number, not to the
        product of the arities.
        """
        configs, counts = _core.family_counts(self.columns, child, list(parents))
        levels = self.arities[child]
        return configs.reshape(counts.size // levels, len(parents)), counts.reshape(-1, levels)

    @cached_property
    def copies(self) -> tuple[tuple[int, ...], ...]:
        """Groups of columns that partition the rows in the same way and have equally many levels.

        No count, and therefore no score, can tell the columns of a group apart.
        """
        return tuple(map(tuple, _core.copied_columns(self.columns)))

    def total_of(self, child: int) -> int:
        """Number of observations that count for the families of a variable."""
        return int(self.columns.total_of(child))

    @property
    def is_split(self) -> bool:
        """Whether some rows count for the families of some variables only."""
        return bool(self.columns.is_split)

    def n_configurations(self, variables: Sequence[int]) -> int:
        """Number of observed configurations of some variables."""
        return int(_core.partition(self.columns, list(variables))[0])


def _split(whole: _core.Columns, table: Table) -> _core.Columns:
    """The same columns, with the rows that count for each variable; the parts are copies of those rows."""
    if table.interventions is None:
        return whole
    rows, of_child = table.interventions.parts(table.names)
    parts = [
        _core.Columns(
            [np.ascontiguousarray(column[counted]) for column in table.columns],
            list(table.arities),
            None if table.weights is None else np.ascontiguousarray(table.weights[counted]),
        )
        for counted in rows
    ]
    return whole.split(parts, list(of_child))
