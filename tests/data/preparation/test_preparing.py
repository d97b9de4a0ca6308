"""`read_table` prepares columns: by request and by rule, with all problems in one error, and records it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qnml
from qnml import Preparation
from qnml.data import read_table
from qnml.errors import DataError, DroppedRowsWarning, InputError, RealValuesError

MESSY = pd.DataFrame(
    {
        "id": range(1, 41),
        "age": np.linspace(20.5, 80.0, 40),
        "bmi": [18.0, 22.5, 27.0, 31.0] * 10,
        "sex": ["f", "m"] * 20,
        "town": ["Rome"] * 30 + ["Bonn"] * 8 + [None] * 2,
        "note": [f"patient number {k} is well" for k in range(40)],
        "same": ["x"] * 40,
    }
)


def test_auto_says_what_it_did_to_each_column():
    table = read_table(MESSY, prepare="auto")
    assert table.names == ("age", "bmi", "sex", "town")
    assert table.preparation.dropped == ("id", "note", "same")
    done = {column.name: column.action for column in table.preparation.columns}
    assert done == {
        "id": "drop", "age": "bin", "bmi": "bin", "sex": "keep", "town": "keep", "note": "drop", "same": "drop",
    }  # fmt: skip
    assert table.n_missing == 2
    text = str(table.preparation)
    assert "Free text" in text
    assert "Constant: every cell is x." in text


def test_one_error_names_everything_and_one_argument_solves_it():
    frame = MESSY.assign(when=pd.to_datetime("2024-01-01"), size=0.25)
    with pytest.raises(DataError) as caught:
        read_table(frame)
    message = str(caught.value)
    for part in ("2 cells are missing, in 'town' (2)", "3 columns hold real values", "age, bmi, size", "'when'"):
        assert part in message
    assert "prepare='auto'" in message
    assert "\n" not in message
    assert read_table(frame, prepare="auto").n_rows == 40


def test_single_problems_keep_their_own_advice():
    with pytest.raises(RealValuesError, match=r"'age' holds real values, such as 20\.5.*columns={'age': 'bins'}"):
        read_table(MESSY[["age", "sex"]])
    with pytest.raises(DataError, match=r"2 cells are missing, in 'town' \(2\).*missing='em'.*missing='drop'"):
        read_table(MESSY[["town", "sex"]])


def test_columns_are_done_as_asked():
    table = read_table(
        MESSY,
        columns={
            "age": [30, 50.5],
            "bmi": "category",
            "id": "width:4",
            "note": "drop",
            "same": "drop",
            "town": "drop",
        },
    )
    assert table.levels["age"] == ("(-inf, 30]", "(30, 50.5]", "(50.5, inf)")
    assert table.levels["bmi"] == (18, "22.5", 27, 31)
    assert table.arities["id"] == 4
    assert table.names == ("id", "age", "bmi", "sex")
    assert table.preparation.columns["sex"].reason == "As it is."


def test_a_method_bins_all_numbers():
    table = read_table(MESSY[["id", "age", "bmi", "sex"]], discretize="frequency", bins=4)
    assert table.arities.as_dict() == {"id": 4, "age": 4, "bmi": 4, "sex": 2}
    by_hand = read_table(qnml.Discretizer("frequency", bins=4).fit_transform(MESSY[["id", "age", "bmi", "sex"]]))
    assert table == by_hand
    assert read_table(MESSY, prepare="auto", discretize="paper").arities["bmi"] == 4
    assert "id" not in read_table(MESSY, prepare="auto", discretize="paper").names


@pytest.mark.parametrize("method", ["paper", "nml", "width", "frequency"])
def test_codes_stay_categories_under_the_rules(method) -> None:
    rng = np.random.default_rng(0)
    columns = {"code": rng.integers(1, 5, 60), "flag": rng.integers(0, 2, 60) / 2, "x": rng.normal(size=60)}
    table = read_table(columns, prepare="auto", discretize=method)
    assert table.levels["code"] == (1, 2, 3, 4)
    assert table.arities["flag"] == 2
    assert table.preparation.columns["x"].method == method
    assert read_table(columns, discretize=method).preparation.columns["code"].action == "bin"


@pytest.mark.parametrize("method", ["nml", "paper", "width", "frequency"])
def test_bins_are_those_of_the_discretizer(method):
    frame = MESSY[["age", "bmi", "sex"]].assign(peaked=np.repeat([1.0, 1.5, 1.75, 2.0, 5.0, 9.0, 9.5, 11.0], 5))
    expected = read_table(qnml.Discretizer(method).fit_transform(frame))
    assert read_table(frame, columns=dict.fromkeys(["age", "bmi", "peaked"], method)) == expected


def test_the_rules_make_at_most_ten_bins():
    heaped = np.concatenate([np.repeat(np.arange(0.0, 200.0, 10.0), 30), np.arange(200) + 0.5])

    def bins(**how):
        return read_table({"x": heaped}, **how).arities["x"]

    assert bins(columns={"x": "nml"}) > 10
    assert bins(prepare="auto") == bins(columns={"x": "bins"}) == 10
    assert bins(columns={"x": "nml:4"}) <= 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": {"agee": "bins", "x": "drop"}}, r"no column 'agee', 'x'.*Did you mean 'age'"),
        (
            {"columns": {"age": "bin", "sex": [3, 2], "id": []}},
            r"age: 'bin'; sex: \[3, 2\]; id: \[\]: must",
        ),
        ({"columns": {"age": "paper:4"}}, "age: 'paper:4'"),
        ({"columns": {"age": "width:1"}}, "age: 'width:1'"),
        ({"columns": {"age": [1, np.nan]}}, "age"),
        ({"columns": {"age": 3}}, "age: 3"),
        ({"columns": ["age"]}, "a mapping"),
        ({"columns": {3: "bins"}}, "a mapping"),
        ({"prepare": "yes"}, "prepare='yes'"),
        ({"discretize": "joint"}, "discretize='joint'"),
        ({"bins": 1}, "bins=1"),
        ({"columns": {"town": "bins"}, "missing": "em"}, "'town' holds text values, which cannot be binned"),
        ({"columns": dict.fromkeys(MESSY.columns, "drop")}, "no column is left"),
    ],
)
def test_wrong_requests_are_one_clear_error(arguments, message):
    with pytest.raises(InputError, match=message):
        read_table(MESSY, **{"prepare": "auto", **arguments})


def test_numbers_in_text_and_categories_are_binned_if_asked():
    frame = pd.DataFrame({"code": ["007", "3", "12"] * 4, "class": pd.Categorical([1, 5, 9] * 4)})
    table = read_table(frame, columns={"code": [5], "class": [5]})
    assert table.labels("code").tolist()[:3] == ["(5, inf)", "(-inf, 5]", "(5, inf)"]
    assert table.labels("class").tolist()[:3] == ["(-inf, 5]", "(-inf, 5]", "(5, inf)"]


def holed(count, total=40):
    return pd.DataFrame({"a": [None] * count + ["x", "y"] * ((total - count) // 2), "b": ["u", "v"] * (total // 2)})


def test_dropping_says_so_warns_and_refuses():
    assert str(read_table(holed(8), missing="drop").preparation).startswith("32 of 40 rows are left")
    with pytest.warns(DroppedRowsWarning, match="leaves 30 of 40 rows.*missing='em'"):
        read_table(holed(10), missing="drop")
    with pytest.raises(DataError, match="leaves 4 of 40 rows, too few"):
        read_table(holed(36), missing="drop")
    with pytest.raises(DataError, match="every row has a missing cell"):
        read_table({"a": [None, "x"], "b": ["y", None]}, missing="drop")


def test_columns_that_are_left_out_cost_no_rows():
    frame = holed(8).assign(empty=None, rare=[1] * 4 + [None] * 36)
    table = read_table(frame, prepare="auto", missing="drop")
    assert table.n_rows == 32
    assert table.names == ("a", "b")


def test_what_becomes_constant_by_dropping_rows_is_left_out():
    frame = pd.DataFrame({"a": [None, *["x", "y"] * 10], "b": ["rare", *["often"] * 20]})
    assert read_table(frame, prepare="auto", missing="drop").names == ("a",)


def test_an_empty_column_cannot_be_estimated():
    with pytest.raises(DataError, match="every cell of column 'b' is missing"):
        read_table({"a": ["x", "y"], "b": [None, None]}, missing="em")


def test_indicators_can_be_applied_to_new_rows():
    table = read_table(holed(8), missing="indicator")
    assert table.names == ("a", "b", "a is missing")
    assert table.preparation.indicators == ("a is missing",)
    assert table.preparation.apply(holed(8)) == table
    assert table.preparation.apply(table) == table
    assert table.preparation.apply(holed(0)).labels("a is missing").tolist() == ["no"] * 40
    taken = holed(8).assign(**{"a is missing": "x"})
    assert read_table(taken, missing="indicator").preparation.indicators == ("a is missing_",)


def test_a_table_is_prepared_as_its_source():
    strict = read_table(MESSY[["id", "sex"]])
    assert read_table(strict, columns={"id": [20]}).arities["id"] == 2
    assert read_table(strict, prepare="auto") == strict  # its levels are declared
    weighted = read_table({"x": [1, 2], "n": [3, 4]}, weights="n")
    assert read_table(weighted, columns={"x": [1]}).weights.tolist() == [3, 4]


def test_weights_count_rows_in_the_record_and_in_the_bins():
    frame = pd.DataFrame({"x": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5], "n": [1, 1, 1, 1, 1, 5]})
    weighted = read_table(frame, columns={"x": "frequency:2"}, weights="n")
    repeated = read_table({"x": np.repeat(frame["x"], frame["n"])}, columns={"x": "frequency:2"})
    assert weighted.levels == repeated.levels
    assert weighted.preparation.n_rows == repeated.preparation.n_rows == 10


reals = st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3)))
words = st.one_of(st.none(), st.sampled_from(["x", "y", "?", "7", "long label"]))
whole = st.one_of(st.none(), st.integers(-(2**40), 2**40))
frames = st.integers(8, 30).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            "real": st.lists(reals, min_size=size, max_size=size),
            "word": st.lists(words, min_size=size, max_size=size),
            "whole": st.lists(whole, min_size=size, max_size=size),
            "few": st.lists(st.integers(0, 3), min_size=size, max_size=size),
        }
    )
)


@given(frames, st.sampled_from(["category", "em", "indicator"]))
def test_applying_a_preparation_gives_the_same_table_and_twice_changes_nothing(frame, missing):
    try:
        table = read_table(frame, prepare="auto", missing=missing)
    except DataError as error:
        assert "no column is left" in str(error)  # noqa: PT017
        return
    preparation = Preparation.from_dict(table.preparation.to_dict())
    assert preparation == table.preparation
    once = preparation.apply(frame)
    assert once == table
    assert preparation.apply(once) == table
    assert preparation.apply(table.to_frame()) == table


@pytest.mark.parametrize("name", ["bc_wisconsin", "glass", "heart_hungarian", "shuttle", "iris"])
def test_raw_sets_of_the_paper(name, data_folder):
    (path,) = (data_folder / "uci").glob(f"{name}.csv*")
    table = read_table(path, prepare="auto")
    dropped = {"bc_wisconsin": ("sample_code_number",), "glass": ("Id",), "heart_hungarian": ("ca", "thal")}
    assert table.preparation.dropped == dropped.get(name, ())
    assert table.preparation.apply(path) == table
