"""Merged rows, compared with counting tuples in a `Counter`."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Table


def _counted(table: Table) -> Counter[tuple[int, ...]]:
    weights = [1] * table.n_rows if table.weights is None else table.weights.tolist()
    counts: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(zip(*(column.tolist() for column in table.columns), strict=True), weights, strict=True):
        counts[row] += weight
    return counts


def _check(table: Table) -> None:
    merged, expected = table.merged(), sorted(_counted(table).items())
    rows = list(zip(*(column.tolist() for column in merged.columns), strict=True))
    assert rows == [row for row, _ in expected]
    assert merged.weights is not None
    assert merged.weights.tolist() == [count for _, count in expected]
    assert merged.total == table.total
    assert merged.names == table.names
    assert merged.levels == table.levels
    assert [column.dtype for column in merged.columns] == [column.dtype for column in table.columns]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    arities = draw(st.lists(st.sampled_from([1, 2, 3, 255, 256, 257, 65_536]), min_size=1, max_size=9))
    n_rows = draw(st.integers(1, 30))
    # few values each, from the whole range, so that rows do coincide and high codes occur
    columns = [
        draw(st.lists(st.sampled_from([0, arity // 2, arity - 1]), min_size=n_rows, max_size=n_rows))
        for arity in arities
    ]
    weights = draw(st.none() | st.lists(st.integers(0, 2**50), min_size=n_rows, max_size=n_rows).filter(any))
    return Table.from_codes(columns, levels=arities, weights=weights)


@given(tables())
def test_merged_counts_every_row(table: Table) -> None:
    _check(table)


def test_more_columns_than_one_word_holds() -> None:
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 3, (200, 2)) @ np.ones((2, 50), dtype=int)
    _check(Table.from_codes(codes, levels=[5] * 50))


def test_exactly_one_full_word_and_one_more() -> None:
    # 2^63 combinations fill a word to the last bit; the 64th binary column starts the next
    for width in (63, 64):
        codes = np.zeros((3, width), dtype=int)
        codes[1] = 1
        _check(Table.from_codes(codes, levels=[2] * width))


def test_the_work_is_done_once() -> None:
    table = Table.from_codes([[0, 1, 0]])
    assert table.merged() is table.merged()
    assert table.merged().merged() is table.merged()
