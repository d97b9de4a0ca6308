"""Validation of the parts of a `Table`: every table is checked here, and only here.

The core trusts its input: a level number beyond the levels of its column would make it read out of bounds. So every
table is checked when it is created, whether from a file, a frame, a pickle or another table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from qnml.data.codes import Codes, check_range, frozen, narrowest, refuse_repeats
from qnml.data.labels import MOST_LEVELS, Label, distinct_labels, too_many_levels
from qnml.data.weights import Weights, as_weights
from qnml.errors import DataError, bad_argument

__all__ = ["checked_parts"]

_LABEL_KINDS = frozenset({str, int, bool})

Parts = tuple[tuple[str, ...], list[Codes], list[tuple[Label, ...]], Weights | None]


def checked_parts(call: str, names: object, columns: object, levels: object, weights: object) -> Parts:
    """Check that the parts of a table fit together, and return them as the table stores them.

    Parameters
    ----------
    call : the calling function, for errors.
    names : distinct names, one for each column.
    columns : arrays of level numbers, all of the same length.
    levels : the labels of each column; every level number is less than the number of labels.
    weights : how often each row counts, or None. Rows of weight 0 are dropped.
    """
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) and name for name in names):
        raise bad_argument(call, "names", names, "a list of non-empty strings")
    refuse_repeats(call, names)
    for part, entries in (("columns", columns), ("levels", levels)):
        if not isinstance(entries, tuple | list) or len(entries) != len(names):
            raise bad_argument(call, part, entries, f"{len(names)} entries, one for each name")
    assert isinstance(columns, tuple | list)
    assert isinstance(levels, tuple | list)
    if not columns:
        raise DataError(f"{call}: there are no columns. A table needs at least one variable.")
    labels = [_checked_labels(call, name, given) for name, given in zip(names, levels, strict=True)]
    rows = len(columns[0]) if isinstance(columns[0], np.ndarray) else 0
    for name, column, known in zip(names, columns, labels, strict=True):
        _check_codes(call, name, column, rows, len(known))
    counted = None if weights is None else as_weights(call, weights, rows)
    if counted is not None and not counted.all():
        kept = counted > 0
        columns, counted = [column[kept] for column in columns], counted[kept]
    if not len(columns[0]):
        raise DataError(f"{call}: there are no rows. A table needs at least one row of positive weight.")
    stored = [frozen(column, narrowest(len(known))) for column, known in zip(columns, labels, strict=True)]
    return tuple(names), stored, labels, None if counted is None else frozen(counted, np.uint64)


def _checked_labels(call: str, name: str, labels: object) -> tuple[Label, ...]:
    if not isinstance(labels, tuple) or not labels or not _LABEL_KINDS.issuperset(map(type, labels)):
        raise DataError(f"{call}: the levels of column {name!r} must be a tuple of texts, integers or booleans.")
    if len(labels) > MOST_LEVELS:
        raise DataError(too_many_levels(call, name, len(labels)))
    # The usual case is one pass in C; the slow path reports which label is wrong.
    if len(set(labels)) != len(labels) or len(set(map(str, labels))) != len(labels):
        return distinct_labels(call, name, labels)
    return labels


def _check_codes(call: str, name: str, column: npt.NDArray[Any], rows: int, arity: int) -> None:
    if not isinstance(column, np.ndarray) or column.ndim != 1 or column.dtype.kind not in "ui":
        raise DataError(f"{call}: column {name!r} must be a one-dimensional array of level numbers.")
    if len(column) != rows:
        raise DataError(f"{call}: column {name!r} has {len(column)} rows, the first column has {rows}.")
    check_range(call, name, column, arity)
