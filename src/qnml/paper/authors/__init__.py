"""The authors' own results: means and variances behind the curves of the paper.

``appendix_e.csv`` has the curves of Appendix E, read off the vector graphics of its figures (about four digits).
``structure.csv`` has the means and variances of the distances behind Figure 2 and of the dense ranks behind Figure 3,
computed from the 1000 repetitions of each sample size that the authors publish
(https://github.com/tomisilander/AISTATS2018q).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SOURCE", "Mean", "authors_distances", "authors_predictions", "authors_ranks"]

SOURCE = "https://github.com/tomisilander/AISTATS2018q"
"""Where the authors publish them."""


@dataclass(frozen=True)
class Mean:
    """A mean over 1000 repetitions of the authors.

    Parameters
    ----------
    mean
        The mean.
    variance
        The variance of one repetition.
    """

    mean: float
    variance: float


@lru_cache(maxsize=1)
def authors_predictions() -> Mapping[tuple[str, str, int, str], Mean]:
    """Appendix E by data set, criterion, training rows and quantity: ``log_prob`` or ``parameters``."""
    found = {}
    for row in _rows("appendix_e.csv"):
        key = row["dataset"], row["criterion"], int(row["n_train"])
        found[*key, "log_prob"] = Mean(-float(row["neg_logprob_mean"]), float(row["neg_logprob_var"]))
        found[*key, "parameters"] = Mean(float(row["parameters_mean"]), float(row["parameters_var"]))
    return found


def authors_distances() -> Mapping[tuple[str, str, int], Mean]:
    """Figure 2 by network, criterion and sample size."""
    return _structure("shd")


def authors_ranks() -> Mapping[tuple[str, str, int], Mean]:
    """The ranks of Figure 3 by network, criterion and sample size: distinct distances numbered from 1."""
    return _structure("rank")


@lru_cache(maxsize=2)
def _structure(quantity: str) -> Mapping[tuple[str, str, int], Mean]:
    return {
        (row["network"], row["criterion"], int(row["size"])): Mean(
            float(row[f"{quantity}_mean"]), float(row[f"{quantity}_var"])
        )
        for row in _rows("structure.csv")
    }


def _rows(name: str) -> list[dict[str, str]]:
    with open(Path(__file__).parent / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
