"""Table 3 as the authors' program ran it: fNML and qNML with its regrets, and ties broken by chance.

That program adds up doubles, so that rounding decides between networks of equal score. Which of them it takes depends
on the order of its sums; a uniform choice among them (``random``) stands for it. The samples are those of
:mod:`qnml.paper.parsimony`, so that ``canonical`` results differ from those there by the regrets only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.paper import parsimony
from qnml.paper.criteria import CRITERIA

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TIES", "learnings", "run_chunk"]

TIES = ("canonical", "random")
"""Tie-breaking rules; both are run."""


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Run some repetitions on one data set; the parameters are those of `parsimony.run_chunk`."""
    return parsimony.run_samples(subject, first, last, seed, TIES, as_published=True)


def learnings(subject: str, repetitions: int) -> int:
    """How many networks a number of repetitions learns."""
    return repetitions * len(CRITERIA) * len(TIES)
