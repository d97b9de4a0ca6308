"""Regularity in the sense of Suzuki (2017): parents that do not fit the data better never score better.

If H(X | P) = H(X | P ∪ V) in the data, then score(X | P) >= score(X | P ∪ V). The paper's Appendix B proves
it for qNML and fNML. Three ways to leave the entropy as it is are tried: V is a function of P; X is a
function of P already; and X and V are independent given P in the data, cell by cell.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qnml._api.scoring import local_score
from qnml.data import Table
from qnml.scores import SCORES

REGULAR = sorted(name for name, entry in SCORES.items() if entry.is_regular)
NAMES = ["p", "q", "x", "v"]


def gain(table: Table, name: str, **parameters: float) -> float:
    """The change of the score by the added parent v, relative to the score."""
    before = local_score(table, "x", ["p", "q"], name, n_jobs=1, **parameters)
    after = local_score(table, "x", ["p", "q", "v"], name, n_jobs=1, **parameters)
    return (after - before) / max(1.0, abs(before))


def entropy_is_unchanged(table: Table) -> bool:
    return abs(gain(table, "loglik")) < 1e-11


@st.composite
def levels(draw) -> list[int]:
    """Declared levels of p, q, x and v; sometimes far more than are ever seen."""
    few, many = st.integers(1, 4), st.sampled_from([1, 2, 5, 50, 1000])
    return [draw(few), draw(many), draw(st.integers(2, 5)), draw(many)]


@st.composite
def function_of_parents(draw) -> Table:
    declared = draw(levels())
    n_rows = draw(st.sampled_from([1, 5, 40, 300]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    p, q, x = (generator.integers(0, arity, n_rows) for arity in declared[:3])
    image = generator.integers(0, declared[3], (declared[0], declared[1]))
    return Table.from_codes([p, q, x, image[p, q]], names=NAMES, levels=declared)


@st.composite
def determined_child(draw) -> Table:
    declared = draw(levels())
    n_rows = draw(st.sampled_from([1, 5, 40, 300]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    p, q, v = (generator.integers(0, arity, n_rows) for arity in (declared[0], declared[1], declared[3]))
    image = generator.integers(0, declared[2], (declared[0], declared[1]))
    return Table.from_codes([p, q, image[p, q], v], names=NAMES, levels=declared)


@st.composite
def independent_given_parents(draw) -> Table:
    declared = draw(levels())
    seen = min(declared[3], 3)
    rows: list[tuple[int, int, int, int]] = []
    weights: list[int] = []
    for p in range(draw(st.integers(1, declared[0]))):
        # The counts of x and v given p are an outer product; all ones is where the penalties differ least.
        of_x, of_v = (
            draw(st.one_of(st.just([1] * size), st.lists(st.integers(0, 4), min_size=size, max_size=size)))
            for size in (declared[2], seen)
        )
        rows += [(p, 0, x, v) for x in range(declared[2]) for v in range(seen)]
        weights += [a * b for a in of_x for b in of_v]
    assume(any(weights))
    return Table.from_codes(np.array(rows), names=NAMES, levels=declared, weights=weights)


@pytest.mark.parametrize("name", REGULAR)
@given(table=st.one_of(function_of_parents(), determined_child(), independent_given_parents()))
def test_regular_scores(name: str, table: Table) -> None:
    assert entropy_is_unchanged(table)
    assert gain(table, name) <= 1e-11


@pytest.mark.parametrize("alpha", [0.01, 1 / 3, 0.5, 1, 100])
@given(table=st.one_of(function_of_parents(), determined_child()))
def test_dirichlet_quotient_where_something_is_determined(alpha: float, table: Table) -> None:
    # Here the sums over cells cancel, and only the normalizing terms remain, which grow with every parent.
    assert gain(table, "bdq", alpha=alpha) <= 1e-11


def test_dirichlet_quotient_is_not_regular_in_general() -> None:
    # Four rows, x and v independent and uniform, the parent p constant but declared with eight levels.
    # By hand, as the levels of p grow, the gain of v tends to log[alpha (alpha+2)(alpha+3) / (alpha+1)^3].
    rows = np.array([(0, 0, x, v) for x in (0, 1) for v in (0, 1)])
    small = Table.from_codes(rows, names=NAMES, levels=[8, 1, 2, 2])
    assert entropy_is_unchanged(small)
    assert gain(small, "bdq") > 0.005
    assert not SCORES["bdq"].is_regular
    large = Table.from_codes(rows, names=NAMES, levels=[60_000, 1, 2, 2])
    before, after = (local_score(large, "x", parents, "bdq") for parents in (["p"], ["p", "v"]))
    assert after - before == pytest.approx(math.log(0.5 * 2.5 * 3.5 / 1.5**3), abs=1e-3)
    assert gain(small, "qnml") < 0
    assert gain(small, "fnml") < 0


def test_bdeu_is_not_regular() -> None:
    """Suzuki's example: x is a function of p, and so is v; still BDeu prefers v as an additional parent."""
    generator = np.random.default_rng(0)
    p = generator.integers(0, 2, 50)
    table = Table.from_codes([p, np.zeros(50, int), p, p], names=NAMES, levels=[2, 1, 2, 2])
    assert entropy_is_unchanged(table)
    assert gain(table, "bdeu") > 0.01
    assert not SCORES["bdeu"].is_regular
    for name in REGULAR:
        assert gain(table, name) <= 1e-12


def test_fit_alone_decides_nothing_when_entropy_falls() -> None:
    # Negative control: if v improves the fit, regular scores may prefer it, and do.
    generator = np.random.default_rng(1)
    v = generator.integers(0, 2, 500)
    x = np.where(generator.random(500) < 0.9, v, 1 - v)
    zero = np.zeros(500, int)
    table = Table.from_codes([zero, zero, x, v], names=NAMES, levels=[1, 1, 2, 2])
    for name in REGULAR:
        assert gain(table, name) > 0.1
