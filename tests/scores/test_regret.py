"""The multinomial regret against the paper's table, outside values, and references of 30 to 700 digits."""

from __future__ import annotations

import csv
import math
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.regret import (
    regret_by_definition,
    regret_by_integral,
    regret_by_sum,
    szpankowski,
    szpankowski_weinberger,
)

from qnml.errors import InputError, UnknownNameError
from qnml.scores import REGRET_METHODS, regret, regret_table

if TYPE_CHECKING:
    import mpmath as mp

# Silander et al. (2018), Table 1: (N, r) -> eq. (6), eq. (7), exact.
PAPER_TABLE_1 = {
    (50, 10): ("13.24", "13.26", "13.24"),
    (50, 100): ("62.00", "60.01", "60.00"),
    (50, 1000): ("491.63", "153.28", "153.28"),
    (50, 10000): ("25635.15", "265.28", "265.28"),
    (500, 10): ("22.67", "22.69", "22.67"),
    (500, 100): ("144.10", "144.03", "144.03"),
    (500, 1000): ("624.35", "603.93", "603.93"),
    (500, 10000): ("4927.24", "1533.38", "1533.38"),
    (5000, 10): ("32.74", "32.76", "32.74"),
    (5000, 100): ("247.97", "247.97", "247.97"),
    (5000, 1000): ("1452.51", "1451.78", "1451.78"),
    (5000, 10000): ("6247.83", "6043.16", "6043.16"),
}
TABLE_METHODS = ("szpankowski", "szpankowski-weinberger", "exact")

# The one misprint of the table: eq. (6) evaluated in 60 digits gives 25635.13.
MISPRINT = (50, 10000, "szpankowski")

# Just above 1, around the special values 1 and 2, integers and fractions, and beyond 2^53 and 2^64.
LEVELS = [
    1,
    1 + 1e-9,
    1.001,
    1.5,
    2,
    2 + 1e-9,
    2.5,
    3,
    4,
    5,
    10,
    101,
    1000.5,
    1e4,
    1e6,
    1e9,
    1e15,
    1e20,
    1e50,
]
HUGE_LEVELS = [1e100, 1e200, 9e289, 1.1e290, 1e300, 1.7e308]


def relative_error(value: float, reference: mp.mpf) -> float:
    return float(abs(value - reference) / abs(reference)) if reference else abs(value)


@pytest.mark.parametrize("method", TABLE_METHODS)
@pytest.mark.parametrize(("n", "r"), PAPER_TABLE_1)
def test_table_1_of_the_paper_to_every_printed_digit(n: int, r: int, method: str) -> None:
    printed = PAPER_TABLE_1[n, r][TABLE_METHODS.index(method)]
    if (n, r, method) == MISPRINT:
        assert f"{float(szpankowski(n, r)):.2f}" == "25635.13"
        printed = "25635.13"
    assert f"{regret(n, r, method):.2f}" == printed


