"""Estimates from draws: standard errors, rankings by frequency."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from reference.structure_problems import four_column_problem

from qnml.search.posterior.dag_draws import DagDraws, share_errors


def test_errors_fit_the_draws():
    """Standard errors of shares, compared with the variation of shares over samples."""
    random = np.random.default_rng(1)
    shares = random.binomial(200, 0.3, 5000) / 200
    assert share_errors(np.array(0.3), 200.0) == pytest.approx(shares.std(), rel=0.05)
    assert share_errors(np.array(0.0), 200.0) > 0


def test_priors_that_are_no_products_rank_by_share():
    draws = DagDraws(
        replace(four_column_problem(), prior="order"), ((0, 0, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0)), 3.0, -7.0
    )
    first, second = draws.top_dags(5)
    assert (first.masks, first.probability) == ((0, 1, 0, 0), 2 / 3)
    assert first.log_weight == pytest.approx(np.log(2 / 3) - 7.0)
    assert second.probability == 1 / 3
    assert [one.probability for one in draws.top_classes(5)] == [2 / 3, 1 / 3]
