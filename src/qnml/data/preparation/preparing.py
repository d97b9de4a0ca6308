"""Preparing a raw table: decide about each column, drop incomplete rows if asked, bin, merge, and code.

The decisions are recorded as a `Preparation`, and the columns are prepared by the code that new rows go through, so
that a table and the rows that come later are treated alike.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml.data.missing import complete_rows
from qnml.data.preparation.binnings import binnings_for
from qnml.data.preparation.finding import row_numbers
from qnml.data.preparation.indicators import indicator_columns
from qnml.data.preparation.one_column import CodedColumn, dropped, n_observations, prepare_column
from qnml.data.preparation.preparation import Preparation
from qnml.data.preparation.problems import Problems
from qnml.data.preparation.request import Decided, Request, decisions, legible
from qnml.errors import DataError, DroppedRowsWarning

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from qnml.data.binning import Binning
    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.preparation.rules import Decision
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["Prepared", "check_left", "inspected", "prepare_table", "refuse_none_used", "warn_of_dropped"]

_HANDFUL = 5


@dataclass(frozen=True)
class Prepared:
    """The columns of a table, and what was done to those of its source.

    Attributes
    ----------
    columns : the variables.
    weights : how often each row counts.
    preparation : the record.
    rows : which rows of the source are left: a mask, or all.
    """

    columns: list[CodedColumn]
    weights: Weights | None
    preparation: Preparation
    rows: npt.NDArray[np.bool_] | slice


def prepare_table(
    call: str,
    columns: Sequence[SourceColumn],
    weights: Weights | None,
    request: Request,
    notes: Sequence[str] = (),
) -> Prepared:
    """Prepare raw columns.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the raw columns, without the weights.
    weights : how often each row counts; all positive.
    request : what the caller asked for.
    notes : remarks about how the source was read.
    """
    columns, spellings = legible(call, columns, request)
    decided = decisions(call, columns, weights, request, spellings)
    _refuse_none_used(call, decided)
    n_rows = n_observations(columns[0], weights)
    kept = None
    if request.missing == "drop":
        kept = complete_rows(call, [column for column in columns if decided[column.name].is_used], "drop")
    if kept is not None:
        columns, weights = [column.kept(kept) for column in columns], None if weights is None else weights[kept]
        check_left(call, n_observations(columns[0], weights), n_rows)
        # Fewer rows may leave a column constant, and bins are those of the rows that stay.
        used = [column for column in columns if decided[column.name].is_used]
        decided |= decisions(call, used, weights, request, spellings)
        _refuse_none_used(call, decided)
    done, entries = _prepared(call, columns, weights, decided, request)
    n_kept = n_observations(columns[0], weights)
    record = Preparation(entries, missing=request.missing, n_rows=n_rows, n_kept=n_kept, notes=notes)
    warn_of_dropped(call, record, stacklevel=5)
    return Prepared(done, weights, record, slice(None) if kept is None else kept)


def inspected(
    call: str,
    columns: Sequence[SourceColumn],
    weights: Weights | None,
    request: Request,
    notes: Sequence[str] = (),
) -> Preparation:
    """What `prepare_table` would do, whether the table can be used or not; columns that cannot are left out.

    Parameters
    ----------
    call, columns, weights, request, notes : as for `prepare_table`.
    """
    columns, spellings = legible(call, columns, request)
    decided = decisions(call, columns, weights, request, spellings)
    binnings = _binnings(call, columns, weights, decided)
    entries = []
    for column in columns:
        how = decided[column.name]
        try:
            if how.is_used:
                made = prepare_column(call, column, how, binnings.get(column.name), weights, request.missing)
                entries.append(made.entry)
                continue
        except DataError as error:
            why = "It cannot be used: " + str(error).removeprefix(f"{call}: ")
            how = replace(how, decision=replace(how.decision, action="drop", reason=why))
        entries.append(dropped(column, how, weights, request.missing))
    n_rows = n_observations(columns[0], weights) if columns else 0
    return Preparation(entries, missing=request.missing, n_rows=n_rows, notes=notes)


def _prepared(
    call: str,
    columns: Sequence[SourceColumn],
    weights: Weights | None,
    decided: Mapping[str, Decided],
    request: Request,
) -> tuple[list[CodedColumn], list[ColumnPreparation]]:
    """The columns that are used, and the record of all; one error names all that cannot be used."""
    problems = Problems(call)
    binnings = _binnings(call, columns, weights, decided)
    done: list[CodedColumn] = []
    entries: list[ColumnPreparation] = []
    for column in columns:
        how = decided[column.name]
        if not how.is_used:
            entries.append(dropped(column, how, weights, request.missing))
            continue
        if request.missing == "raise" and column.values.n_missing:
            problems.add_missing(column.name, column.values.n_missing)
        with problems.gathered(column):
            done.append(prepare_column(call, column, how, binnings.get(column.name), weights, request.missing))
            entries.append(done[-1].entry)
    problems.raise_if_any()
    if request.missing == "indicator":
        made = [CodedColumn(*parts) for parts in indicator_columns(call, columns, entries)]
        done += made
        entries += [column.entry for column in made]
    return done, entries


def _binnings(
    call: str, columns: Sequence[SourceColumn], weights: Weights | None, decided: Mapping[str, Decided]
) -> dict[str, Binning | DataError]:
    """The bins of all columns to be binned that hold numbers."""
    found: dict[str, tuple[Decision, npt.NDArray[np.float64]]] = {}
    for column in columns:
        decision = decided[column.name].decision
        values = row_numbers(column) if decision.action == "bin" else None
        if values is not None:
            found[column.name] = (decision, values)
    return binnings_for(call, found, weights)


def _refuse_none_used(call: str, decided: Mapping[str, Decided]) -> None:
    used = [name for name, how in decided.items() if how.is_used]
    refuse_none_used(call, {name: how.decision.reason for name, how in decided.items()}, used)


def refuse_none_used(call: str, reasons_by_name: Mapping[str, str], used: Sequence[object]) -> None:
    """Refuse a table of which no column is left.

    Parameters
    ----------
    call : the calling function, for errors.
    reasons_by_name : why columns are left out.
    used : the columns that are not.
    """
    if used:
        return
    reasons = "; ".join(f"{name!r}: {reason}" for name, reason in list(reasons_by_name.items())[:4])
    raise DataError(
        f"{call}: no column is left ({reasons}). Say what to do with at least one: columns={{'name': 'category'}}."
    )


def warn_of_dropped(call: str, record: Preparation, stacklevel: int = 4) -> None:
    """Warn if more than a fifth of the rows were dropped.

    Parameters
    ----------
    call : the calling function.
    record : what was done.
    stacklevel : of the warning, as seen from here.
    """
    if record.drops_many:
        advice = "If cells are not missing at random, these rows are not representative; missing='em' uses all rows."
        told = _told(call, record.n_kept, record.n_rows)
        warnings.warn(f"{told}. {advice}", DroppedRowsWarning, stacklevel=stacklevel)


def check_left(call: str, left: int, n_rows: int) -> None:
    """Refuse to go on with a handful of rows."""
    if left < _HANDFUL:
        raise DataError(
            f"{_told(call, left, n_rows)}, too few to learn anything from. Use missing='em' or missing='category', or "
            "leave out the columns with most missing cells (columns={'name': 'drop'})."
        )


def _told(call: str, left: int, n_rows: int) -> str:
    return f"{call}: missing='drop' leaves {left:,} of {n_rows:,} rows"
