"""Networks of different structure on the same table, averaged: rows looked up in all of them, effects of forcing.

Structures share most of their families, and a family's table does not depend on the rest of the structure. So every
family is estimated once, and a mixture of thousands of networks costs little more than its families.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.counts import MemoryCounts
from qnml.errors import DataError
from qnml.graph import Dag
from qnml.graph.masks import ancestors_of, bits
from qnml.model.fit import estimated_table
from qnml.model.matching import MISSING, UNKNOWN, match_rows
from qnml.model.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.model.matching import Unknown
    from qnml.model.parameters import Parameters
    from qnml.model.tables import SparseTable

__all__ = ["NetworkMixture"]

# Doubles in memory at a time: log-probabilities of families by row, and of DAGs by row.
_MOST_LOOKED_UP = 2**24
_MOST_ADDED = 2**21
# Cells of a network up to which adding them all up is faster than planning how not to; numpy names 52 axes at most.
_MOST_CELLS = 2**12


@dataclass(frozen=True, eq=False)
class NetworkMixture:
    """Networks with shares that sum to one.

    Attributes
    ----------
    table : the data they are estimated from; nodes are numbered as its columns.
    dags : masks of the parents of each node, for every network.
    shares : what each network counts.
    parameters : how probabilities are estimated.
    """

    table: Table
    dags: Sequence[tuple[int, ...]]
    shares: FloatArray
    parameters: Parameters
    _tables: dict[tuple[int, int], SparseTable] = field(default_factory=dict, init=False, repr=False)
    _arrays: dict[tuple[int, int], FloatArray] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _counts(self) -> MemoryCounts:
        return MemoryCounts(self.table)

    def family(self, child: int, parents: int) -> SparseTable:
        """The table of a family, estimated when it is first asked for."""
        found = self._tables.get((child, parents))
        if found is None:
            members = list(bits(parents))
            levels = [self.table.arities[member] for member in members]
            found = estimated_table(*self._counts.family_counts(child, members), levels, self.parameters)
            self._tables[child, parents] = found
        return found

    def log_prob(self, data: Any, *, unknown: Unknown = "uniform", call: str) -> tuple[FloatArray, FloatArray]:
        """Log of the averaged probability of each row, and of the averaged square of the probability.

        Parameters
        ----------
        data
            Complete rows, matched to the labels of the table.
        unknown
            As for :meth:`Network.log_prob`.
        call
            Who asks, for errors.
        """
        different, place = self._different_rows(data, unknown, call)
        families = sorted({family for masks in self.dags for family in enumerate(masks)})
        number = {family: position for position, family in enumerate(families)}
        members = np.array([[number[family] for family in enumerate(masks)] for masks in self.dags], dtype=np.int32)
        step = max(1, _MOST_LOOKED_UP // len(families))
        first, second = np.empty(len(different)), np.empty(len(different))
        for start in range(0, len(different), step):
            part = slice(start, start + step)
            looked_up = np.stack([self._looked_up(family, different[part]) for family in families])
            first[part], second[part] = _moments(looked_up, members, self.shares)
        return first[place], second[place]

    def row_factors(self, data: Any, *, unknown: Unknown = "uniform", call: str) -> tuple[FloatArray, NDArray[np.intp]]:
        """Log-probabilities of the values of each different row in every family, and the place of each row.

        Parameters
        ----------
        data, unknown, call
            As for `log_prob`.

        Returns
        -------
        factors, places
            Different rows × children × sets of parents as masks of the other columns, the bits above the child's moved
            down by one; for each row of the data, which of the different ones it is.
        """
        different, place = self._different_rows(data, unknown, call)
        n = len(self.table.names)
        factors = np.empty((len(different), n, 1 << (n - 1)))
        for child in range(n):
            low = (1 << child) - 1
            for others in range(1 << (n - 1)):
                factors[:, child, others] = self._looked_up((child, others & low | (others & ~low) << 1), different)
        return factors, place

    def _different_rows(self, data: Any, unknown: Unknown, call: str) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """The different rows of the data as codes, and the place of each row among them."""
        names, levels = self.table.names, self.table.levels.as_dict()
        bare = Network(
            Dag.empty(names), levels, {name: np.full(len(levels[name]), 1 / len(levels[name])) for name in names}
        )
        codes = match_rows(bare, data, call, unknown=unknown)
        holed = [name for name, column in zip(names, codes.T, strict=True) if np.any(column == MISSING)]
        if holed:
            raise DataError(
                f"{call}(data): cells are missing, in {', '.join(map(repr, holed[:8]))}. Every variable needs a "
                "column without missing cells."
            )
        different, place = np.unique(codes, axis=0, return_inverse=True)
        return different, place.reshape(-1)

    def effect(self, cause: int, outcome: int) -> tuple[FloatArray, FloatArray]:
        """Averaged distributions of `outcome` when `cause` is set by force to each of its levels, and their variance.

        Only the families above the outcome matter, so structures that agree on these are worked out together.

        Returns
        -------
        mean, variance
            Levels of the cause × levels of the outcome; the variance is that between structures.
        """
        weights: defaultdict[tuple[tuple[int, int], ...], float] = defaultdict(float)
        for masks, share in zip(self.dags, self.shares.tolist(), strict=True):
            cut = [0 if node == cause else mask for node, mask in enumerate(masks)]
            weights[tuple((node, cut[node]) for node in bits(ancestors_of(cut, 1 << outcome)))] += share
        shape = (self.table.arities[cause], self.table.arities[outcome])
        mean, square = np.zeros(shape), np.zeros(shape)
        for families, share in weights.items():
            values = self._forced(dict(families), cause, outcome)
            mean += share * values
            square += share * values**2
        variance: FloatArray = np.maximum(square - mean**2, 0.0)
        return mean, variance

    def _forced(self, families: dict[int, int], cause: int, outcome: int) -> FloatArray:
        """The distributions in one network that has only what lies above the outcome."""
        if math.prod(self.table.arities[node] for node in families) <= _MOST_CELLS:
            return self._summed(families, cause, outcome)
        names, levels = self.table.names, self.table.levels.as_dict()
        inside = [names[node] for node in families]
        arcs = [(names[parent], names[node]) for node, mask in families.items() for parent in bits(mask)]
        # A cause that is as often at each level as at any other: dividing by that leaves what forcing does.
        equal = 1.0 / self.table.arities[cause]
        tables = {
            names[node]: np.full(self.table.arities[cause], equal) if node == cause else self.family(node, mask)
            for node, mask in families.items()
        }
        net = Network(Dag.from_arcs(inside, arcs), {name: levels[name] for name in inside}, tables)
        if cause not in families:
            return self._for_each(cause, net.query(names[outcome]).values)
        joint: FloatArray = net.query([names[cause], names[outcome]]).values / equal
        return joint

    def _summed(self, families: dict[int, int], cause: int, outcome: int) -> FloatArray:
        """The same by adding up all cells: most structures have so few that nothing else is worth its set-up."""
        operands: list[Any] = []
        for node, mask in families.items():
            if node != cause:
                operands += [self._dense(node, mask), [*bits(mask), node]]
        if cause in families:
            # Its axis may be in no table but that of its children; alone above nothing it would not be here.
            joint: FloatArray = np.einsum(*operands, [cause, outcome])
            return joint
        return self._for_each(cause, np.einsum(*operands, [outcome]))

    def _dense(self, child: int, parents: int) -> FloatArray:
        found = self._arrays.get((child, parents))
        if found is None:
            found = self.family(child, parents).array([self.table.arities[member] for member in bits(parents)])
            self._arrays[child, parents] = found
        return found

    def _for_each(self, cause: int, distribution: FloatArray) -> FloatArray:
        return np.broadcast_to(distribution, (self.table.arities[cause], len(distribution)))

    def _looked_up(self, family: tuple[int, int], codes: NDArray[np.int32]) -> FloatArray:
        """The log-probability of the child of a family in each row, given its parents there."""
        child, parents = family
        table, members = self.family(child, parents), list(bits(parents))
        above = codes[:, members]
        strange = np.any(above == UNKNOWN, axis=1)
        rows = table.rows_of([self.table.arities[member] for member in members], np.where(above < 0, 0, above))
        rows[strange] = table.unseen
        level = codes[:, child]
        with np.errstate(divide="ignore"):
            known = np.log(rows[np.arange(len(codes)), np.maximum(level, 0)])
        return np.where(level == UNKNOWN, -math.log(table.n_levels), known)


def _moments(looked_up: FloatArray, members: NDArray[np.int32], shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Logs of the averages of the probabilities and of their squares, by row."""
    first = np.full(looked_up.shape[1], -np.inf)
    second = first.copy()
    with np.errstate(divide="ignore"):
        log_shares = np.log(shares)
    step = max(1, _MOST_ADDED // looked_up.shape[1])
    for start in range(0, len(members), step):
        part = members[start : start + step]
        logs = looked_up[part[:, 0]]
        for column in range(1, part.shape[1]):
            logs += looked_up[part[:, column]]
        weight = log_shares[start : start + step, None]
        first = np.logaddexp(first, _log_sum(weight + logs))
        second = np.logaddexp(second, _log_sum(weight + 2 * logs))
    return first, second


def _log_sum(logs: FloatArray) -> FloatArray:
    """Log of the sum of exponentials down each column."""
    top = logs.max(axis=0)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        summed: FloatArray = safe + np.log(np.exp(logs - safe).sum(axis=0))
    return summed
