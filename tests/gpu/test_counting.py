"""Counting on a card: every value of every set is that of the core."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gpu.problems import dependent_columns, on_card, problem_of
from qnml.gpu import counting
from qnml.gpu.counting import CountingTables, count_sets, counting_bytes, middle_bits


def compare_values(problem, card) -> int:
    """Compare the values of all sets with those counted one by one on the CPU; returns the number of values."""
    compared = []

    def source(runtime, lattice) -> bool:
        values = count_sets(runtime, lattice)
        size = 2**lattice.n_variables
        for kind, array in enumerate([values.cells, *values.configs]):
            expected = lattice.counted_values(np.arange(size, dtype=np.uint64), kind - 1)
            assert (runtime.download(array, 0, size) == expected).all(), kind
            compared.append(size)
        return False  # nothing is searched

    on_card(problem, card, source)
    return sum(compared)


LEVELS = [2, 3, 2, 4, 2, 2, 3, 5, 2]


@pytest.mark.parametrize("score", ["qnml", "bic", "loglik", "bdeu", "fnml", "k2", "bdj", "bdq"])
def test_values_of_all_sets(card, score) -> None:
    columns = dependent_columns(LEVELS, 150, seed=1)
    classes = len(set(LEVELS)) if score in ("fnml", "k2", "bdj") else 0
    assert compare_values(problem_of(columns, LEVELS, score), card) == (1 + classes) * 2 ** len(LEVELS)


# Everything that splits rows otherwise: many equal rows, none equal, weights, many levels, one row, one level.
TABLES = {
    "few patterns": (dependent_columns([2] * 8, 400, 2, noise=0.05), [2] * 8),
    "no equal rows": (
        [np.arange(300) % 2, np.arange(300) % 3, *(np.arange(300) // 2**k % 4 for k in range(8))],
        [2, 3, *[4] * 8],
    ),
    "one row": ([np.zeros(1)] * 6, [2] * 6),
    "one level": ([np.zeros(40), *dependent_columns([3, 2, 2], 40, 3)], [1, 3, 2, 2]),
    "one variable": ([np.arange(10) % 3], [3]),
    "two variables": ([np.arange(10) % 3, np.arange(10) % 2], [3, 2]),
    "many levels": ([np.arange(700), *dependent_columns([2, 3, 2, 2, 2, 4], 700, 4)], [700, 2, 3, 2, 2, 2, 4]),
    "only many levels": ([np.arange(600), np.arange(600) // 2, np.arange(600)[::-1] % 513], [600, 300, 513]),
}


@pytest.mark.parametrize("name", TABLES)
def test_values_of_odd_tables(card, name) -> None:
    columns, levels = TABLES[name]
    for score in ("qnml", "bdeu"):
        compare_values(problem_of(columns, levels, score, parameter=0.5), card)


def test_weights_that_take_wide_tallies(card) -> None:
    columns = dependent_columns(LEVELS, 200, seed=5)
    weights = np.random.default_rng(6).integers(0, 10, 200)
    compare_values(problem_of(columns, LEVELS, weights=weights), card)
    large = weights * 500  # counts and items together take more than 32 bits only with many patterns
    compare_values(problem_of(columns, LEVELS, weights=large), card)


def test_wide_tallies(card, monkeypatch) -> None:
    columns = dependent_columns(LEVELS, 150, seed=7)
    problem = problem_of(columns, LEVELS)
    plain = CountingTables.__init__

    def wide(self, *arguments) -> None:
        plain(self, *arguments)
        assert not self.is_wide
        self.is_wide = True

    monkeypatch.setattr(CountingTables, "__init__", wide)
    compare_values(problem, card)


@pytest.mark.parametrize(
    ("order", "threads", "blocks", "shared"),
    [(1, 64, 3, 2**18), (7, 32, 1, 2**18), (8, 96, 5, 20_000), (9, 128, 2, 2**18)],
)
def test_values_do_not_depend_on_the_order_of_threads_or_where_they_work(
    make_card, order, threads, blocks, shared
) -> None:
    """A missing barrier shows as another value when threads run backwards or in a random order."""
    card = make_card(order=order, threads=threads, blocks=blocks, shared_bytes=shared)
    for score in ("qnml", "bdeu"):
        compare_values(problem_of(dependent_columns(LEVELS, 120, seed=8), LEVELS, score), card)


def test_more_channels_than_one_pass_takes(card, monkeypatch) -> None:
    monkeypatch.setattr(counting, "_MOST_CHANNELS", 2)
    compare_values(problem_of(dependent_columns(LEVELS, 100, seed=9), LEVELS, "fnml"), card)


def test_middle_bits_leave_work_for_all_blocks() -> None:
    for n, low, blocks in product(range(1, 36), range(6), (1, 2, 528)):
        if low > n:
            continue
        middle = middle_bits(n, low, blocks)
        assert 0 <= middle <= min(8, n - low)
        assert middle == 0 or 2 ** (n - low - middle) >= 4 * blocks


def test_too_many_keys_are_refused(card) -> None:
    with pytest.raises(ValueError, match="distinct rows"):
        counting._check_keys(2**16 + 1, 2)
    with pytest.raises(ValueError, match="keys"):
        counting._check_keys(2**16, 2**18)
    counting._check_keys(2**16, 2**16)


def test_the_forecast_of_memory_covers_what_is_allocated(make_card) -> None:
    card = make_card(shared_bytes=20_000)
    columns = dependent_columns(LEVELS, 500, seed=10)
    compare_values(problem_of(columns, LEVELS), card)
    assert card.allocated <= counting_bytes(500, card.blocks) + 8 * 2 ** len(LEVELS)
