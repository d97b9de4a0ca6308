"""From a relation to the columns of a table, by the way that the plan chooses."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from qnml.data.engines.answers import check_total, counted, histogram, opened_rows
from qnml.data.engines.grouped import fetched_groups
from qnml.data.engines.plan import ReadingPlan, made_plan, takes_rows
from qnml.data.engines.relation import COUNT, Raw
from qnml.data.engines.streamed import streamed_columns
from qnml.data.engines.studied import needs_histogram, studied
from qnml.data.preparation.indicators import indicator_columns
from qnml.data.preparation.one_column import CodedColumn, dropped
from qnml.data.preparation.preparation import Preparation
from qnml.data.preparation.preparing import (
    Prepared,
    check_left,
    inspected,
    prepare_table,
    refuse_none_used,
    warn_of_dropped,
)
from qnml.data.preparation.problems import Problems
from qnml.data.preparation.request import decisions, legible
from qnml.data.preparation.wishes import find_unknown
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.engines.relation import Relation
    from qnml.data.engines.studied import Studied
    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.preparation.request import Request

__all__ = ["Fetched", "fetched", "inspected_relation", "planned", "rows_of"]

_LOG = logging.getLogger(__name__)
_BATCH_ROWS = 65_536


@dataclass(frozen=True)
class Fetched:
    """What was fetched from an engine.

    Attributes
    ----------
    prepared : the columns, their weights and the record.
    plan : how they were fetched.
    """

    prepared: Prepared
    plan: ReadingPlan


@dataclass(frozen=True)
class _Looked:
    """What is known of a relation before its rows are fetched.

    Attributes
    ----------
    relation : the relation, without incomplete rows if they are dropped.
    names : the columns to be judged or used.
    n_rows : stored rows.
    total, n_kept : observations, all and those that are used.
    n_values : about how many different values each column has; -1 if not known.
    left_out : records of columns that were left out with the incomplete rows in view.
    """

    relation: Relation
    names: tuple[str, ...]
    n_rows: int
    total: int
    n_kept: int
    n_values: dict[str, int]
    left_out: dict[str, ColumnPreparation]


def fetched(call: str, relation: Relation, request: Request, way: str, memory_limit: float) -> Fetched:
    """Fetch and prepare a table.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table in its engine.
    request : what the caller asked for.
    way : one of `WAYS`.
    memory_limit : bytes that may be held.
    """
    looked = _looked(call, relation, request, way)
    if looked is None:
        return _all_rows(call, relation, request, memory_limit)
    problems = Problems(call)
    known = _studied(call, looked, request, problems, memory_limit)
    plan = _plan(call, looked, known, way, memory_limit)
    _LOG.info("%s", plan.sentence())
    if plan.way == "rows":
        return _all_rows(call, relation, request, memory_limit)
    if plan.way == "stream":
        known = _studied(call, looked, request, problems, memory_limit, known, of_all=True)
        problems.raise_if_any()
        columns, entries, weights = streamed_columns(call, looked.relation, looked.names, known, plan)
        done = columns + (_indicators_of_masks(entries, columns) if request.missing == "indicator" else [])
    else:
        columns, entries, raw, weights = fetched_groups(
            call, looked.relation, looked.names, known, looked.n_kept, request, problems
        )
        problems.raise_if_any()
        made = [CodedColumn(*parts) for parts in indicator_columns(call, raw, entries)]
        done = columns + (made if request.missing == "indicator" else [])
    by_name = {entry.name: entry for entry in (*looked.left_out.values(), *entries)}
    refuse_none_used(call, {entry.name: entry.reason for entry in by_name.values() if entry.action == "drop"}, done)
    ordered = [by_name[name] for name in relation.kinds if name in by_name]
    ordered += [column.entry for column in done if column.entry.name not in by_name]
    record = Preparation(
        ordered,
        missing=request.missing,
        n_rows=looked.total,
        n_kept=looked.n_kept,
        notes=relation.notes,
    )
    warn_of_dropped(call, record)
    return Fetched(Prepared(done, weights, record, slice(None)), plan)


def planned(call: str, relation: Relation, request: Request, way: str, memory_limit: float) -> ReadingPlan:
    """What `fetched` would do.

    Parameters
    ----------
    call, relation, request, way, memory_limit : as for `fetched`.
    """
    looked = _looked(call, relation, request, way)
    if looked is None:
        n_rows = relation.sizes([])[0]
        return made_plan(call, relation.engine, n_rows, [2] * len(relation.kinds), -1, "rows", memory_limit)
    known = _studied(call, looked, request, Problems(call), memory_limit)
    return _plan(call, looked, known, way, memory_limit)


def inspected_relation(call: str, relation: Relation, request: Request) -> Preparation:
    """What `fetched` would do to the columns, each judged by its histogram, whether the table can be used or not.

    Parameters
    ----------
    call, relation, request : as for `fetched`.
    """
    find_unknown(call, request.wishes, list(relation.kinds))
    entries: list[ColumnPreparation] = []
    n_rows = 0
    for name in relation.kinds:
        column, weights = histogram(call, relation, name)
        n_rows = int(weights.sum())
        entries += inspected(call, [column], weights, request).columns
    return Preparation(entries, missing=request.missing, n_rows=n_rows, notes=relation.notes)


def _looked(call: str, relation: Relation, request: Request, way: str) -> _Looked | None:
    """Count rows and values; None if the rows are to be fetched as they are."""
    names = tuple(relation.kinds)
    if not names:
        raise DataError(f"{call}: there are no columns. A table needs at least one variable.")
    if not all(names):
        raise DataError(f"{call}: a column has no name. Name it, or leave it out.")
    find_unknown(call, request.wishes, names)
    countable = [name for name in names if relation.kinds[name] != "other"]
    n_rows, *values = relation.sizes([Raw(name) for name in countable])
    if not n_rows:
        raise DataError(f"{call}: there are no rows. A table needs at least one row of positive weight.")
    if way == "rows" or (way == "auto" and takes_rows(n_rows, len(names))):
        return None
    n_values = {**dict.fromkeys(names, -1), **dict(zip(countable, values, strict=True))}
    total = _total(call, relation)
    looked = _Looked(relation, names, n_rows, total, total, n_values, {})
    return _without_incomplete(call, looked, request) if request.missing == "drop" else looked


def _without_incomplete(call: str, looked: _Looked, request: Request) -> _Looked | None:
    """Leave out rows with a missing cell in a column that is used; fewer rows may leave a column constant.

    None if only the rows themselves can tell.
    """
    used, holed, left_out = [], [], {}
    for name in looked.names:
        column, weights = histogram(call, looked.relation, name)
        check_total(call, looked.relation, int(weights.sum()), looked.total)
        (column,), spellings = legible(call, [column], request)
        decided = decisions(call, [column], weights, request, spellings)[name]
        if decided.is_used and any(one.missing_words for one in spellings.values()):
            return None  # the engine does not know which texts stand for missing cells
        if not decided.is_used:
            left_out[name] = (column, weights, decided)
            continue
        used.append(name)
        if column.values.n_missing:
            holed.append(name)
    if not holed:
        return looked
    complete = looked.relation.complete(holed)
    n_kept = _total(call, complete)
    if not n_kept:
        raise DataError(
            f"{call}: every row has a missing cell, so missing='drop' leaves none. "
            "Use missing='category', or leave out columns."
        )
    check_left(call, n_kept, looked.total)
    entries = {}
    for name, (column, weights, decided) in left_out.items():
        if decided.found is None:
            column, weights = histogram(call, complete, name)
        entries[name] = dropped(column, decided, weights, request.missing)
    n_rows = complete.sizes([])[0]
    return replace(looked, relation=complete, names=tuple(used), n_rows=n_rows, n_kept=n_kept, left_out=entries)


def _studied(
    call: str,
    looked: _Looked,
    request: Request,
    problems: Problems,
    memory_limit: float,
    known: dict[str, Studied] | None = None,
    *,
    of_all: bool = False,
) -> dict[str, Studied]:
    """Judge the columns that must be judged before the rows are fetched, or all of them."""
    done = dict(known or {})
    kinds, values = looked.relation.kinds, looked.n_values
    for name in looked.names:
        if name not in done and (of_all or needs_histogram(kinds[name], values[name], name, request)):
            arguments = (name, values[name], looked.n_kept, request, problems, memory_limit)
            done[name] = studied(call, looked.relation, *arguments)
    return done


def _plan(call: str, looked: _Looked, known: dict[str, Studied], way: str, memory_limit: float) -> ReadingPlan:
    cells, arities = [], []
    for name in looked.names:
        study = known.get(name)
        cell = Raw(name) if study is None else study.cell
        if cell is None:
            continue
        cells.append(cell)
        levels = None if study is None or study.entry is None else study.entry.levels
        arities.append(len(levels) if levels is not None else max(looked.n_values[name], 1))
    n_distinct = looked.relation.distinct(cells)
    return made_plan(call, looked.relation.engine, looked.n_rows, arities, n_distinct, way, memory_limit)


def _all_rows(call: str, relation: Relation, request: Request, memory_limit: float) -> Fetched:
    """The rows as they are, through the code for frames in memory."""
    names = tuple(relation.kinds)
    n_rows = relation.sizes([])[0]
    plan = made_plan(call, relation.engine, n_rows, [2] * len(names), -1, "rows", memory_limit)
    _LOG.info("%s", plan.sentence())
    frame, weights = _numbered_rows(call, relation)
    columns = opened_rows(call, frame, names)
    return Fetched(prepare_table(call, columns, weights, request, relation.notes), plan)


def rows_of(call: str, relation: Relation) -> tuple[nw.DataFrame[Any], Any]:
    """All rows as a frame of any library, and their weights or None.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table in its engine.
    """
    frame, weights = _numbered_rows(call, relation)
    named = [nw.col(f"c{place}").alias(name) for place, name in enumerate(relation.kinds)]
    return frame.select(named), weights


def _numbered_rows(call: str, relation: Relation) -> tuple[nw.DataFrame[Any], Any]:
    names = tuple(relation.kinds)
    parts = [nw.from_native(part, eager_only=True) for part in relation.batches(names, _BATCH_ROWS)]
    if not parts:
        raise DataError(f"{call}: there are no rows. A table needs at least one row of positive weight.")
    frame: nw.DataFrame[Any] = nw.concat(parts, how="vertical") if len(parts) > 1 else parts[0]
    weights = None
    if COUNT in frame.columns:
        weights = np.ascontiguousarray(frame[COUNT].to_numpy()).astype(np.uint64)
        frame = frame.drop(COUNT)
    return frame, weights


def _total(call: str, relation: Relation) -> int:
    _, counts = counted(call, relation.grouped([]), [])
    return int(counts.sum())


def _indicators_of_masks(entries: Sequence[ColumnPreparation], columns: Sequence[CodedColumn]) -> list[CodedColumn]:
    """Indicators of columns that are coded already."""
    from qnml.data.preparation.indicators import indicators_of_masks

    masks = {column.entry.name: column.mask for column in columns}
    return [CodedColumn(*parts) for parts in indicators_of_masks(entries, masks)]
