"""Averages over networks of different structure on the same table: probabilities of rows, effects of interventions.

Structures share most of their families, and the table of a family does not depend on the rest of the structure. So
every family is estimated once, and a mixture of thousands of networks costs little more than its distinct families.
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

# Limits on doubles in memory at a time: log-probabilities of families by row, and of DAGs by row.
_MOST_LOOKED_UP = 2**24
_MOST_ADDED = 2**21
# Networks with at most this many cells are summed directly, which is faster than planning a contraction; this also
# keeps below the 52 axes that numpy's einsum can name.
_MOST_CELLS = 2**12


@dataclass(frozen=True, eq=False)
class NetworkMixture:
    """A mixture of networks, with weights that sum to one.

    Attributes
    ----------
    table : the data from which the networks are estimated; nodes are numbered as its columns.
    dags : for every network, the parent set of each node as a bit mask.
    shares : the weight of each network.
    parameters : the rule that estimates the probabilities.
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
        """The table of a family, estimated on first use."""
        found = self._tables.get((child, parents))
        if found is None:
            members = list(bits(parents))
            levels = [self.table.arities[member] for member in members]
            found = estimated_table(*self._counts.family_counts(child, members), levels, self.parameters)
            self._tables[child, parents] = found
        return found

    def log_prob(self, data: Any, *, unknown: Unknown = "uniform", call: str) -> tuple[FloatArray, FloatArray]:
        """Log of the mean probability of each row, and log of the mean squared probability.

        Parameters
        ----------
        data
            Complete rows, matched to the labels of the table.
        unknown
            As for :meth:`Network.log_prob`.
        call
            The calling function, named in errors.
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
        """Log-probabilities of each distinct row in every family, and the index of each row among the distinct ones.

        Parameters
        ----------
        data, unknown, call
            As for `log_prob`.

        Returns
        -------
        factors, places
            Distinct rows × children × parent sets, where a parent set is a mask of the other columns (the bits above
            that of the child are shifted down by one); and the index of each row of the data in the first axis.
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
        """The distinct rows of the data as codes, and the index of each row among them."""
        names, levels = self.table.names, self.table.levels.as_dict()
        uniform = {name: np.full(len(levels[name]), 1 / len(levels[name])) for name in names}
        bare = Network(Dag.empty(names), levels, uniform, preparation=self.table.preparation)
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
        """Mean and variance of the distribution of `outcome` when an intervention sets `cause` to each of its levels.

        Only the ancestors of the outcome matter, so structures that agree on their families are computed once.

        Returns
        -------
        mean, variance
            Levels of the cause × levels of the outcome; the variance is taken over structures.
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
        """The distributions in one network, restricted to the outcome and its ancestors."""
        if math.prod(self.table.arities[node] for node in families) <= _MOST_CELLS:
            return self._summed(families, cause, outcome)
        names, levels = self.table.names, self.table.levels.as_dict()
        inside = [names[node] for node in families]
        arcs = [(names[parent], names[node]) for node, mask in families.items() for parent in bits(mask)]
        # Give the cause a uniform distribution: dividing the joint by it leaves the distributions under intervention.
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
        """Compute the same by summing over all cells; most structures have so few that planning would cost more."""
        operands: list[Any] = []
        for node, mask in families.items():
            if node != cause:
                operands += [self._dense(node, mask), [*bits(mask), node]]
        if cause in families:
            # A cause in `families` is an ancestor of the outcome, so the table of a child has its axis.
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
        """The log-probability of a family's child in each row, given its parents in that row."""
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
    """Logs of the mean probability and of the mean squared probability of each row."""
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
