"""Formatting of numbers."""

import dataclasses

import pytest

from qnml.paper.report import numbers
from qnml.paper.summary.types import Cell


def test_decimals_follow_the_printed_table(ranks, regrets):
    assert numbers.places(ranks) == 2
    assert numbers.places(regrets) == 2
    whole = {key: Cell(cell.ours, 1.0, float(round(cell.ours)), 0.0, True) for key, cell in ranks.cells.items()}
    assert numbers.places(dataclasses.replace(ranks, cells=whole)) == 0
    nothing = {key: Cell(cell.ours, 0.0, None, None, None) for key, cell in ranks.cells.items()}
    assert numbers.places(dataclasses.replace(ranks, cells=nothing)) is None


@pytest.mark.parametrize(
    ("value", "error", "decimals", "shown"),
    [
        (36.94, 0.31, 0, ("36.9", "0.3")),
        (16520.6, 310.2, 0, ("16521", "310")),
        (2.834, 0.021, 2, ("2.83", "0.02")),
        (-0.001, 0.5, 2, ("0.00", "0.50")),
        (-3.14159, 0.0, 2, ("−3.14", "")),
        (73.0, 0.0, None, ("73", "")),
        (0.0123456, 0.0, None, ("0.01235", "")),
        (7.1e-15, 0.0, None, ("7e−15", "")),
        (float("nan"), 0.0, 2, ("–", "")),
    ],
)
def test_values_and_errors_are_rounded_alike(value, error, decimals, shown):
    cell = Cell(value, error, None, None, None)
    assert (numbers.ours(cell, decimals), numbers.error(cell, decimals)) == shown


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (Cell(2.0, 0.1, 1.9, 0.66, True), "+0.7"),
        (Cell(1.8, 0.1, 1.9, -0.66, True), "−0.7"),
        (Cell(500.0, 0.1, 2.0, 4980.0, False), "+>99"),
        (Cell(13.2391, 0.0, 13.24, None, True), "="),
        (Cell(25635.13, 0.0, 25635.15, None, False), "−0.02"),
        (Cell(1.0, 0.1, None, None, None), ""),
    ],
)
def test_differences(cell, shown):
    assert numbers.difference(cell, 2) == shown


def test_best_and_worst_of_a_row(ranks):
    assert numbers.marks(ranks, "Iris", "ours") == {"fNML": "best", "BDeu": "worst"}
    assert numbers.marks(ranks, "Wine", "ours") == {"BIC": "best", "BDeu": "worst"}
    high = dataclasses.replace(ranks, best="high")
    assert numbers.marks(high, "Iris", "printed") == {"fNML": "worst", "BDeu": "best"}
    assert numbers.marks(dataclasses.replace(ranks, best=None), "Iris", "ours") == {}


def test_agreement_counts_what_can_be_compared(ranks, regrets):
    assert numbers.agreement(ranks) == (6, 8)
    assert numbers.agreement(regrets) == (2, 3)
