"""Values that are wrong for nearly every argument. Each is created anew: a generator can be consumed only once."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import io
import pathlib
import types
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["WRONG"]


class Text(str):
    """A string of another class, like numpy.str_."""

    __slots__ = ()


class Whole(int):
    """A whole number of another class, like the members of an IntEnum."""


class Color(enum.Enum):
    """Its members have a text as their value but are not strings."""

    RED = "red"


class Unshowable:
    """Its repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Incomparable:
    """Comparing it fails."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no eq")


class Unhashable:
    """Equal to itself, but not hashable."""

    __hash__ = None  # type: ignore[assignment]


class Uniterable:
    """Claims to be iterable, and fails."""

    def __iter__(self):
        raise RuntimeError("no iter")


class Lengthless:
    """Looks like a sequence, and fails in every method."""

    def __len__(self) -> int:
        raise RuntimeError("no len")

    def __getitem__(self, key: object) -> object:
        raise RuntimeError("no item")


class Unconvertible:
    """Claims to be a number, an array and a path, and is none of them."""

    def __float__(self) -> float:
        raise RuntimeError("no float")

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __array__(self, *_: object, **__: object) -> object:
        raise RuntimeError("no array")

    def __fspath__(self) -> str:
        raise RuntimeError("no path")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


def _recursive_list() -> list[object]:
    made: list[object] = []
    made.append(made)
    return made


def _recursive_dict() -> dict[str, object]:
    made: dict[str, object] = {}
    made["a"] = made
    return made


def _objects() -> np.ndarray:
    made = np.empty(3, dtype=object)
    made[:] = [None, "a", object()]
    return made


_OTHER = ("other", "nodes")

WRONG: dict[str, Callable[[], object]] = {
    "None": lambda: None,
    "True": lambda: True,
    "-1": lambda: -1,
    "0": lambda: 0,
    "1": lambda: 1,
    "2**64": lambda: 2**64,
    "10**30": lambda: 10**30,
    "-10**400": lambda: -(10**400),
    "0.5": lambda: 0.5,
    "1.5": lambda: 1.5,
    "-0.0": lambda: -0.0,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1e308": lambda: 1e308,
    "complex": lambda: 1 + 2j,
    "Fraction": lambda: fractions.Fraction(1, 3),
    "Decimal nan": lambda: decimal.Decimal("nan"),
    "empty text": lambda: "",
    "text": lambda: "x",
    "blank": lambda: " \n",
    "NUL": lambda: "a\0b",
    "surrogate": lambda: "\ud800",
    "long text": lambda: "y" * 100_000,
    "Text": lambda: Text("a"),
    "numpy text": lambda: np.str_("a"),
    "Whole": lambda: Whole(2),
    "Enum": lambda: Color.RED,
    "bytes": lambda: b"x",
    "bytearray": lambda: bytearray(b"abc"),
    "empty list": list,
    "empty tuple": tuple,
    "empty dict": dict,
    "set": lambda: {"a", "b"},
    "list of None": lambda: [None],
    "list of numbers": lambda: [1, 2.5],
    "ragged": lambda: [[1], [1, 2]],
    "pairs": lambda: [("a", "b")],
    "dict": lambda: {"a": 1},
    "dict of lists": lambda: {"a": [1, 2]},
    "dict of odd keys": lambda: {1: 2, None: 3},
    "recursive list": _recursive_list,
    "recursive dict": _recursive_dict,
    "range": lambda: range(3),
    "slice": lambda: slice(1, None, 0),
    "generator": lambda: (letter for letter in "abc"),
    "failing generator": lambda: (1 // number for number in (1, 0)),
    "object": object,
    "lambda": lambda: lambda: None,
    "class": lambda: int,
    "module": lambda: types,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "exception": lambda: ValueError("given"),
    "namespace": lambda: types.SimpleNamespace(names=("a",), dag=None),
    "nowhere": lambda: pathlib.Path("nope/nope.csv"),
    "folder": lambda: pathlib.Path("."),
    "StringIO": lambda: io.StringIO("a,b\n1,2\n"),
    "BytesIO": lambda: io.BytesIO(b"a,b\n1,2\n"),
    "date": lambda: datetime.datetime(2020, 1, 1),
    "timedelta": lambda: datetime.timedelta(seconds=1),
    "Unshowable": Unshowable,
    "Incomparable": Incomparable,
    "Unhashable": Unhashable,
    "Uniterable": Uniterable,
    "Lengthless": Lengthless,
    "Unconvertible": Unconvertible,
    "array 0-d": lambda: np.array(1),
    "array empty": lambda: np.empty((0, 3)),
    "array 3-d": lambda: np.zeros((2, 2, 2), dtype=np.int64),
    "array of nan": lambda: np.full((2, 3), np.nan),
    "array of objects": _objects,
    "array of dates": lambda: np.array(["2020-01-01"], dtype="datetime64[D]"),
    "array complex": lambda: np.ones(3, dtype=complex),
    "array structured": lambda: np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
    "array masked": lambda: np.ma.masked_array([1, 2, 3], mask=[0, 1, 0]),
    "array of text": lambda: np.array([["a", "b"], ["c", "d"]]),
    "float16": lambda: np.float16(0.5),
    "NaT": lambda: np.datetime64("NaT"),
    "pandas NA": lambda: pd.NA,
    "pandas NaT": lambda: pd.NaT,
    "pandas twice": lambda: pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
    "pandas dates": lambda: pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
    "pandas empty": pd.DataFrame,
    "pandas series": lambda: pd.Series([1, 2, None]),
    "polars empty": pl.DataFrame,
    "polars lazy": lambda: pl.LazyFrame({"a": [1, 2]}),
    "polars lists": lambda: pl.DataFrame({"a": [[1], [2, 3]]}),
    "polars expression": lambda: pl.col("a"),
    "other Dag": lambda: qnml.Dag.from_arcs(_OTHER, [_OTHER]),
    "other Cpdag": lambda: qnml.Dag.from_arcs(_OTHER, [_OTHER]).to_cpdag(),
    "empty Dag": lambda: qnml.Dag.empty([]),
    "other Table": lambda: qnml.Table.from_codes([[0, 1], [1, 0]], names=_OTHER),
    "other Network": lambda: qnml.fit(
        qnml.Table.from_codes([[0, 1], [1, 0]], names=_OTHER), qnml.Dag.from_arcs(_OTHER, [_OTHER])
    ),
    "other Knowledge": lambda: qnml.Knowledge(required=[_OTHER]),
}
"""What is tried, by a name for the report."""
