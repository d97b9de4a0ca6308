"""Appendix C, compared with the printed sequence, and a score that must not equal NML."""

import polars as pl
import pytest

from qnml import count_tournament_networks
from qnml.paper import tournaments
from qnml.paper.printed import TOURNAMENT_COUNTS
from qnml.paper.summary import summarize


@pytest.fixture(scope="module")
def raw():
    return tournaments.run_chunk("all", 0, 1, 0)


def test_formula_sequence_and_recurrence_agree():
    numbers = [tournaments.count_by_partitions(n) for n in range(10)]
    assert numbers == list(TOURNAMENT_COUNTS)
    assert [tournaments.count_by_partitions(n) for n in range(16)] == [count_tournament_networks(n) for n in range(16)]


def test_summary_says_so(raw):
    summary = summarize("appendix-c", {"tournaments": raw})
    assert [finding.holds for finding in summary.findings] == [True, True, True]
    counts, cases = summary.tables
    assert {name for name, column in counts.cells if column == "by enumeration"} == {f"n = {n}" for n in range(6)}
    assert all(cell.within for cell in counts.cells.values())
    # 3 + 3 + 13 + 13 + 73 networks of tournaments among 3 + 3 + 25 + 25 + 543.
    assert cases.extra_columns["tournament networks"] == ("3", "3", "13", "13", "73")
    assert cases.extra_columns["other networks"] == ("0", "0", "12", "12", "470")


def test_a_score_that_is_not_nml_is_found_out(raw):
    off = raw.with_columns(value=pl.when(pl.col("quantity") == "largest").then(0.01).otherwise("value"))
    assert summarize("appendix-c", {"tournaments": off}).findings[1].holds is False
