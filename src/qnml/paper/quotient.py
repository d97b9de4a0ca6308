r"""How the choice of structure by BDq depends on its α: iris, four predictors (Appendix D).

All 185 equivalence classes on four nodes are scored by BDq(α). The paper takes a uniform prior over structures and one
representative per class. That can be read in two ways, and both are computed: every class has the same prior
(``classes``), or every network has, so that a class counts as often as it has members (``networks``).

The predictive distribution of BDq: with S ranging over sets of variables, N_S(x) the number of rows that agree with x
on S, and c_S the number of cells of S, the score of the data and one more row x, minus that of the data, is log R_G(x),

.. math::

    R_G(x) = \prod_i \frac{g_{G_i \cup i}(x)}{g_{G_i}(x)}, \qquad g_S(x) = \frac{N_S(x) + α}{N + α c_S}.

BDq is a quotient and not a probability of data, so the R_G(x) of the 81 possible rows do not sum to one; divided by
their sum they are the predictive distribution of G. Since it is a function of scores alone, it is the same for all
networks of a class. The average over structures weights these distributions by the posterior.

The pages of the appendix were made on 13 October 2017 by a program whose formula was mended on 30 October: it omitted
parent configurations that never occur from the sum over cells, but not from the term it subtracts for their prior. A
family with u of them lost u·(r − 1)·log Γ(α). The posterior with this subtracted is computed too (``program``). That
formula is not score equivalent, so that the member that stands for a class matters: it is the first in the order of
enumeration, but for one class the member that the pages imply. The predictions on those pages are products of
θ ∝ N + α (``plug_in``), which depend on the member too.

The results have one value per row. For a ``class`` (named by its first member): ``log_score``, ``members``, and the
posterior under each reading. For a ``cell`` (a row, named by its levels from 0): ``seen``, its share of the data, and
for every reading ``best_…``, its probability under the most probable class, and ``average_…``: for the first two the
predictive distribution of BDq; with ``plug_in_`` before it, the product of θ ∝ N + α, for ``classes`` and ``program``.
"""

from __future__ import annotations

from functools import lru_cache
from math import lgamma
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml._api.scoring import score
from qnml.graph import Cpdag, Dag, all_dags, class_size
from qnml.paper.subjects import load_dataset

if TYPE_CHECKING:
    from qnml._types import FloatArray
    from qnml.data import Table

__all__ = ["ALPHAS", "READINGS", "SCHEMA", "learnings", "plug_in", "predictive", "run_chunk"]

ALPHAS = (0.1, 0.15, 0.2, 0.25, 0.3, 1 / 3, 0.4, 0.45, 0.5, 0.7, 1.0)
"""Values of α; 1/2 is Suzuki's choice, 1/3 that of Jääsaari et al."""

READINGS = ("classes", "networks")
"""The structures over which the prior is uniform."""

# The member of its class by which the bars of the appendix come out.
_IMPLIED = "[sepal_length][sepal_width|sepal_length:petal_width][petal_length|petal_width][petal_width|sepal_length]"

