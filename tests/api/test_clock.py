"""The remaining time of a call that runs several searches."""

from __future__ import annotations

import time

import qnml
from qnml._api.clock import Clock, seconds_said
from qnml._interrupts import Interrupts


def test_time_runs_out():
    clock = Clock(0.2, Interrupts())
    left = clock.left()
    assert left is not None
    assert 0.0 < left <= 0.2
    assert not clock.is_over
    time.sleep(0.21)
    assert clock.left() == 0.0
    assert clock.is_over


def test_without_a_limit_only_an_interrupt_ends_it():
    interrupts = Interrupts()
    clock = Clock(None, interrupts)
    assert clock.left() is None
    assert not clock.is_over
    interrupts.count += 1
    assert clock.left() == 0.0
    assert clock.is_over
    assert clock.is_interrupted


def test_after_an_interrupt_the_reason_is_not_the_time_limit():
    table = qnml.datasets.sample("asia", 500, seed=1)
    stopped = qnml.learn(table, method="order", time_limit=1e-9, seed=0).certificate
    assert stopped.stop_reason == "time limit"
    interrupts = Interrupts()
    clock = Clock(1.0, interrupts)
    assert clock.with_reason(stopped).stop_reason == "time limit"
    interrupts.count += 1
    assert clock.with_reason(stopped).stop_reason == "interrupted"


def test_long_times_are_whole_seconds():
    assert [*map(seconds_said, (0.01234, 5, 99.4, 99.6, 12345.6))] == ["0.012 s", "5 s", "99 s", "100 s", "12,346 s"]
