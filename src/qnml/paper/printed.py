"""The numbers printed in the paper, for comparison: its three tables and the column means of the second.

T. Silander, J. Leppä-aho, E. Jääsaari, T. Roos (2018). Quotient normalized maximum likelihood criterion for learning
Bayesian network structures. AISTATS, PMLR 84.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CITATION",
    "PARAMETERS",
    "RANKS",
    "RANK_MEANS",
    "RANK_SPREADS",
    "REGRETS",
    "REPETITIONS",
    "SETS",
    "TOURNAMENT_COUNTS",
    "Printed",
]

CITATION = (
    "T. Silander, J. Leppä-aho, E. Jääsaari, T. Roos (2018). Quotient normalized maximum likelihood criterion for "
    "learning Bayesian network structures. AISTATS, PMLR 84."
)

REPETITIONS = 1000
"""Number of repetitions behind each printed mean."""


@dataclass(frozen=True)
class Printed:
    """A data set in the paper.

    Parameters
    ----------
    label
        Its name in the paper.
    rows
        Its number of rows, the N of Table 2.
    parsimony_rows
        The rows used for learning, the N of Table 3.
    """

    label: str
    rows: int
    parsimony_rows: int


# Name here, name there, N of Table 2, N of Table 3, ranks of Table 2, parameters of Table 3 (BDeu, BIC, fNML, qNML).
_ROWS = (
    ("post_operative", "PostOpe", 90, 18, (2.79, 1.20, 3.06, 2.94), (1217, 19, 397, 146)),
    ("iris", "Iris", 150, 15, (2.82, 2.37, 2.27, 2.54), (37, 23, 33, 29)),
    ("wine", "Wine", 178, 36, (3.23, 1.88, 2.67, 2.22), (16521, 70, 807, 205)),
    ("glass", "Glass", 214, 44, (3.61, 3.09, 1.42, 1.88), (1677, 48, 506, 97)),
    ("thyroid", "Thyroid", 215, 44, (2.55, 3.21, 1.80, 2.44), (40, 23, 66, 28)),
    ("heart_statlog", "HeartSt", 270, 54, (3.12, 1.39, 3.12, 2.37), (16861, 44, 1110, 256)),
    ("breast_cancer", "BreastC", 286, 58, (3.09, 1.41, 2.97, 2.53), (25797, 49, 3767, 844)),
    ("heart_hungarian", "HeartHu", 294, 60, (3.18, 1.66, 2.90, 2.27), (1634, 43, 792, 90)),
    ("heart_cleveland", "HeartCl", 303, 62, (3.46, 1.38, 2.99, 2.17), (34381, 47, 1433, 404)),
    ("ecoli", "Ecoli", 336, 34, (3.20, 3.53, 1.24, 2.04), (182, 31, 162, 77)),
    ("liver", "Liver", 345, 35, (3.17, 2.39, 2.69, 1.75), (45, 15, 61, 24)),
    ("balance", "Balance", 625, 126, (3.35, 1.91, 1.59, 3.16), (20, 24, 49, 611)),
    ("bc_wisconsin", "BcWisco", 699, 70, (3.06, 2.03, 2.89, 2.02), (4630, 42, 603, 89)),
    ("diabetes", "Diabete", 768, 77, (2.91, 2.70, 2.68, 1.71), (39, 22, 216, 34)),
    ("tic_tac_toe", "TicTacT", 958, 96, (3.44, 2.71, 1.31, 2.53), (13701, 25, 1969, 767)),
    ("yeast", "Yeast", 1484, 149, (2.60, 3.76, 1.55, 2.10), (71, 31, 265, 75)),
    ("abalone", "Abalone", 4177, 418, (2.60, 3.64, 1.04, 2.72), (91, 46, 150, 63)),
    ("page_blocks", "PageBlo", 5473, 548, (2.24, 3.61, 1.31, 2.83), (703, 45, 380, 56)),
    ("adult", "Adult", 32561, 6513, (3.23, 3.77, 1.00, 2.00), (699, 479, 1555, 945)),
    ("shuttle", "Shuttle", 58000, 5800, (1.44, 3.78, 1.56, 3.22), (535, 99, 717, 130)),
)

_CRITERIA = ("BDeu", "BIC", "fNML", "qNML")

SETS: Mapping[str, Printed] = MappingProxyType(
    {name: Printed(label, rows, fewer) for name, label, rows, fewer, _, _ in _ROWS}
)
"""The 20 data sets in the order of Table 2, by their names here."""

RANKS: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        (name, criterion): rank
        for name, _, _, _, ranks, _ in _ROWS
        for criterion, rank in zip(_CRITERIA, ranks, strict=True)
    }
)
"""Table 2: average predictive rank by data set and criterion."""

RANK_MEANS: Mapping[str, float] = MappingProxyType(dict(zip(_CRITERIA, (2.95, 2.57, 2.10, 2.37), strict=True)))
"""Means of the columns of Table 2, as given in the text."""

RANK_SPREADS: Mapping[str, float] = MappingProxyType(dict(zip(_CRITERIA, (0.49, 0.90, 0.76, 0.43), strict=True)))
"""Standard deviations of the columns of Table 2, as given in the text."""

PARAMETERS: Mapping[tuple[str, str], int] = MappingProxyType(
    {(name, criterion): count for name, *_, counts in _ROWS for criterion, count in zip(_CRITERIA, counts, strict=True)}
)
"""Table 3: average number of parameters by data set and criterion."""

REGRETS: Mapping[tuple[int, int], tuple[float, float, float]] = MappingProxyType(
    {
        (50, 10): (13.24, 13.26, 13.24),
        (50, 100): (62.00, 60.01, 60.00),
        (50, 1000): (491.63, 153.28, 153.28),
        (50, 10000): (25635.15, 265.28, 265.28),
        (500, 10): (22.67, 22.69, 22.67),
        (500, 100): (144.10, 144.03, 144.03),
        (500, 1000): (624.35, 603.93, 603.93),
        (500, 10000): (4927.24, 1533.38, 1533.38),
        (5000, 10): (32.74, 32.76, 32.74),
        (5000, 100): (247.97, 247.97, 247.97),
        (5000, 1000): (1452.51, 1451.78, 1451.78),
        (5000, 10000): (6247.83, 6043.16, 6043.16),
    }
)
"""Table 1: regrets by N and r; eq. (6), eq. (7), exact."""

TOURNAMENT_COUNTS = (1, 1, 3, 13, 73, 501, 4051, 37633, 394353, 4596553)
"""Appendix C: number of networks of n = 0, 1, … nodes whose components are tournaments."""
