"""Summaries of tables: the paper's numbers agree with the paper, others do not."""

import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import rankdata

from qnml.errors import InputError, UnknownNameError
from qnml.paper.printed import PARAMETERS, SETS
from qnml.paper.summary import summarize
from qnml.paper.summary.measures import beside, estimate
from qnml.paper.summary.table2 import average_ranks

CRITERIA = ("BDeu", "BIC", "fNML", "qNML")


def parsimony(changes=None, repetitions=100, names=tuple(SETS)):
    """Raw results in which every repetition has the printed number, but for some cells."""
    rows = []
    for name in names:
        for criterion in CRITERIA:
            for ties in ("canonical", "larger"):
                given = (changes or {}).get((name, criterion, ties))
                values = [PARAMETERS[name, criterion]] * repetitions if given is None else given
                rows += [(name, i, SETS[name].parsimony_rows, criterion, ties, v) for i, v in enumerate(values)]
    schema = ["dataset", "repetition", "n_train", "criterion", "ties", "parameters"]
    return {"parsimony": pl.DataFrame(rows, schema=schema, orient="row")}


def test_the_papers_own_numbers_agree_with_it():
    summary = summarize("table3", parsimony())
    for table in summary.tables:
        assert sum(cell.within for cell in table.cells.values()) == 80
        assert table.row_names[:3] == ("Iris", "PostOpe", "Ecoli")
        assert table.extra_columns["N"][:3] == ("15", "18", "34")
    assert [finding.holds for finding in summary.findings] == [True] * 4


def test_a_cell_that_is_off_is_found_and_explained_by_ties():
    changes = {
        ("tic_tac_toe", "BDeu", "canonical"): [10_000] * 100,
        ("tic_tac_toe", "BDeu", "larger"): [10_000] * 50 + [30_000] * 50,
    }
    table = summarize("table3", parsimony(changes)).tables[0]
    assert table.cells["TicTacT", "BDeu"].within is False
    assert sum(cell.within for cell in table.cells.values()) == 79
    (note,) = [note for note in table.notes if note.startswith("TicTacT")]
    assert "Ties can explain it: in 50 % of the samples" in note
    assert "20000.0" in note


def test_a_mean_that_hangs_on_one_network_is_said_to():
    changes = {("wine", "qNML", ties): [100] * 199 + [5100] for ties in ("canonical", "larger")}
    table = summarize("table3", parsimony(changes, 200)).tables[0]
    (note,) = [note for note in table.notes if note.startswith("Wine")]
    assert "the median is 100" in note
    # Two of 200 networks: 5200 of 25000.
    assert "makes up 21 % of the mean" in note


def test_an_unexplained_cell_is_called_so():
    changes = {("iris", "BIC", ties): [40] * 100 for ties in ("canonical", "larger")}
    table = summarize("table3", parsimony(changes)).tables[0]
    (note,) = [note for note in table.notes if note.startswith("Iris")]
    assert "Neither ties" in note


def test_with_some_sets_only_claims_about_all_are_left_open():
    summary = summarize("table3", parsimony(names=("iris", "wine")))
    assert summary.tables[0].row_names == ("Iris", "Wine")
    assert {finding.holds for finding in summary.findings} == {None}


def test_differences_count_both_errors_and_the_rounding():
    found = estimate([10.0, 12.0, 14.0, 16.0])
    spread = math.sqrt(20 / 3)
    cell = beside(found, 10.0, half_unit=0.5)
    assert cell.error == pytest.approx(spread / 2)
    assert cell.difference_in_errors == pytest.approx(2.5 / math.hypot(spread / 2, spread / math.sqrt(1000)))
    assert cell.within is True
    assert beside(found, 8.0, half_unit=0.5).within is False
    assert beside(found, 8.0, half_unit=0.5, allowance=2.0).within is True
    one = beside(estimate([3.0]), 3.0, half_unit=0.5)
    assert (one.error, one.difference_in_errors, one.within) == (0.0, None, None)


def test_ranks_are_those_of_scipy_and_nearly_equal_values_tie():
    rng = np.random.default_rng(1)
    values = -rng.integers(1, 5, size=(200, 4)).astype(float)
    expected = np.array([rankdata(-row) for row in values])
    assert np.array_equal(average_ranks(values), expected)
    nearly = values * (1 + 1e-12 * rng.standard_normal(values.shape))
    assert np.array_equal(average_ranks(nearly), expected)
    assert average_ranks(np.array([[-1.0, -1.0 - 1e-6, -2.0, -3.0]])).tolist() == [[1, 2, 3, 4]]


def prediction(order_of):
    """Raw results in which the criteria are always in the order given for a set, best first."""
    rows = [
        (name, repetition, tenths, 10 * tenths, 100 - 10 * tenths, criterion, 5, *[-1.0 - order.index(criterion)] * 2)
        for name, order in order_of.items()
        for repetition in range(3)
        for tenths in range(1, 10)
        for criterion in CRITERIA
    ]
    schema = ["dataset", "repetition", "fraction", "n_train", "n_test", "criterion", "parameters", "log_prob"]
    schema.append("log_prob_other")
    return {"prediction": pl.DataFrame(rows, schema=schema, orient="row")}


def test_winners_and_means_of_table_2():
    best = ("fNML", "qNML", "BIC", "BDeu")
    summary = summarize("table2", prediction(dict.fromkeys(SETS, best)))
    table = summary.tables[0]
    assert [table.cells["mean", c].ours for c in CRITERIA] == [4.0, 3.0, 1.0, 2.0]
    assert table.cells["standard deviation", "BIC"].ours == 0.0
    verdicts = [finding.holds for finding in summary.findings]
    # fNML wins 10 of the printed 20, so the winners differ; that fNML is first and qNML second is correct.
    assert verdicts[:3] == [False, False, True]
    assert "10 of 20" in summary.findings[0].evidence
    assert table.repetitions["Iris"] == 3
    assert {type(cell.within) for cell in table.cells.values()} <= {bool, type(None)}


def test_unknown_parts_and_missing_results_are_named():
    with pytest.raises(UnknownNameError, match="table9"):
        summarize("table9", {})
    with pytest.raises(InputError, match="'parsimony'"):
        summarize("table3", {})