def test_outside_values(oracles_folder) -> None:
    with (oracles_folder / "regret.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 720
    expected = np.array([float(row["log_regret_exact"]) for row in rows])
    n, r = np.array([int(row["N"]) for row in rows]), np.array([float(row["r"]) for row in rows])
    np.testing.assert_allclose(regret(n, r), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("n", "r"), [(1, 3), (2, 2), (3, 3), (4, 2), (5, 3), (8, 2), (4, 5), (3, 9)])
def test_definition(n: int, r: int) -> None:
    assert regret(n, r) == pytest.approx(regret_by_definition(n, r), rel=1e-14)


@pytest.mark.parametrize("r", LEVELS + HUGE_LEVELS)
def test_every_term_in_60_digits(r: float) -> None:
    for n in (2, 3, 4, 5, 7, 10, 33, 100, 299, 300, 1000, 3000):
        assert relative_error(regret(n, r), regret_by_sum(n, r)) < 1e-13, n


@pytest.mark.parametrize("r", [1 + 1e-9, 2, 3, 47, 1e4, 1e12])
def test_every_term_in_60_digits_for_many_rows(r: float) -> None:
    assert relative_error(regret(20_000, r), regret_by_sum(20_000, r)) < 1e-13


@pytest.mark.parametrize("n", [10**6, 10**9])
@pytest.mark.parametrize("r", [2, 2.5, 3, 4, 1000, 1e6, 1e9, 1e20])
def test_integral_for_very_many_rows(n: int, r: float) -> None:
    assert relative_error(regret(n, r), regret_by_integral(n, r)) < 1e-12


def test_the_two_references_agree() -> None:
    # The integral is used at 10^9 rows because it equals the sum wherever both can be computed.
    for n, r in ((100, 2), (100, 2.5), (2000, 3), (2000, 1e4)):
        assert relative_error(regret_by_integral(n, r), regret_by_sum(n, r)) < 1e-28


@pytest.mark.parametrize("n", [2, 1000, 10**9])
def test_closed_form_for_huge_alphabets(n: int) -> None:
    # With r this large almost every row is a value of its own: C is r^N / N^N.
    for r in (1e290, 1e295, 1e300):
        assert regret(n, r) == pytest.approx(n * (math.log(r) - math.log(n)), rel=1e-14)


def test_special_values() -> None:
    for r in [*LEVELS, *HUGE_LEVELS]:
        assert regret(0, r) == 0
        assert regret(1, r) == pytest.approx(math.log(r), rel=1e-15)
    for n in (0, 1, 2, 50, 10**9):
        assert regret(n, 1) == 0


@given(n=st.integers(1, 10**7), r=st.integers(1, 3000))
def test_recurrence(n: int, r: int) -> None:
    """Kontkanen and Myllymäki (2007): C(n, r+2) = C(n, r+1) + (n/r) C(n, r)."""
    below, middle, above = regret(n, [r, r + 1, r + 2])
    assert above == pytest.approx(np.logaddexp(middle, math.log(n / r) + below), rel=2e-12)


@given(n=st.integers(0, 10**6), more=st.integers(1, 10**5), r=st.floats(1.001, 1e12))
def test_grows_with_rows(n: int, more: int, r: float) -> None:
    assert regret(n + more, r) > regret(n, r)


@given(n=st.integers(1, 10**6), r=st.floats(1, 1e12), factor=st.floats(1.001, 100))
def test_grows_with_levels(n: int, r: float, factor: float) -> None:
    assert regret(n, r * factor) > regret(n, r)


@given(n=st.integers(1, 10**6), log_r=st.floats(0.1, 600), step=st.floats(0.05, 0.5))
def test_convex_in_the_logarithm_of_levels(n: int, log_r: float, step: float) -> None:
    # C(n, k) is a polynomial in k with positive coefficients; regularity of qNML rests on this.
    low, middle, high = regret(n, np.exp([max(log_r - step, 0.0), log_r, 2 * log_r - max(log_r - step, 0.0)]))
    assert low + high - 2 * middle >= -1e-12 * high


@given(
    first=st.integers(1, 10**5),
    second=st.integers(1, 10**5),
    r=st.one_of(st.integers(2, 50), st.floats(1.1, 1e9)),
)
def test_two_codes_cost_more_than_one(first: int, second: int, r: float) -> None:
    """Appendix B: reg(N1 + N2, r) <= reg(N1, r) + reg(N2, r), on which regularity of fNML rests."""
    assert regret(first + second, r) <= (regret(first, r) + regret(second, r)) * (1 + 1e-13)


@pytest.mark.parametrize("r", [1, 2, 3, 4, 7, 30, 1000, 65_536])
def test_table_of_regrets(r: int) -> None:
    # 300 is where the start of the recurrence changes from the sum to Ramanujan's series.
    table = regret_table(2000, r)
    assert table.shape == (2001,)
    np.testing.assert_allclose(table, regret(np.arange(2001), r), rtol=2e-13, atol=0)


def test_table_of_regrets_at_its_ends() -> None:
    assert regret_table(0, 5).tolist() == [0.0]
    assert regret_table(1, 5).tolist() == pytest.approx([0.0, math.log(5)], rel=1e-15)
    for m in (299, 300, 301, 302):
        assert relative_error(regret_table(m, 2)[m], regret_by_sum(m, 2)) < 1e-14
    # Beyond 10^200 the recurrence rescales.
    assert regret_table(5000, 2000)[5000] == pytest.approx(regret(5000, 2000), rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 50, 1000, 10**6, 10**9, 10**12])
def test_weinberger_form_does_not_cancel(n: int) -> None:
    # 700 digits, because the printed form loses twice the digits of r/n, and half those of n/r.
    for r in (1, 1.5, 2, 3, 10, 1e3, 1e6, 1e9, 2.0**46, 2.0**64, 1e30, 1e100, 1e300):
        reference = szpankowski_weinberger(n, r, digits=700)
        assert regret(n, r, "szpankowski-weinberger") == pytest.approx(float(reference), rel=1e-14), r


