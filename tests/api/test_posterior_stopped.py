"""Exact sums that are stopped: chains replace them, within their errors, and say so. Independent of the clock.

If the stop must come while the core works, the watch sends it at the first report of a stage, on tables whose sums
take seconds; otherwise, the sums are replaced by a stub that reports a stop.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from reference.structure_problems import five_columns

import qnml
from qnml import Knowledge, Table
from qnml.errors import MixingWarning, OutOfTimeError, StandInWarning
from qnml.search import posterior_methods
from qnml.search.chains import runner
from qnml.search.posterior import structure_sums, summed
from qnml.search.posterior.method import Unfinished
from qnml.search.posterior.structure_sums import Stopped

AMPLE = 10_000.0  # seconds: never reached


def coins(columns: int, rows: int = 100) -> Table:
    return Table.from_codes(np.random.default_rng(columns).integers(0, 2, (rows, columns)))


@pytest.fixture(scope="module")
def table() -> Table:
    return five_columns()


def interrupt_at(monkeypatch, *stages: str) -> list[str]:
    """Send Ctrl-C at the first report of each of these stages; return the stages reported, once each."""
    waiting, seen = list(stages), []

    def watch(stage: str, share: float) -> None:
        if stage not in seen:
            seen.append(stage)
        if stage in waiting:
            waiting.remove(stage)
            raise KeyboardInterrupt

    @contextmanager
    def bar():
        yield watch

    monkeypatch.setattr(sys.modules["qnml._api.posterior"], "progress_bar", bar)
    return seen


def stop_sums(monkeypatch, reason: str, interruptions: int = 0) -> list[tuple[float | None, float]]:
    """Sums that stop at once; return the limits and the reserved time of each call."""
    calls = []

    def stopped(problem, time_limit, watch, kept_back):
        calls.append((time_limit, kept_back))
        return None, Stopped(reason, "sums", 0.43, interruptions)

    monkeypatch.setattr(summed, "sum_structures", stopped)
    # Drawing ends when all draws are made, however busy the machine is.
    monkeypatch.setattr(runner, "_AFTER_INTERRUPTION", AMPLE)
    return calls


KNOWN = Knowledge(required=[("a", "c")], forbidden=[("b", "c")], max_parents={"d": 1})


@pytest.mark.parametrize("prior", ["uniform", "sparse"])
@pytest.mark.parametrize("reason", ["time limit", "interrupted"])
@pytest.mark.parametrize("knowledge", [None, KNOWN], ids=["free", "known"])
def test_figures_are_within_their_errors_of_the_exact_ones(monkeypatch, table, prior, reason, knowledge):
    options = {"prior": prior, "knowledge": knowledge, "guard": "off"}
    every = qnml.posterior(table, "bdeu", "enumerate", **options)
    stop_sums(monkeypatch, reason, int(reason == "interrupted"))
    limit = AMPLE if reason == "time limit" else None
    with pytest.warns(StandInWarning, match=r"method='exact'\): these are estimates by Markov chains"):
        found = qnml.posterior(table, "bdeu", "exact", time_limit=limit, seed=3, samples=2000, **options)
    assert found.method == "mcmc"
    assert found.diagnostics["stop_reason"] == reason
    for name in ("edges", "adjacencies", "ancestors"):
        off, errors = np.abs(getattr(found, name) - getattr(every, name)), getattr(found.standard_errors, name)
        assert np.all(off <= 5 * errors)
        # Negative control: the errors do not cover everything.
        assert not np.all(off + 0.2 * (1 - np.eye(5)) <= 5 * errors)
    assert all((knowledge or Knowledge()).admits(dag) for dag in found.sample_dags(20))


def test_the_answer_says_what_it_stands_in_for(monkeypatch, table):
    calls = stop_sums(monkeypatch, "time limit")
    with pytest.warns(StandInWarning, match=r"at 43% of the stage 'sums' .* Allow more time") as caught:
        found = qnml.posterior(table, "bdeu", "exact", time_limit=AMPLE, guard="off")
    assert [warning.filename for warning in caught] == [__file__]
    assert calls == [(AMPLE, 5.0)]
    assert found.diagnostics["instead_of"].startswith("method='exact', which the time limit ended after ")
    sentence = found.sentence()
    assert "estimated by Markov chains" in sentence
    assert "They stand in for method='exact', which the time limit ended after" in sentence
    assert "at 43% of the stage 'sums' (the forecast for all stages was" in sentence
    assert "Stopped early: time limit." in sentence
    assert "standard errors of up to" in sentence
    assert "not in the errors" not in sentence + str(caught[0].message)
    with pytest.warns(StandInWarning):
        qnml.posterior(table, "bdeu", "exact", time_limit=20.0, guard="off")
    assert calls[1] == (20.0, 2.0)


@pytest.mark.parametrize("reason", ["time limit", "interrupted"])
def test_the_seed_decides(monkeypatch, table, reason):
    asked = {"seed": 7, "samples": 400, "guard": "off"}
    chains = qnml.posterior(table, "bdeu", "mcmc", **asked)
    stop_sums(monkeypatch, reason, 1)
    for _ in range(2):
        with pytest.warns(StandInWarning):
            found = qnml.posterior(table, "bdeu", "exact", time_limit=AMPLE, **asked)
        assert np.array_equal(found.edges, chains.edges)
        assert found.state == chains.state
    with pytest.warns(StandInWarning):
        other = qnml.posterior(table, "bdeu", "exact", time_limit=AMPLE, **{**asked, "seed": 8})
    assert not np.array_equal(other.edges, chains.edges)


@pytest.mark.parametrize("method", ["exact", "auto"])
def test_an_interrupt_of_the_core_is_answered_with_draws(monkeypatch, method):
    """The sums take seconds on one thread; the first report comes after 0.05 seconds."""
    seen = interrupt_at(monkeypatch, "sums")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = qnml.posterior(coins(18), "bdeu", method, progress=True, n_jobs=1, guard="off", samples=50)
    assert seen[-1] == "chains"
    assert (found.method, found.diagnostics["stop_reason"]) == ("mcmc", "interrupted")
    assert "which Ctrl-C ended after" in found.sentence()
    assert "of the stage 'sums'" in found.sentence()
    assert found.standard_errors.edges.max() > 0
    # There are too many variables for sums over all parent sets, and the sentence says so.
    assert "errors do not cover" in found.sentence()
    assert all("errors do not cover" in str(one.message) for one in caught if one.category is StandInWarning)
    # With method="auto" there is no requested method that was replaced.
    kinds = {warning.category for warning in caught} - {MixingWarning}
    assert kinds == (set() if method == "auto" else {StandInWarning})
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
def test_sums_without_hope_are_ended_by_the_time_limit(monkeypatch):
    class NoHope:
        def __init__(self, limit: float, kept_back: float) -> None:
            assert (limit, kept_back) == (AMPLE, 5.0)

        def is_hopeless(self, stage: str, share: float) -> bool:
            return stage == "sums"

    monkeypatch.setattr(structure_sums, "SumsOutlook", NoHope)
    with pytest.warns(StandInWarning, match=r"the time limit ended after .* of the stage 'sums'"):
        found = qnml.posterior(coins(18), "bdeu", "exact", n_jobs=1, guard="off", samples=50, time_limit=AMPLE)
    assert (found.method, found.diagnostics["stop_reason"]) == ("mcmc", "time limit")


def test_a_second_interrupt_ends_the_draws(monkeypatch):
    interrupt_at(monkeypatch, "sums", "preparations", "chains")
    with pytest.raises(KeyboardInterrupt):
        qnml.posterior(coins(18), "bdeu", "exact", progress=True, n_jobs=1, guard="off")


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
def test_a_second_interrupt_ends_the_draws_and_keeps_what_there_is(monkeypatch, table):
    stop_sums(monkeypatch, "interrupted", 1)
    interrupt_at(monkeypatch, "chains")
    with pytest.warns(StandInWarning):
        found = qnml.posterior(table, "bdeu", "exact", progress=True, guard="off", samples=10**6)
    assert found.diagnostics["stop_reason"] == "interrupted"
    assert 4 <= found.diagnostics["draws_per_chain"] < 250_000
    # For chains that replace sums for lack of time, this is the first interrupt.
    stop_sums(monkeypatch, "time limit")
    interrupt_at(monkeypatch, "chains")
    with pytest.warns(StandInWarning):
        found = qnml.posterior(table, "bdeu", "exact", progress=True, guard="off", samples=10**6, time_limit=AMPLE)
    assert found.diagnostics["stop_reason"] == "interrupted"


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
def test_chains_that_are_interrupted_before_the_first_draw_make_some(monkeypatch):
    """Preparations for this many columns take seconds; the first report comes after 0.05 seconds."""
    seen = interrupt_at(monkeypatch, "preparations")
    found = qnml.posterior(coins(60, 5000), "bdeu", "mcmc", progress=True, samples=50)
    assert seen == ["preparations", "chains"]
    assert found.diagnostics["stop_reason"] == "interrupted"
    assert found.diagnostics["instead_of"] is None
    assert found.diagnostics["draws_per_chain"] >= 4
    assert "Stopped early: interrupted." in found.sentence()
    interrupt_at(monkeypatch, "preparations", "chains")
    found = qnml.posterior(coins(60, 5000), "bdeu", "mcmc", progress=True, samples=10**6)
    assert found.diagnostics["stop_reason"] == "interrupted"
    assert 4 <= found.diagnostics["draws_per_chain"] < 250_000


def test_two_interrupts_at_once_are_two(monkeypatch, table):
    stop_sums(monkeypatch, "interrupted", 2)
    with pytest.raises(KeyboardInterrupt, match=r"method='exact'\) ended after .* a part is of no use\."):
        qnml.posterior(table, "bdeu", "exact", guard="off")


def test_enumeration_is_interrupted_between_steps(monkeypatch, table):
    every = qnml.posterior(table, "bdeu", guard="off")
    assert every.method == "enumerate"
    for method in ("enumerate", "auto"):
        interrupt_at(monkeypatch, "structures")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = qnml.posterior(table, "bdeu", method, progress=True, guard="off", samples=2000)
        assert [warning.category for warning in caught] == ([] if method == "auto" else [StandInWarning])
        assert (found.method, found.diagnostics["stop_reason"]) == ("mcmc", "interrupted")
        assert "method='enumerate', which Ctrl-C ended" in found.sentence()
        assert "after the families were scored" in found.sentence()
        assert np.all(np.abs(found.edges - every.edges) <= 5 * found.standard_errors.edges)


def test_enumeration_tells_how_far_it_is(monkeypatch, table):
    shares = []

    @contextmanager
    def bar():
        yield lambda stage, share: shares.append(share)

    monkeypatch.setattr(sys.modules["qnml._api.posterior"], "progress_bar", bar)
    qnml.posterior(table, "bdeu", "enumerate", progress=True, guard="off")
    assert shares == sorted(shares)
    assert shares[0] > 0
    assert shares[-1] == 1.0


@pytest.mark.parametrize(
    ("prior", "used", "stage"), [("order", "exact", "sums"), ("classes", "enumerate", "structures")]
)
@pytest.mark.parametrize("knowledge", [None, KNOWN], ids=["free", "known"])
def test_draws_are_weighted_for_priors_that_chains_do_not_draw_from(monkeypatch, table, prior, used, stage, knowledge):
    options = {"knowledge": knowledge, "guard": "off", "seed": 5, "samples": 8000}
    exact = qnml.posterior(table, "bdeu", used, prior=prior, **options)
    unweighted = qnml.posterior(table, "bdeu", "mcmc", **options)
    if used == "exact":
        stop_sums(monkeypatch, "interrupted", 1)
    monkeypatch.setattr(runner, "_AFTER_INTERRUPTION", AMPLE)
    interrupt_at(monkeypatch, stage)
    with pytest.warns(StandInWarning):
        found = qnml.posterior(table, "bdeu", used, prior=prior, progress=True, **options)
    assert (found.method, found.prior, found.diagnostics["stop_reason"]) == ("mcmc", prior, "interrupted")
    assert "drawn under the uniform prior and weighted; they are worth" in found.sentence()
    assert found.state is None
    for name in ("edges", "adjacencies", "ancestors"):
        truth, errors = getattr(exact, name), getattr(found.standard_errors, name)
        if exact.standard_errors is not None:  # paths under the order prior are drawn
            errors = np.hypot(errors, getattr(exact.standard_errors, name))
        assert np.all(np.abs(getattr(found, name) - truth) <= 5 * errors)
    # Negative control: without weights, the probabilities are those of another prior.
    assert not np.all(np.abs(unweighted.edges - exact.edges) <= 5 * found.standard_errors.edges)
    # Whole structures have the weights, too.
    shares = {one.graph: one.probability for one in found.top_classes(1000)}
    for one in exact.top_classes(3):
        assert shares[one.graph] == pytest.approx(one.probability, abs=0.05)
    assert sum(shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("reason", "expected"), [("time limit", OutOfTimeError), ("interrupted", KeyboardInterrupt)])
def test_where_chains_do_not_fit_there_is_nothing_to_give(monkeypatch, table, reason, expected):
    class Stopping:
        forecast = staticmethod(posterior_methods._RUNNERS["exact"].forecast)

        @staticmethod
        def run(problem, options):
            assert (options.time_limit, options.kept_back) == (60, 0.0)
            return Unfinished(reason, "half way", 1.0)

    class Large:
        @staticmethod
        def forecast(problem):
            return replace(runners["mcmc"].forecast(problem), fits=False)

    runners = posterior_methods._RUNNERS
    monkeypatch.setattr(posterior_methods, "_RUNNERS", {**runners, "exact": Stopping, "mcmc": Large})
    with pytest.raises(expected, match=r"ended after 1 s, half way; a part is of no use") as caught:
        qnml.posterior(table, "bdeu", "exact", time_limit=60, guard="off")
    if reason == "time limit":
        assert "chains, which could stand in, do not fit in memory. Allow more time than 60 s" in str(caught.value)
