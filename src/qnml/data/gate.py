"""Validation of the parts of a `Table`: every table is checked here, and only here.

The core trusts its input: a level number beyond the levels of its column would make it read out of bounds. So every
table is checked when it is created, whether from a file, a frame, a pickle or another table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qnml.data.codes import Codes, check_range, frozen, narrowest, refuse_repeats
from qnml.data.interventions import Interventions
from qnml.data.labels import MOST_LEVELS, Label, distinct_labels, too_many_levels
from qnml.data.weights import Weights, as_weights
from qnml.errors import DataError, bad_argument

__all__ = ["Parts", "checked_parts"]

_LABEL_KINDS = frozenset({str, int, bool})

Masks = list[npt.NDArray[np.bool_] | None]
Numbers = dict[str, npt.NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a table, checked, as the table stores them."""

    names: tuple[str, ...]
    columns: list[Codes]
    levels: list[tuple[Label, ...]]
    weights: Weights | None
    missing: Masks
    numbers: Numbers
    interventions: Interventions | None


def checked_parts(
    call: str,
    names: object,
    columns: object,
    levels: object,
    weights: object,
    missing: object = None,
    numbers: object = None,
    interventions: object = None,
) -> Parts:
    """Check that the parts of a table fit together, and return them as the table stores them.

    Parameters
    ----------
    call : the calling function, for errors.
    names : distinct names, one for each column.
    columns : arrays of level numbers, all of the same length.
    levels : the labels of each column; every level number is less than the number of labels.
    weights : how often each row counts, or None. Rows of weight 0 are dropped.
    missing : for each column the mask of its missing cells, or None; None if no cell is missing.
    numbers : raw values of binned columns by name, one for each row; None if there are none.
    interventions : which variables were set in which rows; None if none was.
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
    masks = _checked_masks(call, names, missing, rows)
    raw = _checked_numbers(call, names, numbers, rows)
    settings = _checked_interventions(call, names, interventions, rows)
    counted = None if weights is None else as_weights(call, weights, rows)
    if counted is not None and not counted.all():
        kept = counted > 0
        columns, counted = [column[kept] for column in columns], counted[kept]
        masks = [None if mask is None else mask[kept] for mask in masks]
        raw = {name: values[kept] for name, values in raw.items()}
        settings = None if settings is None else settings.take(kept).restricted(names)
    if not len(columns[0]):
        raise DataError(f"{call}: there are no rows. A table needs at least one row of positive weight.")
    masks = [None if mask is None or not mask.any() else mask for mask in masks]
    # Missing cells have the code 0, so that equal tables are equal to the last bit.
    marked = zip(columns, masks, strict=True)
    filled = [
        column if mask is None or not column[mask].any() else np.where(mask, 0, column) for column, mask in marked
    ]
    return Parts(
        tuple(names),
        [frozen(column, narrowest(len(known))) for column, known in zip(filled, labels, strict=True)],
        labels,
        None if counted is None else frozen(counted, np.uint64),
        [None if mask is None else frozen(mask, np.bool_) for mask in masks],
        {name: frozen(values, np.float64) for name, values in raw.items()},
        settings,
    )


def _checked_masks(call: str, names: tuple[str, ...] | list[str], missing: object, rows: int) -> Masks:
    if missing is None:
        return [None] * len(names)
    if not isinstance(missing, tuple | list) or len(missing) != len(names):
        raise bad_argument(call, "missing", missing, f"{len(names)} masks, one for each name, or None")
    for name, mask in zip(names, missing, strict=True):
        if mask is not None and not _is_array(mask, "b", rows):
            raise DataError(f"{call}: the missing cells of column {name!r} must be marked by {rows} booleans.")
    return list(missing)


def _checked_numbers(call: str, names: tuple[str, ...] | list[str], numbers: object, rows: int) -> Numbers:
    if numbers is None:
        return {}
    if not isinstance(numbers, Mapping) or not set(numbers).issubset(names):
        raise bad_argument(call, "numbers", numbers, "values by column name, or None")
    for name, values in numbers.items():
        if not _is_array(values, "f", rows):
            raise DataError(f"{call}: the numbers of column {name!r} must be {rows} doubles, one for each row.")
    return dict(numbers)


def _checked_interventions(
    call: str, names: tuple[str, ...] | list[str], interventions: object, rows: int
) -> Interventions | None:
    if interventions is None:
        return None
    if not isinstance(interventions, Interventions):
        raise bad_argument(call, "interventions", interventions, "Interventions, or None")
    if interventions.n_rows != rows:
        raise DataError(f"{call}: there are {rows} rows, and interventions for {interventions.n_rows}.")
    return interventions.restricted(names)


def _is_array(values: object, kind: str, rows: int) -> bool:
    return isinstance(values, np.ndarray) and values.shape == (rows,) and values.dtype.kind == kind


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
