"""Public calls return finite numbers for any table, weights and score parameter."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qnml
from qnml.data import Table
from qnml.errors import MixingWarning
from qnml.scores import SCORES

SEARCHED = [name for name, score in SCORES.items() if score.is_decomposable]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Table, str, dict[str, float]]:
    n = draw(st.integers(1, 4))
    seen = [draw(st.integers(1, 3)) for _ in range(n)]
    declared = [r * draw(st.sampled_from([1, 1, 1, 7, 100])) for r in seen]
    rows = draw(st.lists(st.tuples(*(st.integers(0, r - 1) for r in seen)), min_size=1, max_size=8))
    weight = st.one_of(st.integers(0, 3), st.integers(0, 10**9))
    weights = draw(st.none() | st.lists(weight, min_size=len(rows), max_size=len(rows)).filter(any))
    table = Table.from_codes(np.array(rows), names=[*"abcd"[:n]], levels=declared, weights=weights)
    score = draw(st.sampled_from(SEARCHED))
    parameter = SCORES[score].parameter
    if parameter is None:
        return table, score, {}
    value = draw(st.sampled_from([parameter.lowest, parameter.default, parameter.highest]))
    return table, score, {parameter.name: value}


def brute_force(table: Table, score: str, parameters: dict[str, float]) -> float:
    """The best score of all orders, each variable with its best parents among those before."""
    local = {
        (child, parents): qnml.local_score(table, child, parents, score, n_jobs=1, **parameters)
        for child in table.names
        for size in range(len(table.names))
        for parents in itertools.combinations([name for name in table.names if name != child], size)
    }

    def best(child: str, before: tuple[str, ...]) -> float:
        return max(value for (c, parents), value in local.items() if c == child and set(parents) <= set(before))

    orders = itertools.permutations(table.names)
    return max(math.fsum(best(child, order[:place]) for place, child in enumerate(order)) for order in orders)


@given(problems())
@settings(max_examples=60, deadline=None)
def test_all_that_is_returned_is_finite(given_problem: tuple[Table, str, dict[str, float]]) -> None:
    table, score, parameters = given_problem
    options = {"guard": "off", "n_jobs": 1}
    truth = brute_force(table, score, parameters)
    exact = qnml.learn(table, score, "exact", **options, **parameters)
    order = qnml.learn(table, score, "order", **options, **parameters)
    room = 1e-8 * abs(truth) + 1e-6
    assert exact.score == pytest.approx(truth, abs=room)
    assert math.isfinite(order.score)
    assert order.score <= truth + room
    for found in (exact, order):
        assert math.isfinite(found.certificate.gap)
        for family in found.explanation.families:
            assert all(map(math.isfinite, (family.score, family.fit, family.penalty, family.log_z)))
    listed = qnml.k_best(table, 5, score, **options, **parameters)
    assert len(listed) > 0
    assert all(math.isfinite(one.score) and math.isfinite(one.log_weight) for one in listed)
    often = qnml.bootstrap(table, 2, score, seed=1, n_jobs=1, **parameters)
    assert np.isfinite(often.edges).all()
    weighed = qnml.posterior(table, score, "enumerate", **options, **parameters)
    assert np.isfinite(weighed.edges).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MixingWarning)
        drawn = qnml.posterior(table, score, "mcmc", samples=8, **options, **parameters)
    assert np.isfinite(drawn.edges).all()
    assert not np.isnan(list(weighed.edge_probabilities.values())).any()
