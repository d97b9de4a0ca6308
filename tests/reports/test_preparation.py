"""The preparation of columns, in the lines that several commands print."""

from __future__ import annotations

import numpy as np
import pytest

import qnml
from qnml.reports.preparation import preparation_facts, preparation_sentences


def lines(table):
    return preparation_sentences(preparation_facts(table))


RAW = {
    "id": [*range(60)],
    "age": np.repeat([20.5, 21.0, 22.5, 60.0, 61.5, 62.5], 10) + np.tile(np.linspace(0, 0.9, 10), 6),
    "town": [*["Rome"] * 58, None, None],
    "sex": ["f", "m"] * 30,
    "job": [f"job {k % 11}" for k in range(58)] + ["rare", "rarer"],
}


def test_nothing_is_said_where_nothing_was_done():
    assert preparation_facts(qnml.read_table({"a": ["x", "y"]})) is None
    assert preparation_facts(qnml.Table.from_codes([[0, 1]])) is None
    assert preparation_sentences(None) == []


def test_each_thing_done_has_a_line():
    said = lines(qnml.read_table({**RAW, "town": [*["Rome", "Bonn"] * 29, None, None]}, prepare="auto"))
    assert said[0].startswith("Binned: age at ")
    assert said[1] == "Rare labels merged: job (all but 11 labels)"
    assert said[2] == "Left out: id (it numbers the rows)"
    assert said[3] == "Missing cells: 2 (town 2), estimated by EM"


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("category", "Missing cells: 2 (town 2), a level of their own"),
        ("indicator", "Missing cells: 2 (town 2), estimated by EM, with an indicator for each column"),
        ("drop", "Rows: 58 of 60; the others had missing cells and were dropped"),
    ],
)
def test_missing_cells_are_told(missing, expected):
    frame = {"town": [*["Rome", "Bonn"] * 29, None, None], "sex": ["f", "m"] * 30}
    assert lines(qnml.read_table(frame, missing=missing)) == [expected]


@pytest.mark.filterwarnings("ignore::qnml.errors.DroppedRowsWarning")
def test_many_dropped_rows_are_told():
    frame = {"town": [*["Rome", "Bonn"] * 20, *[None] * 20], "sex": ["f", "m"] * 30}
    (said,) = lines(qnml.read_table(frame, missing="drop"))
    assert said.startswith("Rows: 40 of 60; the others had missing cells and were dropped. Many: ")


def test_many_columns_are_counted():
    said = lines(qnml.read_table({f"c{k}": [1, 1] for k in range(20)} | {"x": ["a", "b"]}, prepare="auto"))
    assert said[0].endswith("and 8 more columns (--json lists all)")
