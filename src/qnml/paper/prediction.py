"""Predicting unseen rows: the experiment behind Table 2, Figure 1 and Appendix E.

Each repetition shuffles a data set and divides it into ten parts. The first one, two, … nine parts are for learning,
the rest for testing. Networks learned with BDeu get its Bayesian predictive parameters (equivalent sample size 1), the
others those of sequential normalized maximum likelihood. The results are the mean log-probability of a test row, and
the number of parameters.

BIC and qNML are score-equivalent, but the predictions of sequential NML differ between the members of an equivalence
class. Which member a program reports is arbitrary, so `log_prob_other` has the mean for another one; it equals
`log_prob` for BDeu, whose predictions do not differ, and for fNML, which is not score-equivalent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.paper.criteria import CRITERIA, learn_each
from qnml.paper.families import FamilyCodes, Split
from qnml.paper.seeds import generator
from qnml.paper.subjects import FRACTIONS, load_dataset, training_rows

if TYPE_CHECKING:
    from qnml.graph import Dag

__all__ = ["SCHEMA", "learnings", "run_chunk"]

SCHEMA = {
    "dataset": pl.String,
    "repetition": pl.Int64,
    "fraction": pl.Int64,
    "n_train": pl.Int64,
    "n_test": pl.Int64,
    "criterion": pl.String,
    "parameters": pl.Int64,
    "log_prob": pl.Float64,
    "log_prob_other": pl.Float64,
}
"""Columns of the results."""

_BLIND_TO_MEMBERS = ("BIC", "qNML")


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
    codes = FamilyCodes(table)
    sizes = [training_rows(table.n_rows, tenths) for tenths in FRACTIONS]
    rows = []
    for repetition in range(first, last):
        order = generator(seed, "prediction", subject, repetition).permutation(table.n_rows)
        found_by_size = learn_each([table.take(order[:size]) for size in sizes])
        for tenths, size, found in zip(FRACTIONS, sizes, found_by_size, strict=True):
            split = Split(codes, order, size)
            n_test = table.n_rows - size
            for (criterion, _), dag in found.items():
                rule = "bpp" if criterion == "BDeu" else "snml"
                log_prob = other = split.mean_log_prob(dag, rule)
                if criterion in _BLIND_TO_MEMBERS:
                    other = split.mean_log_prob(_other_member(dag), rule)
                parameters = dag.n_parameters(table.arities)
                rows.append((subject, repetition, tenths, size, n_test, criterion, parameters, log_prob, other))
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
    return repetitions * len(CRITERIA) * len(FRACTIONS)


def _other_member(dag: Dag) -> Dag:
    """The member of the class obtained with the variables in the opposite order; it can be the same one."""
    backwards = dag.reorder(dag.names[::-1])
    return backwards.to_cpdag().consistent_extension().reorder(dag.names)
