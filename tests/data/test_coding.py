"""The levels of a column, declared, observed or given; their number; and the refusal of real values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Table, read_table
from qnml.errors import DataError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

_LABELS = ["z", "never", "a"]
_CODES = [0, 2, 2, 0]


def _categories(ordered: bool = False) -> pd.Categorical:
    return pd.Categorical.from_codes(_CODES, _LABELS, ordered=ordered)


_DECLARED = {
    "pandas": lambda: pd.DataFrame({"c": _categories()}),
    "pandas ordered": lambda: pd.DataFrame({"c": _categories(ordered=True)}),
    "pandas.Categorical": lambda: {"c": _categories()},
    "polars Enum": lambda: pl.DataFrame({"c": pl.Series(["z", "a", "a", "z"], dtype=pl.Enum(_LABELS))}),
    "arrow dictionary": lambda: pa.table({"c": pa.DictionaryArray.from_arrays(_CODES, _LABELS)}),
    "arrow from pandas": lambda: pa.Table.from_pandas(pd.DataFrame({"c": _categories()})),
    "arrow from Enum": lambda: pl.DataFrame({"c": pl.Series(["z", "a", "a", "z"], dtype=pl.Enum(_LABELS))}).to_arrow(),
    "arrow, other dictionary in each chunk": lambda: pa.table(
        {
            "c": pa.chunked_array(
                [
                    pa.DictionaryArray.from_arrays([0, 2], ["z", "never", "a"]),
                    pa.DictionaryArray.from_arrays([1, 0], ["z", "a"]),
                ]
            )
        }
    ),
    "pandas with an arrow dictionary": lambda: pd.DataFrame(
        {"c": pd.Series(pd.arrays.ArrowExtensionArray(pa.DictionaryArray.from_arrays(_CODES, _LABELS)))}
    ),
    "table": lambda: Table.from_codes({"c": _CODES}, levels=[_LABELS]),
}


@pytest.mark.parametrize("kind", _DECLARED)
def test_declared_levels_keep_their_order_and_the_unseen(kind: str) -> None:
    table = read_table(_DECLARED[kind]())
    assert table.levels["c"] == ("z", "never", "a")
    assert table.codes("c").tolist() == _CODES
    observed = read_table(_DECLARED[kind](), levels="observed")
    assert observed.levels["c"] == ("z", "a")
    assert observed.codes("c").tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("ending", ["parquet", "feather"])
@pytest.mark.parametrize("kind", ["pandas", "polars Enum", "arrow dictionary"])
def test_declared_levels_survive_arrow_files(tmp_path: Path, kind: str, ending: str) -> None:
    path, frame = tmp_path / f"t.{ending}", _DECLARED[kind]()
    if isinstance(frame, pd.DataFrame):
        frame.to_parquet(path) if ending == "parquet" else frame.to_feather(path)
    elif isinstance(frame, pl.DataFrame):
        frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
    elif ending == "parquet":
        pyarrow.parquet.write_table(frame, path)
    else:
        pyarrow.feather.write_feather(frame, path)
    assert read_table(path).levels["c"] == ("z", "never", "a")
    assert read_table(path).codes("c").tolist() == _CODES


def test_missing_categories_in_a_feather_file(tmp_path: Path) -> None:
    # pandas writes -1 into the hidden slots, which not every reader takes
    pd.DataFrame({"c": pd.Categorical(["b", None], categories=["c", "b"])}).to_feather(tmp_path / "t.feather")
    table = read_table(tmp_path / "t.feather", missing="category")
    assert table.levels["c"] == ("c", "b", "?")
    assert table.codes("c").tolist() == [1, 2]


def test_a_polars_categorical_declares_nothing() -> None:
    pl.Series(["other", "z", "a"], dtype=pl.Categorical)  # fills the categories all columns share
    frame = pl.DataFrame({"c": pl.Series(["z", "a", "z"], dtype=pl.Categorical)})
    assert read_table(frame).levels["c"] == ("a", "z")
    assert read_table(frame.to_arrow()).levels["c"] == ("a", "z")


def test_categories_of_any_kind_become_labels() -> None:
    numbers = pd.DataFrame({"c": pd.Categorical([3.0, 1.0], categories=[7.0, 3.0, 1.0])})
    assert read_table(numbers).levels["c"] == (7, 3, 1)
    assert all(type(label) is int for label in read_table(numbers).levels["c"])
    intervals = pd.DataFrame({"c": pd.cut([0.5, 1.5], [0, 1, 2, 3])})
    assert read_table(intervals).levels["c"] == ("(0, 1]", "(1, 2]", "(2, 3]")
    booleans = pd.DataFrame({"c": pd.Categorical([True], categories=[True, False])})
    assert read_table(booleans).levels["c"] == (True, False)


def test_text_sorts_by_code_point_and_integers_by_value() -> None:
    table = read_table({"text": ["b", "B", "10", "9", "é", ""], "number": [10, 9, -1, 10, 100, 9]})
    assert table.levels["text"] == ("", "10", "9", "B", "b", "é")
    assert table.levels["number"] == (-1, 9, 10, 100)


def test_observed_booleans_keep_only_what_occurs() -> None:
    assert read_table({"b": [True, True]}, levels="observed").levels["b"] == (True,)


def test_given_levels_replace_those_of_the_named_columns() -> None:
    source = {"a": ["no", "yes", "no"], "b": [1, 2, 1]}
    table = read_table(source, levels={"a": ["yes", "perhaps", "no"]})
    assert table.levels == (("yes", "perhaps", "no"), (1, 2))
    assert table.codes("a").tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    ("cells", "given_labels", "codes"),
    [
        ([0, 1, 1], ["1", "0"], [1, 0, 0]),
        (["0", "1"], [1, 0], [1, 0]),
        ([True, False], ["False", "True"], [1, 0]),
        ([True, False], [0, 1], [1, 0]),
        ([1, 0], [False, True], [1, 0]),
        ([2.0, 1.0], ["1", "2", "3"], [1, 0]),
        (["a", "b"], np.array(["b", "a"]), [1, 0]),
    ],
)
def test_given_labels_match_by_value_or_as_text(
    cells: list[object], given_labels: list[object], codes: list[int]
) -> None:
    table = read_table({"a": cells}, levels={"a": given_labels})
    assert table.codes("a").tolist() == codes
    assert table.levels["a"] == tuple(given_labels)


def test_given_levels_must_cover_what_occurs() -> None:
    with pytest.raises(DataError, match=r"'a' holds labels .* not list: 'maybe', 'no'\. Add them"):
        read_table({"a": ["no", "yes", "maybe"]}, levels={"a": ["yes"]})
    with pytest.raises(DataError, match="and 15 more"):
        read_table({"a": list(range(20))}, levels={"a": ["yes"]})
    with pytest.raises(UnknownNameError, match="Did you mean 'smoke'"):
        read_table({"smoke": ["no"]}, levels={"somke": ["no"]})
    with pytest.raises(DataError, match="two labels of column 'a' match the same given level"):
        # 1 equals True by value, "True" reads the same
        Table.from_codes({"a": [0, 1]}, levels=[["True", 1]]).with_levels({"a": [True]})


@pytest.mark.parametrize("kind", ["text", "integers", "spread integers", "categories"])
def test_65_536_levels_are_the_most(kind: str) -> None:
    def column(count: int) -> object:
        numbers = np.arange(count)
        if kind == "text":
            return pl.DataFrame({"id": [f"{number:06}" for number in numbers]})
        if kind == "integers":
            return {"id": numbers}
        if kind == "spread integers":
            return {"id": numbers * 1_000_003}
        return pd.DataFrame({"id": pd.Categorical.from_codes([0], [str(number) for number in numbers])})

    table = read_table(column(65_536))
    assert table.arities["id"] == 65_536
    assert table.codes("id").dtype == np.uint16
    assert table.codes("id")[-1] == (0 if kind == "categories" else 65_535)
    with pytest.raises(DataError, match=r"'id' has 65,537 different values.*identifier"):
        read_table(column(65_537))


@pytest.mark.parametrize(
    "source",
    [
        {"size": [1.0, 5.25, 2.0]},
        np.array([[1.0], [5.25]]),
        pd.DataFrame({"size": [5.25, None]}),
        pl.DataFrame({"size": [None, 5.25]}),
        pl.DataFrame({"size": pl.Series([5.25], dtype=pl.Float32)}),
        pl.DataFrame({"size": pl.Series(["5.25"]).cast(pl.Decimal(6, 2))}),
        pa.table({"size": [1.0, 5.25]}),
    ],
)
def test_real_values_are_sent_to_the_discretizer(source: object) -> None:
    with pytest.raises(DataError, match=r"column '(size|X1)' holds real values, such as 5\.25.*Discretizer"):
        read_table(source, missing="category")


def test_infinity_and_huge_floats_are_not_levels() -> None:
    with pytest.raises(DataError, match="real values, such as inf"):
        read_table({"a": [1.0, float("inf")]})
    with pytest.raises(DataError, match="beyond 64 bits"):
        read_table({"a": [1e30]})


_cells = st.one_of(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), min_size=1, max_size=30),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30),
    st.lists(st.integers(-3, 3), min_size=1, max_size=30),
    st.lists(st.booleans(), min_size=1, max_size=30),
)


@given(_cells)
def test_codes_decode_to_the_cells(cells: list[object]) -> None:
    expected_levels = [False, True] if isinstance(cells[0], bool) else sorted(set(cells))
    for source in (
        {"a": cells},
        pd.DataFrame({"a": cells}),
        pl.DataFrame({"a": cells}),
        pa.table({"a": cells}),
    ):
        table = read_table(source)
        assert table.labels("a").tolist() == cells
        assert list(table.levels["a"]) == expected_levels
