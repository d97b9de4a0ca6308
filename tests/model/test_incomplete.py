"""Posterior distributions of missing cells, compared with the enumeration of all completions."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import missing_cells as twin
from reference.missing_cells import Holed, holed_tables, with_missing

from qnml import _core
from qnml.data import Table
from qnml.errors import TooLargeError
from qnml.model.incomplete import IncompleteData, StructuredRows

CALM = _core.Control()


def under(holed: Holed, threads: int = 1) -> StructuredRows:
    return IncompleteData(holed.table()).under("test", holed.parents, threads, CALM)


def cells_of(rows: StructuredRows, values: np.ndarray) -> dict[twin.Cell, float]:
    """An array over the slots in the notation of the reference version."""
    first, found = rows.core.first_slots, {}
    for child, parents in enumerate(rows.parents):
        levels = rows.data.arities[child]
        mine = values[first[child] : first[child + 1]].reshape(-1, levels)
        configs = rows.core.configs(child).reshape(len(mine), len(parents))
        for config, counts in zip(configs.tolist(), mine.tolist(), strict=True):
            for level, count in enumerate(counts):
                found[child, tuple(config), level] = count
    return found


def assert_same(found: dict[twin.Cell, float], expected: dict[twin.Cell, float], tolerance: float = 1e-9) -> None:
    for cell in found.keys() | expected.keys():
        assert found.get(cell, 0.0) == pytest.approx(expected.get(cell, 0.0), abs=tolerance), cell


def random_parameters(rows: StructuredRows, seed: int, zeros: float) -> tuple[np.ndarray, dict[twin.Cell, float]]:
    """Parameters for every slot, some of them zero."""
    generator = np.random.default_rng(seed)
    first, values = rows.core.first_slots, np.empty(rows.core.first_slots[-1])
    for child, levels in enumerate(rows.data.arities):
        shape = (first[child + 1] - first[child]) // levels, levels
        weights = generator.random(shape) * (generator.random(shape) > zeros)
        weights[weights.sum(axis=1) == 0, 0] = 1.0
        values[first[child] : first[child + 1]] = (weights / weights.sum(axis=1, keepdims=True)).ravel()
    return values, cells_of(rows, values)


@given(holed=holed_tables())
def test_spread_counts(holed) -> None:
    rows = under(holed)
    assert_same(
        cells_of(rows, rows.spread_counts()), twin.spread_counts(holed.rows, holed.weights, holed.parents, holed.levels)
    )


@given(holed=holed_tables(max_columns=5), seed=st.integers(0, 1000), zeros=st.sampled_from([0.0, 0.4]))
def test_expected_counts_and_likelihood(holed, seed, zeros) -> None:
    rows = under(holed)
    values, parameters = random_parameters(rows, seed, zeros)
    log_likelihood, counts = rows.core.expect(values, 1, CALM)
    given = holed.rows, holed.weights, holed.parents, parameters, holed.levels
    expected = twin.log_likelihood(*given)
    assert log_likelihood == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert np.isfinite(counts).all()
    if expected > -math.inf:  # otherwise the counts of impossible rows mean nothing
        assert_same(cells_of(rows, counts), twin.expected_counts(*given))


@given(holed=holed_tables(max_columns=5, max_rows=40), seed=st.integers(0, 1000))
def test_threads_change_no_bit(holed, seed) -> None:
    one, many = under(holed), under(holed, 3)
    values, _ = random_parameters(one, seed, 0.2)
    first, second = one.core.expect(values, 1, CALM), many.core.expect(values, 3, CALM)
    assert first[0] == second[0] or math.isnan(first[0])
    assert first[1].tobytes() == second[1].tobytes()
    assert columns_of(one.core.complete(values, 64, 4, 8, 5, 1, CALM)) == columns_of(
        many.core.complete(values, 64, 4, 8, 5, 3, CALM)
    )


def columns_of(completed: _core.Completions) -> list[tuple[int, ...]]:
    rows = zip(completed.sources.tolist(), completed.weights.tolist(), *map(list, completed.columns), strict=True)
    return [tuple(map(int, row)) for row in rows]


def shares_of(completed: _core.Completions, row: int) -> dict[tuple[int, ...], float]:
    mine = [one for one in columns_of(completed) if one[0] == row]
    total = sum(one[1] for one in mine)
    shares: Counter[tuple[int, ...]] = Counter()
    for _, weight, *codes in mine:
        shares[tuple(codes)] += weight / total
    return shares


def distinct_rows(rows: StructuredRows) -> list[twin.Row]:
    table = rows.data.table
    codes = [table.codes(name).tolist() for name in table.names]
    return [tuple(None if code < 0 else code for code in row) for row in zip(*codes, strict=True)]


@given(holed=holed_tables(), seed=st.integers(0, 1000))
def test_exact_completions(holed, seed) -> None:
    rows = under(holed)
    values, parameters = random_parameters(rows, seed, 0.2)
    scale = 2**20
    completed = rows.core.complete(values, scale, 10**6, 8, 1, 1, CALM)
    assert not completed.draws.any()
    rounding = 0.0
    weights = rows.data.table.weights
    for place, row in enumerate(distinct_rows(rows)):
        expected = twin.posterior(row, holed.parents, parameters, holed.levels)
        missing = [column for column, code in enumerate(row) if code is None and holed.levels[column] > 1]
        if not missing:
            assert shares_of(completed, place) == {tuple(code or 0 for code in row): 1.0}
            continue
        if not expected:  # an impossible row is left out, or completed arbitrarily if its observed cells are impossible
            continue
        found = shares_of(completed, place)
        assert found.keys() <= expected.keys()
        for full, share in expected.items():
            assert found[full] == pytest.approx(share, abs=1.01 / scale)
            if found[full]:
                rounding += weights[place] * found[full] * math.log(found[full] / share)
    assert math.isfinite(completed.rounding)
    if all(twin.posterior(row, holed.parents, parameters, holed.levels) for row in holed.rows):
        assert completed.impossible == 0
        assert completed.rounding == pytest.approx(rounding, abs=1e-8)
    totals = np.bincount(completed.sources, completed.weights, len(weights))
    assert all(total in (0, weight * scale) for total, weight in zip(totals, weights, strict=True))


def test_largest_remainders_by_hand() -> None:
    # One variable, probabilities 1/2, 1/3, 1/6 of four units: 2, 1.33, 0.67 are rounded to 2, 1, 1.
    holed = Holed(((None,),), (1,), (3,), ((),))
    rows = under(holed)
    completed = rows.core.complete(np.array([1 / 2, 1 / 3, 1 / 6]), 4, 3, 1, 1, 1, CALM)
    assert completed.weights.tolist() == [2, 1, 1]
    divergence = 1 / 2 * math.log(1) + 1 / 4 * math.log(3 / 4) + 1 / 4 * math.log(6 / 4)
    assert completed.rounding == pytest.approx(divergence)


def test_draws_have_the_joint_distribution() -> None:
    holed = Holed(((None, None, None, 1),), (1,), (2, 3, 2, 2), ((), (0,), (1,), (0, 2)))
    rows = under(holed)
    values, parameters = random_parameters(rows, 3, 0.0)
    expected = twin.posterior(holed.rows[0], holed.parents, parameters, holed.levels)
    mean: Counter[tuple[int, ...]] = Counter()
    repeats, draws = 4000, 5
    for seed in range(repeats):
        completed = rows.core.complete(values, 10, 1, draws, seed, 1, CALM)
        assert completed.draws.tolist() == [draws]
        shares = shares_of(completed, 0)
        for full, share in expected.items():
            # Systematic sampling: splits of five draws are rounded three times.
            assert abs(shares[full] - share) < 3 / draws
        mean.update(shares)
    for full, share in expected.items():
        error = math.sqrt(share * (1 - share) / (repeats * draws))
        assert mean[full] / repeats == pytest.approx(share, abs=5 * error)


def test_draws_of_a_heavy_row_share_its_weight() -> None:
    holed = Holed(((None, None),), (1000,), (3, 3), ((), (0,)))
    rows = under(holed)
    completed = rows.core.complete(rows.spread_counts() / 1000, 8, 1, 8, 1, 1, CALM)
    assert completed.weights.sum() == 8000
    assert completed.draws.tolist() == [1024]
    assert completed.weights.min() > 7


def test_families_of_many_cells_list_what_rows_allow() -> None:
    # 300 · 300 · 2 cells: too many to number them all.
    generator = np.random.default_rng(3)
    rows = [(int(a), int(b), int(c)) for a, b, c in generator.integers(0, (300, 300, 2), (6, 3))]
    rows = [*rows, (rows[0][0], None, None), (None, rows[1][1], 0), (rows[2][0], rows[2][1], None)]
    holed = Holed(tuple(rows), (1, 2, 1, 1, 1, 1, 2, 1, 3), (300, 300, 2), ((), (), (0, 1)))
    prepared = under(holed)
    assert prepared.core.configs(2).size // 2 == (6 - 2) + (300 + 300 - 1)
    values, parameters = random_parameters(prepared, 5, 0.0)
    log_likelihood, counts = prepared.core.expect(values, 2, CALM)
    given = holed.rows, holed.weights, holed.parents, parameters, holed.levels
    assert log_likelihood == pytest.approx(twin.log_likelihood(*given), rel=1e-11)
    assert_same(cells_of(prepared, counts), twin.expected_counts(*given))
    spread = twin.spread_counts(holed.rows, holed.weights, holed.parents, holed.levels)
    assert_same(cells_of(prepared, prepared.spread_counts()), spread)


def test_tiny_probabilities_do_not_underflow() -> None:
    # 120 observed children of one missing variable, each of probability 1e-5: the product is 1e-600.
    n = 120
    table = Table.from_codes([[0]] * (n + 1), names=[f"v{k:03d}" for k in range(n + 1)], levels=[2] * (n + 1))
    holed = with_missing(table, [np.array([k == 0]) for k in range(n + 1)])
    rows = IncompleteData(holed).under("test", [(), *[(0,)] * n], 1, CALM)
    values = np.array([0.5, 0.5, *[1e-5, 1 - 1e-5, 2e-5, 1 - 2e-5] * n])
    log_likelihood, counts = rows.core.expect(values, 1, CALM)
    assert log_likelihood == pytest.approx(n * math.log(2e-5) - math.log(2) + math.log1p(2.0**-n), rel=1e-12)
    assert counts[:2] == pytest.approx([2.0**-n, 1.0])


def test_rows_that_lack_too_much_are_refused_before_any_work() -> None:
    n = 26
    table = Table.from_codes([[0, 1]] * n, names=[f"v{k:02d}" for k in range(n)], levels=[2] * n)
    holed = IncompleteData(with_missing(table, [np.array([True, False])] * n))
    everything = [(), *[(0,)] * (n - 2), tuple(range(n - 1))]
    with pytest.raises(TooLargeError, match=r"a row lacks 26 cells.*tables of \d+ entries.*max_parents"):
        holed.under("test", everything, 1, CALM)


def test_too_many_configurations_are_refused_before_any_work() -> None:
    table = Table.from_codes([[0, 1], [0, 1]], levels=[5000, 60000])
    holed = IncompleteData(with_missing(table, [np.array([True, False]), None]))
    with pytest.raises(TooLargeError, match=r"take \d+ numbers, more than"):
        holed.under("test", [(), (0,)], 1, CALM)
