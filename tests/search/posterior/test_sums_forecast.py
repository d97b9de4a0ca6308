"""Forecasts of exact sums: refusals before any work, and the growth of the figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from reference.structure_problems import make_problem, widened

from qnml import Table
from qnml.errors import TooLargeError, UnknownNameError
from qnml.search.posterior.structure_sums import sum_structures
from qnml.search.posterior.sums_forecast import forecast_sums


@pytest.fixture(scope="module")
def problem():
    table = Table.from_codes(np.random.default_rng(0).integers(0, 2, (200, 15)))
    return make_problem(table, "qnml", memory_limit=2.0**33, n_jobs=2)


def test_too_large_a_problem_is_refused_before_the_work(problem) -> None:
    assert forecast_sums(problem).fits
    assert forecast_sums(problem).sentence().endswith("fits.")
    wide = widened(problem, 21)
    with pytest.raises(TooLargeError, match=r"posterior: .*21 variables.*At most 20 .*method='mcmc'.*prior='order'"):
        sum_structures(wide)
    assert forecast_sums(replace(wide, prior="order")).fits
    for prior in ("uniform", "order"):
        with pytest.raises(TooLargeError, match=r"100 variables.*does not fit.*'mcmc'"):
            sum_structures(replace(widened(problem, 100), prior=prior))
        with pytest.raises(TooLargeError, match=r"10\.0 KiB may be used.*memory_limit"):
            sum_structures(replace(problem, prior=prior, memory_limit=10 * 1024))
    with pytest.raises(UnknownNameError, match=r"posterior.*'classes'"):
        sum_structures(replace(problem, prior="classes"))


def test_the_forecast_grows_with_the_work(problem) -> None:
    seconds = [forecast_sums(widened(problem, n)).seconds for n in range(10, 21)]
    assert seconds == sorted(seconds)
    assert seconds[-1] / seconds[-2] == pytest.approx(3.0, rel=0.05)
    assert forecast_sums(replace(widened(problem, 25), prior="order")).memory_bytes > 2.0**32
