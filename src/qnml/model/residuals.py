"""Residual dependence: pairs of variables that depend on each other in a way that the network does not explain.

For each pair the observed frequencies are compared with the joint distribution in the network by the likelihood ratio
statistic G² = 2 Σ n log(n / (N p)). If the network were true, it would be about chi-squared distributed with at most
(levels − 1)(levels − 1) degrees of freedom, since the parameters are estimated; so the p-value is an approximation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.model.network import Network

__all__ = ["Residual", "residual_dependence"]


@dataclass(frozen=True)
class Residual:
    """How far the observed joint frequencies of two variables are from those of the network.

    Attributes
    ----------
    first, second : the variables.
    statistic : the likelihood ratio statistic G².
    freedom : the degrees of freedom it is compared with.
    p_value : the chance of a statistic at least as large if the network were true, by the chi-squared approximation.
    """

    first: str
    second: str
    statistic: float
    freedom: int
    p_value: float


def residual_dependence(net: Network, table: Table) -> list[Residual]:
    """Compare every pair of variables; the pair with the smallest p-value comes first.

    Parameters
    ----------
    net
        The network.
    table
        Rows coded by the levels of the network. Rows with a missing cell in one of the two are left out for that pair.
    """
    names = sorted(net.names)
    found = []
    for place, first in enumerate(names):
        joint = _joints(net, first, names[place + 1 :])
        found += [_compared(table, first, second, joint[second]) for second in names[place + 1 :]]
    return sorted(found, key=lambda one: (one.p_value, -one.statistic, one.first, one.second))


def _joints(net: Network, first: str, others: Sequence[str]) -> dict[str, FloatArray]:
    """The joint distribution of a variable with each of the others, by one pass of messages for each of its levels."""
    levels = net.levels[first]
    if not others:
        return {}
    alone = np.asarray(net.marginals(targets=[first])[first].values)
    given = [
        net.marginals({first: level}, targets=others) if p > 0 else None for level, p in zip(levels, alone, strict=True)
    ]
    return {
        second: np.array(
            [
                p * np.asarray(found[second].values) if found is not None else np.zeros(len(net.levels[second]))
                for p, found in zip(alone, given, strict=True)
            ]
        )
        for second in others
    }


def _compared(table: Table, first: str, second: str, joint: FloatArray) -> Residual:
    from scipy.stats import chi2

    counts = _counted(table, first, second)
    expected = joint * counts.sum()
    present = counts > 0
    with np.errstate(divide="ignore"):
        statistic = float(2.0 * np.sum(counts[present] * np.log(counts[present] / expected[present])))
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    p_value = float(chi2.sf(max(statistic, 0.0), freedom)) if freedom else 1.0
    return Residual(first, second, max(statistic, 0.0), freedom, p_value)


def _counted(table: Table, first: str, second: str) -> FloatArray:
    one, other = (np.asarray(table.codes(name), dtype=np.int64) for name in (first, second))
    levels = len(table.levels[first]), len(table.levels[second])
    weights = np.ones(table.n_rows) if table.weights is None else np.asarray(table.weights, dtype=np.float64)
    seen = (one >= 0) & (other >= 0)
    flat = np.bincount(one[seen] * levels[1] + other[seen], weights=weights[seen], minlength=levels[0] * levels[1])
    return np.asarray(flat.reshape(levels), dtype=np.float64)
