"""Quantities against the size of the training sample, ours and the authors'."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.paper.authors import authors_predictions
from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import REPETITIONS
from qnml.paper.summary.measures import Estimate, beside, estimate
from qnml.paper.summary.types import PAPER_SUFFIX, Curve

if TYPE_CHECKING:
    import polars as pl

    from qnml.paper.summary.types import Cell

__all__ = ["authors_curves", "beside_authors", "estimates_by_size"]

# The authors' values were read off drawings, to about four digits.
_DIGITS = 1e-4


def estimates_by_size(part: pl.DataFrame, column: str) -> tuple[list[int], dict[str, list[Estimate]]]:
    """The training sizes of one data set, and an estimate for each of them by criterion.

    Parameters
    ----------
    part
        Results of the experiment ``prediction`` on one data set.
    column
        ``log_prob`` or ``parameters``.
    """
    sizes = sorted(part["n_train"].unique().to_list())
    groups = {
        (int(str(size)), str(criterion)): estimate(frame[column].to_numpy())
        for (size, criterion), frame in part.group_by("n_train", "criterion")
    }
    return sizes, {c: [groups[size, c] for size in sizes] for c in CRITERIA}


def beside_authors(found: Estimate, dataset: str, criterion: str, size: int, column: str) -> Cell:
    """Our mean beside the authors', with their variance.

    Parameters
    ----------
    found
        Ours.
    dataset, criterion, size, column
        Whose.
    """
    theirs = authors_predictions()[dataset, criterion, size, column]
    half_unit = _DIGITS * abs(theirs.mean)
    return beside(found, theirs.mean, half_unit=half_unit, variance=max(theirs.variance, 0.0))


def authors_curves(dataset: str, sizes: list[int], column: str, *, variance: bool = False) -> tuple[Curve, ...]:
    """The curves of the authors' Appendix E.

    Parameters
    ----------
    dataset
        Name of the data set.
    sizes
        Training sizes.
    column
        ``log_prob`` or ``parameters``.
    variance
        Whether to draw variances instead of means.
    """
    places, flat = tuple(map(float, sizes)), (0.0,) * len(sizes)
    curves = []
    for criterion in CRITERIA:
        theirs = [authors_predictions()[dataset, criterion, size, column] for size in sizes]
        values = [max(one.variance, 0.0) if variance else one.mean for one in theirs]
        errors = flat if variance else tuple(float(np.sqrt(max(t.variance, 0.0) / REPETITIONS)) for t in theirs)
        curves.append(Curve(f"{criterion}{PAPER_SUFFIX}", places, tuple(values), errors, flat))
    return tuple(curves)
