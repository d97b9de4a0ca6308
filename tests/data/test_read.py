"""Every kind of source gives the same table."""

from __future__ import annotations

import gzip
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from qnml.data import Table, read_table
from qnml.errors import DataError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TEXT = ["no", "yes", "no", "maybe, no", 'a "b"', "é", "yes"]
_NUMBER = [10, 9, -1, 10, 9, 9, 300]
_EXPECTED = Table.from_codes(
    [[2, 3, 2, 1, 0, 4, 3], [2, 1, 0, 2, 1, 1, 3]],
    names=["text", "number"],
    levels=[['a "b"', "maybe, no", "no", "yes", "é"], [-1, 9, 10, 300]],
)


def _polars() -> pl.DataFrame:
    return pl.DataFrame({"text": _TEXT, "number": _NUMBER})


def _pandas() -> pd.DataFrame:
    return pd.DataFrame({"text": _TEXT, "number": _NUMBER})


def _objects() -> np.ndarray:
    array = np.empty(len(_TEXT), dtype=[("text", object), ("number", "i2")])
    array["text"], array["number"] = _TEXT, _NUMBER
    return array


_FRAMES: dict[str, Callable[[], object]] = {
    "polars": _polars,
    "polars lazy": lambda: _polars().lazy(),
    "polars categorical": lambda: _polars().with_columns(pl.col("text").cast(pl.Categorical)),
    "polars small integers": lambda: _polars().with_columns(pl.col("number").cast(pl.Int16)),
    "polars decimal": lambda: _polars().with_columns(pl.col("number").cast(pl.Decimal(10, 2))),
    "pandas": _pandas,
    "pandas object": lambda: _pandas().astype({"text": object}),
    "pandas object numbers": lambda: _pandas().astype(object),
    "pandas string": lambda: _pandas().astype({"text": "string", "number": "Int64"}),
    "pandas floats": lambda: _pandas().astype({"number": float}),
    "pandas arrow": lambda: _pandas().astype({"text": pd.ArrowDtype(pa.string())}),
    "pandas odd index": lambda: _pandas().set_index(pd.Index([5] * 7)),
    "pyarrow": lambda: _polars().to_arrow(),
    "pyarrow chunked": lambda: pa.concat_tables([_polars().to_arrow()[:3], _polars().to_arrow()[3:]]),
    "pyarrow from polars categorical": lambda: _polars().with_columns(pl.col("text").cast(pl.Categorical)).to_arrow(),
    "mapping of lists": lambda: {"text": _TEXT, "number": _NUMBER},
    "mapping of arrays": lambda: {"text": np.array(_TEXT), "number": np.array(_NUMBER, dtype=np.int16)},
    "mapping of series": lambda: {"text": pd.Series(_TEXT), "number": pl.Series(_NUMBER)},
    "mapping of tuples": lambda: {"text": tuple(_TEXT), "number": tuple(_NUMBER)},
    "structured array": _objects,
    "table": lambda: _EXPECTED,
}


def _assert_same(table: Table, expected: Table) -> None:
    assert table == expected
    # 1 == True == 1.0 in Python: look at the types as well
    for labels, wanted in zip(table.levels, expected.levels, strict=True):
        assert [type(label) for label in labels] == [type(label) for label in wanted]
    assert [column.dtype for column in table.columns] == [column.dtype for column in expected.columns]


@pytest.mark.parametrize("kind", _FRAMES)
def test_frames_arrays_and_mappings(kind: str) -> None:
    _assert_same(read_table(_FRAMES[kind]()), _EXPECTED)


def _write_csv(path: Path, frame: pl.DataFrame) -> None:
    path.write_text(frame.write_csv(), encoding="utf-8")


def _write_gzip(path: Path, frame: pl.DataFrame) -> None:
    path.write_bytes(gzip.compress(frame.write_csv(separator="\t" if "tsv" in path.name else ",").encode()))


_WRITERS: dict[str, tuple[str, Callable[[Path, pl.DataFrame], object]]] = {
    "csv": ("t.csv", _write_csv),
    "capitals": ("T.CSV", _write_csv),
    "csv by pandas": ("t.csv", lambda path, frame: _pandas().to_csv(path, index=False)),
    "tsv": ("t.tsv", lambda path, frame: path.write_text(frame.write_csv(separator="\t"), encoding="utf-8")),
    "csv.gz": ("t.csv.gz", _write_gzip),
    "tsv.gz": ("t.tsv.gz", _write_gzip),
    "parquet": ("t.parquet", lambda path, frame: frame.write_parquet(path)),
    "parquet by pandas": ("t.parquet", lambda path, frame: _pandas().to_parquet(path)),
    "feather": ("t.feather", lambda path, frame: frame.write_ipc(path)),
    "feather by pandas": ("t.feather", lambda path, frame: _pandas().to_feather(path)),
    "feather by pyarrow": (
        "t.feather",
        lambda path, frame: pyarrow.feather.write_feather(frame.to_arrow(), path),
    ),
    "arrow compressed": ("t.arrow", lambda path, frame: frame.write_ipc(path, compression="zstd")),
    "ipc": ("t.ipc", lambda path, frame: frame.write_ipc(path)),
    "categorical parquet": (
        "t.parquet",
        lambda path, frame: frame.with_columns(pl.col("text").cast(pl.Categorical)).write_parquet(path),
    ),
}


