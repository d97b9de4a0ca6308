"""Noisy-MAX, a conditional table told by one distribution per cause, as GeNIe and SMILE have it.

Every cause alone gives the variable a level, by chance, and the variable takes the strongest of these. Its levels are
listed from the strongest to the weakest, which stands for no effect. A further distribution, the leak, speaks for
causes that are not in the network. With all variables binary this is noisy-OR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray

__all__ = ["noisy_max_table"]


def noisy_max_table(causes: Sequence[FloatArray], leak: FloatArray) -> FloatArray:
    """Write a noisy-MAX out as a table, an axis per cause and the variable last.

    Parameters
    ----------
    causes
        For each cause, in the order of its codes, the distributions it gives the variable.
    leak
        The distribution when no cause has an effect.

    Examples
    --------
    >>> noisy_max_table([np.array([[0.5, 0.5], [0.0, 1.0]])], np.array([0.25, 0.75])).tolist()
    [[0.625, 0.375], [0.25, 0.75]]
    """
    # The variable is at a level or a weaker one when every cause alone keeps it there: these chances multiply.
    table = _cumulated(leak)
    for cause in causes:
        table = table[..., None, :] * _cumulated(cause)
    table[..., :-1] -= table[..., 1:]
    return table


def _cumulated(distributions: FloatArray) -> FloatArray:
    from_weakest = np.cumsum(distributions[..., ::-1], axis=-1)
    # All levels together have probability one, whatever was lost in adding.
    from_weakest[..., -1] = 1.0
    return np.minimum(from_weakest, 1.0)[..., ::-1]
