"""Predicting the rest of a data set from its first rows, family by family.

The mean log-probability of test rows is a sum over families, and the networks of a repetition share most of theirs. So
each family is coded once for a data set, counted once for a training size, and the sums are put together afterwards.
Parameters are the paper's: θ ∝ N + 1/(r q) for BDeu (Bayesian predictive parameters), and θ ∝ e(N)(N + 1) with
e(n) = ((n + 1)/n)^n otherwise (sequential NML).
"""

from __future__ import annotations

from math import fsum, prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.graph import Dag

__all__ = ["FamilyCodes", "Split"]

# Codes of families kept between repetitions, in bytes.
_MOST_BYTES = 2**27

Family = tuple[int, tuple[int, ...]]


class FamilyCodes:
    """The configurations of families in the rows of a data set, computed when first needed.

    Parameters
    ----------
    table
        The data set.
    """

    def __init__(self, table: Table) -> None:
        self.arities = tuple(table.arities)
        self.n_rows = table.n_rows
        self._columns = [np.asarray(column, dtype=np.int64) for column in table.columns]
        self._configs: dict[tuple[int, ...], NDArray[np.int64]] = {}
        e = np.arange(1, table.n_rows + 1, dtype=float)
        # e(0)(0 + 1) = 1.
        self.snml = np.concatenate(([1.0], (e + 1) * np.exp(e * np.log1p(1 / e))))

    def column(self, child: int) -> NDArray[np.int64]:
        """The codes of a column."""
        return self._columns[child]

    def configs(self, parents: tuple[int, ...]) -> NDArray[np.int64]:
        """The configuration of parents in every row; configurations are numbered from 0 as far as they occur."""
        found = self._configs.get(parents)
        if found is None:
            found = np.zeros(self.n_rows, dtype=np.int64)
            for parent in parents:
                found = found * self.arities[parent] + self._columns[parent]
                if len(parents) > 1:
                    # Numbered anew each time, so that no product of levels exceeds the range of integers.
                    found = np.unique(found, return_inverse=True)[1].reshape(-1)
            if len(self._configs) * self.n_rows * 8 > _MOST_BYTES:
                self._configs.clear()
            self._configs[parents] = found
        return found


class Split:
    """Training rows and test rows of one permutation.

    Parameters
    ----------
    codes
        The families of the data set.
    order
        The permutation of the rows.
    size
        Number of training rows, the first ones.
    """

    def __init__(self, codes: FamilyCodes, order: NDArray[np.int64], size: int) -> None:
        self._codes = codes
        self._train, self._test = order[:size], order[size:]
        self._sums: dict[tuple[Family, str], float] = {}

    def mean_log_prob(self, dag: Dag, rule: str) -> float:
        """The mean log-probability of a test row.

        Parameters
        ----------
        dag
            The structure; its nodes are the columns of the data set, in their order.
        rule
            ``"bpp"`` or ``"snml"``.
        """
        return fsum(self._sum(family, rule) for family in _families(dag)) / len(self._test)

    def _sum(self, family: Family, rule: str) -> float:
        key = (family, rule)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = self._computed(*family, rule)
        return found

    def _computed(self, child: int, parents: tuple[int, ...], rule: str) -> float:
        levels = self._codes.arities[child]
        configs = self._codes.configs(parents)
        cells = configs * levels + self._codes.column(child)
        shape = (int(configs.max()) + 1, levels)
        seen = np.bincount(cells[self._train], minlength=shape[0] * levels).reshape(shape)
        asked = np.bincount(cells[self._test], minlength=shape[0] * levels).reshape(shape)
        weights = self._weights(seen, parents, levels, rule)
        return float((asked * np.log(weights)).sum() - asked.sum(axis=1) @ np.log(weights.sum(axis=1)))

    def _weights(self, seen: NDArray[np.int64], parents: tuple[int, ...], levels: int, rule: str) -> FloatArray:
        if rule == "snml":
            found: FloatArray = self._codes.snml[seen]
            return found
        return seen.astype(np.float64) + 1.0 / (levels * prod(self._codes.arities[parent] for parent in parents))


def _families(dag: Dag) -> Iterable[Family]:
    for child, name in enumerate(dag.names):
        yield child, tuple(sorted(dag.index(parent) for parent in dag.parents(name)))
