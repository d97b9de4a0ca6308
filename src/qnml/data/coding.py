"""From a source column to level numbers and levels.

============================  ==================================================================
the column holds              its levels
============================  ==================================================================
declared levels               the declared ones, in their order, seen or not
text                          the texts that occur, sorted by code point
integers                      the values that occur, ascending
booleans                      False, True, seen or not
floats, all of them integral  as integers (pandas stores integers with missing cells so)
other floats                  refused: real values must be binned first, see `qnml.Discretizer`
============================  ==================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qnml.data.forks import has_lost_threads
from qnml.data.labels import MOST_LEVELS, Label, too_many_levels
from qnml.errors import DataError

if TYPE_CHECKING:
    from qnml.data.source import SourceColumn

__all__ = ["MISSING_LABELS", "coded_text", "encode"]

MISSING_LABELS = ("?", "(missing)", "((missing))")

# Rows up to which plain Python codes a text faster than Polars, which takes long to begin: see `qnml.data.words`.
_SHORT = 2000
_MOST_TEXT = 2**28  # bytes of labels: 4096 for each of as many as there may be

_Coded = tuple[npt.NDArray[Any], tuple[Label, ...]]


def encode(call: str, column: SourceColumn) -> _Coded:
    """Return the level numbers and the levels of a column; missing cells, if any, become one more level.

    That level comes last and is labelled ``"?"``, or ``"(missing)"`` where the column has a level ``"?"``.
    """
    values, missing = column.values, None
    if values.null_count():
        missing = values.is_null().to_numpy()
        values = values.drop_nulls()
    codes, levels = _encode_complete(call, column, values)
    if missing is not None:
        taken = {str(level) for level in levels}
        extra = next((label for label in MISSING_LABELS if label not in taken), None)
        if extra is None:
            raise DataError(
                f"{call}: column {column.name!r} has levels called {', '.join(MISSING_LABELS)}, "
                "so its missing cells cannot be named. Rename one."
            )
        spread = np.full(len(missing), len(levels), dtype=np.int64)
        spread[~missing] = codes
        codes, levels = spread, (*levels, extra)
    if len(levels) > MOST_LEVELS:
        raise DataError(too_many_levels(call, column.name, len(levels)))
    return codes, levels


def _encode_complete(call: str, column: SourceColumn, values: pl.Series) -> _Coded:
    if column.declared is not None:
        return values.to_numpy(), column.declared
    if not len(values):
        return np.empty(0, dtype=np.int64), ()
    if values.dtype == pl.Boolean:
        return values.cast(pl.UInt8).to_numpy(), (False, True)
    if values.dtype == pl.String:
        return _encode_text(call, column.name, values)
    if values.dtype == pl.Float64:
        values = _integral(call, column.name, values)
    if values.dtype not in (pl.Int64, pl.UInt64):
        values = _within_64_bits(call, column.name, values)
    return _encode_integers(call, column.name, values.to_numpy())


def _encode_text(call: str, name: str, values: pl.Series) -> _Coded:
    codes, labels = coded_text(call, name, values)
    if len(labels) > MOST_LEVELS:
        raise DataError(too_many_levels(call, name, len(labels)))
    return codes, labels


def coded_text(call: str, name: str, values: pl.Series) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """Return the number of each text among the different ones, and these, sorted by code point.

    Parameters
    ----------
    call, name : who asks, and the column: for errors.
    values : texts, none of them missing.
    """
    # A file may refer many cells to one long text, which Python would hold once for each.
    is_short = len(values) <= _SHORT and len(values) * values.estimated_size() <= _MOST_TEXT
    if is_short or has_lost_threads():
        _check_text(call, name, values)
        words = values.to_list()
        labels = tuple(sorted(set(words)))
        places = {label: place for place, label in enumerate(labels)}
        return np.fromiter(map(places.__getitem__, words), dtype=np.int64, count=len(words)), labels
    levels = values.unique().sort()
    if levels.str.len_bytes().sum() > _MOST_TEXT:
        raise DataError(
            f"{call}: the labels of column {name!r} have more than {_MOST_TEXT:,} bytes. "
            "It looks like free text: leave it out, or group its values."
        )
    _check_text(call, name, levels)
    return values.cast(pl.Enum(levels)).to_physical().to_numpy(), tuple(levels.to_list())


def _check_text(call: str, name: str, values: pl.Series) -> None:
    try:  # Polars takes text over from Arrow memory without looking at it.
        values.cast(pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        raise DataError(
            f"{call}: column {name!r} holds bytes that are not UTF-8 text. Make it again from its source."
        ) from None


def _integral(call: str, name: str, values: pl.Series) -> pl.Series:
    numbers = values.to_numpy()
    real = numbers[(numbers != np.floor(numbers)) | np.isinf(numbers)]
    if len(real):
        raise DataError(
            f"{call}: column {name!r} holds real values, such as {real[0]:g}, not categories. "
            "Bin it first with qnml.Discretizer, turn it into text, or leave it out."
        )
    return _within_64_bits(call, name, values)


def _within_64_bits(call: str, name: str, values: pl.Series) -> pl.Series:
    whole = values.cast(pl.Int64, strict=False)
    if whole.null_count():
        raise DataError(f"{call}: column {name!r} holds integers beyond 64 bits. Turn it into text, or leave it out.")
    return whole


def _encode_integers(call: str, name: str, values: npt.NDArray[Any]) -> _Coded:
    low, high = int(values.min()), int(values.max())
    # Where the values lie close together a table of all values between replaces sorting: 20 times faster at
    # a million rows, for at most as much memory as the column itself (and a megabyte for short ones).
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
