"""Merging of identical rows, with their multiplicities.

Columns are packed into mixed-radix words, the first column most significant: sorting the words sorts the rows
lexicographically, at a fraction of the cost of comparing them cell by cell. If the columns do not fit into one word,
the rows are ranked by the columns so far, and that rank takes the place of the first column in the next word.

NumPy does the sorting. It starts no threads, so a forked child process can merge rows, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.weights import Weights

__all__ = ["merge_incomplete_rows", "merge_rows"]

_WORD_LIMIT = 2**63


def merge_rows(
    columns: Sequence[npt.NDArray[Any]], arities: Sequence[int], weights: Weights | None
) -> tuple[list[npt.NDArray[Any]], Weights]:
    """Return the distinct rows, sorted lexicographically by code, and the total weight of each."""
    if weights is None and _fitting(arities, 0, 1) == len(arities):
        words = np.sort(_packed(columns, arities))
        starts = np.flatnonzero(_is_new(words))
        return _unpacked(words[starts], arities, [column.dtype for column in columns]), _lengths(starts, len(words))
    order, starts = _grouped(columns, arities)
    rows = order[starts]
    counts = _lengths(starts, len(order)) if weights is None else np.add.reduceat(weights[order], starts)
    return [column[rows] for column in columns], counts


def merge_incomplete_rows(
    columns: Sequence[npt.NDArray[Any]],
    arities: Sequence[int],
    weights: Weights | None,
    missing: Sequence[npt.NDArray[np.bool_] | None],
) -> tuple[list[npt.NDArray[Any]], Weights, list[npt.NDArray[np.bool_] | None]]:
    """Do the same where cells may be missing: "missing" counts as a level after all others."""
    marked = [
        column if mask is None else np.where(mask, arity, column.astype(np.uint32))
        for column, arity, mask in zip(columns, arities, missing, strict=True)
    ]
    widened = [arity + (mask is not None) for arity, mask in zip(arities, missing, strict=True)]
    merged, counts = merge_rows(marked, widened, weights)
    masks = [
        None if mask is None else column == arity for column, arity, mask in zip(merged, arities, missing, strict=True)
    ]
    filled = [column if mask is None else np.where(mask, 0, column) for column, mask in zip(merged, masks, strict=True)]
    return filled, counts, masks


def _grouped(
    columns: Sequence[npt.NDArray[Any]], arities: Sequence[int]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the order of the rows, and the positions in it where a new distinct row begins."""
    n_rows, done = len(columns[0]), 0
    number, count = np.zeros(n_rows, dtype=np.uint64), 1
    while True:
        end = _fitting(arities, done, count)
        words = _packed([number, *columns[done:end]], [count, *arities[done:end]])
        order = np.argsort(words)
        is_new = _is_new(words[order])
        starts = np.flatnonzero(is_new)
        done, count = end, len(starts)
        # If all rows differ already, the remaining columns cannot change their order.
        if done == len(columns) or count == n_rows:
            return order, starts
        number[order] = np.cumsum(is_new, dtype=np.uint64) - np.uint64(1)


def _fitting(arities: Sequence[int], start: int, product: int) -> int:
    """Return the end of the longest run of columns from `start` whose configurations fit into one word."""
    end = start
    while end < len(arities) and product * arities[end] <= _WORD_LIMIT:
        product *= arities[end]
        end += 1
    return end


def _is_new(ordered: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return where each of the ordered words differs from its predecessor."""
    return np.concatenate(([True], ordered[1:] != ordered[:-1]))


def _lengths(starts: npt.NDArray[np.intp], end: int) -> Weights:
    return np.diff(starts, append=end).astype(np.uint64)


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
