"""Wherever an exact search is stopped or given up, its bound is not below the proven optimum."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import qnml
from qnml._api.problem import prepare
from qnml._api.search_choice import exact_request
from qnml.search.exact.exact import run_one

SCORES = ("qnml", "bic", "bdeu", "fnml", "k2", "aic")


def dependent_table(random: np.random.Generator) -> qnml.Table:
    n, rows = int(random.integers(9, 14)), int(random.integers(20, 400))
    levels = random.integers(2, 5, n)
    codes = random.integers(0, 4, (rows, n))
    for column in range(1, n):
        if random.random() < 0.7:
            codes[:, column] = codes[:, int(random.integers(0, column))] + (random.random(rows) < 0.3)
    return qnml.Table.from_codes(codes % levels, levels=[int(r) for r in levels])


def masks_of(dag: qnml.Dag) -> tuple[int, ...]:
    names = sorted(dag.names)
    return tuple(sum(1 << names.index(parent) for parent in dag.parents(child)) for child in names)


@pytest.mark.parametrize("seed", range(24))
def test_no_bound_is_below_the_optimum(seed: int) -> None:
    random = np.random.default_rng(seed)
    table, score = dependent_table(random), SCORES[seed % len(SCORES)]
    max_parents = None if seed % 3 else 2
    options = {"max_parents": max_parents, "guard": "off"}
    best = qnml.learn(table, score, "exact", **options)
    start = masks_of(qnml.learn(table, score, "hill-climbing", effort="quick", **options).dag)
    whole = exact_request(prepare("learn", table, score, None, max_parents, "off", None, 2, {}).search)
    stopped = 0
    for known in ((), start):
        for way in ("lattice", "families"):
            for most_states, most_sets, seconds in (
                (math.inf, math.inf, 10 ** random.uniform(-5, -2)),
                (2.0 ** random.integers(2, 10), math.inf, None),
                (math.inf, 10 ** random.uniform(1, 3), None),
            ):
                request = replace(
                    whole,
                    plan=replace(whole.plan, method=way),
                    known=known,
                    most_states=most_states,
                    most_sets=most_sets,
                )
                found, _ = run_one(request, seconds, None)
                stopped += not found.optimal
                bound = found.score if found.optimal else max(found.bound, found.score)
                assert bound >= best.score - 1e-8 * abs(best.score)
                assert found.score <= best.score + 1e-8 * abs(best.score)
    assert stopped > 0
