"""Candidate cuts: both sets against exact fractions, outer edges, infinities, extreme ranges, thinning."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.histograms import with_midpoints, with_precision

from qnml.data.cut_candidates import CutCandidates, cut_candidates
from qnml.errors import DataError

_LARGEST = float(np.finfo(float).max)


def _candidates(values, weights=None, precision=None, most=1000) -> CutCandidates:
    return cut_candidates("f", "x", np.asarray(values, dtype=float), weights, precision, most)


def _edges(found: CutCandidates) -> list[float]:
    return ((found.below + found.above) / 2).tolist()


_many = st.lists(st.integers(-400, 400), min_size=2, max_size=40).filter(lambda numbers: len(set(numbers)) > 1)


@given(_many)
def test_without_a_precision_cuts_are_midpoints(numbers: list[int]) -> None:
    values = [number / 8 for number in numbers]
    found, expected = _candidates(values), with_midpoints(values)
    assert [Fraction(cut) for cut in found.cuts.tolist()] == list(expected.candidates)
    assert [Fraction(edge) for edge in _edges(found)] == list(expected.edges)
    assert found.counts.tolist() == [
        sum(low < value <= high for value in expected.values)
        for low, high in zip(expected.edges, expected.edges[1:], strict=False)
    ]


@given(_many, st.sampled_from([0.25, 0.5, 1.0, 2.0, 64.0]))
def test_with_a_precision_cuts_are_those_of_the_published_method(numbers: list[int], precision: float) -> None:
    values = [number / 8 for number in numbers]
    found, expected = _candidates(values, precision=precision), with_precision(values, precision)
    assert [Fraction(cut) for cut in found.cuts.tolist()] == list(expected.candidates)
    start = Fraction(min(values))
    assert [start + Fraction(edge) * Fraction(precision) for edge in _edges(found)] == list(expected.edges)
    assert found.places == expected.places
    assert found.counts.tolist() == [
        sum(low < value <= high for value in expected.values)
        for low, high in zip(expected.edges, expected.edges[1:], strict=False)
    ]


@given(st.sets(st.integers(-50, 50), min_size=1), st.integers(0, 3))
def test_a_precision_undoes_the_noise_of_decimal_fractions(numbers: set[int], decimals: int) -> None:
    """0.1 + 0.2 and 0.3 are one value, and cuts next to each other are one cut."""
    step = float(f"1e-{decimals}")
    low = min(numbers)
    values = np.concatenate([[number * step, low * step + (number - low) * step] for number in sorted(numbers)])
    found = _candidates(values, precision=step)
    assert found.counts[found.counts > 0].tolist() == [2] * len(numbers)
    gaps = np.diff(sorted(numbers))
    assert len(found.cuts) == (gaps == 1).sum() + 2 * (gaps > 1).sum()


def test_on_consecutive_integers_both_sets_are_the_same() -> None:
    values = [3, 4, 4, 5, 6, 6, 6, 7]
    plain, published = _candidates(values), _candidates(values, precision=1.0)
    assert plain.cuts.tolist() == published.cuts.tolist() == [3.5, 4.5, 5.5, 6.5]
    assert np.diff(_edges(plain)).tolist() == np.diff(_edges(published)).tolist()
    assert plain.counts.tolist() == published.counts.tolist()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=30))
def test_weights_are_repeated_rows(rows: list[tuple[int, int]]) -> None:
    values, weights = np.array(rows, dtype=float).T
    repeated = np.repeat(values, weights.astype(int))
    for precision in (None, 0.5):
        one = _candidates(values, weights.astype(np.uint64), precision)
        other = _candidates(repeated, None, precision)
        assert one.cuts.tolist() == other.cuts.tolist()
        assert one.counts.tolist() == other.counts.tolist()


def test_one_value_and_none_have_no_cuts() -> None:
    for values in ([], [np.nan], [3.0, 3.0], [np.inf, np.inf], [np.inf, -np.inf, 2.0]):
        for precision in (None, 0.5):
            found = _candidates(values, precision=precision)
            assert not len(found.cuts)
            assert len(found.counts) == 1
            assert np.isfinite(found.below).all()
            assert found.below[1] + found.above[1] > found.below[0] + found.above[0]


def test_infinite_values_are_set_apart() -> None:
    found = _candidates([-np.inf, 1, 2, 3, np.inf, np.inf, np.nan])
    assert found.infinite == (1, 2)
    assert found.cuts.tolist() == [1.5, 2.5]
    assert found.chosen(np.array([2], dtype=np.int32)).tolist() == [-_LARGEST, 2.5, _LARGEST]
    assert _candidates([1, 2, np.inf]).chosen(np.empty(0, dtype=np.int32)).tolist() == [_LARGEST]


@pytest.mark.parametrize(
    "values",
    [
        [-_LARGEST / 1.5, 0.0, _LARGEST],
        [5e-324, 1e-323, 1.5e-323],
        [1.0, np.nextafter(1.0, 2), 2.0],
        [-1e-310, 0.0, 1e300, _LARGEST],
    ],
)
def test_extreme_ranges_keep_every_value_in_a_bin_of_some_width(values: list[float]) -> None:
    found = _candidates(values)
    assert found.counts.tolist() == np.bincount(np.searchsorted(found.cuts, values)).tolist()
    assert np.isfinite(found.below).all()
    assert np.isfinite(found.above).all()
    assert (np.diff(found.below) + np.diff(found.above) > 0).all()


def test_a_precision_finer_than_floats_is_refused() -> None:
    with pytest.raises(DataError, match=r"precision 1 is too fine for column 'x': near 1e\+20 .* Give at least 65536"):
        _candidates([0.0, 1e20], precision=1.0)
    assert len(_candidates([0.0, 1e20], precision=65536.0).cuts) == 2


@pytest.mark.parametrize("precision", [None, 1e-4])
def test_thinning_keeps_ties_and_gaps_apart(precision: float | None) -> None:
    rng = np.random.default_rng(0)
    values = np.concatenate([np.zeros(8000), rng.uniform(1, 2, 4000), rng.uniform(50, 51, 4000)])
    found = _candidates(values, precision=precision, most=200)
    assert 100 < len(found.cuts) <= 200
    places = np.searchsorted(found.cuts, values)
    # The many zeros have a piece of their own, and so have the values on either side of the wide gap.
    assert found.counts[0] == 8000
    middle = values[8000:]
    for alone in (middle[middle < 10].max(), middle[middle > 10].min()):
        assert (places == np.searchsorted(found.cuts, alone)).sum() <= 2
    # No piece of the rest holds much more than its share.
    assert np.sort(found.counts)[-2] < 8000 / 40


def test_thinned_cuts_are_some_of_all_cuts() -> None:
    values = np.random.default_rng(1).standard_cauchy(3000)
    few, all_ = _candidates(values, most=100), _candidates(values, most=3000)
    assert len(all_.cuts) == 2999
    assert set(few.cuts) < set(all_.cuts)
    assert _edges(few)[0] == _edges(all_)[0]
    assert _edges(few)[-1] == _edges(all_)[-1]
    assert few.counts.sum() == 3000
