"""What each method for posteriors does at its time limit: it says what the figures are, or why there are none.

Stops that do not depend on a clock are in ``test_posterior_stopped.py``.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest

import qnml
from qnml import Table
from qnml.errors import MixingWarning, StandInWarning
from qnml.search import posterior_methods
from qnml.search.posterior.method import Unfinished


def coins(columns: int, rows: int = 200) -> Table:
    return Table.from_codes(np.random.default_rng(columns).integers(0, 2, (rows, columns)))


@pytest.fixture
def quiet():
    """Chains with few draws give a warning that is not tested here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MixingWarning)
        yield


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(("prior", "seconds"), [("uniform", 0.0), ("uniform", 0.05), ("order", 0.0)])
def test_exact_sums_say_how_far_they_came(prior, seconds):
    with pytest.warns(StandInWarning, match=r"which the time limit ended after .* s, at \d+% of the stage '"):
        found = qnml.posterior(coins(17), "bdeu", "exact", prior=prior, time_limit=seconds)
    assert (found.method, found.diagnostics["stop_reason"]) == ("mcmc", "time limit")
    # The minimum number of draws, at any time limit.
    assert found.diagnostics["draws_per_chain"] >= 4


@pytest.mark.usefixtures("quiet")
def test_enumeration_says_how_far_it_came():
    with pytest.warns(StandInWarning, match=r"method='enumerate', which the time limit .* after the families were"):
        found = qnml.posterior(coins(6), "bdeu", "enumerate", time_limit=0)
    assert (found.method, found.diagnostics["stop_reason"]) == ("mcmc", "time limit")
    assert qnml.posterior(coins(4), "bdeu", "enumerate", time_limit=60).method == "enumerate"


@pytest.mark.usefixtures("quiet")
def test_auto_takes_chains_where_sums_would_take_too_long_and_says_so():
    table = coins(16)
    began = time.perf_counter()
    found = qnml.posterior(table, "bdeu", time_limit=0.5)
    assert found.method == "mcmc"
    assert found.diagnostics["instead_of"].startswith("exact sums, which would have taken about")
    assert "They stand in for exact sums" in found.sentence()
    # Generous, for busy machines: the sums over all parent sets alone take longer than the limit.
    assert time.perf_counter() - began < 30
    longer = qnml.posterior(table.select(table.names[:8]), "bdeu", time_limit=60)
    assert longer.method == "exact"
    assert "stand in" not in longer.sentence()


@pytest.mark.usefixtures("quiet")
def test_auto_goes_over_to_chains_when_sums_take_longer_than_forecast(monkeypatch):
    class Slow:
        forecast = staticmethod(posterior_methods._RUNNERS["exact"].forecast)

        @staticmethod
        def run(problem, options):
            limits.append((options.time_limit, options.kept_back))
            return Unfinished("time limit", "half way", 5.0)

    limits = []
    monkeypatch.setattr(posterior_methods, "_RUNNERS", {**posterior_methods._RUNNERS, "exact": Slow})
    found = qnml.posterior(coins(7), "bdeu", time_limit=10, samples=200)
    assert found.method == "mcmc"
    assert "method='exact', which the time limit ended after 5 s, half way" in found.sentence()
    assert limits == [(5.0, 0.0)]  # half of the available time


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("columns", [16, 60])
@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_the_limit_covers_all_that_chains_need(columns, seconds):
    """Without a limit, the sums over sets of candidates alone take many times as long."""
    table = coins(columns, 3000)
    began = time.perf_counter()
    found = qnml.posterior(table, "bdeu", "mcmc", time_limit=seconds, seed=1)
    assert time.perf_counter() - began < 30
    facts = found.diagnostics
    assert facts["stop_reason"] == "time limit"
    assert facts["preparations_cut_short"]
    assert facts["draws_per_chain"] >= 4
    assert "Stopped early: time limit." in found.sentence()
    for dag in found.sample_dags(3):
        assert set(dag.names) == set(table.names)
