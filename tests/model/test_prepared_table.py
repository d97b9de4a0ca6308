"""`Network.prepare`: raw rows as a table with the levels of a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reference.preparations import PREPARATION, RAW, example

import qnml
from qnml import Network, Preparation, Table
from qnml.errors import DataError, InputError

NET = example()


def test_raw_rows_become_the_table_that_the_preparation_makes() -> None:
    table = NET.prepare(RAW)
    assert table == PREPARATION.apply(RAW).select(NET.names)
    assert table.preparation == NET.preparation
    assert NET.prepare(table) == table
    assert NET.prepare(table.to_frame()) == table


def test_without_a_preparation_labels_are_matched() -> None:
    net = qnml.fit(qnml.read_table({"a": [1, 2, 2]}), qnml.Dag.empty(["a"]))
    table = net.prepare({"a": ["2", "1"], "b": [0.5, 0.7]})
    assert (table.names, table.levels["a"], table.codes("a").tolist()) == (("a",), (1, 2), [1, 0])
    assert table.preparation is None


def test_weights_by_name_and_by_number() -> None:
    weights = [2, 0, 1, 1, 1]
    expected = NET.prepare(RAW).with_weights(weights)
    assert NET.prepare({**RAW, "w": weights}, weights="w") == expected
    assert NET.prepare(RAW, weights=weights) == expected
    assert NET.prepare(NET.prepare(RAW), weights=weights) == expected
    # A row of weight 0 is ignored, with its labels and its missing cells.
    odd = {**RAW, "age": [1, "young", 31, 50, 99], "score": [1, None, 1, 2, 2]}
    assert NET.prepare({name: list(map(_text, cells)) for name, cells in odd.items()}, weights=weights).n_rows == 4


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def test_missing_cells_are_refused_or_their_rows_dropped() -> None:
    holed: dict[str, Any] = {**RAW, "age": [1.0, np.nan, 40, 50, 60], "town": [None, *RAW["town"][1:]]}
    with pytest.raises(DataError, match=r"2 of 5 rows have missing cells, in age, town. Fill them in, or drop"):
        NET.prepare(holed)
    assert NET.prepare(holed, missing="drop") == NET.prepare(RAW).take([2, 3, 4])
    dropping = Network(
        NET.dag,
        NET.levels,
        {name: NET.table(name) for name in NET.names},
        preparation=Preparation(PREPARATION.columns, missing="drop"),
    )
    assert dropping.prepare(holed).n_rows == 3
    with pytest.raises(DataError, match="2 of 5 rows"):
        dropping.prepare(holed, missing="raise")
    with pytest.raises(DataError, match="every row has a missing cell"):
        NET.prepare({**RAW, "age": [None] * 5}, missing="drop")
    with pytest.raises(InputError, match=r"missing='category'\): must be 'raise', 'drop', 'em' or None"):
        NET.prepare(RAW, missing="category")  # type: ignore[arg-type]


def test_columns_that_are_absent_and_labels_that_are_unknown_are_named() -> None:
    with pytest.raises(DataError, match=r"Network.prepare: the data lack the columns town, sex, score"):
        NET.prepare({"age": [1, 2]})
    with pytest.raises(DataError, match=r"Network.prepare: column 'sex' holds labels.*'x'. Known: 'f', 'm', '\?'"):
        NET.prepare({**RAW, "sex": ["f", "x", "m", "m", "f"]})


def test_incomplete_tables() -> None:
    codes = [np.zeros(3, dtype=np.int64)] * 4
    missing = [np.array([True, False, False]), None, np.array([False, True, False]), None]
    table = Table._of(NET.names, codes, [NET.levels[name] for name in NET.names], None, missing=missing)
    assert NET.prepare(table, missing="drop").codes("sex").tolist() == [2, 0]
