"""NML histograms, compared with every set of cuts, the published dynamic programming, and another program."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.histograms import (
    Line,
    all_code_lengths,
    code_length,
    published_code_lengths,
    with_midpoints,
    with_precision,
)
from sklearn.datasets import load_iris, load_wine

from qnml.data.binning import nml_histogram, nml_histograms

_few = st.lists(st.integers(0, 40), min_size=1, max_size=30).filter(lambda numbers: len(set(numbers)) <= 7)


@settings(max_examples=60, deadline=None)
@given(_few, st.sampled_from([None, 0.25, 1.0]), st.integers(0, 4))
def test_no_set_of_cuts_has_a_shorter_code(numbers: list[int], precision: float | None, infinite: int) -> None:
    values = np.array(numbers) / 4
    line = with_midpoints(values) if precision is None else with_precision(values, precision)
    if len(line.candidates) > 10:
        return
    apart = [infinite] if infinite else []
    lengths = all_code_lengths(line, apart)
    found = nml_histogram(np.concatenate([values, np.full(infinite, np.inf)]), precision)
    cuts = [Fraction(cut) for cut in found.cuts.tolist()][: len(found.cuts) - len(apart)]
    assert lengths[tuple(cuts)] == pytest.approx(min(lengths.values()), rel=1e-12, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(20, 90), st.booleans())
def test_the_code_is_as_short_as_that_of_the_published_algorithm(seed: int, n: int, is_measured: bool) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(np.concatenate([rng.normal(0, 1, n // 2), rng.normal(3, 0.2, n - n // 2)]) * 8) / 8
    line = with_precision(values, 0.125) if is_measured else with_midpoints(values)
    found = nml_histogram(values, 0.125 if is_measured else None)
    cuts = [Fraction(cut) for cut in found.cuts.tolist()]
    lengths = published_code_lengths(line, 0.125, min(25, len(line.candidates) + 1))
    assert code_length(line, cuts, 0.125) == pytest.approx(min(lengths), rel=1e-12)


def _columns() -> dict[str, np.ndarray]:
    iris, wine = np.rint(load_iris().data * 10), np.rint(load_wine().data)
    return {"petal length": iris[:, 2], "sepal length": iris[:, 0], "proline": wine[:, 12]}


# The least code lengths for 1, 2, … bins that MDL-Density-Histogram 1.2.4 (PyPI) computes with epsilon=1. Its prices
# of the cuts are not those of the paper: it charges log((E − K + 6) / (K − 1)) for the K-th bin instead of
# log((E − K + 2) / (K − 1)), with E the number of candidates, where we count all places. Everything else is the
# published criterion; factorials by Ramanujan's formula leave the last digits.
_OTHER = {
    "petal length": [614.1517, 603.6149, 585.1720, 578.5976, 572.2436, 572.6972, 573.1471, 574.5803, 576.3207],
    "sepal length": [541.6377, 532.1398, 531.3828, 534.7820, 536.7531, 539.4573, 541.5732, 543.7180, 545.8139],
    "proline": [1289.8535, 1267.4808, 1261.4654, 1259.3224, 1260.5921, 1260.3914, 1261.0701, 1260.3573, 1261.0002],
}


@pytest.mark.parametrize("name", list(_OTHER))
def test_code_lengths_are_those_of_another_program(name: str) -> None:
    values = _columns()[name]
    line = with_precision(values, 1.0)
    candidates = len(line.candidates)
    extra = [math.log((candidates - bins + 6) / (line.places - bins + 2)) for bins in range(2, len(_OTHER[name]) + 1)]
    theirs = np.array(_OTHER[name]) - np.cumsum([0.0, *extra])
    found = nml_histogram(values, 1.0)
    assert len(found.cuts) + 1 == int(theirs.argmin()) + 1
    ours = code_length(line, [Fraction(cut) for cut in found.cuts.tolist()])
    assert ours == pytest.approx(theirs.min(), abs=2e-4)
    np.testing.assert_allclose(published_code_lengths(line, 1.0, len(theirs)), theirs, atol=2e-4)


def test_cuts_around_every_value_are_not_free() -> None:
    """With the published price of the cuts, 238 bins would have the shortest code for these 178 values."""
    values = _columns()["proline"]
    line = with_precision(values, 1.0)
    published = Line(line.edges, line.values, len(line.candidates))
    assert code_length(published, line.candidates) < min(published_code_lengths(published, 1.0, 12))
    assert code_length(line, line.candidates) > min(published_code_lengths(line, 1.0, 12))
    assert len(nml_histogram(values, 1.0).labels) == 4


def test_known_cuts_are_found() -> None:
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.uniform(0, 1, 2000), rng.uniform(1, 3, 500), rng.uniform(3, 4, 3000)])
    cuts = nml_histogram(rng.permutation(values)).cuts
    np.testing.assert_allclose(cuts, [1, 3], atol=0.02)


def test_a_million_values() -> None:
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(0, 1, 500_000), rng.normal(6, 0.1, 500_000)])
    binning = nml_histogram(values)
    assert 20 < len(binning.labels) < 200
    assert np.bincount(binning.codes(values)).min() > 0


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=40), st.randoms())
def test_weights_are_repeated_rows_and_order_does_not_matter(rows: list[tuple[int, int]], random) -> None:
    values, weights = np.array(rows, dtype=float).T
    repeated = np.repeat(values, weights.astype(int)).tolist()
    random.shuffle(repeated)
    for precision in (None, 0.5):
        one = nml_histogram(values, precision, weights.astype(np.uint64))
        other = nml_histogram(np.array(repeated), precision)
        assert one.cuts.tolist() == other.cuts.tolist()
        assert one.labels == other.labels


def test_many_columns_at_once_are_the_same_as_one_by_one() -> None:
    columns = _columns() | {"empty": np.empty(0), "one": np.full(3, 2.0), "missing": np.array([np.nan, 1, 2, 3])}
    precision = dict.fromkeys(columns, None) | {"proline": 1.0}
    for jobs in (1, 4):
        together = nml_histograms("f", columns, precision, None, jobs)
        for name, values in columns.items():
            assert together[name].cuts.tolist() == nml_histogram(values, precision[name]).cuts.tolist()
    assert together["empty"].labels == together["one"].labels == ("(-inf, inf)",)


def test_infinite_values_have_bins_of_their_own() -> None:
    values = np.array([-np.inf, 0, 0, 0, 1, 5, 5, 5, np.inf, np.nan])
    binning = nml_histogram(values)
    codes = binning.codes(values)
    assert (codes == 0).tolist() == [True, *[False] * 9]
    assert (codes == len(binning.labels) - 1).tolist() == [*[False] * 8, True, False]
    assert binning.labels[-1] == "(1.79769e+308, inf)"


@pytest.mark.parametrize("scale", [1e-300, 1e-5, 1.0, 1e300])
def test_the_unit_of_measurement_does_not_matter(scale: float) -> None:
    values = np.concatenate([np.arange(50) / 64, 3 + np.arange(9) / 4])
    power = 2.0 ** round(math.log2(scale))
    np.testing.assert_array_equal(nml_histogram(values * power).cuts, nml_histogram(values).cuts * power)
    np.testing.assert_array_equal(nml_histogram(-values).cuts[::-1], -nml_histogram(values).cuts)
