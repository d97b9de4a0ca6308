"""`Table`: its content, refused arguments, and immutability."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Columnwise, Table, read_table
from qnml.errors import DataError, InputError, UnknownNameError


@pytest.fixture
def table() -> Table:
    return Table.from_codes(
        [[0, 1, 1, 0], [2, 0, 0, 2], [0, 0, 0, 0]],
        names=["smoke", "risk", "constant"],
        levels=[["no", "yes"], ["low", "middle", "high"], ["only"]],
        weights=[1, 2, 3, 4],
    )


def test_holds_names_levels_codes_and_weights(table: Table) -> None:
    assert table.names == ("smoke", "risk", "constant")
    assert table.levels == (("no", "yes"), ("low", "middle", "high"), ("only",))
    assert table.levels["risk"] == ("low", "middle", "high")
    assert table.arities == (2, 3, 1)
    assert table.arities["constant"] == table.arities[-1] == 1
    assert (table.n_rows, len(table), table.total) == (4, 4, 10)
    assert table.codes("risk").tolist() == table.codes(1).tolist() == [2, 0, 0, 2]
    assert table.labels("smoke").tolist() == ["no", "yes", "yes", "no"]
    assert table.index("risk") == 1
    assert table.index(-1) == 2
    assert repr(table) == "Table(4 rows counting 10; smoke: 2, risk: 3, constant: 1)"


def test_total_is_the_number_of_rows_without_weights() -> None:
    table = Table.from_codes([[0, 1, 0]])
    assert table.weights is None
    assert table.total == table.n_rows == 3


def test_two_dimensional_codes_are_rows_by_variables() -> None:
    table = Table.from_codes(np.array([[0, 5], [1, 0], [0, 3]], dtype=np.int32))
    assert table.names == ("X1", "X2")
    assert table.arities == (2, 6)
    assert table.codes("X2").tolist() == [5, 0, 3]
    assert table.levels["X1"] == (0, 1)


def test_columns_by_name_and_numbers_of_levels() -> None:
    table = Table.from_codes({"a": [0, 1], "b": [0, 0]}, levels={"a": 4})
    assert table.arities == (4, 1)
    assert table.levels["a"] == (0, 1, 2, 3)


@pytest.mark.parametrize(("arity", "dtype"), [(1, np.uint8), (256, np.uint8), (257, np.uint16), (65_536, np.uint16)])
def test_codes_are_the_narrowest_that_fit(arity: int, dtype: type) -> None:
    table = Table.from_codes([[0, arity - 1]], levels=[arity])
    assert table.codes(0).dtype == dtype
    assert table.codes(0).tolist() == [0, arity - 1]
    assert table.codes(0).flags.c_contiguous


def test_arrays_cannot_be_written_to(table: Table) -> None:
    assert table.weights is not None
    for array in (*table.columns, table.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)


def test_the_caller_s_array_may_change_without_changing_the_table() -> None:
    codes = np.array([[0], [1]], dtype=np.uint8)
    weights = np.array([1, 1], dtype=np.uint64)
    table = Table.from_codes(codes, weights=weights)
    codes[0, 0] = 1
    weights[0] = 9
    assert table.codes(0).tolist() == [0, 1]
    assert table.total == 2


def test_attributes_cannot_be_set(table: Table) -> None:
    with pytest.raises(AttributeError, match="is immutable"):
        table.names = ("a", "b", "c")
    with pytest.raises(AttributeError, match="is immutable"):
        del table.names
    with pytest.raises(TypeError, match="read_table"):
        Table()


def test_pickle_and_copy_give_an_equal_immutable_table(table: Table) -> None:
    for other in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), copy.copy(table)):
        assert other == table
        assert other.levels["risk"] == table.levels["risk"]
        assert not other.columns[0].flags.writeable


def test_equality_looks_at_everything(table: Table) -> None:
    assert table == table.take(slice(None))
    assert table != table.with_weights([1, 2, 3, 5])
    assert table != table.take([1, 0, 2, 3])
    assert table != table.select(["risk", "smoke", "constant"])
    assert table != table.with_levels({"constant": ["other", "only"]})
    assert table.with_weights(None) == table.with_weights([1, 1, 1, 1])
    assert table != "table"


def test_select_keeps_the_order_asked_for(table: Table) -> None:
    chosen = table.select(["constant", 0])
    assert chosen.names == ("constant", "smoke")
    assert chosen.levels == (("only",), ("no", "yes"))
    assert chosen.total == table.total
    with pytest.raises(DataError, match="repeated: 'smoke'"):
        table.select(["smoke", 0])
    with pytest.raises(InputError, match="a list of column names"):
        table.select("smoke")
    with pytest.raises(DataError, match="no columns"):
        table.select([])


def test_take_by_position_mask_and_slice(table: Table) -> None:
    for rows in ([3, 3, 1], np.array([3, 3, 1]), [-1, -1, 1]):
        taken = table.take(rows)
        assert taken.labels("risk").tolist() == ["high", "high", "low"]
        assert taken.weights is not None
        assert taken.weights.tolist() == [4, 4, 2]
    assert table.take([False, True, False, True]).total == 6
    assert table.take(slice(1, 3)).total == 5
    assert table.take(slice(1, 3)).levels == table.levels
    with pytest.raises(DataError, match="no rows"):
        table.take([])
    for wrong in ([4], [True, False], [[0]], [0.5]):
        with pytest.raises(InputError, match=r"Table\.take"):
            table.take(wrong)


def test_with_levels_recodes_to_the_given_order(table: Table) -> None:
    other = table.with_levels({"risk": ["high", "none", "low"]})
    assert other.levels["risk"] == ("high", "none", "low")
    assert other.codes("risk").tolist() == [0, 2, 2, 0]
    assert other.labels("risk").tolist() == table.labels("risk").tolist()
    assert other.codes("smoke").tolist() == table.codes("smoke").tolist()


def test_with_levels_lists_the_labels_it_would_lose(table: Table) -> None:
    with pytest.raises(DataError, match=r"'risk' holds labels .* not list: 'high'"):
        table.with_levels({"risk": ["low", "middle"]})
    with pytest.raises(UnknownNameError, match="Did you mean 'risk'"):
        table.with_levels({"rsik": ["low"]})
    with pytest.raises(DataError, match="repeat 'low'"):
        table.with_levels({"risk": ["low", "high", "low"]})
    with pytest.raises(DataError, match="no levels"):
        table.with_levels({"risk": []})
    with pytest.raises(DataError, match="a list of labels"):
        table.with_levels({"risk": "low"})


def test_observed_levels_keep_their_order(table: Table) -> None:
    observed = table.with_observed_levels()
    assert observed.levels == (("no", "yes"), ("low", "high"), ("only",))
    assert observed.labels("risk").tolist() == table.labels("risk").tolist()


@pytest.mark.parametrize(
    ("columns", "keywords", "message"),
    [
        ([], {}, "no columns"),
        ([[]], {}, "no rows"),
        (np.empty((0, 3), dtype=int), {}, "no rows"),
        ([[0, 1], [0]], {}, "differ in length"),
        ([[0, -1]], {}, "level number -1"),
        ([[0, 3]], {"levels": [["a", "b"]]}, "level number 3, but has levels 0 to 1"),
        ([[0.0, 1.0]], {}, "columns of integers"),
        ([["a"]], {}, "columns of integers"),
        ([[0, [1]]], {}, "columns of integers"),
        (np.zeros(3, dtype=int), {}, "two-dimensional"),
        (5, {}, "two-dimensional"),
        ([[0]], {"names": ["a", "b"]}, "1 names"),
        ([[0]], {"names": [""]}, "non-empty strings"),
        ([[0]], {"names": "a"}, "non-empty strings"),
        ([[0], [0]], {"names": ["a", "a"]}, "repeated: 'a'"),
        ([[0]], {"names": ["height"], "levels": {"heigth": 2}}, "Did you mean 'height'"),
        ([[0]], {"levels": []}, "1 lists of labels"),
        ([[0]], {"levels": [65_537]}, "identifier"),
        ([[65_536]], {}, "65,537 different values"),
        ([[0]], {"levels": [[1, "1"]]}, "repeat '1'"),
        ([[0]], {"levels": [[1, True]]}, "repeat True"),
        ({"a": [0]}, {"names": ["b"]}, "left out"),
    ],
)
def test_refuses(columns: object, keywords: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Table.from_codes(columns, **keywords)


def test_unknown_column_is_named_with_the_nearest(table: Table) -> None:
    with pytest.raises(UnknownNameError, match=r"'smok'.*Did you mean 'smoke'"):
        table.codes("smok")
    with pytest.raises(UnknownNameError, match="Did you mean 'smoke'"):
        table.levels["smok"]
    with pytest.raises(InputError, match="0 to 2"):
        table.codes(3)


def test_to_frame_gives_labels_and_weights(table: Table) -> None:
    frame = table.to_frame()
    assert frame.columns == ["smoke", "risk", "constant", "weight"]
    assert frame.schema["risk"] == pl.Enum(["low", "middle", "high"])
    assert frame["risk"].to_list() == ["high", "low", "low", "high"]
    assert read_table(frame, weights="weight") == table
    with pytest.raises(InputError, match="a name that no column has"):
        table.to_frame(weights="risk")
    mixed = Table.from_codes([[0, 1], [1, 0], [1, 0]], levels=[[3, "?"], [False, True], [-5, 2**40]]).to_frame()
    assert mixed.rows() == [("3", True, 2**40), ("?", False, -5)]


def test_columnwise_is_a_tuple_that_knows_names() -> None:
    entries = Columnwise(["a", "b"], [1, 2])
    assert entries == (1, 2)
    assert entries["b"] == entries[1] == 2
    assert entries[:1] == (1,)
    assert entries.as_dict() == {"a": 1, "b": 2}
    assert pickle.loads(pickle.dumps(entries))["b"] == 2
    with pytest.raises(ValueError, match="2 names for 1 entries"):
        Columnwise(["a", "b"], [1])


_levels = st.lists(st.text(max_size=3) | st.integers(-5, 5), min_size=1, max_size=6, unique_by=str)


@given(levels=_levels, data=st.data())
def test_releveling_keeps_every_cell(levels: list[str | int], data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, len(levels) - 1), min_size=1, max_size=20))
    shuffled = data.draw(st.permutations(levels))
    table = Table.from_codes([codes], levels=[levels])
    other = table.with_levels({"X1": [str(label) for label in shuffled]})
    assert other.labels(0).tolist() == [str(levels[code]) for code in codes]
    assert other.levels[0] == tuple(str(label) for label in shuffled)
    assert other.with_levels({"X1": levels}) == table


def test_to_frame_takes_names_that_look_like_patterns() -> None:
    names = ["^a$", "^.*$", "*", "a"]
    table = Table.from_codes(
        [[0, 1], [1, 0], [0, 0], [1, 1]], names, [["x", "y"], [3, 4], ["z"], [False, True]], [1, 2]
    )
    frame = table.to_frame(weights="^w.*$")
    assert frame.columns == [*names, "^w.*$"]
    assert frame.rows() == [("x", 4, "z", True, 1), ("y", 3, "z", True, 2)]
    assert read_table(frame, weights="^w.*$").with_levels({"a": [False, True]}) == table
