"""The parts of a table: checks of codes and names, narrow types, read-only arrays."""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_array, checked_list
from qnml.errors import DataError, bad_argument, shown, unknown_name

__all__ = [
    "Codes",
    "check_range",
    "checked_names",
    "code_arrays",
    "default_names",
    "frozen",
    "levels_by_name",
    "narrowest",
    "refuse_repeats",
]

Codes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


def default_names(count: int) -> tuple[str, ...]:
    """Return default names for unnamed columns: ``X1``, ``X2``, …."""
    return tuple(f"X{place + 1}" for place in range(count))


def narrowest(arity: int) -> type[np.uint8] | type[np.uint16]:
    """Return the narrowest unsigned type that can number the levels of a column."""
    return np.uint8 if arity <= 256 else np.uint16


def frozen(array: npt.NDArray[Any], dtype: Any) -> Any:
    """Return a contiguous array that cannot be made writable: its memory is a bytes object or a read-only map."""
    if array.dtype == dtype and array.flags.c_contiguous and _is_immutable(array):
        return array  # tables share their columns
    return np.frombuffer(np.ascontiguousarray(array, dtype=dtype).tobytes(), dtype=dtype)


def _is_immutable(array: npt.NDArray[Any]) -> bool:
    owner: object = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    # Columns in files: a map that was opened for reading only.
    return isinstance(owner, bytes) or (isinstance(owner, mmap.mmap) and memoryview(owner).readonly)


def code_arrays(call: str, columns: object) -> list[npt.NDArray[Any]]:
    """Split a two-dimensional array or a list of columns into integer arrays of equal length."""
    if isinstance(columns, np.ndarray):
        if columns.ndim != 2:
            raise bad_argument(call, "columns", columns, "a two-dimensional array or a list of columns")
        columns = list(columns.T)
    arrays = []
    for column in checked_list(call, "columns", columns, "a two-dimensional array or a list of columns"):
        array = checked_array(call, "columns", column, "columns of integers")
        if array.ndim != 1 or (array.dtype.kind not in "bui" and array.size):
            raise bad_argument(call, "columns", column, "columns of integers")
        arrays.append(array.astype(np.uint8) if array.dtype.kind == "b" or not array.size else array)
    if len({len(array) for array in arrays}) > 1:
        raise DataError(f"{call}: the columns differ in length: {', '.join(str(len(array)) for array in arrays)}.")
    return arrays


def checked_names(call: str, names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Check the given column names, or create default ones."""
    if names is None:
        return default_names(count)
    checked = tuple(checked_list(call, "names", names, "a list of non-empty strings"))
    if not all(isinstance(name, str) and name for name in checked):
        raise bad_argument(call, "names", names, "a list of non-empty strings")
    if len(checked) != count:
        raise bad_argument(call, "names", list(checked), f"{count} names, one for each column")
    refuse_repeats(call, checked)
    return checked


def refuse_repeats(call: str, names: Sequence[str]) -> None:
    """Reject repeated column names."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"{call}: column names must differ; repeated: {', '.join(map(shown, repeated))}. Rename them.")


def levels_by_name(call: str, names: tuple[str, ...], levels: object) -> dict[str, Any]:
    """Return levels by column name, whether given by name or in column order."""
    if levels is None:
        return {}
    if isinstance(levels, Mapping):
        known = set(names)
        for name in levels:
            if name not in known:
                raise unknown_name(call, "levels", name, names)
        return dict(levels)
    if isinstance(levels, str) or not isinstance(levels, Sequence) or len(levels) != len(names):
        raise bad_argument(call, "levels", levels, f"{len(names)} lists of labels, one for each column")
    return dict(zip(names, levels, strict=True))


def check_range(call: str, name: str, array: npt.NDArray[Any], arity: int) -> None:
    """Reject level numbers outside 0 to arity - 1."""
    if not array.size:
        return
    extremes = (int(array.max()),) if array.dtype.kind == "u" else (int(array.max()), int(array.min()))
    for extreme in extremes:
        if not 0 <= extreme < arity:
            raise DataError(
                f"{call}: column {name!r} holds the level number {extreme}, but has levels 0 to {arity - 1}. "
                "Level numbers count from 0."
            )
