"""Binning rules, compared with counts by hand and exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data.binning import equal_frequency, equal_width, given_cuts, one_per_value


def test_bins_are_closed_on_the_right() -> None:
    binning = given_cuts(np.array([1.0, 2.5]))
    assert binning.codes(np.array([-np.inf, 0, 1, 1.1, 2.5, 2.6, np.inf, np.nan])).tolist() == [
        0,
        0,
        0,
        1,
        1,
        2,
        2,
        -1,
    ]
    assert binning.labels == ("(-inf, 1]", "(1, 2.5]", "(2.5, inf)")


def test_labels_use_the_digits_they_need() -> None:
    assert given_cuts(np.array([0.1, 1 / 3])).labels == ("(-inf, 0.1]", "(0.1, 0.333333]", "(0.333333, inf)")
    assert given_cuts(np.array([1.00000001, 1.00000002])).labels[1] == "(1.00000001, 1.00000002]"
    assert one_per_value(np.array([-2.0, 0.0, 1000025.0])).labels == ("-2", "0", "1000025")
    close = np.array([1.0, np.nextafter(1.0, 2)])
    assert len(set(one_per_value(close).labels)) == 2
    assert one_per_value(close).codes(close).tolist() == [0, 1]
    assert given_cuts(np.empty(0)).labels == ("(-inf, inf)",)


@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=40, unique=True),
    st.integers(2, 7),
    st.integers(0, 6),
)
def test_equal_width_is_exact_on_decimals(numbers: list[int], bins: int, decimals: int) -> None:
    """Floats written with a few decimals are binned as by exact arithmetic, also on the cuts."""
    exact = [Fraction(number, 10**decimals) for number in numbers]
    low, high = min(exact), max(exact)
    expected = [max(0, -((low - value) * bins // (high - low)) - 1) for value in exact]
    values = np.array([float(f"{number}e-{decimals}") for number in numbers])
    assert equal_width(values, bins).codes(values).tolist() == expected


def test_equal_width_takes_extreme_ranges() -> None:
    values = np.array([-1.7e308, 0.0, 1.7e308])
    assert equal_width(values, 2).codes(values).tolist() == [0, 0, 1]
    offset = 1e9 + np.arange(7.0)
    assert equal_width(offset, 3).codes(offset).tolist() == [0, 0, 0, 1, 1, 2, 2]


@given(st.lists(st.integers(0, 20), min_size=2, max_size=60), st.integers(2, 6))
def test_equal_frequency_splits_no_ties_and_leaves_no_bin_empty(numbers: list[int], bins: int) -> None:
    values = np.array(numbers, dtype=float)
    binning = equal_frequency(values, bins)
    codes = binning.codes(values)
    assert len(binning.labels) <= bins
    assert set(codes.tolist()) == set(range(len(binning.labels)))
    for cut in binning.cuts:
        below = int((values <= cut).sum())
        strictly = int((values < cut).sum())
        # some k/bins of the cells lies between "below the cut" and "up to the cut"
        assert any(strictly < Fraction(k * len(numbers), bins) <= below for k in range(1, bins))


def test_equal_frequency_is_even_without_ties() -> None:
    values = np.random.default_rng(0).permutation(90).astype(float)
    assert np.bincount(equal_frequency(values, 3).codes(values)).tolist() == [30, 30, 30]


@pytest.mark.parametrize("value", [0.9, 1.4])
def test_new_values_join_the_nearest_old_one(value: float) -> None:
    assert one_per_value(np.array([0.0, 1.0, 2.0])).codes(np.array([value])).tolist() == [1]
