"""Where a numeric column may be cut into bins: the candidates that NML histograms and joint binning choose from.

Without a known precision the candidates are the midpoints between neighbouring values. Every value then owns the
points that are nearest to it: a bin around one value cannot be narrower than half the distance to its neighbours. The
outer edges lie as far beyond the outermost values as the nearest midpoints lie inside, so that these values own as
much on either side. For a column that takes every integer of a range, that is the published method with precision 1.

With a precision, values are taken as measured to that precision: as multiples of it, counted from the smallest value.
The candidates are those of the published method, half the precision below and above every value, and so are the
outer edges. An empty bin between two values is possible. Cuts elsewhere would be as good at best, but they are
possible: the price of a choice of cuts counts every place between two multiples. Counting the candidates alone, as
published, charges nothing for taking them all, so that bins around single values win as the precision becomes finer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qnml import _core
from qnml.errors import DataError

__all__ = ["MOST_CANDIDATES", "CutCandidates", "cut_candidates"]

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.uint64]

MOST_CANDIDATES = 1000
_LARGEST = float(np.finfo(np.float64).max)
# Positions are multiplied by a power of two where their sums could overflow.
_MOST_EXPONENT = 1000
# A precision finer than this many steps between floats leaves no room for the cuts on either side of a value.
_LEAST_STEPS = 4
_UNIT = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True)
class CutCandidates:
    """The candidate cuts of one column, and the rows between them.

    Attributes
    ----------
    cuts : the candidates, increasing; a value on a cut belongs to the lower bin.
    below, above : the ends of the range around the cuts: an edge lies midway between them. In a unit of their own.
    counts : the rows between each edge and the next.
    places : the number of places where cuts may be.
    infinite : the rows at minus infinity and at infinity, which have bins of their own.
    unit : the logarithm of the unit of `below` and `above`.
    """

    cuts: Numbers
    below: Numbers
    above: Numbers
    counts: Counts
    places: float
    infinite: tuple[int, int]
    unit: float

    def core(self, more_rows: int = 0, more_bins: int = 0) -> _core.CutCandidates:
        """The candidates as the core takes them.

        Parameters
        ----------
        more_rows, more_bins : rows in bins that never move, and the number of these bins, besides the infinite ones.
        """
        rows = sum(self.infinite) + more_rows
        bins = sum(count > 0 for count in self.infinite) + more_bins
        return _core.CutCandidates(self.below, self.above, self.counts, self.places, rows, bins)

    def is_infinite(self, values: Numbers) -> npt.NDArray[np.bool_]:
        """Whether values are in one of the bins of infinite values."""
        outside: npt.NDArray[np.bool_] = (values <= -_LARGEST) | (values == np.inf)
        return outside

    def log_width(self, start: int, end: int) -> float:
        """The logarithm of the distance of two edges, in the unit of the values."""
        width = (self.above[end] - self.above[start]) + (self.below[end] - self.below[start])
        return math.log(0.5 * width) + self.unit

    def chosen(self, edges: npt.NDArray[np.int32]) -> Numbers:
        """The cuts at some edges, and those that set infinite values apart."""
        low, high = self.infinite
        return np.concatenate([[-_LARGEST] * (low > 0), self.cuts[edges - 1], [_LARGEST] * (high > 0)])


def cut_candidates(
    call: str,
    name: str,
    values: Numbers,
    weights: Counts | None = None,
    precision: float | None = None,
    most: int = MOST_CANDIDATES,
) -> CutCandidates:
    """Find the candidate cuts of a column.

    Parameters
    ----------
    call, name : the calling function and the column, for errors.
    values : the column; NaN where a cell is missing.
    weights : how often each row counts.
    precision : the distance of neighbouring values that can be told apart; None if it is not known.
    most : if there are more candidates they are thinned to about so many.
    """
    there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    values = values[there]
    weights = np.ones(len(values), dtype=np.uint64) if weights is None else weights[there]
    low, high = values <= -_LARGEST, values == np.inf
    infinite = (int(weights[low].sum()), int(weights[high].sum()))
    middle = ~(low | high)
    distinct, places = np.unique(values[middle], return_inverse=True)
    counts = np.zeros(len(distinct), dtype=np.uint64)
    np.add.at(counts, places, weights[middle])
    if len(distinct) < 2:
        # Nowhere to cut; the width of the only bin is of no account.
        return CutCandidates(np.empty(0), _UNIT, _UNIT, np.array([counts.sum()], dtype=np.uint64), 0.0, infinite, 0.0)
    if precision is None:
        return _midpoints(distinct, counts, infinite, most)
    return _around(call, name, distinct, counts, infinite, precision, most)


def _midpoints(distinct: Numbers, counts: Counts, infinite: tuple[int, int], most: int) -> CutCandidates:
    # Where values are so large that their sums overflow, differences of the smallest numbers are of no account.
    shift = max(0, int(np.frexp(np.abs(distinct).max())[1]) - _MOST_EXPONENT)
    scaled = np.ldexp(distinct, -shift)
    kept = np.concatenate([[True], np.diff(scaled) > 0])
    if not kept.all():
        counts = np.add.reduceat(counts, np.flatnonzero(kept))
        distinct, scaled = distinct[kept], scaled[kept]
    below = np.concatenate([[2 * scaled[0] - scaled[1]], scaled])
    above = np.concatenate([scaled, [2 * scaled[-1] - scaled[-2]]])
    chosen = _thinned(counts, np.diff(scaled), most)
    edges = np.concatenate([[0], chosen + 1, [len(distinct)]])
    low, high = distinct[chosen], distinct[chosen + 1]
    middle = low / 2 + high / 2
    cuts = np.where((low <= middle) & (middle < high), middle, low)
    merged = np.add.reduceat(counts, edges[:-1])
    return CutCandidates(cuts, below[edges], above[edges], merged, len(cuts), infinite, shift * math.log(2))


def _around(
    call: str, name: str, distinct: Numbers, counts: Counts, infinite: tuple[int, int], precision: float, most: int
) -> CutCandidates:
    largest = float(np.abs(distinct).max())
    least = _LEAST_STEPS * float(np.spacing(largest))
    if precision < least:
        raise DataError(
            f"{call}: precision {precision:g} is too fine for column {name!r}: near {largest:g} neighbouring "
            f"floating-point numbers are {least / _LEAST_STEPS:g} apart. Give at least {least:g}, or no precision."
        )
    # The nearest multiple; between two of them the lower, since bins are closed on the right. Halves cannot overflow.
    steps = np.ceil((distinct / 2 - distinct[0] / 2) / (precision / 2) - 0.5)
    first = np.concatenate([[True], np.diff(steps) > 0])
    steps, together = steps[first], np.add.reduceat(counts, np.flatnonzero(first))
    chosen = _thinned(together, np.diff(steps), most // 2)
    places = np.unique(np.concatenate([steps[chosen] + 0.5, steps[chosen + 1] - 0.5]))
    cuts = distinct[0] + places * precision
    edges = np.concatenate([[-0.5], places, [steps[-1] + 0.5]])
    # Counted by the cuts themselves: a value half-way between two multiples may be rounded to either.
    merged = np.zeros(len(cuts) + 1, dtype=np.uint64)
    np.add.at(merged, np.searchsorted(cuts, distinct, side="left"), counts)
    return CutCandidates(cuts, edges, edges, merged, float(steps[-1]), infinite, math.log(precision))


def _thinned(counts: Counts, gaps: Numbers, most: int) -> npt.NDArray[np.intp]:
    if len(gaps) <= most:
        return np.arange(len(gaps))
    pieces = most // 2
    sizes = counts.astype(np.float64)
    share = np.inf
    while (smaller := sizes[sizes <= share].sum() / (pieces - (sizes > share).sum())) < share:
        share = smaller
    heavy = sizes > share
    capped = np.minimum(sizes, share)
    bucket = np.floor((np.cumsum(capped) - capped / 2) / share)
    chosen = (np.diff(bucket) > 0) | heavy[1:] | heavy[:-1]
    lonely = np.maximum(np.concatenate([[0.0], gaps]), np.concatenate([gaps, [0.0]]))
    widest = np.argsort(-lonely, kind="stable")[: max(0, most - int(chosen.sum())) // 2]
    chosen[widest[widest > 0] - 1] = True
    chosen[widest[widest < len(gaps)]] = True
    return np.flatnonzero(chosen)
