"""The number of parameters of learned networks: the experiment behind Table 3.

Each repetition draws the N rows of the table without replacement. The criteria differ in how they penalize
uninformative parents. If the penalty is zero (fNML, with a parent that is constant in the sample), networks of very
different size tie; so both the largest and the smallest number of parameters among networks of equal score are
recorded.
"""

from __future__ import annotations

import polars as pl

from qnml.paper.criteria import CRITERIA, learn_each
from qnml.paper.printed import SETS
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_dataset

__all__ = ["SCHEMA", "TIES", "learnings", "run_chunk"]

TIES = ("canonical", "larger")
"""Tie-breaking rules; both are run."""

SCHEMA = {
    "dataset": pl.String,
    "repetition": pl.Int64,
    "n_train": pl.Int64,
    "criterion": pl.String,
    "ties": pl.String,
    "parameters": pl.Int64,
}
"""Columns of the results."""

# Samples passed at a time: enough to share the cost of a call, few enough to fit into memory for the largest set.
_BATCH = 32


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Run some repetitions on one data set.

    Parameters
    ----------
    subject
        One of the data sets of the paper.
    first
        The first repetition.
    last
        The repetition to stop before.
    seed
        Seed of the whole run.
    """
    table = load_dataset(subject)
    n_train = SETS[subject].parsimony_rows
    rows = []
    for start in range(first, last, _BATCH):
        batch = range(start, min(start + _BATCH, last))
        chosen = [
            generator(seed, "parsimony", subject, repetition).permutation(table.n_rows)[:n_train]
            for repetition in batch
        ]
        samples = [table.take(places) for places in chosen]
        for repetition, found in zip(batch, learn_each(samples, ties=TIES), strict=True):
            for (criterion, ties), dag in found.items():
                rows.append((subject, repetition, n_train, criterion, ties, dag.n_parameters(table.arities)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """How many networks a number of repetitions learns.

    Parameters
    ----------
    subject
        One of the data sets of the paper.
    repetitions
        Number of repetitions.
    """
    return repetitions * len(CRITERIA) * len(TIES)
