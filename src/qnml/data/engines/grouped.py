"""Compressing in the engine: one GROUP BY over all columns, as they are prepared, with a count.

The groups become the rows of a weighted table in canonical order, so the table is the same as the one of all rows,
merged, to the last bit: nothing in it depends on the engine or on the order of its answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.data.engines.answers import bin_column, check_total, counted
from qnml.data.engines.relation import Binned, Cell, Raw
from qnml.data.engines.studied import judged
from qnml.data.preparation.applying import level_numbers, prepared_column
from qnml.data.preparation.one_column import CodedColumn
from qnml.data.preparation.spelling import respelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.data.engines.relation import Relation
    from qnml.data.engines.studied import Studied
    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.preparation.problems import Problems
    from qnml.data.preparation.request import Request
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["coded", "fetched_groups"]


def fetched_groups(
    call: str,
    relation: Relation,
    names: Sequence[str],
    known: Mapping[str, Studied],
    total: int,
    request: Request,
    problems: Problems,
) -> tuple[list[CodedColumn], list[ColumnPreparation], list[SourceColumn], Weights]:
    """The groups, coded: the columns that are used, the records of all, the raw columns, and the counts.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table.
    names : its columns.
    known : what is known of those that were judged by their histograms.
    total : observations of the table.
    request : what the caller asked for.
    problems : gathers what keeps columns from being used.
    """
    cells: list[Cell] = []
    for name in names:
        cell = known[name].cell if name in known else Raw(name)
        if cell is not None:
            cells.append(cell)
    columns, weights = counted(call, relation.grouped(cells), cells)
    check_total(call, relation, int(weights.sum()), total)
    fetched = {cell.name: (cell, column) for cell, column in zip(cells, columns, strict=True)}
    done: list[CodedColumn] = []
    entries: list[ColumnPreparation] = []
    for name in names:
        study = known.get(name)
        if study is not None:
            if study.entry is None:
                continue
            entries.append(study.entry)
            if study.cell is not None:
                done.append(coded(call, *fetched[name], study))
            continue
        made, entry = judged(call, fetched[name][1], weights, request, problems)
        done += [] if made is None else [made]
        entries += [] if entry is None else [entry]
    return done, entries, columns, weights


def coded(call: str, cell: Cell, column: SourceColumn, study: Studied) -> CodedColumn:
    """Code a column that was judged before.

    Parameters
    ----------
    call : the calling function, for errors.
    cell : how it was asked for.
    column : its cells, as the engine answered.
    study : what was decided.
    """
    entry = study.entry
    assert entry is not None
    if isinstance(cell, Binned):
        column = bin_column(call, column, entry.bins or ())
    column = respelled(call, column, entry.spelling, entry.bins or ())
    levels = entry.levels or ()
    numbers = level_numbers(call, prepared_column(call, column, entry.recipe), levels)
    mask = numbers < 0
    return CodedColumn(entry, np.where(mask, 0, numbers), levels, mask if mask.any() else None)
