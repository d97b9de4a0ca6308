"""The joint code length of binned columns and a network, by its definition."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from typing import TYPE_CHECKING

from reference.histograms import with_midpoints
from reference.scores import network_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

__all__ = ["all_cuts", "joint_code_length"]


def joint_code_length(
    numbers: Mapping[str, Sequence[float]],
    categories: Mapping[str, Sequence[int]],
    cuts: Mapping[str, Sequence[float | Fraction]],
    parents: Mapping[str, Sequence[str]],
    score: str = "qnml",
) -> float:
    """The code length in nats. Every row counts once; a missing number is NaN and has a level of its own.

    Parameters
    ----------
    numbers, categories : the columns by name; categories by their level numbers.
    cuts : those of each column of numbers; a value on a cut belongs to the lower bin.
    parents : of every column.
    score : the score of the network.
    """
    names = [*numbers, *categories]
    levels: list[list[int]] = []
    arities: list[int] = []
    length = 0.0
    for name, values in numbers.items():
        chosen = [float(cut) for cut in cuts[name]]
        is_missing = [math.isnan(value) for value in values]
        bins = len(chosen) + 1
        levels.append([bins if hole else bisect_left(chosen, x) for x, hole in zip(values, is_missing, strict=True)])
        arities.append(bins + any(is_missing))
        line = with_midpoints([value for value in values if not math.isnan(value)])
        edges = (float(line.edges[0]), *chosen, float(line.edges[-1]))
        widths = [high - low for low, high in itertools.pairwise(edges)]
        length += math.fsum(math.log(widths[level]) for level in levels[-1] if level < bins)
        length += math.log(math.comb(line.places, len(chosen)))
    for values in categories.values():
        levels.append([*values])
        arities.append(max(values) + 1)
    rows = [*zip(*levels, strict=True)]
    numbered = {names.index(child): [names.index(one) for one in given] for child, given in parents.items()}
    return length - float(network_score(rows, arities, numbered, score))


def all_cuts(values: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Every set of candidate cuts of a column."""
    line = with_midpoints([value for value in values if not math.isnan(value)])
    candidates = [float(cut) for cut in line.candidates]
    for size in range(len(candidates) + 1):
        yield from itertools.combinations(candidates, size)
