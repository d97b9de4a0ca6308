"""Counts in units of a fraction of an observation: scores of fractional counts, by whole numbers."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.scores import SCORE_NAMES
from reference.scores import local_score as twin
from reference.tables import families, plain_tables

from qnml.counts import MemoryCounts
from qnml.data import Table
from qnml.errors import DataError
from qnml.scores import SCORES, BoundScore, bind_score, check_units, local_scores, most_observations

FRACTIONAL = [name for name in SCORE_NAMES if SCORES[name].price_ignores_counts]
WHOLE = [name for name in SCORE_NAMES if not SCORES[name].price_ignores_counts]


def scaled(score: str, observations: int, scale: int) -> BoundScore:
    bound = bind_score("test", SCORES[score], observations, {})
    return BoundScore(bound.score, bound.value, scale)


def expected(rows, shares, arities, child, parents, score: str) -> mp.mpf:
    """The fit of fractional counts, less the price that one row of that weight shows: its fit is zero."""
    with mp.workdps(50):
        fit = mp.mpf(0)
        for members, sign in (((*parents, child), 1), (parents, -1)):
            counts: dict[tuple[int, ...], Fraction] = {}
            for row, share in zip(rows, shares, strict=True):
                cell = tuple(row[member] for member in members)
                counts[cell] = counts.get(cell, Fraction(0)) + share
            for count in counts.values():
                if count:
                    value = mp.mpf(count.numerator) / count.denominator
                    fit += sign * value * mp.log(value)
        one_row = [tuple(0 for _ in arities)]
        return fit + twin(one_row, arities, child, parents, score, weights=[int(sum(shares))])


@given(st.data())
def test_scores_of_fractional_counts(data) -> None:
    plain = data.draw(plain_tables())
    child, parents = data.draw(families(len(plain.columns)))
    scale = data.draw(st.sampled_from([2, 3, 64, 4096]))
    rows = list(zip(*plain.columns, strict=True))
    weights = data.draw(st.lists(st.integers(1, 5000), min_size=len(rows), max_size=len(rows)))
    weights[0] += -sum(weights) % scale
    observations = sum(weights) // scale
    table = Table.from_codes(plain.columns, levels=plain.arities, weights=weights)
    for score in FRACTIONAL:
        bound = scaled(score, observations, scale)
        counts, n = MemoryCounts(table), len(plain.columns)
        (value,) = local_scores(counts, [(child, parents)], bound, n_variables=n, n_jobs=1)
        shares = [Fraction(weight, scale) for weight in weights]
        wanted = float(expected(rows, shares, plain.arities, child, parents, score))
        assert value == pytest.approx(wanted, rel=1e-10, abs=1e-9 * observations), score


@pytest.mark.parametrize("score", FRACTIONAL)
def test_whole_observations_score_as_without_a_scale(score: str) -> None:
    rows = np.random.default_rng(2).integers(0, (2, 3, 4), (200, 3))
    table = Table.from_codes(rows, levels=(2, 3, 4))
    wanted = [(2, (0, 1)), (0, ()), (1, (2,))]
    plain = local_scores(MemoryCounts(table), wanted, scaled(score, 200, 1), n_variables=3, n_jobs=1)
    for scale in (2, 1024):
        many = MemoryCounts(table.with_weights(np.full(200, scale, np.uint64)))
        values = local_scores(many, wanted, scaled(score, 200, scale), n_variables=3, n_jobs=1)
        assert values == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("score", WHOLE)
def test_prices_that_depend_on_counts_refuse(score: str) -> None:
    table = Table.from_codes([[0, 1, 1, 0]], levels=[2])
    with pytest.raises(ValueError, match="price of this score depends on the counts"):
        local_scores(MemoryCounts(table), [(0, ())], scaled(score, 2, 2), n_variables=1, n_jobs=1)


def test_the_total_is_a_multiple_of_the_scale() -> None:
    table = Table.from_codes([[0, 1, 1, 0]], levels=[2])
    with pytest.raises(ValueError, match="no multiple"):
        local_scores(MemoryCounts(table), [(0, ())], scaled("qnml", 1, 3), n_variables=1, n_jobs=1)


def test_the_largest_total_is_a_multiple_too() -> None:
    bound = scaled("bic", 10, 4096)
    most = most_observations(bound, 2**52, (2, 3))
    assert most % 4096 == 0
    check_units("test", bound, most, (2, 3), [])
    with pytest.raises(DataError, match="add up to"):
        check_units("test", bound, most + 4096, (2, 3), [])
