"""When sums are given up for chains, with a clock that the tests set."""

from __future__ import annotations

import pytest

from qnml.search.posterior.sums_deadline import SumsOutlook

LIMIT, KEPT_BACK = 100.0, 10.0


def given_up_at(needed: float, counting: float = 5.0, kept_back: float = KEPT_BACK) -> float | None:
    """The second at which sums that need `needed` seconds are given up; None if never."""
    clock = [0.0]
    outlook = SumsOutlook(LIMIT, kept_back, lambda: clock[0])
    half = (needed - counting) / 2
    while clock[0] < min(needed, LIMIT):
        now = clock[0]
        if now < counting:
            report = ("counting", now / counting)
        elif now < counting + half:
            report = ("sums", (now - counting) / half)
        else:
            report = ("completions", (now - counting - half) / half)
        if outlook.is_hopeless(*report):
            return now
        clock[0] += 0.25
    return None


@pytest.mark.parametrize("counting", [5.0, 18.0])
@pytest.mark.parametrize("needed", [20.0, 85.0, 89.0, 95.0, 99.5])
def test_sums_that_will_be_done_in_time_are_left_alone(needed, counting):
    assert given_up_at(needed, counting) is None


def test_long_counting_is_not_held_against_the_sums():
    assert given_up_at(85.0, counting=70.0) is None


@pytest.mark.parametrize("needed", [103.0, 120.0, 149.0])
def test_sums_that_will_not_be_done_leave_what_is_kept_back(needed):
    assert given_up_at(needed) == LIMIT - KEPT_BACK


@pytest.mark.parametrize("needed", [151.0, 185.0, 1000.0])
def test_sums_that_take_far_too_long_leave_half(needed):
    assert given_up_at(needed) == LIMIT / 2


def test_who_is_still_counting_will_not_be_done():
    assert given_up_at(200.0, counting=110.0) == LIMIT - KEPT_BACK
    assert given_up_at(300.0, counting=200.0) == LIMIT / 2


def test_nothing_is_given_up_where_nothing_is_kept_back():
    assert given_up_at(1000.0, kept_back=0.0) is None


def test_the_last_stage_is_short():
    clock = [0.0]
    outlook = SumsOutlook(LIMIT, KEPT_BACK, lambda: clock[0])
    clock[0] = 95.0
    assert not outlook.is_hopeless("probabilities", 0.0)
    assert outlook.is_hopeless("starting", 0.0)
