"""The maximum number of observations of a search: its sums must fit into 64 bits (``docs/decisions/0005``).

The core has the bound, ``cpp/core/scores/score_range.hpp``; here it is turned into error messages.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qnml import _core
from qnml.errors import DataError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.scores.registry import BoundScore

__all__ = ["check_units", "most_observations"]


def check_units(
    call: str,
    bound: BoundScore,
    total: int,
    arities: Sequence[int],
    required: Sequence[Sequence[int]],
    prior: _core.PriorKind = _core.PriorKind.uniform,
) -> None:
    """Reject a table whose scores are too large for integer sums, and required parents with such a penalty.

    Parameters
    ----------
    call : the caller, for the message.
    bound : the score.
    total : the sum of the weights, a multiple of the scale of the score.
    arities : levels of the variables.
    required : the required parents of each variable, as numbers.
    prior : the prior over structures, whose price is summed as well.

    Raises
    ------
    DataError
        There are more observations than `most_observations`.
    InputError
        The penalty of a variable with its required parents is too high.
    """
    most = most_observations(bound, total, arities, prior)
    if most < total:
        raise DataError(
            f"{call}: the rows, with their weights, add up to {total:,} observations; {len(arities)} variables and "
            f"{bound.label} allow {most:,}, beyond which sums of scores are not exact. "
            "Divide the weights by a common factor."
        )
    if not any(required):
        return
    size = _core.largest_score(
        bound.score.kind, bound.value, total, list(arities), [list(one) for one in required], bound.scale, prior
    )
    if size <= (_core.LARGEST_SCORE if len(arities) <= _core.MOST_MASK_VARIABLES else math.inf) and math.isfinite(size):
        return
    cells = max(math.prod(arities[p] for p in parents) * arities[i] for i, parents in enumerate(required))
    raise InputError(
        f"{call}: with its required parents a variable has a table of 10^{math.log10(cells):.0f} cells, and "
        f"{bound.label} charges more for it than sums of scores can hold. Require fewer parents, or merge levels."
    )


def most_observations(
    bound: BoundScore, total: int, arities: Sequence[int], prior: _core.PriorKind = _core.PriorKind.uniform
) -> int:
    """The largest sum of weights, up to `total`, whose scores can be summed exactly."""
    levels = sorted(arities, reverse=True)[: _core.MOST_MASK_VARIABLES]

    def fits(observations: int) -> bool:
        count = observations * bound.scale
        size = _core.largest_score(bound.score.kind, bound.value, count, levels, [], bound.scale, prior)
        return size <= _core.LARGEST_SCORE

    low, high = 0, total // bound.scale
    if fits(high):
        return total
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low * bound.scale
