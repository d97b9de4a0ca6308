"""Rules that cut a range of numbers into bins.

Bins are closed on the right: a value on a cut belongs to the lower bin. Equal-width cuts result from a division,
so whether a value lies *on* a cut must not depend on the last bit: see `Binning.slack`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml._jobs import resolve_jobs

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Binning",
    "equal_frequency",
    "equal_width",
    "given_cuts",
    "nml_histogram",
    "nml_histograms",
    "one_per_value",
]

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


def equal_frequency(values: Numbers, bins: int, weights: npt.NDArray[np.uint64] | None = None) -> Binning:
    """Cut into bins whose counts are as equal as ties allow; ties may leave fewer bins.

    Parameters
    ----------
    values : the numbers.
    bins : how many bins.
    weights : how often each number counts.
    """
    order = np.argsort(values, kind="stable")
    counts = np.ones(len(values), dtype=np.int64) if weights is None else weights[order].astype(np.int64)
    up_to = np.cumsum(counts)
    # The smallest value that at least the share k / bins of all does not exceed, in whole numbers.
    shares = np.array([-(-place * int(up_to[-1]) // bins) for place in range(1, bins)])
    cuts = np.unique(values[order][np.searchsorted(up_to, shares)])
    cuts = cuts[cuts < values.max()]
    return Binning(cuts, _intervals(cuts))


def given_cuts(cuts: Numbers) -> Binning:
    """Cut at the given values."""
    return Binning(cuts, _intervals(cuts))


def nml_histogram(
    values: Numbers, precision: float | None = None, weights: npt.NDArray[np.uint64] | None = None
) -> Binning:
    """Cut where the histogram of the values has the shortest NML code; see `nml_histograms`.

    >>> nml_histogram(np.array([1.0, 1.1, 1.2, 1.3, 1.4, 9.0, 9.1, 9.2, 9.3, 9.4])).labels
    ('(-inf, 1.35]', '(1.35, 9.05]', '(9.05, inf)')
    """
    return nml_histograms("nml_histogram", {"values": values}, {"values": precision}, weights)["values"]


def nml_histograms(
    call: str,
    columns: Mapping[str, Numbers],
    precision: Mapping[str, float | None],
    weights: npt.NDArray[np.uint64] | None = None,
    n_jobs: int | None = None,
    most_bins: int | None = None,
) -> dict[str, Binning]:
    """Cut every column where its histogram has the shortest normalized maximum likelihood (NML) code.

    The number and the places of the cuts are those of Kontkanen and Myllymäki (2007), found exactly among the
    candidates of `qnml.data.cut_candidates`. Infinite values have bins of their own.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the values by name, NaN where a cell is missing.
    precision : by name, the distance of neighbouring values that can be told apart; None if it is not known.
    weights : how often each row counts.
    n_jobs : threads; the result does not depend on them.
    most_bins : upper limit on the number of bins, not counting those of infinite values; None for no limit.
    """
    from qnml import _core
    from qnml.data.cut_candidates import cut_candidates

    found = [cut_candidates(call, name, values, weights, precision[name]) for name, values in columns.items()]
    edges = _core.nml_histograms([candidates.core() for candidates in found], resolve_jobs(call, n_jobs), most_bins)
    cuts = [candidates.chosen(chosen) for candidates, chosen in zip(found, edges, strict=True)]
    return {name: given_cuts(between) for name, between in zip(columns, cuts, strict=True)}


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
