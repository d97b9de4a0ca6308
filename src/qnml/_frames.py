"""Frames in the user's own kind: results come back in the library that the data came from.

A `Table` remembers whether it was read from a pandas, Polars or PyArrow frame, and so does what is computed from it.
``to_frame(kind=…)`` asks for another. Only the library of that kind is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from qnml._checks import check_choice
from qnml._packages import needed

__all__ = ["FRAME_KINDS", "Coded", "Columns", "FrameKind", "Texts", "frame_kind_of", "made_frame"]

FRAME_KINDS = ("polars", "pandas", "pyarrow")
FrameKind: TypeAlias = Literal["polars", "pandas", "pyarrow"]


@dataclass(frozen=True, eq=False)
class Coded:
    """Labels by their numbers; negative ones are missing.

    Attributes
    ----------
    levels : the labels: texts, integers or booleans.
    codes : a number for each row.
    """

    levels: Sequence[Any]
    codes: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts, or lists of texts if `is_list`."""

    values: Sequence[Any]
    is_list: bool = False


Column: TypeAlias = "Coded | Texts | npt.NDArray[Any] | list[float | None]"
Columns: TypeAlias = Mapping[str, Column]


def frame_kind_of(source: object) -> str | None:
    """The library of a frame, if it is one of `FRAME_KINDS`; of a table, the one it was read from.

    Parameters
    ----------
    source
        Anything.
    """
    remembered = getattr(source, "frame_kind", None)
    if isinstance(remembered, str):
        return remembered
    package = type(source).__module__.partition(".")[0]
    return package if package in FRAME_KINDS else None


def made_frame(call: str, columns: Columns, kind: str | None, own: str | None) -> Any:
    """Make a frame.

    Parameters
    ----------
    call
        The calling method, for errors.
    columns
        By name, all of the same length.
    kind
        What the caller asked for, one of `FRAME_KINDS`; None for the kind of the data.
    own
        The kind of the data; None if they came in no frame. Polars then.
    """
    if kind is not None:
        check_choice(call, "kind", kind, FRAME_KINDS)
    chosen = kind or own or "polars"
    if chosen == "pandas":
        pandas = needed("pandas", call, "makes the frame", "Or say kind='polars'.")
        made = {place: _pandas_column(pandas, column) for place, column in enumerate(columns.values())}
        frame = pandas.DataFrame(made)
        frame.columns = [*columns]
        return frame
    other = "kind='pandas'"
    polars = needed("polars", call, "makes the frame", f"Or say {other}.")
    frame = polars.DataFrame([_polars_column(polars, name, column) for name, column in columns.items()])
    if chosen == "polars":
        return frame
    needed("pyarrow", call, "makes the frame", f"Or say {other}.")
    return frame.to_arrow()


def _pandas_column(pandas: Any, column: Column) -> Any:
    if isinstance(column, Texts):
        return pandas.Series([*column.values], dtype=object)
    if not isinstance(column, Coded):
        return np.array(column, dtype=float) if isinstance(column, list) else column
    kinds = {type(label) for label in column.levels}
    if kinds not in ({bool}, {int}):
        return pandas.Categorical.from_codes(column.codes, [str(label) for label in column.levels])
    found = np.array(column.levels)[np.maximum(column.codes, 0)]
    missing = column.codes < 0
    if not missing.any():
        return found
    holed = pandas.array(found, dtype="boolean" if kinds == {bool} else "Int64")
    holed[missing] = pandas.NA
    return holed


def _polars_column(polars: Any, name: str, column: Column) -> Any:
    if isinstance(column, Coded):
        from qnml._label_columns import label_column

        return label_column(name, tuple(column.levels), column.codes)
    if isinstance(column, Texts):
        dtype = polars.List(polars.String) if column.is_list else polars.String
        return polars.Series(name, [*column.values], dtype=dtype)
    if isinstance(column, list):
        return polars.Series(name, column, dtype=polars.Float64)
    return polars.Series(name, column)
