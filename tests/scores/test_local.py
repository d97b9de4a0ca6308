"""Local scores against the reference version, on small random tables and in extreme cases."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.regret import regret_by_integral as regret
from reference.scores import SCORE_NAMES, local_score
from reference.tables import PlainTable, families, plain_tables

from qnml import _core
from qnml.counts import MemoryCounts
from qnml.data import Table
from qnml.scores import SCORES, bind_score, local_scores

Families = list[tuple[int, tuple[int, ...]]]


def scores_of(table: Table, wanted: Families, score: str, n_jobs: int = 1, **parameters: float | str) -> np.ndarray:
    bound = bind_score("test", SCORES[score], table.total, parameters)
    counts = MemoryCounts(table)
    return local_scores(counts, wanted, bound, n_variables=len(table.names), n_jobs=n_jobs)


def as_table(plain: PlainTable) -> Table:
    return Table.from_codes(plain.columns, levels=plain.arities, weights=plain.weights)


def as_float(value: mp.mpf) -> float:
    # Beyond the range of a double the core answers with an infinity.
    return math.copysign(math.inf, value) if abs(value) > mp.mpf(2) ** 1024 else float(value)


def test_the_twin_knows_every_score() -> None:
    assert {*SCORE_NAMES, "nml"} == set(SCORES)


@given(st.data())
def test_small_tables(data) -> None:
    plain = data.draw(plain_tables())
    child, parents = data.draw(families(len(plain.columns)))
    table = as_table(plain)
    for score in SCORE_NAMES:
        expected = float(local_score(plain.rows, plain.arities, child, parents, score))
        (value,) = scores_of(table, [(child, parents)], score)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-11), score


@pytest.mark.parametrize(
    ("score", "name", "values"),
    [
        ("bdeu", "ess", [1e-6, 0.1, 1, 10, 64, 1e4, 1e12]),
        ("bds", "ess", [1e-6, 0.1, 1, 10, 64, 1e4, 1e12]),
        ("bdq", "alpha", [1e-6, 0.2, 1 / 3, 1, 15, 1e6]),
        ("ebic", "gamma", [0, 0.25, 1, 7]),
    ],
)
def test_parameters(score: str, name: str, values: list[float]) -> None:
    generator = np.random.default_rng(11)
    arities = (3, 2, 4)
    rows = generator.integers(0, arities, (60, 3))
    table = Table.from_codes(rows, levels=arities)
    for value in values:
        for child, parents in ((0, ()), (1, (0,)), (2, (0, 1))):
            expected = float(local_score(rows.tolist(), arities, child, parents, score, value))
            (found,) = scores_of(table, [(child, parents)], score, **{name: value})
            assert found == pytest.approx(expected, rel=1e-12), (value, child)


@pytest.mark.parametrize("score", SCORE_NAMES)
def test_one_row_and_one_level(score: str) -> None:
    table = Table.from_codes([[0], [2], [0]], levels=[1, 4, 3])
    for child, parents in ((0, ()), (1, ()), (1, (0, 2)), (0, (1, 2))):
        expected = float(local_score([(0, 2, 0)], (1, 4, 3), child, parents, score))
        (value,) = scores_of(table, [(child, parents)], score)
        assert value == pytest.approx(expected, rel=1e-14, abs=1e-14)
    if score != "ebic":
        # A variable with one level has no information and no price.
        assert scores_of(table, [(0, ()), (0, (1, 2))], score) == pytest.approx([0, 0], abs=1e-13)


@pytest.mark.parametrize("score", SCORE_NAMES)
def test_very_many_levels(score: str) -> None:
    generator = np.random.default_rng(3)
    arities = (60_000, 3, 60_000)
    rows = generator.integers(0, arities, (80, 3))
    rows[40:, 0] = rows[:40, 0]
    table = Table.from_codes(rows, levels=arities)
    for child, parents in ((0, ()), (0, (1,)), (1, (0,)), (0, (1, 2)), (2, (0, 1))):
        expected = float(local_score(rows.tolist(), arities, child, parents, score))
        (value,) = scores_of(table, [(child, parents)], score)
        assert value == pytest.approx(expected, rel=1e-12), (child, parents)


@pytest.mark.parametrize("score", SCORE_NAMES)
@pytest.mark.parametrize(
    ("levels", "n_parents"),
    # Products of levels beyond 2^64, around 10^290 (where formulas turn to logarithms), beyond any double.
    [(60_000, 5), (60_000, 29), (60_000, 60), (60_000, 61), (60_000, 63), (60_000, 64), (2, 1100), (3, 1500)],
)
def test_products_of_levels_without_bound(score: str, levels: int, n_parents: int) -> None:
    generator = np.random.default_rng(n_parents)
    # Two distinct rows are repeated; every other row has its own configuration.
    rows = generator.integers(0, levels, (12, n_parents + 1))
    rows[3:6] = rows[0]
    rows[6] = rows[1]
    rows[7, 1:] = rows[1, 1:]
    arities = (levels,) * (n_parents + 1)
    narrow = np.uint8 if levels <= 256 else np.uint16
    view = _core.Columns([np.ascontiguousarray(column, dtype=narrow) for column in rows.T], list(arities), None)
    bound = bind_score("test", SCORES[score], len(rows), {})
    parents = tuple(range(1, n_parents + 1))
    value = _core.local_scores(
        view,
        np.zeros(1, np.int32),
        np.array([0, n_parents], np.int64),
        np.array(parents, np.int32),
        bound.score.kind,
        bound.value,
        n_parents + 1,
        1,
        1,
    )[0]
    expected = as_float(local_score([tuple(row) for row in rows.tolist()], arities, 0, parents, score))
    assert value == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    "score", ["loglik", "aic", "bic", "hqc", "ebic", "qnml", "fnml", "bdeu", "bdq", "bds", "bdj", "k2"]
)
def test_very_many_rows(score: str) -> None:
    # Up to 10^9 observations by weights: the formulas, with every loggamma in 50 digits.
    total = 10**9
    weights = [total // 2, total // 4, total // 4 - 10, 9, 1]
    columns = ([0, 1, 1, 2, 500], [0, 0, 1, 1, 0])
    arities = (1000, 2)
    table = Table.from_codes(columns, levels=arities, weights=weights)
    with mp.workdps(50):
        joint = dict(zip(zip(columns[1], columns[0], strict=True), map(mp.mpf, weights), strict=True))
        marginal = {j: mp.fsum(n for (k, _), n in joint.items() if k == j) for j in (0, 1)}
        fit = mp.fsum(n * mp.log(n / marginal[j]) for (j, _), n in joint.items())

        def dirichlet(weight: float, cells: object) -> mp.mpf:
            return mp.fsum(mp.loggamma(weight + n) - mp.loggamma(weight) for n in cells)

        weight = {"bdeu": mp.mpf(1) / 2000, "bds": mp.mpf(1) / 2000, "bdj": mp.mpf(1) / 2, "k2": mp.mpf(1)}
        if score in weight:
            a = weight[score]
            expected = dirichlet(a, joint.values()) - dirichlet(1000 * a, marginal.values())
        elif score == "bdq":
            a = mp.mpf(1) / 2
            expected = dirichlet(a, joint.values()) - dirichlet(a, marginal.values())
            expected += dirichlet(2 * a, [total]) - dirichlet(2000 * a, [total])
        else:
            price = {
                "loglik": lambda: 0,
                "aic": lambda: 1998,
                "bic": lambda: 999 * mp.log(total),
                "hqc": lambda: 1998 * mp.log(mp.log(total)),
                "ebic": lambda: 999 * mp.log(total) + mp.log(2) / 2,
                "qnml": lambda: regret(total, 2000) - regret(total, 2),
                "fnml": lambda: mp.fsum(regret(int(n), 1000) for n in marginal.values()),
            }
            expected = fit - price[score]()
    (value,) = scores_of(table, [(0, (1,))], score)
    assert value == pytest.approx(float(expected), rel=1e-12)


@given(st.data())
def test_many_families_in_one_call(data) -> None:
    """Scratch memory is reused between families and divided among threads, without effect on the scores."""
    plain = data.draw(plain_tables())
    wanted = data.draw(st.lists(families(len(plain.columns)), min_size=1, max_size=12))
    table = as_table(plain)
    for score in SCORE_NAMES:
        together = scores_of(table, wanted, score)
        apart = [scores_of(table, [family], score)[0] for family in wanted]
        threaded = scores_of(table, wanted, score, n_jobs=2)
        assert together.tolist() == apart == threaded.tolist(), score


def test_levels_multiplied_in_another_order() -> None:
    """One row, 3 · 2 · 3 levels and 3 · 3 · 2: the sums of their logarithms differ in the last bit."""
    table = Table.from_codes([[0]] * 3, levels=[3, 2, 3])
    wanted = [(2, (0, 1)), (1, (0, 2)), (0, (1, 2))]
    for score in SCORE_NAMES:
        apart = [scores_of(table, [family], score)[0] for family in wanted]
        for some in itertools.permutations(range(3)):
            together = scores_of(table, [wanted[k] for k in some], score)
            assert together.tolist() == [apart[k] for k in some], score


def test_no_families() -> None:
    assert scores_of(Table.from_codes([[0, 1]]), [], "qnml").tolist() == []


@pytest.mark.usefixtures("many_cores")
def test_threads_agree_to_the_last_bit() -> None:
    generator = np.random.default_rng(5)
    table = Table.from_codes(generator.integers(0, 4, (5000, 9)))
    wanted = [(c, tuple(p for p in range(9) if p != c and s >> p & 1)) for c in range(9) for s in range(0, 512, 5)]
    for score in SCORE_NAMES:
        alone = scores_of(table, wanted, score, n_jobs=1)
        assert np.array_equal(alone, scores_of(table, wanted, score, n_jobs=2))
        assert np.array_equal(alone, scores_of(table, wanted, score, n_jobs=7))
