"""Preparing raw columns and rows by a given preparation."""

import pickle

import numpy as np
import pytest

import qnml
from qnml import ColumnPreparation, Preparation
from qnml.data.opening import source_columns
from qnml.data.preparation import prepared_columns
from qnml.errors import DataError

BINS = ("(-inf, 30]", "(30, 50]", "(50, inf)")


def entry(name, action, **fields):
    return ColumnPreparation(name, "text", 10, 0, 5, action, "A test.", **fields)


@pytest.fixture
def preparation():
    return Preparation(
        [
            entry("id", "drop"),
            entry("age", "bin", levels=BINS, cuts=(30.0, 50.0), bins=BINS),
            entry("town", "merge", levels=("Bonn", "Rome", "(other)"), kept_levels=("Bonn", "Rome"), other="(other)"),
            entry("sex", "keep", levels=("f", "m", "?"), missing_label="?", missing="category"),
        ],
        missing="category",
        n_rows=10,
    )


RAW = {
    "id": [1, 2, 3, 4, 5],
    "age": [-1e9, 30, 30.5, 50, 1e9],
    "town": ["Rome", "Oslo", "Bonn", "new", "Rome"],
    "sex": ["f", None, "m", "m", "f"],
}


def test_rows_become_a_table_with_the_levels_of_the_preparation(preparation):
    table = preparation.apply(RAW)
    assert table.names == ("age", "town", "sex")
    assert table.labels("age").tolist() == [BINS[0], BINS[0], BINS[1], BINS[1], BINS[2]]
    assert table.labels("town").tolist() == ["Rome", "(other)", "Bonn", "(other)", "Rome"]
    assert table.labels("sex").tolist() == ["f", "?", "m", "m", "f"]
    assert table.preparation is preparation


def test_applying_twice_changes_nothing(preparation):
    once = preparation.apply(RAW)
    assert preparation.apply(once) == once
    assert preparation.apply(once.to_frame()) == once


def test_numbers_read_as_text_are_binned_and_labels_of_bins_stay(preparation):
    raw = {"age": ["17", "(30, 50]", "64.5"], "town": ["Rome"] * 3, "sex": ["f"] * 3}
    assert preparation.apply(raw).labels("age").tolist() == [BINS[0], BINS[1], BINS[2]]


def test_unseen_labels_are_left_to_the_caller_in_columns_and_refused_in_tables(preparation):
    raw = {**RAW, "sex": ["f", "x", "m", "m", "f"], "age": ["12", "young", "30", "31", "60"]}
    age, _, sex = prepared_columns("t", source_columns("t", raw), preparation)
    assert "young" in age.declared
    assert sex.values.coded_text("t", "sex")[1] == ("f", "m", "x")
    with pytest.raises(DataError, match="'young'"):
        preparation.apply(raw)


def test_missing_cells_without_a_level_are_refused_or_dropped(preparation):
    raw = {**RAW, "age": [1.0, np.nan, 40, 50, 60]}
    with pytest.raises(DataError, match="1 cell is missing, in 'age'"):
        preparation.apply(raw)
    dropping = Preparation(preparation.columns, missing="drop", n_rows=10)
    assert dropping.apply(raw).n_rows == 4
    leaving = Preparation(preparation.columns, missing="em", n_rows=10)
    assert leaving.apply(raw).codes("age").tolist() == [0, -1, 1, 1, 2]


def test_columns_that_are_absent_are_named(preparation):
    with pytest.raises(DataError, match="lack the columns town, sex"):
        preparation.apply({"age": [1, 2]})


def test_weights_count_rows_and_are_no_variable(preparation):
    table = preparation.apply({**RAW, "w": [2, 0, 1, 1, 1]}, weights="w")
    assert (table.total, table.n_rows) == (5, 4)


def test_tables_carry_their_preparation(preparation):
    table = preparation.apply(RAW)
    assert table.take([0, 1]).preparation == preparation
    assert table.merged().preparation == preparation
    assert table.with_weights([1, 2, 3, 4, 5]).preparation == preparation
    assert pickle.loads(pickle.dumps(table)).preparation == preparation
    chosen = table.select(["sex", "age"]).preparation
    assert chosen.names == ("sex", "age", "id")
    observed = table.take([0, 1]).with_observed_levels()
    assert observed.preparation.columns["age"].levels == (BINS[0],)
    assert observed.preparation.columns["age"].bins == BINS
    assert qnml.read_table({"a": ["x", "y"]}).preparation.is_trivial
