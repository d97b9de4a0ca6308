"""What draws under the uniform prior count under priors that chains cannot draw from.

Under ``"classes"`` a DAG counts 1 / (admitted members of its class). Under ``"order"`` it counts as many times as there
are orders of the columns that it agrees with, which is estimated without bias. Such an order is built from the front:
one of the columns whose parents are all placed comes next, each as probably as the others. An order then has the
probability 1 / ∏ (number of columns there were to choose from), so that the product is, on average, the number of
orders: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. For
averages over draws to converge to the right figures it is enough that weights are right on average; what they vary is
part of the errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import bad_argument
from qnml.graph import Dag
from qnml.graph.equivalence import enumerate_class
from qnml.graph.structure_arrays import class_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.search.posterior.structure_posterior import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["class_weights", "order_weights", "prior_weights"]

_ORDERS = 16
_MOST_COLUMNS = 62  # bits of a signed word, with room for the number after the last


def prior_weights(problem: SearchProblem, dags: Sequence[Masks], seed: int) -> FloatArray:
    """What each DAG counts, relative to the others, under the prior of the problem; their mean is one.

    Parameters
    ----------
    problem
        With the prior ``"classes"`` or ``"order"``.
    dags
        Drawn under the uniform prior.
    seed
        Of what is random in it.
    """
    weights = class_weights(problem, dags) if problem.prior == "classes" else order_weights(dags, seed)
    relative: FloatArray = weights / weights.mean()
    return relative


def class_weights(problem: SearchProblem, dags: Sequence[Masks]) -> FloatArray:
    """One over the number of admitted members of the class of each DAG, on up to six columns."""
    names = [str(place) for place in range(problem.n_variables)]
    keys = class_keys(np.array(dags, dtype=np.uint8).reshape(-1, len(names)))
    _, firsts, places = np.unique(keys, return_index=True, return_inverse=True)
    sizes = [
        sum(
            all(problem.admits(child, parents) for child, parents in enumerate(member.parent_masks))
            for member in enumerate_class(Dag.from_masks(names, dags[first]))
        )
        for first in firsts.tolist()
    ]
    weights: FloatArray = 1.0 / np.array(sizes, dtype=np.float64)[places.reshape(-1)]
    return weights


def order_weights(dags: Sequence[Masks], seed: int, orders: int = _ORDERS) -> FloatArray:
    """Estimates of the numbers of orders that DAGs on up to 62 columns agree with, all divided by the same number.

    Parameters
    ----------
    dags
        On the same columns.
    seed
        Of the orders that are built.
    orders
        How many are built for each DAG.

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
        # The highest of independent uniform numbers is each of those that are free equally probably.
        chosen = np.where(free, generator.random(free.shape), -1.0).argmax(axis=1)
        left &= ~bit[chosen]
    estimates: FloatArray = np.exp(logs - logs.max()).reshape(-1, orders).mean(axis=1)
    return estimates
