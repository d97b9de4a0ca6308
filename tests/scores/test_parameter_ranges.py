"""The ranges of the scores' parameters: within them every score is a finite number, beyond them they are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.scores import local_score as twin

import qnml
from qnml._api.scoring import local_score
from qnml.data import Table
from qnml.errors import InputError
from qnml.scores import SCORES

ADJUSTABLE = {name: score.parameter for name, score in SCORES.items() if score.parameter is not None}
TABLE = Table.from_codes(np.random.default_rng(0).integers(0, 2, (20, 3)), names=["a", "b", "c"], levels=[2, 2, 2])


@pytest.mark.parametrize("score", ADJUSTABLE)
@pytest.mark.parametrize("far", [-1.0, math.nan, math.inf, -math.inf, 1.7e308, 5e-324, 10**400, True, "many"])
def test_what_is_out_of_range_is_refused_with_the_range(score: str, far: object) -> None:
    parameter = ADJUSTABLE[score]
    if score == "ebic" and far == 5e-324:
        assert math.isfinite(local_score(TABLE, "a", ["b"], score, gamma=5e-324))
        return
    allowed = f"a number from {parameter.lowest:g} to {parameter.highest:g}"
    for door in (
        lambda: local_score(TABLE, "a", ["b"], score, **{parameter.name: far}),
        lambda: qnml.learn(TABLE, score, "order", time_limit=5, **{parameter.name: far}),
        lambda: qnml.posterior(TABLE, score, **{parameter.name: far}),
    ):
        with pytest.raises(InputError, match=parameter.name) as told:
            door()
        assert allowed.replace("+", "") in str(told.value).replace("+", "")


@pytest.mark.parametrize("score", ADJUSTABLE)
def test_the_range_includes_its_ends(score: str) -> None:
    parameter = ADJUSTABLE[score]
    for end in (parameter.lowest, parameter.highest):
        assert math.isfinite(local_score(TABLE, "a", ["b", "c"], score, **{parameter.name: end}))
        beyond = math.nextafter(end, math.inf if end == parameter.highest else -math.inf)
        with pytest.raises(InputError, match="must be a number from"):
            local_score(TABLE, "a", ["b", "c"], score, **{parameter.name: beyond})


@st.composite
def families(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[int], str, float]:
    levels = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*(st.integers(0, r - 1) for r in levels)), min_size=1, max_size=12))
    # Nearly all declared levels may be unobserved.
    declared = [r * draw(st.sampled_from([1, 1, 10, 9000])) for r in levels]
    score = draw(st.sampled_from(sorted(ADJUSTABLE)))
    lowest, highest = ADJUSTABLE[score].lowest, ADJUSTABLE[score].highest
    exponent = draw(st.floats(math.log10(max(lowest, 1e-100)), math.log10(highest)))
    value = draw(st.sampled_from([lowest, highest, min(max(10.0**exponent, lowest), highest)]))
    return rows, declared, score, value


@given(families())
@settings(max_examples=200, deadline=None)
def test_scores_are_right_in_the_whole_range(
    given_family: tuple[list[tuple[int, ...]], list[int], str, float],
) -> None:
    rows, declared, score, value = given_family
    names = [f"v{i}" for i in range(len(declared))]
    table = Table.from_codes(np.array(rows), names=names, levels=declared)
    expected = twin(rows, declared, 0, range(1, len(declared)), score, value)
    found = local_score(table, "v0", names[1:], score, **{ADJUSTABLE[score].name: value})
    # A local score is the difference of two sums, each with the terms N log(weight), or with a price per parameter.
    size = len(rows) * (abs(math.log(value)) if value > 0 else 0) + sum(map(math.log, declared)) * len(rows)
    size += math.prod(declared) * math.log(len(rows)) if score == "ebic" else 0
    assert found == pytest.approx(float(expected), rel=1e-12, abs=1e-14 * size + 1e-12)


@pytest.mark.parametrize("score", ADJUSTABLE)
def test_products_of_levels_beyond_the_doubles_at_the_ends(score: str) -> None:
    names = [f"v{i}" for i in range(120)]
    data = Table.from_codes(np.zeros((3, 120), int), names=names, levels=[500] * 120)
    for end in (ADJUSTABLE[score].lowest, ADJUSTABLE[score].highest):
        if score == "ebic":
            continue
        expected = twin([(0,) * 120] * 3, [500] * 120, 0, range(1, 120), score, end)
        found = local_score(data, "v0", names[1:], score, **{ADJUSTABLE[score].name: end})
        assert found == pytest.approx(float(expected), rel=1e-12, abs=1e-11)