@pytest.mark.parametrize("kind", _WRITERS)
@pytest.mark.parametrize("as_text", [True, False])
def test_files(tmp_path: Path, kind: str, as_text: bool) -> None:
    name, write = _WRITERS[kind]
    path = tmp_path / name
    write(path, _polars())
    _assert_same(read_table(str(path) if as_text else path), _EXPECTED)


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.uint64, np.float32, object])
def test_numeric_arrays(dtype: type) -> None:
    array = np.array([[1, 200], [0, 7], [1, 7]]).astype(dtype)
    expected = Table.from_codes([[1, 0, 1], [1, 0, 0]], levels=[[0, 1], [7, 200]])
    _assert_same(read_table(array), expected)
    _assert_same(read_table(np.asfortranarray(array)), expected)


@pytest.mark.parametrize("dtype", ["U5", "S5", object, "T"])
def test_text_arrays(dtype: object) -> None:
    if dtype == "T" and not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy 1 has no text of variable length")
    array = np.array([["b", "x"], ["a", "x"]]).astype(dtype)
    _assert_same(read_table(array), Table.from_codes([[1, 0], [0, 0]], levels=[["a", "b"], ["x"]]))


def test_masked_array_cells_are_missing() -> None:
    array = np.ma.MaskedArray([[1, 2], [3, 4], [5, 2]], mask=[[0, 0], [1, 0], [0, 0]])
    with pytest.raises(DataError, match=r"1 cell is missing, in 'X1' \(1\)"):
        read_table(array)
    assert read_table(array, missing="category").labels("X1").tolist() == [1, "?", 5]


def test_booleans_have_two_levels_however_they_come() -> None:
    expected = Table.from_codes({"b": [1, 1]}, levels=[[False, True]])
    for source in (
        {"b": [True, True]},
        {"b": [np.True_, True]},
        np.array([[True], [True]]),
        pd.DataFrame({"b": [True, True]}),
        pd.DataFrame({"b": pd.array([True, True], dtype="boolean")}),
        pl.DataFrame({"b": [True, True]}),
        pa.table({"b": [True, True]}),
    ):
        table = read_table(source)
        _assert_same(table, expected if table.names == ("b",) else Table.from_codes([[1, 1]], levels=[[False, True]]))


def test_large_integers_stay_apart() -> None:
    big = 2**62
    for source in (
        {"a": [big, big + 1, big]},
        pl.DataFrame({"a": pl.Series([big, big + 1, big], dtype=pl.UInt64)}),
    ):
        assert read_table(source).levels["a"] == (big, big + 1)
    assert read_table({"a": np.array([2**64 - 1, 0], dtype=np.uint64)}).levels["a"] == (0, 2**64 - 1)


def test_integer_column_names_become_text() -> None:
    assert read_table(pd.DataFrame([[1, 2], [3, 4]])).names == ("0", "1")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "a path, a data frame"),
        (None, "a path, a data frame"),
        ([[1, 2]], "a path, a data frame"),
        (pl.Series([1, 2]), "a path, a data frame"),
        (np.array([1, 2]), "two-dimensional"),
        (np.zeros((2, 2, 2), dtype=int), "two-dimensional"),
        ({}, "no columns"),
        (pl.DataFrame(), "no columns"),
        (pd.DataFrame(), "no columns"),
        (np.empty((3, 0), dtype=int), "no columns"),
        ({"a": []}, "no rows"),
        (pl.DataFrame({"a": []}), "no rows"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pa.table({"a": pa.array([], pa.dictionary(pa.int8(), pa.string()))}), "no rows"),
        (np.empty((0, 3), dtype=int), "no rows"),
        ({"a": [1, 2], "b": [1]}, "'a': 2, 'b': 1"),
        ({"a": "text"}, "a sequence of cells for column 'a'"),
        ({"a": 3}, "a sequence of cells for column 'a'"),
        ({"1": [1], 1: [1]}, "repeated: '1'"),
        (pd.DataFrame({"": [1]}), "has no name"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "column names must differ"),
        (pa.table([[1], [2]], names=["a", "a"]), "column names must differ"),
        (pl.LazyFrame({"a": [1]}).select("b"), "could not be collected"),
        ({"a": [1, "x"]}, r"mixes int and str values \(such as 'x' and 1\)"),
        ({"a": [1, True]}, "mixes bool and int"),
        ({"a": [Decimal("1.5")]}, "holds Decimal values"),
        ({"a": [10**30]}, "beyond 64 bits"),
        ({"a": ["\ud800"]}, "not Unicode"),
        ({"a": np.array([b"\xff"])}, "not UTF-8"),
        ({"a": np.array([1j])}, "complex128 values, which are not categories"),
        ({"a": np.array(["2020-01-01"], dtype="M8[D]")}, "datetime64.* not categories"),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}), "datetime64.* not categories"),
        (pd.DataFrame({"a": pd.period_range("2020", periods=1)}), "period.* not categories"),
        (pl.DataFrame({"a": [[1, 2]]}), r"List\(Int64\) values"),
        (
            pl.DataFrame({"a": ["2020-01-01"]}).with_columns(pl.col("a").str.to_date()),
            "Date values.*to text",
        ),
        (pa.table({"a": pa.array([b"x"])}), "Binary values"),
    ],
)
def test_refuses(source: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_table(source)


@pytest.mark.parametrize("keywords", [{"levels": "seen"}, {"levels": 3}, {"missing": "ignore"}, {"missing": 3}])
def test_refuses_unknown_settings(keywords: dict[str, object]) -> None:
    (name,) = keywords
    with pytest.raises(InputError, match=rf"read_table\({name}="):
        read_table({"a": [1]}, **keywords)
