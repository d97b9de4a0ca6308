"""Columns as numbered labels: every cell the number of its label, -1 where it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.data.cells import ArrayCells
from qnml.data.labels import Label, as_label
from qnml.data.source import SourceColumn, column_of_categories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.table import Table

__all__ = ["column_of_codes", "columns_of_table", "labelled_by_value", "numbered_labels", "relabelled", "spread"]

_Numbers = npt.NDArray[np.int64]


def columns_of_table(table: Table) -> list[SourceColumn]:
    """The columns of a table as source columns that declare their levels."""
    return [
        column_of_codes(name, codes.astype(np.int64), mask, labels)
        for name, codes, mask, labels in zip(table.names, table.columns, table.missing, table.levels, strict=True)
    ]


def column_of_codes(
    name: str, codes: _Numbers, missing: npt.NDArray[np.bool_] | None, labels: tuple[Label, ...]
) -> SourceColumn:
    """A column that declares its levels, from the codes of a table."""
    present = codes if missing is None else codes[~missing]
    return SourceColumn(name, ArrayCells(present, missing, "integer"), labels)


def spread(column: SourceColumn, present: npt.NDArray[Any]) -> _Numbers:
    """Numbers of the cells that are not missing, spread over all rows, -1 where a cell is missing."""
    if not column.values.n_missing:
        return present.astype(np.int64)
    missing = column.values.is_missing()
    numbers = np.full(len(missing), -1, dtype=np.int64)
    numbers[~missing] = present
    return numbers


def numbered_labels(call: str, column: SourceColumn) -> tuple[_Numbers, tuple[Label, ...]]:
    """The number of the label of each cell, -1 where missing, and the labels in order.

    Parameters
    ----------
    call : the calling function, for errors.
    column : any column; real numbers become labels of their text.
    """
    cells = column.values
    if column.declared is not None:
        return spread(column, cells.numbers()), column.declared
    if cells.kind == "text":
        codes, words = cells.coded_text(call, column.name)
        return spread(column, codes), words
    found, codes = np.unique(cells.numbers(), return_inverse=True)
    return spread(column, codes), tuple(as_label(value) for value in found.tolist())


def labelled_by_value(call: str, column: SourceColumn) -> SourceColumn:
    """A column of numbers that declares its distinct values as levels, in their order."""
    numbers, labels = numbered_labels(call, column)
    return relabelled(call, column.name, numbers, labels, ())


def relabelled(
    call: str, name: str, numbers: _Numbers, labels: Sequence[Label], first: Sequence[Label]
) -> SourceColumn:
    """A column that declares its levels: those of `first`, then the other labels in their order.

    Parameters
    ----------
    call, name : the calling function and the column.
    numbers : for each cell the number of its label, -1 where missing.
    labels : the label of each number; those that are equal as text become one level.
    first : levels that come first, used or not.
    """
    levels: dict[str, Label] = {}
    for label in (*first, *labels):
        levels.setdefault(str(label), label)
    places = {text: place for place, text in enumerate(levels)}
    recode = np.array([*(places[str(label)] for label in labels), -1], dtype=np.int64)
    return column_of_categories(call, name, recode[numbers], levels.values())
