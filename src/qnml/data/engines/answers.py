"""What engines answer, as source columns with counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from qnml.data.engines.relation import COUNT, Blank, Cell, Raw
from qnml.data.frames import columns_of_frame
from qnml.data.preparation.finding import row_numbers
from qnml.data.source import SourceColumn, column_of_categories, odd_column
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.engines.relation import CellKind, Relation
    from qnml.data.weights import Weights

__all__ = ["bin_column", "check_total", "counted", "histogram", "opened_rows"]


def counted(call: str, answer: Any, cells: Sequence[Cell]) -> tuple[list[SourceColumn], Weights]:
    """The columns of a grouped answer, under their names, and the counts.

    Parameters
    ----------
    call : the calling function, for errors.
    answer : a frame of any library with columns ``c0``, ``c1``, …, and the counts.
    cells : what was asked for.
    """
    frame = nw.from_native(answer, eager_only=True)
    counts = np.ascontiguousarray(frame[COUNT].to_numpy()).astype(np.uint64)
    return opened_rows(call, frame.drop(COUNT), [cell.name for cell in cells]), counts


def opened_rows(call: str, frame: nw.DataFrame[Any], names: Sequence[str]) -> list[SourceColumn]:
    """The columns ``c0``, ``c1``, … of a frame, under their names; errors name them so as well."""
    columns = []
    for place, name in enumerate(names):
        (column,) = columns_of_frame(call, frame.select(nw.col(f"c{place}").alias(name)), None)
        columns.append(replace(column, name=name))
    return columns


def histogram(call: str, relation: Relation, name: str) -> tuple[SourceColumn, Weights]:
    """The different values of a column, and how often each occurs.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table.
    name : the column.
    """
    kind: CellKind = relation.kinds[name]
    if kind == "other":
        cells: list[Cell] = [Blank(name)]
        (column,), counts = counted(call, relation.grouped(cells), cells)
        missing = column.values.numbers().astype(bool)
        return odd_column(call, name, "nested or binary", missing), counts
    cells = [Raw(name)]
    (column,), counts = counted(call, relation.grouped(cells), cells)
    return column, counts


def bin_column(call: str, column: SourceColumn, labels: tuple[str, ...]) -> SourceColumn:
    """A column that an engine answered with numbers of bins, as one that declares the labels of the bins."""
    numbers = row_numbers(column)
    if numbers is None:
        bins: npt.NDArray[np.int64] = np.full(len(column.values), -1, dtype=np.int64)
    else:
        bins = np.where(np.isnan(numbers), -1, numbers).astype(np.int64)
    return column_of_categories(call, column.name, bins, labels)


def check_total(call: str, relation: Relation, found: int, expected: int) -> None:
    """Refuse a table that changes while it is counted."""
    if found != expected:
        raise DataError(
            f"{call}: the table in {relation.engine} changed while it was counted: {expected:,} rows at first, then "
            f"{found:,}. Read a snapshot: a copy of the table, or a transaction."
        )
