"""Row weights: how often each row counts. A row of weight 2 stands for two equal rows, one of weight 0 is ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_array
from qnml.errors import DataError, bad_argument, unknown_name

if TYPE_CHECKING:
    from qnml.data.source import SourceColumn

__all__ = ["Weights", "as_weights", "split_weights"]

Weights = npt.NDArray[np.uint64]

_ALLOWED = "non-negative integers, one for each row"
# Formulas use counts as doubles, which represent all integers up to this one.
_MOST_ROWS = 2**53


def as_weights(call: str, given: object, n_rows: int) -> Weights:
    """Check row weights and return them as unsigned integers; integral floats are accepted."""
    array = checked_array(call, "weights", given, _ALLOWED)
    if array.shape != (n_rows,):
        shape = " × ".join(map(str, array.shape)) or "a single value"
        raise bad_argument(
            call, "weights", given, _ALLOWED, f"There are {n_rows} rows, the weights have shape {shape}."
        )
    if array.dtype.kind not in "biuf":
        raise bad_argument(call, "weights", given, _ALLOWED, "They are not numbers, or some are missing.")
    bad = (array < 0) if array.dtype.kind != "b" else np.zeros(n_rows, dtype=bool)
    if array.dtype.kind == "f":
        bad |= ~np.isfinite(array) | (array != np.floor(array)) | (array >= 2.0**63)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise bad_argument(call, "weights", given, _ALLOWED, f"Row {row} (from 0) has {array[row].item()!r}.")
    # A sum of doubles cannot wrap around, so it detects totals far beyond the limit; the other sum is exact.
    weights = array.astype(np.uint64)
    if n_rows and (float(array.astype(np.float64).sum()) > 2.0 * _MOST_ROWS or int(weights.sum()) > _MOST_ROWS):
        raise DataError(f"{call}: the weights sum to more than 2^53 = {_MOST_ROWS:,}. Divide them by a common factor.")
    return weights


def split_weights(
    call: str, columns: list[SourceColumn], weights: str | npt.ArrayLike | None
) -> tuple[list[SourceColumn], Weights | None]:
    """Check the weights; if they are a column, remove it from the variables."""
    if weights is None:
        return columns, None
    if not isinstance(weights, str):
        return columns, as_weights(call, weights, len(columns[0].values))
    found = next((column for column in columns if column.name == weights), None)
    if found is None:
        raise unknown_name(call, "weights", weights, [column.name for column in columns])
    if found.values.n_missing or found.values.kind not in ("integer", "real") or found.declared is not None:
        raise DataError(
            f"{call}: the weights in column {weights!r} must be non-negative integers, none of them missing."
        )
    checked = as_weights(call, found.values.numbers(), len(found.values))
    return [column for column in columns if column is not found], checked
