"""Rows of any source in the codes of a network."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from qnml.data import Table, write_bene
from qnml.errors import DataError, InputError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.matching import MISSING, UNKNOWN, match_columns, match_rows

NET = Network(
    Dag.empty(["age", "smoker", "risk"]),
    {"age": [40, 50, 60], "smoker": [False, True], "risk": ["high", "low"]},
    {"age": [0.5, 0.25, 0.25], "smoker": [0.5, 0.5], "risk": [0.5, 0.5]},
)
COLUMNS: dict[str, list[Any]] = {
    "risk": ["low", None, "high", "middle"],
    "age": [60, 40, None, 55],
    "smoker": [True, False, True, None],
}
EXPECTED = [[2, 1, 1], [0, 0, MISSING], [MISSING, 1, 0], [UNKNOWN, MISSING, UNKNOWN]]
ARROW = pa.table(
    {"risk": pa.array(COLUMNS["risk"]).dictionary_encode(), "age": COLUMNS["age"], "smoker": COLUMNS["smoker"]}
)


@pytest.mark.parametrize(
    "source",
    [
        COLUMNS,
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).lazy(),
        pl.DataFrame(COLUMNS).with_columns(pl.col("risk").cast(pl.Categorical)),
        pl.DataFrame(COLUMNS).with_columns(pl.col("risk").cast(pl.Enum(["middle", "low", "high", "never"]))),
        pl.DataFrame(COLUMNS).with_columns(pl.all().cast(pl.String).str.to_titlecase().str.replace("^[LHM]", "")),
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"risk": "category", "age": "Int64"}),
        ARROW,
        {**COLUMNS, "birthday": pd.to_datetime(["2020-01-01"] * 4), "size": [0.5, 1.5, 2.5, 3.5]},
    ],
    ids=["mapping", "polars", "lazy", "categorical", "enum", "text", "pandas", "pandas-categories", "arrow", "others"],
)
def test_every_source_gives_the_same_codes(source: Any, request: pytest.FixtureRequest) -> None:
    expected = EXPECTED
    if request.node.callspec.id == "text":
        # "Low" has become "ow", which is unknown; True is still read as true.
        expected = [[2, 1, UNKNOWN], [0, 0, MISSING], [MISSING, 1, UNKNOWN], [UNKNOWN, MISSING, UNKNOWN]]
    codes = match_rows(NET, source, "test")
    assert codes.dtype == np.int32
    assert codes.tolist() == expected


def test_files_and_tables_and_whole_floats(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("age,risk,smoker\n60,low,True\n40,,False\n?,high,True\n55,middle,\n", encoding="utf-8")
    assert match_rows(NET, path, "test").tolist() == EXPECTED
    assert match_rows(NET, str(path), "test").tolist() == EXPECTED
    table = Table.from_codes([[0, 1], [1, 0]], ["age", "risk"], [["60", "70"], ["low", "high"]], weights=[3, 4])
    assert match_rows(NET, table, "test").tolist() == [[2, MISSING, 0], [UNKNOWN, MISSING, 1]]
    matched = match_columns(NET, table, "test")
    assert matched.columns[1] is None
    assert matched.weights is not None
    assert matched.weights.tolist() == [3, 4]
    write_bene(table.with_weights(None), tmp_path / "bene")
    assert match_rows(NET, tmp_path / "bene.vd", "test").tolist() == [[2, MISSING, 0], [UNKNOWN, MISSING, 1]]
    floats = {"age": np.array([40.0, np.nan, 50.5, np.inf])}
    assert match_rows(NET, floats, "test")[:, 0].tolist() == [0, MISSING, UNKNOWN, UNKNOWN]


def test_no_rows_and_only_missing_cells() -> None:
    assert match_rows(NET, pl.DataFrame(COLUMNS).head(0), "test").shape == (0, 3)
    assert match_rows(NET, {"age": [None, None]}, "test").tolist() == [[MISSING] * 3] * 2
    assert (
        match_rows(NET, {"risk": pd.Categorical([None, None], categories=[])}, "test").tolist() == [[MISSING] * 3] * 2
    )


def test_unknown_labels_are_refused_where_asked() -> None:
    with pytest.raises(DataError, match=r"test: column 'risk'.*does not know: 'middle'\. Known: 'high', 'low'\."):
        match_rows(NET, {"risk": ["low", "middle"]}, "test", unknown="raise")
    # A declared level that no row has is not a label of any row.
    table = Table.from_codes([[0, 0]], ["risk"], [["low", "middle"]])
    assert match_rows(NET, table, "test", unknown="raise")[:, 2].tolist() == [1, 1]
    with pytest.raises(DataError, match="'middle'"):
        match_rows(NET, Table.from_codes([[0, 1]], ["risk"], [["low", "middle"]]), "test", unknown="raise")
    with pytest.raises(InputError, match=r"unknown='ignore'.*'uniform' or 'raise'"):
        match_rows(NET, COLUMNS, "test", unknown="ignore")  # type: ignore[arg-type]


def test_what_cannot_be_matched_is_refused() -> None:
    with pytest.raises(DataError, match=r"no column of the data is a variable of the network \(age, smoker, risk\)"):
        match_rows(NET, {"Risk": ["low"]}, "test")
    with pytest.raises(InputError, match="must be a path, a data frame"):
        match_rows(NET, 7, "test")
    with pytest.raises(DataError, match="differ in length"):
        match_rows(NET, {"age": [40], "risk": ["low", "low"]}, "test")
    with pytest.raises(DataError, match="not categories"):
        match_rows(NET, pd.DataFrame({"age": pd.to_datetime(["2020-01-01"])}), "test")


def test_codes_are_as_narrow_as_the_levels_allow() -> None:
    for arity, dtype in ((127, np.int8), (128, np.int8), (129, np.int16), (2**15 + 1, np.int32)):
        net = Network(Dag.empty(["a"]), {"a": range(arity)}, {"a": np.full(arity, 1 / arity)})
        (column,) = match_columns(net, {"a": [arity - 1, 0, arity, None]}, "test").columns
        assert column is not None
        assert column.dtype == dtype
        assert column.tolist() == [arity - 1, 0, UNKNOWN, MISSING]
