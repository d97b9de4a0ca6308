"""Counting in memory against dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.tables import PlainTable, families, plain_tables

from qnml import _core
from qnml.counts import MemoryCounts
from qnml.data import Table


def test_weights_beyond_32_bits() -> None:
    heavy = 2**40
    counts = MemoryCounts(Table.from_codes([[0, 1, 1], [0, 0, 1]], weights=[heavy, 3, heavy]))
    configs, cells = counts.family_counts(0, [1])
    assert configs.tolist() == [[0], [1]]
    assert cells.tolist() == [[heavy, 3], [0, heavy]]
    assert counts.total == 2 * heavy + 3


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
    assert counts.total == len(plain.rows)
    assert counts.n_variables == len(plain.arities)
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
    rare[-1] = 1  # constant except for the last row, as is its copy with other labels
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
