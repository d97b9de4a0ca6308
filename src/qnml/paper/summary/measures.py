"""Means over repetitions, and their distance from printed numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.paper.printed import REPETITIONS
from qnml.paper.summary.types import Cell, Curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

__all__ = ["Estimate", "beside", "counted", "curve", "estimate"]


@dataclass(frozen=True)
class Estimate:
    """An estimate of a mean from repetitions.

    Parameters
    ----------
    mean
        The mean.
    spread
        The standard deviation of one repetition; 0 if there is only one.
    count
        Number of repetitions.
    """

    mean: float
    spread: float
    count: int

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.spread / math.sqrt(self.count)

    @property
    def difference_error(self) -> float:
        """The standard error of the difference from the paper's mean, which has an error from its own repetitions."""
        return math.hypot(self.error, self.spread / math.sqrt(REPETITIONS))


def estimate(values: ArrayLike) -> Estimate:
    """Estimate a mean.

    Parameters
    ----------
    values
        One number per repetition.
    """
    array = np.asarray(values, dtype=float)
    return Estimate(float(array.mean()), float(array.std(ddof=1)) if len(array) > 1 else 0.0, len(array))


def beside(
    found: Estimate,
    printed: float | None,
    *,
    half_unit: float,
    allowance: float = 0.0,
    variance: float | None = None,
) -> Cell:
    """Compare a mean with the printed one.

    The two agree if they differ by at most three standard errors of their difference plus an allowance.

    Parameters
    ----------
    found
        Our estimate.
    printed
        The paper's value, or None.
    half_unit
        Half a unit of the last digit printed; a difference this small counts as none.
    allowance
        The allowance beyond chance.
    variance
        The variance of one of the paper's repetitions; None if it is not known, and ours stands for it.
    """
    if printed is None:
        return Cell(found.mean, found.error, None, None, None)
    apart = found.mean - printed
    beyond = math.copysign(max(abs(apart) - half_unit, 0.0), apart)
    error = found.difference_error
    if variance is not None:
        error = math.hypot(found.error, math.sqrt(variance / REPETITIONS))
    if found.count < 2:
        return Cell(found.mean, 0.0, printed, None, None)
    within = abs(apart) <= 3.0 * error + max(allowance, half_unit)
    return Cell(found.mean, found.error, printed, beyond / error if error > 0.0 else None, within)


def curve(label: str, x: Sequence[float], found: Sequence[Estimate]) -> Curve:
    """A line of a figure.

    Parameters
    ----------
    label
        Its name.
    x
        Positions.
    found
        An estimate for each position.
    """
    return Curve(
        label,
        tuple(float(place) for place in x),
        tuple(one.mean for one in found),
        tuple(one.error for one in found),
        tuple(one.spread for one in found),
    )


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    Parameters
    ----------
    number
        The number.
    one
        The singular of the noun.
    many
        The plural of the noun; by default the singular with an s.

    Examples
    --------
    >>> counted(1, "cell"), counted(3, "cell"), counted(0, "repetition")
    ('1 cell', '3 cells', '0 repetitions')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
