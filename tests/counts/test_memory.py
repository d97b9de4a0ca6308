"""Counting in memory against dictionaries: the same profiles on every path through the counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.tables import PlainTable, families, plain_tables

from qnml import _core
from qnml.counts import MemoryCounts
from qnml.data import Table

Profile = dict[int, int]


def as_dict(profile: tuple[np.ndarray, np.ndarray]) -> Profile:
    counts, cells = profile
    assert np.all(np.diff(counts.astype(np.int64)) > 0)
    return dict(zip(counts.tolist(), cells.tolist(), strict=True))


def profile_of(rows: list[tuple[int, ...]], variables: list[int], weights: list[int] | None = None) -> Profile:
    tally: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(rows, weights or [1] * len(rows), strict=True):
        tally[tuple(row[v] for v in variables)] += weight
    return dict(Counter(count for count in tally.values() if count))


def check(counts: MemoryCounts, rows: list[tuple[int, ...]], child: int, parents: list[int], weights=None) -> None:
    cells, configurations = counts.family_profiles(child, parents)
    assert as_dict(cells) == profile_of(rows, [*parents, child], weights)
    assert as_dict(configurations) == profile_of(rows, parents, weights)


@given(st.data())
def test_small_tables(data) -> None:
    plain: PlainTable = data.draw(plain_tables())
    child, parents = data.draw(families(len(plain.columns)))
    table = Table.from_codes(plain.columns, levels=plain.arities, weights=plain.weights)
    counts = MemoryCounts(table)
    assert counts.total == len(plain.rows)
    assert counts.n_variables == len(plain.arities)
    check(counts, plain.rows, child, list(parents))


@pytest.mark.parametrize(
    ("arities", "n_rows"),
    [
        # A few cells: four tallies side by side. The rows are no multiple of four, nor of the block of 2048.
        ((2, 3, 4, 2), 10_007),
        # More cells than are tallied four times.
        ((30, 30, 30), 4_099),
        # More cells than four times the rows: labels, first by table, then hashed.
        ((100, 100, 100, 3), 2_500),
        ((300, 300, 300, 300), 3_001),
        # 16-bit codes, alone and beside 8-bit ones.
        ((60_000, 2, 60_000), 2_047),
        ((257, 256, 65_536), 2_049),
        ((1, 1, 1), 5),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_every_path(arities: tuple[int, ...], n_rows: int, weighted: bool) -> None:
    generator = np.random.default_rng(n_rows)
    # Squared, so that some levels are common and many unseen.
    columns = [(generator.random(n_rows) ** 2 * arity).astype(np.uint16) for arity in arities]
    weights = generator.integers(1, 5000, n_rows) if weighted else None
    counts = MemoryCounts(Table.from_codes(columns, levels=arities, weights=weights))
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    as_list = weights.tolist() if weighted else None
    for child in range(len(arities)):
        others = [v for v in range(len(arities)) if v != child]
        for size in range(len(others) + 1):
            check(counts, rows, child, others[:size], as_list)
            check(counts, rows, child, others[::-1][:size], as_list)


def test_rows_of_weight_zero_are_not_seen() -> None:
    # A Table drops such rows; the counter does not rely on it.
    codes = [np.array([0, 1, 2, 0], dtype=np.uint8), np.array([0, 0, 1, 1], dtype=np.uint8)]
    for levels in ([3, 2], [200, 200]):
        view = _core.Columns(codes, levels, np.array([2, 0, 0, 5], dtype=np.uint64))
        cells, configurations = _core.family_profiles(view, 0, [1])
        assert as_dict(cells) == {2: 1, 5: 1}
        assert as_dict(configurations) == {2: 1, 5: 1}


def test_weights_beyond_32_bits() -> None:
    heavy = 2**40
    counts = MemoryCounts(Table.from_codes([[0, 1, 1], [0, 0, 1]], weights=[heavy, 3, heavy]))
    cells, configurations = counts.family_profiles(0, [1])
    assert as_dict(cells) == {3: 1, heavy: 2}
    assert as_dict(configurations) == {heavy: 1, heavy + 3: 1}
    assert counts.total == 2 * heavy + 3


def test_more_parents_than_any_product_of_levels_can_hold() -> None:
    generator = np.random.default_rng(7)
    columns = generator.integers(0, 60_000, (70, 300)).astype(np.uint16)
    columns[:, 150:] = columns[:, :150]
    view = _core.Columns(list(columns), [60_000] * 70, None)
    cells, configurations = _core.family_profiles(view, 0, list(range(1, 70)))
    assert as_dict(cells) == {2: 150}
    assert as_dict(configurations) == {2: 150}


@given(st.data())
def test_partition_labels_rows_by_first_appearance(data) -> None:
    plain: PlainTable = data.draw(plain_tables(max_arity=300))
    child, parents = data.draw(families(len(plain.columns)))
    table = Table.from_codes(plain.columns, levels=plain.arities)
    variables = [child, *parents]
    number, labels = _core.partition(MemoryCounts(table).columns, variables)
    names: dict[tuple[int, ...], int] = {}
    expected = [
        names.setdefault(tuple(row[v] for v in variables), len(names)) for row in zip(*plain.columns, strict=True)
    ]
    assert labels.tolist() == expected
    assert number == len(names)


def check_family_counts(
    counts: MemoryCounts, rows: list[tuple[int, ...]], child: int, parents: list[int], weights=None
) -> None:
    tally: dict[tuple[int, ...], list[int]] = {}
    for row, weight in zip(rows, weights or [1] * len(rows), strict=True):
        cell = tally.setdefault(tuple(row[v] for v in parents), [0] * counts.arities[child])
        cell[row[child]] += weight
    configs, cells = counts.family_counts(child, parents)
    assert configs.shape == (len(tally), len(parents))
    assert list(map(tuple, configs.tolist())) == sorted(tally)
    assert cells.tolist() == [tally[config] for config in sorted(tally)]
    assert counts.n_configurations(parents) == len(tally)


@given(st.data())
def test_family_counts_are_the_sorted_dictionary(data) -> None:
    plain: PlainTable = data.draw(plain_tables(max_arity=300))
    child, parents = data.draw(families(len(plain.columns)))
    counts = MemoryCounts(Table.from_codes(plain.columns, levels=plain.arities, weights=plain.weights))
    check_family_counts(counts, plain.rows, child, list(parents))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("arities", [(2, 3, 4, 2), (100, 100, 100, 3), (600, 600, 600, 2), (1, 1, 1)])
def test_family_counts_on_every_path(arities: tuple[int, ...], weighted: bool) -> None:
    generator = np.random.default_rng(1)
    columns = [(generator.random(3001) ** 2 * arity).astype(np.uint16) for arity in arities]
    weights = generator.integers(1, 5000, 3001) if weighted else None
    counts = MemoryCounts(Table.from_codes(columns, levels=arities, weights=weights))
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    for size in range(len(arities)):
        check_family_counts(counts, rows, len(arities) - 1, list(range(size)), weights.tolist() if weighted else None)


def test_family_counts_beyond_any_product_of_levels() -> None:
    generator = np.random.default_rng(7)
    columns = generator.integers(0, 60_000, (70, 300)).astype(np.uint16)
    columns[0] %= 3
    columns[:, 150:] = columns[:, :150]
    counts = MemoryCounts(Table.from_codes(list(columns), levels=[3] + [60_000] * 69))
    check_family_counts(counts, list(map(tuple, columns.T.tolist())), 0, list(range(69, 0, -1)))


def test_family_counts_leave_out_rows_of_weight_zero() -> None:
    codes = [np.array([0, 1, 2, 0], dtype=np.uint8), np.array([0, 0, 1, 1], dtype=np.uint8)]
    view = _core.Columns(codes, [3, 2], np.array([0, 7, 0, 5], dtype=np.uint64))
    configs, cells = _core.family_counts(view, 1, [0])
    assert configs.tolist() == [0, 1]
    assert cells.tolist() == [0, 5, 7, 0]


def copied(columns: list[tuple[int, ...]], arities: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Groups of columns with the same pattern of agreeing rows, by looking at every pair of rows."""
    groups: dict[object, list[int]] = {}
    for number, (column, arity) in enumerate(zip(columns, arities, strict=True)):
        if len(set(column)) > 1:
            agree = tuple(a == b for a in column for b in column)
            groups.setdefault((arity, agree), []).append(number)
    return [tuple(group) for group in groups.values() if len(group) > 1]


