"""Doing to rows what a preparation says: binning, merging, and filling the level for missing cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml.data.labels import Label, match_labels
from qnml.data.missing import complete_rows
from qnml.data.opening import source_columns
from qnml.data.preparation.finding import readable, row_numbers
from qnml.data.preparation.indicators import indicator_of
from qnml.data.preparation.labelled import columns_of_table, numbered_labels, relabelled, spread
from qnml.data.preparation.spelling import respelled
from qnml.data.weights import split_weights
from qnml.errors import DataError, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.data.binning import Binning
    from qnml.data.preparation.preparation import Preparation
    from qnml.data.preparation.recipe import Recipe
    from qnml.data.source import SourceColumn
    from qnml.data.table import Table

__all__ = ["level_numbers", "prepared_column", "prepared_columns", "prepared_table"]

_MOST_SHOWN = 8


def prepared_columns(call: str, columns: Iterable[SourceColumn], preparation: Preparation) -> list[SourceColumn]:
    """Prepare raw columns; those that the preparation drops are left out, unknown ones pass through unchanged.

    Labels that a kept or binned column has not seen stay as they are: the caller decides about them. Indicators are
    added for columns that are there, unless they are there themselves.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the raw columns.
    preparation : what is done to them.
    """
    columns = _respelled(call, columns, preparation)
    raw = {column.name: column for column in columns}
    done = []
    for column in columns:
        place = preparation.columns.places.get(column.name)
        how = None if place is None else preparation.columns[place]
        if how is None:
            done.append(column)
        elif how.action != "drop":
            done.append(prepared_column(call, column, how.recipe))
    for how in preparation.columns:
        if how.of in raw and how.name not in raw:
            done.append(indicator_of(call, raw[how.of], how.name))
    return done


def _respelled(call: str, columns: Iterable[SourceColumn], preparation: Preparation) -> list[SourceColumn]:
    """The raw columns, with plain numbers where they were written otherwise."""
    places, hows = preparation.columns.places, preparation.columns
    known = {name: hows[places[name]] for name in places if hows[places[name]].spelling is not None}
    return [
        respelled(call, column, known[column.name].spelling, known[column.name].bins or ())
        if column.name in known
        else column
        for column in columns
    ]


def prepared_column(call: str, column: SourceColumn, how: Recipe) -> SourceColumn:
    """Prepare one raw column that is not dropped.

    Parameters
    ----------
    call : the calling function, for errors.
    column : the raw column.
    how : what is done to it.
    """
    if how.as_text:
        column = readable(column)
    if how.binning is not None:
        column = _binned(call, column, how, how.binning)
    elif how.kept_levels is not None:
        column = _merged(call, column, how, how.kept_levels)
    if how.missing_label is None or not column.values.n_missing:
        return column
    numbers, labels = numbered_labels(call, column)
    return relabelled(call, column.name, np.where(numbers < 0, len(labels), numbers), (*labels, how.missing_label), ())


def _binned(call: str, column: SourceColumn, how: Recipe, binning: Binning) -> SourceColumn:
    if column.declared is None and column.values.kind in ("integer", "real"):
        codes = binning.codes(column.values.numbers().astype(np.float64))
        return relabelled(call, column.name, spread(column, codes), binning.labels, ())
    if column.declared is None and column.values.kind != "text":
        return column
    # Text: the labels of the bins, or numbers that were read as text.
    numbers, labels = numbered_labels(call, column)
    known = {*binning.labels, how.missing_label}
    values = np.array([math.nan if label in known else _number(label) for label in labels], dtype=np.float64)
    bins = binning.codes(values)
    new = [label if bin_ < 0 else binning.labels[bin_] for label, bin_ in zip(labels, bins.tolist(), strict=True)]
    return relabelled(call, column.name, numbers, new, binning.labels)


def _number(label: Label) -> float:
    if isinstance(label, bool):
        return math.nan
    try:
        return float(label)
    except (ValueError, OverflowError):
        return math.nan


def _merged(call: str, column: SourceColumn, how: Recipe, kept: Sequence[Label]) -> SourceColumn:
    assert how.other is not None
    numbers, labels = numbered_labels(call, column)
    by_text = {str(label): label for label in (*kept, how.other)}
    if how.missing_label is not None:
        by_text[str(how.missing_label)] = how.missing_label
    new = [by_text.get(str(label), how.other) for label in labels]
    return relabelled(call, column.name, numbers, new, (*kept, how.other))


def prepared_table(call: str, preparation: Preparation, source: object, weights: str | npt.ArrayLike | None) -> Table:
    """Prepare rows of any source as a table with the levels of the preparation."""
    from qnml.data.table import Table

    raw, counted = _opened(call, preparation, source, weights)
    raw = _respelled(call, raw, preparation)
    columns = prepared_columns(call, raw, preparation)
    # Under "category", only columns with missing cells in the table have a level for them.
    rows = complete_rows(call, columns, "raise" if preparation.missing == "category" else preparation.missing)
    if rows is not None:
        raw = [column.kept(rows) for column in raw]
        columns = [column.kept(rows) for column in columns]
        counted = None if counted is None else counted[rows]
    by_name = {column.name: column for column in columns}
    names = preparation.used
    levels = [preparation.columns[name].levels or () for name in names]
    coded = [level_numbers(call, by_name[name], known) for name, known in zip(names, levels, strict=True)]
    masks = [codes < 0 for codes in coded]
    return Table._of(
        names,
        [np.where(mask, 0, codes) for codes, mask in zip(coded, masks, strict=True)],
        levels,
        counted,
        call,
        preparation,
        masks,
        _numbers_of(raw, preparation),
    )


def _numbers_of(raw: Sequence[SourceColumn], preparation: Preparation) -> dict[str, npt.NDArray[np.float64]]:
    """The raw values of the binned columns that hold numbers, rather than labels of bins."""
    binned = [column for column in raw if preparation.columns[column.name].action == "bin"]
    return {column.name: values for column in binned if (values := row_numbers(column)) is not None}


def _opened(
    call: str, preparation: Preparation, source: object, weights: str | npt.ArrayLike | None
) -> tuple[list[SourceColumn], npt.NDArray[np.uint64] | None]:
    from qnml.data.paths import is_readable, read_path
    from qnml.data.table import Table

    if is_readable(source):
        source = read_path(call, "source", source, name_unnamed=True)
    if isinstance(source, Table):
        columns, counted = columns_of_table(source), source.weights
    else:
        needed = {*preparation.needed, weights} if isinstance(weights, str) else {*preparation.needed}
        columns, counted = source_columns(call, source, needed), None
    if weights is not None and columns:
        columns, counted = split_weights(call, columns, weights)
    there = {column.name for column in columns}
    # An indicator may be there itself, in a table that was prepared before.
    lost = [plain(name) for name in preparation.used if name not in there and preparation.columns[name].of not in there]
    if lost:
        more = f" and {len(lost) - _MOST_SHOWN} more" if len(lost) > _MOST_SHOWN else ""
        raise DataError(
            f"{call}: the data lack the columns {', '.join(lost[:_MOST_SHOWN])}{more}. Add or rename the columns."
        )
    return [column for column in columns if column.name in preparation.needed], counted


def level_numbers(call: str, column: SourceColumn, levels: Sequence[Label]) -> npt.NDArray[np.int64]:
    """Level numbers among the levels of the preparation, -1 where missing; labels not among them are refused."""
    numbers, labels = numbered_labels(call, column)
    seen = np.flatnonzero(np.bincount(numbers[numbers >= 0], minlength=len(labels)))
    # The last entry is for missing cells.
    recode = np.full(len(labels) + 1, -1, dtype=np.int64)
    recode[seen] = match_labels(call, column.name, [labels[place] for place in seen], levels)
    return recode[numbers]
