"""Figure 2 as the authors' program ran it: fNML and qNML with its regrets, on the samples of ``structure``.

The samples and the seeds of ties are those of :mod:`qnml.paper.structure`, so that results differ by the regrets only.
BDeu and BIC have no regrets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.paper import structure
from qnml.paper.criteria import WITH_REGRETS

if TYPE_CHECKING:
    import polars as pl

__all__ = ["learnings", "run_chunk"]


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Run some repetitions on one network; the parameters are those of `structure.run_chunk`."""
    return structure.run_samples(subject, first, last, seed, WITH_REGRETS, as_published=True)


def learnings(subject: str, repetitions: int) -> int:
    """How many networks a number of repetitions learns."""
    return structure.learnings(subject, repetitions) // 2