@given(st.data())
def test_copies_are_columns_that_agree_in_the_same_rows(data) -> None:
    plain: PlainTable = data.draw(plain_tables(max_arity=3, max_rows=6))
    columns = [*plain.columns]
    arities = [*plain.arities]
    for number in data.draw(st.lists(st.integers(0, len(columns) - 1), max_size=4)):
        words = data.draw(st.permutations(range(arities[number])))
        columns.append(tuple(words[code] for code in columns[number]))
        arities.append(arities[number])
    counts = MemoryCounts(Table.from_codes(columns, levels=arities, weights=plain.weights))
    weights = plain.weights or (1,) * len(columns[0])
    counted = [tuple(code for code, weight in zip(column, weights, strict=True) if weight) for column in columns]
    assert list(counts.copies) == copied(counted, tuple(arities))


def test_rows_of_weight_zero_do_not_tell_copies_apart() -> None:
    codes = [np.array(column, dtype=np.uint8) for column in ([0, 1, 2, 0], [1, 0, 0, 1], [1, 0, 1, 1])]
    view = _core.Columns(codes, [3, 3, 3], np.array([2, 1, 0, 5], dtype=np.uint64))
    assert _core.copied_columns(view) == [[0, 1, 2]]
    assert _core.copied_columns(_core.Columns(codes, [3, 3, 3], None)) == []


def test_columns_that_differ_in_a_late_row_are_no_copies() -> None:
    generator = np.random.default_rng(4)
    one = generator.integers(0, 3, 9_000).astype(np.uint8)
    late, rare = one.copy(), np.zeros_like(one)
    late[-1] = (late[-1] + 1) % 3
    rare[-1] = 1  # constant but for the last row, as is its copy in other words
    view = _core.Columns([late, rare, one, 2 - rare, (one + 1) % 3], [3] * 5, None)
    assert _core.copied_columns(view) == [[1, 3], [2, 4]]


def test_copies_in_columns_of_many_levels() -> None:
    generator = np.random.default_rng(3)
    wide = generator.integers(0, 60_000, 5_000).astype(np.uint16)
    other = generator.permutation(60_000).astype(np.uint16)[wide]
    narrow = (wide % 7).astype(np.uint8)
    almost = other.copy()
    almost[-1] = almost[0]
    view = _core.Columns([narrow, wide, almost, other, narrow], [60_000] * 4 + [7], None)
    assert _core.copied_columns(view) == [[1, 3]]
