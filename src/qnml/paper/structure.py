"""Recovering the structure that generated the data: the experiment behind Figures 2 and 3.

For each repetition and sample size, a new sample is drawn from the network, a network is learned from it with each
criterion, and its structural Hamming distance to the true network is computed between equivalence classes. Below a few
hundred rows many networks have exactly the same score, so learning is run twice on every sample: with canonical
tie-breaking (fewest parameters first), and with a random choice among the best networks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.graph import shd
from qnml.paper.criteria import CRITERIA, learn_each
from qnml.paper.seeds import generator
from qnml.paper.subjects import SIZES, load_true_network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.graph import Dag

__all__ = ["SCHEMA", "TIES", "learnings", "run_chunk", "run_samples"]

TIES = ("canonical", "random")
"""Tie-breaking rules; both are run."""

SCHEMA = {
    "network": pl.String,
    "repetition": pl.Int64,
    "size": pl.Int64,
    "criterion": pl.String,
    "ties": pl.String,
    "shd": pl.Int64,
    "arcs": pl.Int64,
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
    return run_samples(subject, first, last, seed, tuple(CRITERIA))


def run_samples(
    subject: str, first: int, last: int, seed: int, criteria: Sequence[str], *, as_published: bool = False
) -> pl.DataFrame:
    """Run some repetitions with the given criteria.

    Parameters
    ----------
    subject, first, last, seed
        As for :func:`run_chunk`.
    criteria
        Names of criteria.
    as_published
        Whether regrets are those of the program behind the paper.
    """
    network = load_true_network(subject)
    truth = network.dag.to_cpdag()
    distances: dict[Dag, int] = {}
    rows = []
    for repetition in range(first, last):
        drawn = generator(seed, "structure", subject, repetition).integers(2**63, size=(2, len(SIZES)))
        sample_seeds, tie_seeds = drawn.tolist()
        samples = [network.sample(size, one, n_jobs=1) for size, one in zip(SIZES, sample_seeds, strict=True)]
        found_by_size = learn_each(samples, criteria=criteria, ties=TIES, seeds=tie_seeds, as_published=as_published)
        for rule in TIES:
            for size, found in zip(SIZES, found_by_size, strict=True):
                for (criterion, ties), dag in found.items():
                    if ties != rule:
                        continue
                    if dag not in distances:
                        distances[dag] = shd(truth, dag)
                    rows.append((subject, repetition, size, criterion, ties, distances[dag], len(dag.arcs)))
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
    return repetitions * len(SIZES) * len(CRITERIA) * len(TIES)
