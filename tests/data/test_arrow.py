"""Invalid Arrow memory from any source is refused; valid memory is read as plain Python reads it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Discretizer, read_table
from qnml.errors import DataError, FileFormatError, InputError, MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

_ROWS = 41


def _dictionary(bad: int, kind: pa.DataType | None = None) -> pa.Array:
    indices = pa.array([0, 1] * 20 + [bad], kind or pa.int16())
    return pa.DictionaryArray.from_arrays(indices, pa.array(["x", "y"]), safe=False)


def _text(offsets: list[int], letters: bytes) -> pa.Array:
    return pa.StringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(np.array(offsets, np.int32)), pa.py_buffer(letters)
    )


_DAMAGED = {
    "index 200": _dictionary(200),
    "index 30000": _dictionary(30_000),
    "index -5": _dictionary(-5),
    "index 2 of 8 bits": _dictionary(2, pa.uint8()),
    "offset in the middle": _text([0, 1, 2, 10_000_000] + [3] * 38, b"abc"),
    "offsets that fall": _text([0, 3, 1] + [3] * 39, b"abc"),
    "not UTF-8": _text(list(range(_ROWS + 1)), b"\xff" * _ROWS),
    "not UTF-8 in the dictionary": pa.DictionaryArray.from_arrays(
        pa.array([0] * _ROWS, pa.int8()), _text([0, 1], b"\xff"), safe=False
    ),
}


def _table(column: pa.Array) -> pa.Table:
    return pa.table({"good": ["u"] * _ROWS, "bad": column})


class _Capsule:
    """A library known only by its Arrow C interface."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


_CARRIERS = {
    "table": lambda column: _table(column),
    "chunks": lambda column: pa.concat_tables([_table(column), _table(column)]),
    "record batch": lambda column: _table(column).to_batches()[0],
    "C interface": lambda column: _Capsule(_table(column)),
    "mapping of arrays": lambda column: {"good": ["u"] * _ROWS, "bad": column},
    "mapping of chunks": lambda column: {"good": ["u"] * _ROWS, "bad": pa.chunked_array([column])},
    "pandas": lambda column: pd.DataFrame({"bad": pd.Series(pd.arrays.ArrowExtensionArray(column))}),
    "pandas in a mapping": lambda column: {"bad": pd.Series(pd.arrays.ArrowExtensionArray(column))},
}


@pytest.mark.parametrize("carrier", _CARRIERS)
@pytest.mark.parametrize("damage", _DAMAGED)
def test_damaged_memory_is_refused_and_the_column_named(damage: str, carrier: str) -> None:
    with pytest.raises(DataError, match="column 'bad' is damaged"):
        read_table(_CARRIERS[carrier](_DAMAGED[damage]))


@pytest.mark.parametrize("carrier", _CARRIERS)
def test_good_memory_is_read_from_every_carrier(carrier: str) -> None:
    table = read_table(_CARRIERS[carrier](_dictionary(1)))
    assert table.labels("bad").tolist()[:_ROWS] == ["x", "y"] * 20 + ["y"]


@pytest.mark.parametrize("damage", [name for name in _DAMAGED if name.startswith("index")])
def test_a_file_with_a_damaged_column_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "t.feather"
    pyarrow.feather.write_feather(_table(_DAMAGED[damage]), path, compression="uncompressed")
    with pytest.raises(FileFormatError, match="column 'bad' is damaged"):
        read_table(path)


@pytest.mark.parametrize("ending", ["arrow", "parquet"])
def test_text_that_is_not_utf8_in_a_file_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    write = pyarrow.parquet.write_table if ending == "parquet" else pyarrow.feather.write_feather
    write(_table(_DAMAGED["not UTF-8"]), path)
    with pytest.raises((FileFormatError, DataError)):
        read_table(path)


def test_polars_text_that_is_not_utf8_is_refused() -> None:
    frame = pl.from_arrow(_table(_DAMAGED["not UTF-8"]))
    with pytest.raises(DataError, match="column 'bad' holds bytes that are not UTF-8"):
        read_table(frame)


@pytest.mark.parametrize("bad", [2, 77, -2, -9])
@pytest.mark.parametrize("bare", [False, True])
def test_damaged_pandas_categories_are_refused(bad: int, bare: bool) -> None:
    values = pd.Categorical(["x", "y", "x"])
    values._ndarray[-1] = bad
    source: Any = {"bad": values} if bare else pd.DataFrame({"bad": pd.Series(values, copy=False)})
    with pytest.raises(DataError, match=f"column 'bad' is damaged: a cell holds the category number {bad}"):
        read_table(source)


def test_damaged_labels_of_pandas_categories_are_refused() -> None:
    labels = pd.Index(pd.arrays.ArrowExtensionArray(pa.chunked_array([_text([0, 1, 9_000_000, 2], b"xy")])))
    values = pd.Categorical.from_codes([0, 1, 0], dtype=pd.CategoricalDtype(["x", "y", "z"]))
    values._dtype._categories = labels
    with pytest.raises(DataError, match="column 'bad' is damaged"):
        read_table({"bad": values})


def test_the_discretizer_refuses_damaged_numbers() -> None:
    buffers = [pa.py_buffer(b"\xff" * 8), pa.py_buffer(b"\0" * 8 * _ROWS)]
    miscounted = pa.Array.from_buffers(pa.float64(), _ROWS, buffers, null_count=5)
    with pytest.raises(DataError, match="column 'bad' is damaged"):
        Discretizer().fit(_table(miscounted))


def test_a_type_that_no_one_counts_is_named() -> None:
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    with pytest.raises(DataError, match=r"'bad' holds .*union"):
        read_table(pa.table({"bad": union}))


def test_a_single_arrow_array_is_no_table() -> None:
    with pytest.raises(InputError, match="a data frame"):
        read_table(pa.array([1, 2]))


def test_the_c_interface_needs_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _Capsule(_table(_dictionary(1)))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="Install it"):
        read_table(source)


@given(
    st.lists(st.one_of(st.none(), st.integers(-3, 6)), min_size=1, max_size=12),
    st.sampled_from([pa.int8(), pa.int16(), pa.int32(), pa.int64()]),
    st.integers(1, 5),
    st.integers(0, 11),
)
def test_dictionary_indices_out_of_range_are_refused_and_others_read(
    indices: list[int | None], kind: pa.DataType, size: int, cut: int
) -> None:
    labels = ["a", "b", "c", "d", "e"][:size]
    array = pa.DictionaryArray.from_arrays(pa.array(indices, kind), pa.array(labels), safe=False)
    source = pa.table({"v": pa.chunked_array([array[:cut], array[cut:]])})
    if any(index is not None and not 0 <= index < size for index in indices):
        with pytest.raises(DataError, match="column 'v' is damaged"):
            read_table(source, missing="category")
        return
    table = read_table(source, missing="category")
    expected = ["?" if index is None else labels[index] for index in indices]
    assert table.labels("v").tolist() == expected
    assert table.levels["v"][:size] == tuple(labels)
