"""The true NML of a whole network (paper, eq. 3), by enumeration.

The normalizing sum runs over all data sets of the same size. Data sets with equal cell counts have equal maximised
likelihood, so the core visits each table of counts once: C(N + K − 1, K − 1) of them for K joint configurations.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qnml import _core
from qnml.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_CELLS", "MOST_TABLES", "network_regret", "number_of_tables"]

MOST_TABLES = 20_000_000
"""Maximum number of tables of counts to enumerate: seconds for a few variables."""

MOST_CELLS = 100_000
"""Maximum number of joint configurations: the enumeration keeps two maps of that size per variable."""


def number_of_tables(levels: Sequence[int], total: int) -> int:
    """Number of tables of counts with `total` observations on the joint configurations of all variables."""
    cells = math.prod(levels)
    return math.comb(total + cells - 1, total)


def network_regret(levels: Sequence[int], parents: Sequence[Sequence[int]], total: int) -> float:
    """Log of the sum of maximised likelihoods over all data sets of `total` rows, for one network.

    Raises
    ------
    TooLargeError
        Before any work, when more than ``MOST_TABLES`` tables of counts would have to be visited.
    """
    cells = math.prod(levels)
    # More rows or cells than the limit cannot fit; asking first keeps the binomial coefficient small.
    too_large = cells > MOST_CELLS or total > MOST_TABLES or number_of_tables(levels, total) > MOST_TABLES
    if too_large and cells > 1:
        datasets = total * math.log10(cells)
        raise TooLargeError(
            f"score 'nml': the exact NML of this network needs a sum over {cells}^{total} "
            f"(about 10^{datasets:.0f}) data sets; at most {MOST_TABLES} distinct tables of counts on "
            f"{MOST_CELLS} cells are enumerated. Use fewer rows or variables, or 'qnml', which equals it "
            "when every connected component of the network is complete."
        )
    return _core.network_regret(list(levels), [list(p) for p in parents], total)
