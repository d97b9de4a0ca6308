"""fNML with the slip of the program of 2017: why the paper's fNML models of large samples are so large.

For more than 2000 observations of a configuration that program took eq. (6), with 5 log π where the equation has
½ log π: each such configuration costs 4½ log π = 5.15 nats too much, so that parents which split it are cheap. This
experiment learns from the samples of ``prediction`` with these regrets. Local scores are counted here by NumPy, apart
from the formulas of the core, which only finds the best network for them.
"""

from __future__ import annotations

import itertools
from math import log, pi
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml import Table, learn
from qnml.paper.families import FamilyCodes
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_dataset, training_rows
from qnml.scores import LocalScores, regret, regret_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml._types import FloatArray

__all__ = ["FRACTIONS", "SCHEMA", "learnings", "run_chunk", "slipped_regrets"]

FRACTIONS = {"abalone": (8, 9), "page_blocks": (4, 5, 6, 7, 8, 9), "adult": (9,), "shuttle": tuple(range(1, 10))}
"""Training shares, in tenths: those of more than 2000 rows with several configurations; of Adult the largest."""

SCHEMA = {
    "dataset": pl.String,
    "repetition": pl.Int64,
    "fraction": pl.Int64,
    "n_train": pl.Int64,
    "parameters": pl.Int64,
}
"""Columns of the results."""

_EXACT_UP_TO = 2000
_EXCESS = 4.5 * log(pi)


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Run some repetitions on one data set.

    Parameters
    ----------
    subject
        One of :data:`qnml.paper.subjects.BEYOND_2000`.
    first
        The first repetition.
    last
        The repetition to stop before.
    seed
        Seed of the whole run.
    """
    table = load_dataset(subject)
    # Counted once for each distinct row: Shuttle has 65, Adult 13,581.
    distinct, row_of = np.unique(np.stack(table.columns, axis=1), axis=0, return_inverse=True)
    codes = FamilyCodes(Table.from_codes(list(distinct.T), levels=table.arities, names=table.names))
    rows = []
    for repetition in range(first, last):
        order = generator(seed, "prediction", subject, repetition).permutation(table.n_rows)
        for tenths in FRACTIONS[subject]:
            size = training_rows(table.n_rows, tenths)
            weights = np.bincount(row_of.reshape(-1)[order[:size]], minlength=len(distinct))
            scores = _local_scores(table.names, codes, weights)
            parameters = learn(scores, guard="off").dag.n_parameters(table.arities)
            rows.append((subject, repetition, tenths, size, parameters))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """How many networks a number of repetitions learns.

    Parameters
    ----------
    subject
        One of :data:`qnml.paper.subjects.BEYOND_2000`.
    repetitions
        Number of repetitions.
    """
    return repetitions * len(FRACTIONS[subject])


def slipped_regrets(n: int, levels: int) -> FloatArray:
    """The regrets of 0, …, n observations as that program computed them.

    Parameters
    ----------
    n
        The largest number of observations.
    levels
        Number of levels.
    """
    exact = regret_table(min(n, _EXACT_UP_TO), levels)
    if n <= _EXACT_UP_TO or levels == 1:
        return exact if levels > 1 else np.zeros(n + 1)
    beyond = np.asarray(regret(np.arange(_EXACT_UP_TO + 1, n + 1), levels, "szpankowski")) + _EXCESS
    return np.concatenate((exact, beyond))


def _local_scores(names: tuple[str, ...], codes: FamilyCodes, weights: NDArray[np.int64]) -> LocalScores:
    total = int(weights.sum())
    n = np.arange(total + 1, dtype=float)
    fit = n * np.log(np.maximum(n, 1.0))
    charge = {levels: fit + slipped_regrets(total, levels) for levels in set(codes.arities)}
    found: dict[str, dict[frozenset[str], float]] = {name: {} for name in names}
    everyone = range(len(names))
    for size in range(len(names)):
        for parents in itertools.combinations(everyone, size):
            configs = codes.configs(parents)
            counts = _counted(configs, weights)
            charges = {levels: float(charge[levels][counts].sum()) for levels in charge}
            key = frozenset(names[parent] for parent in parents)
            for child in everyone:
                if child not in parents:
                    levels = codes.arities[child]
                    cells = _counted(configs * levels + codes.column(child), weights)
                    found[names[child]][key] = float(fit[cells].sum()) - charges[levels]
    return LocalScores(found)


def _counted(codes: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    # Sums of whole numbers far below 2^53 are exact.
    return np.bincount(codes, weights).astype(np.int64)
