"""Identical rows merged, with their multiplicities.

Columns are packed, first column highest, into as few 63-bit mixed-radix words as their numbers of levels
need. Grouping and ordering those words is grouping and lexicographic ordering of the rows, at a fraction of
the cost of comparing rows cell by cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.weights import Weights

__all__ = ["merge_rows"]

_WORD_LIMIT = 2**63


def merge_rows(
    columns: Sequence[npt.NDArray[Any]], arities: Sequence[int], weights: Weights | None
) -> tuple[list[npt.NDArray[Any]], Weights]:
    """Return the distinct rows, sorted lexicographically by code, and the total weight of each."""
    spans = _spans(arities)
    words = {f"word{k}": _packed(columns[span], arities[span]) for k, span in enumerate(spans)}
    frame = pl.DataFrame(words)
    count = pl.len()
    if weights is not None:
        frame = frame.with_columns(pl.Series("weight", weights))
        count = pl.col("weight").sum()
    merged = frame.group_by(list(words)).agg(count.cast(pl.UInt64).alias("multiplicity")).sort(list(words))
    unpacked: list[npt.NDArray[Any]] = []
    for word, span in zip(words, spans, strict=True):
        unpacked += _unpacked(merged[word].to_numpy(), arities[span], [column.dtype for column in columns[span]])
    return unpacked, merged["multiplicity"].to_numpy()


def _spans(arities: Sequence[int]) -> list[slice]:
    """Cut the columns into runs whose product of arities fits in one word."""
    spans, start, product = [], 0, 1
    for place, arity in enumerate(arities):
        if product * arity > _WORD_LIMIT:
            spans.append(slice(start, place))
            start, product = place, 1
        product *= arity
    return [*spans, slice(start, len(arities))]


def _packed(columns: Sequence[npt.NDArray[Any]], arities: Sequence[int]) -> npt.NDArray[np.uint64]:
    word = columns[0].astype(np.uint64)
    for column, arity in zip(columns[1:], arities[1:], strict=True):
        word *= np.uint64(arity)
        word += column
    return word


def _unpacked(
    word: npt.NDArray[np.uint64], arities: Sequence[int], dtypes: Sequence[np.dtype[Any]]
) -> list[npt.NDArray[Any]]:
    columns: list[npt.NDArray[Any]] = []
    for arity, dtype in zip(reversed(arities), reversed(dtypes), strict=True):
        word, code = np.divmod(word, np.uint64(arity))
        columns.append(code.astype(dtype))
    return columns[::-1]