SCHEMA = {
    "alpha": pl.Float64,
    "kind": pl.String,
    "name": pl.String,
    "quantity": pl.String,
    "value": pl.Float64,
}
"""Columns of the results."""


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Score all classes for every α; nothing is random, and no network is learned.

    Parameters
    ----------
    subject
        ``"all"``.
    first
        Not used.
    last
        Not used.
    seed
        Not used.
    """
    table = _predictors()
    classes = _classes(table.names)
    seen = _counts(table)
    cell_names = ["".join(map(str, cell)) for cell in np.ndindex(seen.shape)]
    members = np.array([class_size(dag) for dag in classes], dtype=float)
    missing = np.array([_unseen_cells(seen, dag) for dag in classes])
    rows = []
    for alpha in ALPHAS:
        log_scores = np.array([score(table, dag, "bdq", n_jobs=1, alpha=alpha) for dag in classes])
        predicted = np.stack([predictive(table, dag, alpha) for dag in classes])
        of_class = {"log_score": log_scores, "members": members}
        of_cell = {"seen": seen.ravel() / table.n_rows}
        for reading in READINGS:
            posterior = _normalized(log_scores + (np.log(members) if reading == "networks" else 0.0))
            of_class[f"posterior_{reading}"] = posterior
            of_cell[f"best_{reading}"] = predicted[int(posterior.argmax())]
            of_cell[f"average_{reading}"] = posterior @ predicted
        of_class["posterior_program"] = _normalized(log_scores - missing * lgamma(alpha))
        plugged = np.stack([plug_in(seen, dag, alpha) for dag in classes])
        for reading in ("classes", "program"):
            posterior = of_class[f"posterior_{reading}"]
            of_cell[f"plug_in_best_{reading}"] = plugged[int(posterior.argmax())]
            of_cell[f"plug_in_average_{reading}"] = posterior @ plugged
        for kind, names, found in (("class", list(map(str, classes)), of_class), ("cell", cell_names, of_cell)):
            for quantity, values in found.items():
                rows += [(alpha, kind, name, quantity, float(value)) for name, value in zip(names, values, strict=True)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """No network is learned.

    Parameters
    ----------
    subject
        ``"all"``.
    repetitions
        Not used.
    """
    return 0


def predictive(table: Table, dag: Dag, alpha: float) -> FloatArray:
    """The predictive distribution of BDq for the next row, over all possible rows.

    Parameters
    ----------
    table
        The data.
    dag
        A structure; all members of its class give the same result.
    alpha
        The α of BDq.

    Returns
    -------
    array
        One probability for each combination of levels, in the order of the structure's nodes, the last level changing
        fastest.
    """
    counts = _counts(table.select(dag.names))
    axes = range(counts.ndim)
    log_ratio = np.zeros(counts.shape)
    for child, name in enumerate(dag.names):
        parents = {dag.index(parent) for parent in dag.parents(name)}
        for family, sign in ((parents | {child}, 1.0), (parents, -1.0)):
            matching = counts.sum(axis=tuple(axis for axis in axes if axis not in family), keepdims=True)
            log_ratio += sign * np.log((matching + alpha) / (table.n_rows + alpha * matching.size))
    return _normalized(log_ratio.ravel())


def plug_in(counts: FloatArray, dag: Dag, alpha: float) -> FloatArray:
    """The distribution of the next row with θ ∝ N + α in every configuration of the parents.

    Parameters
    ----------
    counts
        How often each combination of levels occurs, with one axis per node.
    dag
        A structure; equivalent ones differ.
    alpha
        The α.
    """
    axes = range(counts.ndim)
    found = np.ones(counts.shape)
    for child, name in enumerate(dag.names):
        family = {dag.index(parent) for parent in dag.parents(name)} | {child}
        cells = counts.sum(axis=tuple(axis for axis in axes if axis not in family), keepdims=True) + alpha
        found = found * cells / cells.sum(axis=child, keepdims=True)
    flat: FloatArray = found.ravel()
    return flat


@lru_cache(maxsize=1)
def _predictors() -> Table:
    table = load_dataset("iris")
    return table.select(table.names[:4])


def _classes(names: tuple[str, ...]) -> list[Dag]:
    """One network of each equivalence class: the first in order of enumeration, or the one that the pages imply."""
    first: dict[Cpdag, Dag] = {}
    for dag in all_dags(names):
        first.setdefault(dag.to_cpdag(), dag)
    implied = Dag.from_modelstring(_IMPLIED).reorder(names)
    first[implied.to_cpdag()] = implied
    return list(first.values())


def _counts(table: Table) -> FloatArray:
    """How often each combination of levels occurs, with one axis per column."""
    counts = np.zeros(tuple(table.arities))
    np.add.at(counts, tuple(table.columns), 1.0)
    return counts


def _unseen_cells(counts: FloatArray, dag: Dag) -> float:
    """The sum over variables of (r − 1) × number of parent configurations that never occur."""
    total = 0.0
    for child, name in enumerate(dag.names):
        parents = [dag.index(parent) for parent in dag.parents(name)]
        seen = counts.sum(axis=tuple(axis for axis in range(counts.ndim) if axis not in parents))
        total += (counts.shape[child] - 1) * float(np.count_nonzero(np.atleast_1d(seen) == 0.0))
    return total


def _normalized(logarithms: FloatArray) -> FloatArray:
    weights = np.exp(logarithms - logarithms.max())
    shares: FloatArray = weights / weights.sum()
    return shares
