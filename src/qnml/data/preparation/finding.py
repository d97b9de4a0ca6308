"""What a raw column holds: the facts that the rules of preparation judge by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.data.text_cells import text_cells
from qnml.errors import DataError

if TYPE_CHECKING:
    from qnml.data.preparation.column import ColumnKind
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["Finding", "find", "kind_of", "present_numbers", "readable", "row_numbers"]

_MONTH = r"(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    r"(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{2,4}|\d{4}/\d{1,2}/\d{1,2}"
    rf"|\d{{1,2}}[ -]{_MONTH}[ ,-]+\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}})"
    r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?|\d{1,2}:\d{2}(:\d{2})?( ?[aApP]\.?[mM]\.?)?"
)


@dataclass(frozen=True, eq=False)
class Finding:
    """The facts about a column. Rows count by their weight.

    Attributes
    ----------
    name : the column.
    kind : as in `ColumnPreparation`.
    n_rows : number of rows.
    n_missing : number of missing cells.
    values : the distinct values of the other cells: sorted numbers, sorted texts or declared levels that occur; None
        if the cells cannot be levels.
    counts : how often each of them occurs.
    is_index : whether the cells number the rows: distinct consecutive integers.
    looks_like_dates : whether every text is a date or a time.
    problem : why the cells cannot be levels; None if they can.
    """

    name: str
    kind: ColumnKind
    n_rows: int
    n_missing: int
    values: npt.NDArray[Any] | tuple[Any, ...] | None
    counts: npt.NDArray[np.int64]
    is_index: bool = False
    looks_like_dates: bool = False
    problem: DataError | None = None

    @property
    def n_present(self) -> int:
        """The number of cells that are not missing."""
        return self.n_rows - self.n_missing

    @property
    def n_distinct(self) -> int:
        """The number of distinct values."""
        return 0 if self.values is None else len(self.values)


def kind_of(column: SourceColumn) -> ColumnKind:
    """The kind of a column; whole real numbers are integers, as pandas stores them beside missing cells."""
    cells = column.values
    if column.declared is not None:
        return "declared"
    if cells.kind in ("empty", "date", "other"):
        return cells.kind
    if cells.n_missing == len(cells):
        return "empty"
    if cells.kind == "real" and _are_whole(cells.numbers()):
        return "integer"
    return cells.kind


def find(call: str, column: SourceColumn, weights: Weights | None) -> Finding:
    """The facts about one column.

    Parameters
    ----------
    call : the calling function, for errors.
    column : the raw column.
    weights : how often each row counts.
    """
    cells, kind = column.values, kind_of(column)
    if kind in ("date", "other"):
        readable_column = readable(column)
        if readable_column is not column:
            inner = find(call, readable_column, weights)
            return Finding(column.name, kind, inner.n_rows, inner.n_missing, inner.values, inner.counts)
    times = None if weights is None else weights.astype(np.int64)
    n_rows = len(cells) if times is None else int(times.sum())
    missing = cells.is_missing()
    n_missing = int(np.count_nonzero(missing)) if times is None else int(times[missing].sum())
    present = None if times is None else times[~missing]
    try:
        values, codes = _distinct(call, column)
    except DataError as problem:
        return Finding(column.name, kind, n_rows, n_missing, None, np.empty(0, np.int64), problem=problem)
    counts = np.bincount(codes, present, len(values)).astype(np.int64)
    seen = counts > 0
    if not seen.all():
        values = tuple(value for value, occurs in zip(values, seen.tolist(), strict=True) if occurs)
        counts = counts[seen]
    return Finding(
        column.name,
        kind,
        n_rows,
        n_missing,
        values,
        counts,
        is_index=kind == "integer" and not n_missing and _is_index(values, n_rows),
        looks_like_dates=kind == "text" and len(values) > 0 and all(map(_DATE.fullmatch, values)),
    )


def readable(column: SourceColumn) -> SourceColumn:
    """The column as text, if its cells are dates or mixed values; otherwise the column itself."""
    from qnml.data.odd_cells import OddCells
    from qnml.data.source import SourceColumn

    cells = column.values
    if not isinstance(cells, OddCells) or cells.texts is None:
        return column
    return SourceColumn(column.name, text_cells(cells.texts()))


def present_numbers(column: SourceColumn) -> npt.NDArray[np.float64] | None:
    """The cells that are not missing as numbers; None if they are no numbers, nor texts or labels that are."""
    cells = column.values
    if column.declared is None and cells.kind in ("integer", "real", "boolean"):
        return cells.numbers().astype(np.float64)
    if column.declared is None and cells.kind != "text":
        return None
    if column.declared is not None:
        labels, codes = column.declared, cells.numbers()
    else:
        codes, labels = cells.coded_text("", column.name)
    try:
        values = np.array([float(label) for label in labels], dtype=np.float64)
    except (ValueError, OverflowError):
        return None
    return None if np.isnan(values).any() else values[codes]


def row_numbers(column: SourceColumn) -> npt.NDArray[np.float64] | None:
    """The same for all rows, NaN where a cell is missing."""
    present = present_numbers(column)
    if present is None or not column.values.n_missing:
        return present
    missing = column.values.is_missing()
    spread = np.full(len(missing), np.nan)
    spread[~missing] = present
    return spread


def _distinct(call: str, column: SourceColumn) -> tuple[Any, npt.NDArray[Any]]:
    cells = column.values
    if column.declared is not None:
        return column.declared, cells.numbers()
    if cells.kind == "empty":
        return (), np.empty(0, dtype=np.int64)
    if cells.kind == "text":
        codes, words = cells.coded_text(call, column.name)
        return words, codes
    values, codes = np.unique(cells.numbers(), return_inverse=True)
    return values, codes.reshape(-1)


def _are_whole(numbers: npt.NDArray[Any]) -> bool:
    return bool(np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all())


def _is_index(values: npt.NDArray[Any], n_rows: int) -> bool:
    return len(values) == n_rows and n_rows > 1 and int(values[-1]) - int(values[0]) == n_rows - 1
