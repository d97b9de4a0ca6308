"""Raw rows in the levels of a network that records how its data were prepared."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.preparations import BINS, PREPARATION, RAW, entry, example, plain_code, prepared_networks

import qnml
from qnml import Network, Preparation, Table
from qnml.errors import DataError, InputError
from qnml.graph import Dag
from qnml.model import from_networkx, to_networkx
from qnml.model.matching import MISSING, match_columns, match_rows
from qnml.model.preparing import preparation_of

if TYPE_CHECKING:
    from pathlib import Path

NET = example()
CODES = [[0, 1, 0, 0], [0, 2, 2, 1], [1, 0, 1, 0], [1, 2, 1, 1], [2, 1, 0, 1]]
PREPARED = PREPARATION.apply(RAW)


@pytest.mark.parametrize(
    "source",
    [
        RAW,
        pl.DataFrame(RAW, strict=False),
        pl.DataFrame(RAW, strict=False).lazy(),
        pl.DataFrame(RAW, strict=False).with_columns(pl.all().cast(pl.String)),
        pl.DataFrame(RAW, strict=False).with_columns(pl.col("town").cast(pl.Categorical)),
        pd.DataFrame(RAW),
        pd.DataFrame(RAW).astype({"town": "category", "sex": "category", "score": "category", "age": "Float64"}),
        pd.DataFrame(RAW).astype({"age": "category"}),
        pa.table({name: pa.array(cells) for name, cells in RAW.items()}),
        {name: RAW[name] for name in reversed(RAW) if name != "id"},
        {**RAW, "id": pd.to_datetime(["2020-01-01"] * 5), "more": [[1], [2], [3], [4], [5]]},
        PREPARED,
        PREPARED.to_frame(),
        {**RAW, "age": [BINS[0], "30", "30.5", BINS[1], " 1e9 "], "town": ["Rome", "(other)", "Bonn", "?", "Rome"]},
    ],
    ids=[
        *("mapping", "polars", "lazy", "text", "categorical", "pandas", "pandas-categories", "number-categories"),
        *("arrow", "without-dropped", "odd-dropped", "table", "labels", "mixed"),
    ],
)
def test_every_source_is_prepared(source: Any) -> None:
    assert match_rows(NET, source, "test").tolist() == CODES


def test_files_and_structured_arrays(tmp_path: Path) -> None:
    frame = pd.DataFrame(RAW)
    frame.to_csv(tmp_path / "raw.csv", index=False)
    assert match_rows(NET, tmp_path / "raw.csv", "test").tolist() == CODES
    numbers = np.array([(30.0, 1), (50.5, 2)], dtype=[("age", "f8"), ("score", "i4")])
    assert match_rows(NET, numbers, "test").tolist() == [[0, MISSING, MISSING, 0], [2, MISSING, MISSING, 1]]


@given(st.data())
def test_cells_become_what_the_plain_rules_say(data: st.DataObject) -> None:
    net = data.draw(prepared_networks(st.text("ab5?.", max_size=2)))
    name = data.draw(st.sampled_from(net.names))
    how = preparation_of(net, name)
    cuts = (how and how.cuts) or (0.0,)
    cells = data.draw(
        st.lists(st.none() | st.floats(allow_nan=False) | st.sampled_from(cuts), max_size=9)
        | st.lists(st.none() | st.integers(-5, 5), max_size=9)
        | st.lists(st.none() | st.text("ab5?.", max_size=3) | st.sampled_from(list(map(str, net.levels[name]))))
    )[:9]
    codes = match_rows(net, {name: pd.Series(cells, dtype=object)}, "test")
    plain = [plain_code(how, net.levels[name], _as_column(cells, cell)) for cell in cells]
    assert codes[:, net.names.index(name)].tolist() == plain


def _as_column(cells: list[Any], cell: Any) -> Any:
    # Whole numbers in a column of floats are whole numbers.
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


@given(prepared_networks(st.text(max_size=3)), st.integers(0, 2**32))
def test_rows_of_levels_are_not_changed(net: Network, seed: int) -> None:
    table = net.sample(9, seed)
    matched = match_columns(net, table, "test")
    assert matched.prepared == ()
    assert [column.tolist() for column in matched.columns if column is not None] == [
        column.tolist() for column in table.columns
    ]


def test_tables_that_were_read_raw_are_prepared() -> None:
    raw = qnml.read_table({**RAW, "age": [1, 30, 31, 50, 99]}, missing="category")
    assert raw.preparation is None or raw.preparation != NET.preparation
    assert match_rows(NET, raw, "test").tolist() == CODES
    weighted = raw.select(["age", "sex"]).with_weights([1, 2, 0, 1, 1])
    matched = match_columns(NET, weighted, "test")
    assert matched.prepared == ("age",)
    assert matched.weights is not None
    assert matched.weights.tolist() == [1, 2, 1, 1]


def test_a_table_that_was_binned_in_another_way_is_binned_by_its_numbers() -> None:
    codes, levels = [np.array([0, 0, 1, 1])], [("low", "high")]
    numbers = {"age": np.array([10.0, 31.0, 51.0, np.nan])}
    missing = [np.array([False, False, False, True])]
    table = Table._of(("age",), codes, levels, None, missing=missing, numbers=numbers)
    assert match_rows(NET, table, "test")[:, 0].tolist() == [0, 1, 2, MISSING]


def test_missing_cells_stay_missing_without_a_level_for_them() -> None:
    rows = match_rows(NET, {"age": [np.nan, 31.0], "town": [None, "x"], "sex": [None, "f"]}, "test")
    assert rows.tolist() == [[MISSING, MISSING, 2, MISSING], [1, 2, 0, MISSING]]


def test_what_was_done_is_told() -> None:
    assert match_columns(NET, RAW, "test").prepared == ("age", "town", "sex")
    assert match_columns(NET, {**RAW, "sex": ["f"] * 5}, "test").prepared == ("age", "town")
    assert match_columns(NET, PREPARED, "test").prepared == ()
    assert match_columns(NET, {"age": [BINS[0], "7"], "town": ["Bonn", "Rome"]}, "test").prepared == ("age",)


def test_a_column_that_is_no_number_is_refused_and_numbers_are_named() -> None:
    rows = {"age": [f"a{number}" for number in range(20)]}
    with pytest.raises(DataError, match=r"20 of 20 cells.*known: numbers, and the bins '\(-inf, 30\]'"):
        match_rows(NET, rows, "test")
    with pytest.raises(DataError, match=r"'young'\. Known: numbers, and the bins"):
        match_rows(NET, {"age": ["young", "3"]}, "test", unknown="raise")


def test_a_bin_without_a_level_is_unknown() -> None:
    few = PREPARATION.apply(RAW).take([0, 1]).with_observed_levels()
    net = qnml.fit(few, Dag.empty(["age"]))
    assert net.levels["age"] == (BINS[0],)
    assert match_rows(net, {"age": [5, 99]}, "test").tolist() == [[0], [-2]]


def test_predictions_for_raw_rows_are_those_for_levels_to_the_last_bit() -> None:
    raw = {name: cells for name, cells in RAW.items() if name != "score"}
    assert np.array_equal(NET.predict_proba(raw, "score"), NET.predict_proba(PREPARED, "score"))
    assert np.array_equal(NET.log_prob(RAW), NET.log_prob(PREPARED))
    assert NET.score(RAW) == NET.score(PREPARED)
    assert NET.predict(RAW, "age").tolist() == NET.predict(PREPARED, "age").tolist()
    for target in NET.names:
        of_raw, of_levels = NET.evaluate(RAW, target), NET.evaluate(PREPARED, target)
        assert of_raw.judgement == of_levels.judgement
        assert np.array_equal(of_raw.probabilities, of_levels.probabilities)
        assert set(of_raw.to_frame()[target]) <= set(NET.levels[target])
    assert NET.evaluate(RAW, "age").prepared == ("age", "town", "sex")


def test_scores_of_raw_rows_are_those_of_levels() -> None:
    assert qnml.score(RAW, NET) == qnml.score(PREPARED, NET.dag)
    assert qnml.score(pd.DataFrame(RAW), NET, "bic") == qnml.score(PREPARED, NET, "bic")
    assert qnml.explain(RAW, NET).families == qnml.explain(PREPARED, NET).families


def test_fit_keeps_the_preparation_and_update_applies_it() -> None:
    structure = Dag.from_arcs(["town", "age"], [("age", "town")])
    net = qnml.fit(PREPARED, structure)
    assert net.preparation is not None
    assert net.preparation.names == ("town", "age", "id")
    assert net.preparation.columns["age"] == PREPARATION.columns["age"]
    updated = net.update(RAW)
    assert updated.preparation == net.preparation
    twice = PREPARED.with_weights([2] * 5)
    assert updated == qnml.fit(twice, structure)
    again = qnml.fit(RAW, net)
    assert again == net
    assert again.preparation == net.preparation
    assert qnml.fit(PREPARED.select(["town", "age"]), net) == net
    assert qnml.learn(PREPARED, guard="off").fit().preparation is not None


def test_the_posterior_takes_raw_rows() -> None:
    posterior = qnml.posterior(PREPARED, n_jobs=1, guard="off")
    assert np.array_equal(posterior.predict_log_prob(RAW), posterior.predict_log_prob(PREPARED))


def test_copies_and_conversions_keep_it() -> None:
    assert NET.do({"age": 54.2}).preparation == NET.preparation
    assert pickle.loads(pickle.dumps(NET)).preparation == NET.preparation
    again = from_networkx(to_networkx(NET, tables=True))
    assert (again, again.preparation) == (NET, NET.preparation)
    bare = Network(NET.dag, NET.levels, {name: NET.table(name) for name in NET.names})
    assert bare == NET  # the tables are compared
    assert bare.preparation is None
    assert "preparation" not in to_networkx(bare, tables=True).graph


def test_the_network_keeps_its_own_part() -> None:
    net = Network(Dag.empty(["age"]), {"age": BINS}, {"age": [0.2, 0.3, 0.5]}, preparation=PREPARATION)
    assert net.preparation is not None
    assert net.preparation.names == ("age", "id")
    texts = Network(Dag.empty(["score"]), {"score": ["1", "2"]}, {"score": [0.5, 0.5]}, preparation=PREPARATION)
    assert texts.preparation is not None
    assert texts.preparation.columns["score"].levels == ("1", "2")


@pytest.mark.parametrize(
    ("preparation", "message"),
    [
        ("auto", "must be a qnml.Preparation, or None"),
        (
            PREPARATION.with_levels({"age": ["a", "b", "c"]}),
            r"the levels of age are \('a', 'b', 'c'\), those of the net",
        ),
        (
            Preparation([entry("age", "drop"), entry("town", "drop")]),
            "age is left out, but is a variable.*; town is left",
        ),
    ],
)
def test_a_preparation_that_does_not_fit_is_refused(preparation: Any, message: str) -> None:
    tables = {name: NET.table(name) for name in NET.names}
    with pytest.raises(InputError, match=message):
        Network(NET.dag, NET.levels, tables, preparation=preparation)


def test_notebooks_show_it_below_the_tables() -> None:
    page = NET._repr_html_()
    assert "<summary>Preparation(5 columns: 2 kept, 1 binned, 1 merged, 1 left out)</summary>" in page
    assert "3 bins, cut at 30, 50" in page


def test_what_changes_nothing_is_not_remembered() -> None:
    table = qnml.read_table({"a": ["x", "y"], "b": [1, 2]})
    assert table.preparation is not None
    assert qnml.fit(table, Dag.empty(["a", "b"])).preparation is None
    without = qnml.read_table({"a": ["x", "y"], "b": [1.5, 2.5]}, columns={"b": "drop"})
    remembered = qnml.fit(without, Dag.empty(["a"])).preparation
    assert remembered is not None
    assert remembered.dropped == ("b",)


# --- indicators: variables that say whether another column is missing


HOLED: dict[str, Any] = {"age": [1.0, None, 40.0, None, 99.0, 31.0], "ill": ["no", "yes", "no", "yes", "no", "yes"]}
INDICATED = qnml.read_table(HOLED, columns={"age": [30, 50]}, missing="indicator")
NAME = "age is missing"


def indicating(*names: str) -> Network:
    levels: dict[str, Any] = {"age": INDICATED.levels["age"], "ill": ("no", "yes"), NAME: ("no", "yes")}
    dag = Dag.from_arcs(names, [arc for arc in (("ill", NAME), ("age", NAME)) if set(arc) <= set(names)])
    generator = np.random.default_rng(3)
    tables = {
        name: generator.dirichlet(np.ones(len(levels[name])), size=[len(levels[p]) for p in dag.parents(name)])
        for name in names
    }
    return Network(dag, {name: levels[name] for name in names}, tables, preparation=INDICATED.preparation)


def test_indicators_are_added_to_raw_rows() -> None:
    for net in (indicating("age", "ill", NAME), indicating("ill", NAME), indicating(NAME)):
        matched = match_columns(net, HOLED, "test")
        assert matched.columns[-1] is not None
        assert matched.columns[-1].tolist() == [0, 1, 0, 1, 0, 0]
        assert NAME in matched.prepared
        of_table = match_columns(net, INDICATED, "test")
        assert [column.tolist() for column in of_table.columns if column is not None] == [
            column.tolist() for column in matched.columns if column is not None
        ]
        assert of_table.prepared == ()
        raw = INDICATED.select([name for name in INDICATED.names if name != NAME])
        assert match_columns(net, raw, "test").prepared == (NAME,)
    given = match_rows(indicating(NAME), {"age": [1.0, None], NAME: ["yes", "no"]}, "test")
    assert given.tolist() == [[1], [0]]


def test_whether_a_cell_is_missing_does_not_help_to_predict_it() -> None:
    net = indicating("age", "ill", NAME)
    alone = net.predict_proba({"ill": HOLED["ill"]}, "age")
    for rows in (HOLED, INDICATED):
        assert np.array_equal(net.predict_proba(rows, "age"), alone)
        assert np.array_equal(net.evaluate(rows, "age").probabilities, alone)
    untold = {"age": HOLED["age"], NAME: [None] * 6}
    assert not np.array_equal(net.predict_proba(HOLED, "ill"), net.predict_proba(untold, "ill"))


def test_a_table_of_incomplete_rows_keeps_the_holes() -> None:
    net = indicating("age", "ill", NAME)
    table = net.prepare(HOLED)
    assert table == INDICATED.select(net.names)
    assert table.codes("age").tolist() == [0, -1, 1, -1, 2, 1]
    with pytest.raises(DataError, match="2 of 6 rows have missing cells, in age"):
        net.prepare(HOLED, missing="raise")
    assert net.prepare(HOLED, missing="drop").n_rows == 4


def test_dates_that_were_kept_stay_text() -> None:
    rows = {"day": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]), "x": ["a", "b", "a"]}
    table = qnml.read_table(rows, columns={"day": "category"})
    net = qnml.fit(table, Dag.from_arcs(["day", "x"], [("day", "x")]))
    assert np.array_equal(net.log_prob(rows), net.log_prob(table))
    day = table.levels["day"][1]
    assert (
        net.query("x", {"day": pd.Timestamp("2020-01-02")}).values.tolist()
        == net.query("x", {"day": day}).values.tolist()
    )
