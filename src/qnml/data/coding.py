"""Coding of a source column as level numbers and levels.

============================  ==================================================================
the column holds              its levels
============================  ==================================================================
declared levels               the declared levels, in their order, observed or not
text                          the observed texts, sorted by code point
integers                      the observed values, ascending
booleans                      False, True, observed or not
floats, all of them integral  as integers (pandas stores integers with missing cells as floats)
other floats                  rejected: real values must be binned first, see `qnml.Discretizer`
============================  ==================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.data.labels import MOST_LEVELS, Label, label_for_missing, too_many_levels
from qnml.errors import DataError, RealValuesError

if TYPE_CHECKING:
    from qnml.data.source import SourceColumn

__all__ = ["encode"]

_Coded = tuple[npt.NDArray[Any], tuple[Label, ...]]


def encode(call: str, column: SourceColumn) -> _Coded:
    """Return the level numbers and the levels of a column; missing cells, if any, become an additional level.

    That level comes last and is labelled ``"?"``, or ``"(missing)"`` if the column has a level ``"?"``.
    """
    codes, levels = _encode_present(call, column)
    if column.values.n_missing:
        extra = label_for_missing(call, column.name, levels)
        missing = column.values.is_missing()
        spread = np.full(len(missing), len(levels), dtype=np.int64)
        spread[~missing] = codes
        codes, levels = spread, (*levels, extra)
    if len(levels) > MOST_LEVELS:
        raise DataError(too_many_levels(call, column.name, len(levels)))
    return codes, levels


def _encode_present(call: str, column: SourceColumn) -> _Coded:
    """Code the cells that are not missing."""
    cells = column.values
    if column.declared is not None:
        return cells.numbers(), column.declared
    if cells.n_missing == len(cells):
        return np.empty(0, dtype=np.int64), ()
    if cells.kind == "boolean":
        return cells.numbers().astype(np.uint8), (False, True)
    if cells.kind == "text":
        codes, labels = cells.coded_text(call, column.name)
        if len(labels) > MOST_LEVELS:
            raise DataError(too_many_levels(call, column.name, len(labels)))
        return codes, labels
    if cells.kind == "real":
        return _encode_integers(call, column.name, _integral(call, column.name, cells.numbers()))
    return _encode_integers(call, column.name, _within_64_bits(call, column.name, cells.numbers()))


def _integral(call: str, name: str, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    real = numbers[(numbers != np.floor(numbers)) | np.isinf(numbers)]
    if len(real):
        raise RealValuesError(
            f"{call}: column {name!r} holds real values, such as {real[0]:g}, not categories. "
            f"columns={{{name!r}: 'bins'}} bins it, and so does qnml.Discretizer; 'category' keeps its values as "
            "labels, 'drop' leaves it out."
        )
    if not ((numbers >= -(2.0**63)) & (numbers < 2.0**63)).all():
        raise _beyond_64_bits(call, name)
    return numbers.astype(np.int64)


def _within_64_bits(call: str, name: str, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if numbers.dtype == np.uint64:
        return numbers
    try:
        return numbers.astype(np.int64, copy=False)
    except OverflowError:  # Python integers from a 128-bit column
        raise _beyond_64_bits(call, name) from None


def _beyond_64_bits(call: str, name: str) -> DataError:
    return DataError(f"{call}: column {name!r} holds integers beyond 64 bits. Convert it to text, or leave it out.")


def _encode_integers(call: str, name: str, values: npt.NDArray[Any]) -> _Coded:
    low, high = int(values.min()), int(values.max())
    # If the range of the values is small, a lookup table replaces sorting: 20 times faster at a million rows, with
    # at most as much memory as the column itself (and a megabyte for short columns).
    if high - low < max(len(values), 2**17):
        offsets = values - values.dtype.type(low)
        seen = np.zeros(high - low + 1, dtype=bool)
        seen[offsets] = True
        levels = [low + int(offset) for offset in np.flatnonzero(seen)]
        codes: npt.NDArray[Any] = (np.cumsum(seen) - 1)[offsets]
    else:
        found, codes = np.unique(values, return_inverse=True)
        levels = found.tolist()
    if len(levels) > MOST_LEVELS:
        raise DataError(too_many_levels(call, name, len(levels)))
    return codes, tuple(levels)
