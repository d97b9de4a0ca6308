"""Rules that cut a range of numbers into bins.

Bins are closed on the right: a value on a cut belongs to the lower bin. Equal-width cuts result from a division,
so whether a value lies *on* a cut must not depend on the last bit: see `Binning.slack`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Binning", "equal_frequency", "equal_width", "given_cuts", "one_per_value"]

Numbers = npt.NDArray[np.float64]

# A value counts as on an equal-width cut within this fraction of the column's range. Data have few decimals, so
# true distances are far larger and rounding errors far smaller. In the 201 columns of the paper's 20 data sets,
# 17 cells need it (test_discretizer.py compares all of them).
_TOLERANCE = 1e-9
_MOST_DIGITS = 17


@dataclass(frozen=True, slots=True)
class Binning:
    """Increasing cuts, the bins between them, and the labels of the bins.

    Attributes
    ----------
    cuts : the values between bins; one fewer than there are labels.
    labels : the labels of the bins, lowest first.
    slack : how far above a cut a value may lie and still count as on it.
    """

    cuts: Numbers
    labels: tuple[str, ...]
    slack: float = 0.0

    def codes(self, values: Numbers) -> npt.NDArray[np.int64]:
        """Return the number of the bin of each value, -1 where it is not a number."""
        bins = np.searchsorted(self.cuts + self.slack, values, side="left").astype(np.int64)
        bins[np.isnan(values)] = -1
        return bins


def one_per_value(distinct: Numbers) -> Binning:
    """Give every value its own bin; cuts are midpoints, so that a new value joins the nearest bin."""
    low, high = distinct[:-1], distinct[1:]
    middle = low / 2 + high / 2
    # between neighbouring floats the midpoint rounds to one of them; it must not be the upper one
    return Binning(np.where(middle < high, middle, low), _written(distinct))


def equal_width(values: Numbers, bins: int) -> Binning:
    """Cut [min, max] into bins of the same width."""
    low, high = float(values.min()), float(values.max())
    share = np.arange(1, bins) / bins
    # weighted mean, not low + share * (high - low): the difference could overflow
    cuts = np.unique(low * (1 - share) + high * share)
    rounding = 4 * np.finfo(np.float64).eps * max(abs(low), abs(high))
    return Binning(cuts, _intervals(cuts), max(_TOLERANCE * high - _TOLERANCE * low, rounding))


def equal_frequency(values: Numbers, bins: int) -> Binning:
    """Cut into bins whose counts are as equal as ties allow; ties may leave fewer bins."""
    cuts = np.unique(np.quantile(values, np.arange(1, bins) / bins, method="inverted_cdf"))
    cuts = cuts[cuts < values.max()]
    return Binning(cuts, _intervals(cuts))


def given_cuts(cuts: Numbers) -> Binning:
    """Cut at the given values."""
    return Binning(cuts, _intervals(cuts))


def _intervals(cuts: Numbers) -> tuple[str, ...]:
    if not len(cuts):
        return ("(-inf, inf)",)
    edges = _written(cuts)
    inner = [f"({low}, {high}]" for low, high in itertools.pairwise(edges)]
    return (f"(-inf, {edges[0]}]", *inner, f"({edges[-1]}, inf)")


def _written(values: Numbers) -> tuple[str, ...]:
    """Format increasing numbers: integers in full, others with the fewest digits (at least 6) that keep them apart."""
    if (values == np.floor(values)).all() and (np.abs(values) < 1e15).all():
        return tuple(str(int(value)) for value in values)
    for digits in range(6, _MOST_DIGITS):
        texts = tuple(f"{value:.{digits}g}" for value in values.tolist())
        if len(set(texts)) == len(texts):
            return texts
    return tuple(f"{value:.{_MOST_DIGITS}g}" for value in values.tolist())
