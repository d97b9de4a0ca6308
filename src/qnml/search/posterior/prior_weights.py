"""Importance weights for draws under the uniform prior, for priors that chains cannot sample from.

Under ``"classes"`` the weight of a DAG is 1 / (number of admitted members of its class). Under ``"order"`` it is the
number of orders of the columns consistent with the DAG. That number is estimated without bias: a consistent order is
built from the front, and each next column is chosen uniformly among those whose parents have all been placed. The order
then has the probability 1 / ∏ (number of columns to choose from), so the expected value of the product is the number of
orders: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. Weighted
averages over draws converge as long as the weights are unbiased; the variance of the weights is part of the standard
errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import bad_argument
from qnml.graph import Dag
from qnml.graph.equivalence import enumerate_class
from qnml.graph.structure_arrays import told_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["class_weights", "order_weights", "prior_weights"]

_ORDERS = 16
_MOST_COLUMNS = 62  # bits of a signed word, so that 1 << n does not overflow


def prior_weights(problem: SearchProblem, dags: Sequence[Masks], seed: int) -> FloatArray:
    """Relative weights of DAGs under the prior of the problem; their mean is one.

    Parameters
    ----------
    problem
        With the prior ``"classes"`` or ``"order"``.
    dags
        Drawn under the uniform prior.
    seed
        Seed of the orders that are built.
    """
    weights = class_weights(problem, dags) if problem.prior == "classes" else order_weights(dags, seed)
    relative: FloatArray = weights / weights.mean()
    return relative


def class_weights(problem: SearchProblem, dags: Sequence[Masks]) -> FloatArray:
    """1 / (number of admitted members of the class) for each DAG, on up to six columns."""
    names = [str(place) for place in range(problem.n_variables)]
    keys = told_keys(np.array(dags, dtype=np.uint8).reshape(-1, len(names)), problem.parts)
    _, firsts, places = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sizes = [
        sum(
            all(problem.admits(child, parents) for child, parents in enumerate(member.parent_masks))
            for member in enumerate_class(problem.class_of(Dag.from_masks(names, dags[first])))
        )
        for first in firsts.tolist()
    ]
    weights: FloatArray = 1.0 / np.array(sizes, dtype=np.float64)[places.reshape(-1)]
    return weights


def order_weights(dags: Sequence[Masks], seed: int, orders: int = _ORDERS) -> FloatArray:
    """Estimated numbers of orders consistent with each DAG, up to a common factor, on up to 62 columns.

    Parameters
    ----------
    dags
        DAGs on the same columns.
    seed
        Seed of the orders that are built.
    orders
        Number of orders built for each DAG.

    Examples
    --------
    >>> one, two = order_weights([(0, 1), (0, 0)], seed=1)  # one order against two
    >>> float(two / one)
    2.0
    """
    n = len(dags[0])
    if n > _MOST_COLUMNS:
        raise bad_argument("order_weights", "dags", f"DAGs on {n} columns", f"DAGs on up to {_MOST_COLUMNS}")
    generator = np.random.default_rng([seed, n])
    parents = np.repeat(np.array(dags, dtype=np.int64).reshape(-1, n), orders, axis=0)
    bit = np.int64(1) << np.arange(n, dtype=np.int64)
    left = np.full(len(parents), (1 << n) - 1, dtype=np.int64)
    logs = np.zeros(len(parents))
    for _ in range(n):
        free = ((parents & left[:, None]) == 0) & ((bit & left[:, None]) != 0)
        logs += np.log(free.sum(axis=1))
        # The largest of independent uniform numbers falls on each free column with the same probability.
        chosen = np.where(free, generator.random(free.shape), -1.0).argmax(axis=1)
        left &= ~bit[chosen]
    estimates: FloatArray = np.exp(logs - logs.max()).reshape(-1, orders).mean(axis=1)
    return estimates
