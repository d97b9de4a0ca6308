"""What fits on a card."""

from __future__ import annotations

import pytest

from qnml.gpu import forecast

H200 = {"blocks": 528, "free_bytes": 139 * 2**30}


def test_sizes_that_fit_on_an_h200() -> None:
    usual = {"rows": 1000, "total": 1000, "config_classes": 0, "n_products": 1331, **H200}
    fits = [n for n in range(1, 45) if forecast(n, **usual).fits]
    assert fits == list(range(1, 36))
    assert [n for n in fits if forecast(n, **usual).stream is not None] == [34, 35]
    three = {**usual, "config_classes": 3}
    assert max(n for n in range(1, 45) if forecast(n, **three).fits) == 35


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"n": 36}, "GiB of the card's memory, and 139.0 GiB are free"),
        ({"total": 2**20}, "at most 1,048,575 observations; these are 1,048,576"),
        ({"rows": 2**16 + 1, "total": 10**5}, "at most 65,536 distinct rows; these are 65,537"),
        ({"n": 50}, "at most 40 variables; these are 50"),
    ],
)
def test_what_does_not_fit_says_why(change, word) -> None:
    usual = {"n": 20, "rows": 1000, "total": 1000, "config_classes": 0, "n_products": 1331, **H200}
    made = forecast(**{**usual, **change})
    assert not made.fits
    assert word in made.problem


@pytest.mark.parametrize("config_classes", [0, 3])
@pytest.mark.parametrize("n", [34, 35])
def test_a_lattice_is_cut_so_that_it_fits(n, config_classes) -> None:
    usual = {"rows": 1000, "total": 1000, "n_products": 1331, **H200}
    made = forecast(n, config_classes=config_classes, **usual)
    assert made.fits
    assert made.memory_bytes <= made.free_bytes
    slice_bytes = 8 * (1 + config_classes) * 2 ** (n - made.stream.high_bits)
    assert slice_bytes + made.stream.together * 4 * 2 ** (n - 1) <= made.memory_bytes


def test_time_grows_with_the_work() -> None:
    usual = {"rows": 1000, "total": 1000, "config_classes": 0, "n_products": 1331, **H200}
    times = [forecast(n, **usual).seconds for n in (25, 28, 30)]
    assert times == sorted(times)
    assert 0 < times[0] < times[2] < 60
