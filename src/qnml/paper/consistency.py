"""Consistency: how often the learned class is the true one, as the sample grows to a million rows.

Each repetition draws one sample of a million rows from a network; the smaller samples are its first rows. The paper
proves that qNML finds the true class with a probability tending to one if the distribution is faithful to the network.
"""

from __future__ import annotations

import polars as pl

from qnml.graph import shd
from qnml.paper.criteria import CRITERIA, learn_each
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_true_network

__all__ = ["SCHEMA", "SIZES", "learnings", "run_chunk"]

SIZES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""The sample sizes."""

SCHEMA = {
    "network": pl.String,
    "repetition": pl.Int64,
    "size": pl.Int64,
    "criterion": pl.String,
    "is_true": pl.Boolean,
    "shd": pl.Int64,
}
"""Columns of the results."""


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Run some repetitions on one network.

    Parameters
    ----------
    subject
        One of the networks of the paper.
    first
        The first repetition.
    last
        The repetition to stop before.
    seed
        Seed of the whole run.
    """
    network = load_true_network(subject)
    truth = network.dag.to_cpdag()
    rows = []
    for repetition in range(first, last):
        drawn = int(generator(seed, "consistency", subject, repetition).integers(2**63))
        whole = network.sample(SIZES[-1], drawn, n_jobs=1)
        for size in SIZES:
            (found,) = learn_each([whole.take(slice(0, size))])
            for (criterion, _), dag in found.items():
                distance = shd(truth, dag)
                rows.append((subject, repetition, size, criterion, distance == 0, distance))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """How many networks a number of repetitions learns.

    Parameters
    ----------
    subject
        One of the networks of the paper.
    repetitions
        Number of repetitions.
    """
    return repetitions * len(SIZES) * len(CRITERIA)
