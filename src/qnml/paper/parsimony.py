"""The number of parameters of learned networks: the experiment behind Table 3.

Each repetition draws the N rows of the table without replacement. The criteria differ in how they penalize
uninformative parents. If the penalty is zero (fNML, with a parent that is constant in the sample), networks of very
different size tie; so both the largest and the smallest number of parameters among networks of equal score are
recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.paper.criteria import CRITERIA, learn_each
from qnml.paper.printed import SETS
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_dataset

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SCHEMA", "TIES", "learnings", "run_chunk", "run_samples"]

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
    return run_samples(subject, first, last, seed, TIES)


def run_samples(
    subject: str, first: int, last: int, seed: int, ties: Sequence[str], *, as_published: bool = False
) -> pl.DataFrame:
    """Run some repetitions with the given tie-breaking rules.

    Parameters
    ----------
    subject, first, last, seed
        As for :func:`run_chunk`.
    ties
        The rules.
    as_published
        Whether regrets are those of the program behind the paper.
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
        learned = learn_each(samples, ties=ties, seeds=batch, as_published=as_published)
        for repetition, found in zip(batch, learned, strict=True):
            for (criterion, rule), dag in found.items():
                rows.append((subject, repetition, n_train, criterion, rule, dag.n_parameters(table.arities)))
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