def test_weinberger_is_off_by_known_amounts() -> None:
    # Stated in the documentation: 0.15 to 0.18 at r = 1, 0.08 to 0.09 at r = 2.
    for n in (50, 500, 5000, 10**6):
        assert 0.14 < abs(regret(n, 1, "szpankowski-weinberger")) < 0.18
        assert 0.07 < abs(regret(n, 2, "szpankowski-weinberger") - regret(n, 2)) < 0.09


@pytest.mark.parametrize("n", [1, 2, 50, 1000, 10**6, 10**12])
def test_szpankowski_form_does_not_cancel(n: int) -> None:
    # The last two terms are of the order r^3 and leave one of the order r. 101 is where a series takes over.
    for r in (1.5, 2, 3, 10, 99.9, 100.9, 101, 101.1, 200, 1e4, 1e6, 1e9, 1e15, 1e60, 1e120):
        assert regret(n, r, "szpankowski") == pytest.approx(float(szpankowski(n, r, 420)), rel=1e-12), r
    assert regret(n, 1e300, "szpankowski") == math.inf


def test_approximations_at_the_edges() -> None:
    for method in ("szpankowski", "szpankowski-weinberger"):
        assert regret(0, 7, method) == 0
    assert regret(10, 1, "szpankowski") == 0


def test_shapes() -> None:
    assert type(regret(50, 10)) is float
    assert type(regret(np.int32(50), np.float32(10))) is float
    assert regret([], []).shape == (0,)
    assert regret([50], 10).shape == (1,)
    grid = regret(np.arange(4)[:, None], np.arange(1, 6))
    assert grid.shape == (4, 5)
    assert grid.dtype == np.float64
    for n in range(4):
        for r in range(1, 6):
            assert grid[n, r - 1] == regret(n, r)
    strided = np.arange(20)[::3]
    assert regret(strided, 3).tolist() == [regret(int(n), 3) for n in strided]
    assert regret(50.0, 10) == regret(50, 10)
    assert regret(50, 10**30) == regret(50, 1e30)
    assert regret(np.uint64(50), [10**30, 3]).tolist() == [regret(50, 1e30), regret(50, 3)]


@pytest.mark.parametrize(
    ("n", "r", "named"),
    [
        (-1, 2, "n=-1"),
        (2.5, 2, "n=2.5"),
        (float("nan"), 2, "n=nan"),
        (float("inf"), 2, "n=inf"),
        (10**12 + 1, 2, "n=1000000000001"),
        (10**400, 2, "n="),
        ("5", 2, "n='5'"),
        (True, 2, "n=True"),
        (None, 2, "n=None"),
        ([1, "a"], 2, "n="),
        ([[1, 2], [3]], 2, "n="),
        (1 + 2j, 2, "n="),
        (5, 0, "r=0"),
        (5, 0.999, "r=0.999"),
        (5, -3, "r=-3"),
        (5, float("nan"), "r=nan"),
        (5, float("inf"), "r=inf"),
        (5, 10**400, "r="),
        (5, "3", "r='3'"),
        (5, True, "r=True"),
        (5, 2 + 1j, "r="),
        (5, [3, 0], "r=[3, 0]"),
        ([1, 2, 3], [1, 2], "r=[1, 2]"),
    ],
)
def test_bad_arguments_are_named(n: object, r: object, named: str) -> None:
    with pytest.raises(InputError, match=r"^regret\(.*must be") as caught:
        regret(n, r)
    assert named in str(caught.value)


def test_unknown_method() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'szpankowski'") as caught:
        regret(5, 3, "szpankovski")
    assert all(method in str(caught.value) for method in REGRET_METHODS)


@pytest.mark.parametrize(
    ("n", "r"), [(-1, 2), (2.5, 2), (True, 2), ("5", 2), (10**10, 2), (5, 0), (5, 2.5), (5, None), (5, 2**33)]
)
def test_bad_arguments_of_the_table(n: object, r: object) -> None:
    with pytest.raises(InputError, match=r"^regret_table\("):
        regret_table(n, r)


def test_speed_promises() -> None:
    # One value at 10^9 rows, and a table of a million, each in under a second.
    start = time.perf_counter()
    regret(10**9, 3)
    regret_table(10**6, 3)
    assert time.perf_counter() - start < 2
