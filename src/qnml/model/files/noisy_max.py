"""Noisy-MAX: a conditional table defined by one distribution per cause, as in GeNIe and SMILE.

Every cause alone gives the variable a random level, and the variable takes the strongest of these. Its levels are
listed from the strongest to the weakest, which means no effect. A further distribution, the leak, represents causes
that are not in the network. If all variables are binary, this is noisy-OR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray

__all__ = ["noisy_max_table"]


def noisy_max_table(causes: Sequence[FloatArray], leak: FloatArray) -> FloatArray:
    """Expand a noisy-MAX to a table, with an axis per cause and the variable last.

    Parameters
    ----------
    causes
        For each cause, the distribution of the variable given each of its codes.
    leak
        The distribution when no cause has an effect.

    Examples
    --------
    >>> noisy_max_table([np.array([[0.5, 0.5], [0.0, 1.0]])], np.array([0.25, 0.75])).tolist()
    [[0.625, 0.375], [0.25, 0.75]]
    """
    # The variable is at a given level or a weaker one if every cause alone leaves it there; the probabilities multiply.
    table = _cumulated(leak)
    for cause in causes:
        table = table[..., None, :] * _cumulated(cause)
    table[..., :-1] -= table[..., 1:]
    return table


def _cumulated(distributions: FloatArray) -> FloatArray:
    from_weakest = np.cumsum(distributions[..., ::-1], axis=-1)
    # The probabilities of all levels sum to one; undo rounding errors of the sum.
    from_weakest[..., -1] = 1.0
    return np.minimum(from_weakest, 1.0)[..., ::-1]
