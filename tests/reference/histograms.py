"""NML histograms by definition: every set of cuts, and the published dynamic programming."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from reference.regret import regret_by_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Line", "all_code_lengths", "code_length", "published_code_lengths", "with_midpoints", "with_precision"]


@dataclass(frozen=True)
class Line:
    """Candidate cuts with the outer edges around them, the values they divide, the number of places; all exact."""

    edges: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    places: int

    @property
    def candidates(self) -> tuple[Fraction, ...]:
        return self.edges[1:-1]


def with_midpoints(values: Sequence[float]) -> Line:
    """Cuts midway between neighbours; the outer edges are as far from the outer values as the inner cuts."""
    exact = tuple(sorted(map(Fraction, values)))
    distinct = sorted(set(exact))
    if len(distinct) == 1:
        return Line((distinct[0] - 1, distinct[0] + 1), exact, 0)
    middles = [(low + high) / 2 for low, high in itertools.pairwise(distinct)]
    first = 2 * distinct[0] - middles[0]
    last = 2 * distinct[-1] - middles[-1]
    return Line((first, *middles, last), exact, len(middles))


def with_precision(values: Sequence[float], precision: float) -> Line:
    """Kontkanen and Myllymäki (2007): half the precision below and above every value.

    Values are first moved to the nearest multiple of the precision, counted from the smallest.
    """
    step = Fraction(precision)
    start = min(map(Fraction, values))
    exact = tuple(sorted(start + math.ceil((Fraction(x) - start) / step - Fraction(1, 2)) * step for x in values))
    edges = {x - step / 2 for x in exact} | {x + step / 2 for x in exact}
    return Line(tuple(sorted(edges)), exact, int((exact[-1] - exact[0]) / step))


def code_length(line: Line, cuts: Sequence[Fraction], precision: float = 1.0, apart: Sequence[int] = ()) -> float:
    """Code length in nats of the values given these cuts; `apart` counts values in bins without a width."""
    n = len(line.values) + sum(apart)
    edges = (line.edges[0], *cuts, line.edges[-1])
    length = -math.fsum(count * math.log(count / n) for count in apart)
    for low, high in itertools.pairwise(edges):
        count = sum(low < value <= high for value in line.values)
        if count:
            length -= count * (math.log(count / n) - math.log((high - low) / Fraction(precision)))
    bins = len(cuts) + 1
    length += float(regret_by_sum(n, bins + len(apart)))
    return length + math.log(math.comb(line.places, bins - 1))


def all_code_lengths(line: Line, apart: Sequence[int] = ()) -> dict[tuple[Fraction, ...], float]:
    """The code length of every set of cuts."""
    return {
        cuts: code_length(line, cuts, apart=apart)
        for size in range(len(line.candidates) + 1)
        for cuts in itertools.combinations(line.candidates, size)
    }


def published_code_lengths(line: Line, precision: float, most_bins: int) -> list[float]:
    """The published dynamic programming: the least code length for 1, 2, … `most_bins` bins."""
    n = len(line.values)
    edges = line.edges
    below = [sum(value <= edge for value in line.values) for edge in edges]
    regrets = [float(regret_by_sum(n, bins)) for bins in range(1, most_bins + 1)]

    def bin_cost(start: int, end: int) -> float:
        count = below[end] - below[start]
        width = float((edges[end] - edges[start]) / Fraction(precision))
        return -count * (math.log(count) - math.log(width * n)) if count else 0.0

    least = [math.inf] + [bin_cost(0, end) for end in range(1, len(edges))]
    lengths = [least[-1]]
    for bins in range(2, most_bins + 1):
        step = regrets[bins - 1] - regrets[bins - 2] + math.log((line.places - bins + 2) / (bins - 1))
        least = [
            min((least[start] + bin_cost(start, end) for start in range(bins - 1, end)), default=math.inf) + step
            for end in range(len(edges))
        ]
        lengths.append(least[-1])
    return lengths
