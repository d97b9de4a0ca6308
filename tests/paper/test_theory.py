"""The theorems in numbers: against closed forms, and what the summary makes of them."""

import math

import polars as pl
import pytest

from qnml.paper import consistency, theory
from qnml.paper.summary import summarize


@pytest.fixture(scope="module")
def raw():
    return theory.run_chunk("all", 0, 1, 0)


def value(raw, item, quantity, case=None):
    rows = raw.filter((pl.col("item") == item) & (pl.col("quantity") == quantity))
    return rows.filter(pl.col("case") == case)["value"].item() if case else rows["value"][0]


def test_limits_of_the_penalty_are_those_of_rissanen(raw):
    for q, r in theory.FAMILIES:
        case = f"q = {q}, r = {r}"
        m, p = q * r, q
        limit = math.lgamma(p / 2) - math.lgamma(m / 2) - (m - p) / 2 * math.log(2)
        assert value(raw, "lemma 2", "limit", case) == pytest.approx(limit)
        assert value(raw, "lemma 2", "N = 10^9", case) == pytest.approx(limit, abs=0.02)


def test_the_polynomial_of_two_rows_is_written_down(raw):
    # Of the k^2 pairs of letters, k are equal with likelihood 1 and the others have 1/4: C(2, k) = k^2/4 + 3k/4.
    assert value(raw, "appendix B, lemma 1", "smallest coefficient", "N = 2") == 0.25
    assert value(raw, "appendix B, lemma 1", "largest difference from the regret", "N = 20") < 1e-12


def test_bell_numbers_are_known(raw):
    assert [value(raw, "theorem 3", "Bell number", f"n = {n}") for n in range(8)] == [1, 1, 2, 5, 15, 52, 203, 877]


def test_claims_are_checked_one_by_one(raw):
    found = pl.DataFrame(
        [
            (network, repetition, size, criterion, size >= 10_000, 0)
            for network in ("asia", "cancer", "earthquake", "sachs", "survey")
            for repetition in range(3)
            for size in consistency.SIZES
            for criterion in ("BDeu", "BIC", "fNML", "qNML")
        ],
        schema=consistency.SCHEMA,
        orient="row",
    )
    summary = summarize("theory", {"theory": raw, "consistency": found})
    verdicts = {finding.statement: finding.holds for finding in summary.findings}
    assert verdicts.pop("BDq is regular, as the paper says.") is False
    assert set(verdicts.values()) == {True}
    assert any("consistent" in statement for statement in verdicts)
    assert summarize("theory", {"theory": raw}).figures == ()
