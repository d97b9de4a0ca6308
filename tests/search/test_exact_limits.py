"""Limits of time and memory, and interruption: what comes back is a valid network with an honest bound."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import qnml
from qnml import Table
from qnml.errors import InputError, TooLargeError
from qnml.search import Knowledge


def chained(n: int, n_rows: int, seed: int) -> Table:
    """Columns that depend on one or two earlier ones."""
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 2, n_rows)]
    for place in range(1, n):
        arity = 2 + place % 3
        mixed = columns[int(generator.integers(place))] + columns[int(generator.integers(place))]
        noise = generator.integers(0, arity, n_rows)
        columns.append(np.where(generator.random(n_rows) < 0.4, noise, mixed % arity))
    return Table.from_codes(columns, names=[f"v{place:02}" for place in range(n)])


@pytest.fixture(scope="module")
def table() -> Table:
    return chained(16, 500, seed=16)


@pytest.fixture(scope="module")
def known(table) -> Knowledge:
    names = table.names
    return Knowledge(required=[(names[3], names[0])], forbidden=[(names[0], names[1])], roots=[names[5]])


@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bds"])
@pytest.mark.parametrize("seconds", [0, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1])
def test_any_time_limit(seconds, score, table, known, checked_learn) -> None:
    best = checked_learn(table, score, knowledge=known, max_parents=4 if score == "bds" else None)
    result = checked_learn(table, score, knowledge=known, time_limit=seconds, max_parents=4 if score == "bds" else None)
    assert known.admits(result.dag)
    assert result.score <= best.score + 1e-9 * abs(best.score)
    assert result.certificate.bound >= best.score - 1e-9 * abs(best.score)
    if result.certificate.optimal:
        assert result.certificate.stop_reason is None
        assert result.cpdag == best.cpdag
    else:
        assert result.certificate.stop_reason == "time limit"


def test_a_limit_that_is_not_reached_changes_nothing(table, checked_learn) -> None:
    free, limited = checked_learn(table), checked_learn(table, time_limit=1000)
    assert limited.certificate.optimal
    assert limited.dag == free.dag
    assert limited.score == free.score


def test_no_time_at_all_still_gives_an_honest_answer(table, checked_learn) -> None:
    result = checked_learn(table, time_limit=0)
    assert not result.certificate.optimal
    assert result.certificate.stop_reason == "time limit"
    assert result.certificate.gap > 0
    empty = qnml.score(table, qnml.Dag.empty(table.names))
    assert result.score >= empty


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to itself")
@pytest.mark.parametrize("delay", [0.02, 0.1, 0.3])
def test_control_c_returns_the_best_so_far(delay, checked_learn) -> None:
    wide = chained(24, 1000, seed=24)
    began = time.perf_counter()
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = checked_learn(wide, "fnml")
    timer.join()
    assert result.certificate.stop_reason == "interrupted"
    assert not result.certificate.optimal
    assert time.perf_counter() - began < 10


# Memory.


def test_what_does_not_fit_is_refused_before_the_work(table) -> None:
    began = time.perf_counter()
    with pytest.raises(TooLargeError, match=r"16 variables.*memory.*max_parents") as caught:
        qnml.learn(table, memory_limit=10_000)
    assert time.perf_counter() - began < 0.5
    assert "9.8 KiB" in str(caught.value)


@pytest.mark.parametrize("n", [40, 64, 65, 200])
def test_too_many_variables_are_refused_with_advice(n) -> None:
    wide = Table.from_codes(np.random.default_rng(0).integers(0, 2, (50, n)))
    for score in ("qnml", "fnml", "bds"):
        with pytest.raises(TooLargeError, match=f"{n} variables"):
            qnml.learn(wide, score, guard="off")
        assert not qnml.plan(wide, score, guard="off").fits


def test_the_plan_is_kept(table, checked_learn) -> None:
    plan = qnml.plan(table)
    assert plan.fits
    assert plan.n_variables == 16
    assert 0 < plan.memory_bytes < plan.memory_limit
    assert "16 variables" in plan.sentence()
    result = checked_learn(table, memory_limit=2 * plan.memory_bytes)
    assert result.certificate.optimal
    assert result.certificate.method == plan.method
    assert not qnml.plan(table, memory_limit=plan.memory_bytes / 2).fits
    assert qnml.plan(table, max_parents=2).families < plan.families


def test_limits_of_nonsense_are_refused(table) -> None:
    for argument, values in {
        "time_limit": (-1, "soon", float("nan")),
        "memory_limit": (0, -5, "much", float("nan")),
        "max_parents": (-1, 1.5, True),
        "seed": (-1, 0.5),
        "n_jobs": (-7, 1.5),
        "guard": ("on", None),
        "method": ("magic", None),
    }.items():
        for value in values:
            with pytest.raises(InputError, match=argument):
                qnml.learn(table, **{argument: value})


def test_scores_without_local_scores_are_refused(table) -> None:
    with pytest.raises(InputError, match="decomposable"):
        qnml.learn(table, "nml")
