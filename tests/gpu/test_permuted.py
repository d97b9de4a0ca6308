"""A lattice with its bits in another order."""

from __future__ import annotations

import numpy as np

from gpu.problems import dependent_columns, on_card, on_cpu, problem_of
from qnml.gpu.candidates import list_candidates
from qnml.gpu.counting import count_sets
from qnml.gpu.permuted import PermutedLattice, moved


def test_moved() -> None:
    sets = np.array([0b001, 0b110, 0b111], np.uint64)
    assert moved(sets, (2, 0, 1)).tolist() == [0b100, 0b011, 0b111]
    assert moved(moved(sets, (2, 0, 1)), (1, 2, 0)).tolist() == sets.tolist()


def test_any_order_of_the_higher_bits_gives_the_same(card) -> None:
    levels = [2, 3, 2, 4, 2, 2, 3, 2, 2]
    order = (0, 1, 2, 3, 4, 7, 5, 8, 6)

    def source(runtime, lattice) -> bool:
        permuted = PermutedLattice(lattice, order)
        values = count_sets(runtime, permuted)
        return list_candidates(runtime, permuted, values)

    rules = {"required": {2: 0b10001, 7: 0b100000000}, "forbidden": {4: 0b11}, "max_parents": 4, "most_cells": 90.0}
    for score in ("qnml", "bdeu", "fnml"):
        for given in ({}, rules):
            problem = problem_of(dependent_columns(levels, 90, seed=1), levels, score, **given)
            assert on_card(problem, card, source) == on_cpu(problem)
