"""What structural EM maximises, by enumeration: likelihoods of observed cells, penalties, fits of weighted rows."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from reference import missing_cells as twin
from reference.scores import network_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.missing_cells import Cell, Complete, Holed, Parents

__all__ = ["fit_of_weighted_rows", "highest_log_likelihood", "penalty_of"]


def penalty_of(holed: Holed, parents: Parents, score: str) -> float:
    """What a score charges for a network: the same for all complete tables of that size."""
    filled = [tuple(code or 0 for code in row) for row in holed.rows]
    rows = [row for row, weight in zip(filled, holed.weights, strict=True) for _ in range(weight)]
    network = dict(enumerate(parents))
    fit, value = (network_score(rows, holed.levels, network, one) for one in ("loglik", score))
    return float(fit - value)


def fit_of_weighted_rows(rows: Sequence[Complete], weights: Sequence[float], parents: Parents) -> float:
    """The maximised log-likelihood of complete rows with any weights."""
    cells: Counter[Cell] = Counter()
    configs: Counter[tuple[int, Complete]] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        for child, config, level in twin.family_cells(row, parents):
            cells[child, config, level] += weight
            configs[child, config] += weight
    return math.fsum(
        count * math.log(count / configs[child, config]) for (child, config, _), count in cells.items() if count > 0
    )


def highest_log_likelihood(holed: Holed, parents: Parents, starts: int, steps: int, seed: int) -> float:
    """Of the observed cells under a network: the best of EM from the usual start and from random parameters."""
    generator = np.random.default_rng(seed)
    found = [twin.em(holed.rows, holed.weights, parents, holed.levels, steps)[2][-1]]
    for _ in range(starts):
        counts = {
            cell: float(generator.exponential())
            for row in holed.rows
            for full in twin.completions(row, holed.levels)
            for cell in twin.family_cells(full, parents)
        }
        for _ in range(steps):
            parameters = twin.maximised(counts)
            counts = twin.expected_counts(holed.rows, holed.weights, parents, parameters, holed.levels)
        found.append(twin.log_likelihood(holed.rows, holed.weights, parents, twin.maximised(counts), holed.levels))
    return max(found)
