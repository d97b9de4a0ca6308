"""Numbering parent sets without their child, the passes of the transform, and scores counted on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from gpu.problems import dependent_columns, on_card, problem_of
from qnml.gpu.child import ChildTables, spreads, with_bit, without_bit, without_bits
from qnml.gpu.counting import count_sets


def test_spreads_cover_all_bits_once() -> None:
    for first in range(14):
        for last in range(first, 36):
            passes = spreads(first, last)
            assert [bit for begin, bits in passes for bit in range(begin, begin + bits)] == list(range(first, last))
            assert all(1 <= bits <= 6 for _, bits in passes)


def test_bits_left_out_and_put_back() -> None:
    assert without_bit(0b11011, 2) == 0b1111
    assert without_bit(2**33, 3) == 2**32
    sets = np.arange(64, dtype=np.uint64)
    for bit in range(6):
        there = with_bit(sets, bit)
        assert not (there >> np.uint64(bit) & np.uint64(1)).any()
        assert (without_bits(there, bit) == sets).all()
        assert [without_bit(int(one), bit) for one in there] == sets.tolist()


@pytest.mark.parametrize("order", [0, 1, 4])
def test_scores_on_the_cpu_are_those_of_the_card(make_card, order) -> None:
    card = make_card(order=order)
    levels = [2, 3, 2, 4, 2, 2, 3]
    seen = []

    def source(runtime, lattice) -> bool:
        values = count_sets(runtime, lattice)
        sets = np.arange(64, dtype=np.uint64)
        for bit in range(7):
            child = ChildTables(runtime, lattice, values, bit)
            gains = runtime.empty(64, np.int32)
            assert child.fill(gains) == np.count_nonzero(child.scores(sets) > -(2**61))
            # The largest gain inside each set, from the scores on the CPU.
            own = child.gains(child.scores(sets))
            expected = [max(own[u] for u in range(t + 1) if u & ~t == 0) for t in range(64)]
            assert runtime.download(gains, 0, 64).tolist() == expected
            seen.append(bit)
        return False

    for score in ("qnml", "fnml"):
        for rules in ({}, {"required": {2: 0b10001}, "forbidden": {4: 0b11}, "max_parents": 3, "most_cells": 30.0}):
            on_card(problem_of(dependent_columns(levels, 80, seed=1), levels, score, **rules), card, source)
    assert len(seen) == 28
