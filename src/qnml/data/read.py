"""`read_table`: categorical data from files, frames, arrays and mappings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from qnml._memory import resolve_memory_limit
from qnml.data.coding import encode
from qnml.data.labels import Label, distinct_labels
from qnml.data.missing import check_policy, complete_rows
from qnml.data.opening import source_columns
from qnml.data.paths import read_path
from qnml.data.table import Table
from qnml.data.weights import Weights, as_weights
from qnml.errors import DataError, bad_argument, unknown_name

if TYPE_CHECKING:
    from qnml.data.source import SourceColumn

__all__ = ["read_table"]

_CALL = "read_table"

Levels = Literal["declared", "observed"] | Mapping[str, Iterable[object]]


def read_table(
    source: object,
    *,
    levels: Levels = "declared",
    missing: Literal["raise", "drop", "category"] = "raise",
    weights: str | npt.ArrayLike | None = None,
    memory_limit: float | None = None,
) -> Table:
    """Read categorical data from a file, a data frame, an array or a mapping.

    Parameters
    ----------
    source
        A path: ``.csv`` or ``.tsv`` (also ``.gz``), ``.parquet``, ``.feather`` / ``.arrow`` / ``.ipc``, or
        either file of bene's ``.vd`` + ``.idt`` pair; see `qnml.data.files` for the rules for text. A frame of
        any library that narwhals supports (pandas, Polars, PyArrow, …; lazy ones are collected). A two-dimensional
        array of integers, booleans, text or objects, with columns named ``X1``, ``X2``, … (a structured array
        has its own names). A mapping of names to sequences. A `Table`.
    levels
        ``"declared"``: the levels the source declares, in that order, observed or not (pandas categories, Polars
        ``Enum``, Arrow dictionaries, ``.vd``; booleans have two), else the observed values, sorted.
        ``"observed"``: only those of them that occur. A mapping gives the levels of the columns it names; the
        others are treated as under ``"declared"``. Labels are matched by value, or else as text.
    missing
        ``"raise"`` rejects missing values, naming columns and counts. ``"drop"`` keeps complete cases only.
        ``"category"`` adds a last level ``"?"`` to each column with missing values (``"(missing)"`` where ``"?"`` is
        taken).
    weights
        How often each row counts: non-negative integers, or the name of a column that holds them and is then not a
        variable. A row of weight 2 stands for two equal rows; a row of weight 0 is ignored, with its missing values
        and its labels.
    memory_limit
        Maximum memory in bytes for reading a file; None for 90 % of the free memory. A file that needs more is
        rejected before it is decompressed.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If the data cannot be used: missing values, real values, too many levels, no rows.
    FileFormatError
        If a file does not follow its format; the message says where.
    InputError
        If an argument is wrong or the file does not exist.
    TooLargeError
        If a file needs more memory than the limit.

    Examples
    --------
    >>> table = read_table({"smoke": ["no", "yes", "no"], "age": [40, 50, 40]})
    >>> table.names, table.levels["age"], table.codes("smoke").tolist()
    (('smoke', 'age'), (40, 50), [0, 1, 0])
    """
    check_policy(_CALL, missing)
    if not isinstance(levels, Mapping) and (not isinstance(levels, str) or levels not in ("declared", "observed")):
        raise bad_argument(_CALL, "levels", levels, "'declared', 'observed' or labels by column name")
    if memory_limit is not None:
        resolve_memory_limit(_CALL, memory_limit)
    if isinstance(source, (str, PathLike)):
        source = read_path(_CALL, "source", source, memory_limit)
    if isinstance(source, Table):
        return _releveled(_reweighted(source, weights), levels, set())
    columns = source_columns(_CALL, source)
    if not columns:
        raise DataError(f"{_CALL}: there are no columns. A table needs at least one variable.")
    if not all(column.name for column in columns):
        raise DataError(f"{_CALL}: a column has no name. Name it, or leave it out.")
    columns, checked = _split_weights(columns, weights)
    if not columns:
        raise DataError(f"{_CALL}: the weights {weights!r} are the only column. A table needs at least one variable.")
    if checked is not None and not checked.all():
        columns, checked = _kept(columns, checked, checked > 0)
    keep = complete_rows(_CALL, columns, missing)
    if keep is not None:
        columns, checked = _kept(columns, checked, keep)
    if not len(columns[0].values):
        raise DataError(f"{_CALL}: there are no rows. A table needs at least one row of positive weight.")
    coded = [encode(_CALL, column) for column in columns]
    names = tuple(column.name for column in columns)
    table = Table._of(names, [codes for codes, _ in coded], [labels for _, labels in coded], checked)
    return _releveled(table, levels, {column.name for column in columns if column.values.n_missing})


def _split_weights(
    columns: list[SourceColumn], weights: str | npt.ArrayLike | None
) -> tuple[list[SourceColumn], Weights | None]:
    """Check the weights; if they are a column, remove it from the variables."""
    if weights is None:
        return columns, None
    if not isinstance(weights, str):
        return columns, as_weights(_CALL, weights, len(columns[0].values))
    found = next((column for column in columns if column.name == weights), None)
    if found is None:
        raise unknown_name(_CALL, "weights", weights, [column.name for column in columns])
    if found.values.n_missing or found.values.kind not in ("integer", "real") or found.declared is not None:
        raise DataError(
            f"{_CALL}: the weights in column {weights!r} must be non-negative integers, none of them missing."
        )
    checked = as_weights(_CALL, found.values.numbers(), len(found.values))
    return [column for column in columns if column is not found], checked


def _kept(
    columns: list[SourceColumn], weights: Weights | None, rows: npt.NDArray[np.bool_]
) -> tuple[list[SourceColumn], Weights | None]:
    return [column.kept(rows) for column in columns], None if weights is None else weights[rows]


def _reweighted(table: Table, weights: str | npt.ArrayLike | None) -> Table:
    if weights is None:
        return table
    if not isinstance(weights, str):
        return table.with_weights(weights)
    numbers = np.array(table.labels(weights).tolist())
    return table.select([name for name in table.names if name != weights]).with_weights(numbers)


def _releveled(table: Table, levels: Levels, holed: set[str]) -> Table:
    if isinstance(levels, str):
        return table.with_observed_levels() if levels == "observed" else table
    wanted: dict[str, list[Label]] = {}
    for name, given in levels.items():
        wanted[name] = labels = list(distinct_labels(_CALL, name, given))
        # the level for missing cells need not be listed, but keeps its position if it is
        if name in holed and str(table.levels[name][-1]) not in map(str, labels):
            labels.append(table.levels[name][-1])
    return table._releveled(_CALL, wanted)
