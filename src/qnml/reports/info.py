"""``qnml info``: the content of a table, and what would be done to its columns.

info
    source; rows; total (sum of the row weights); missing_cells; columns [{name, kind, missing, distinct, action,
    reason, levels [labels] or null, cuts [numbers] or null}]; used (names of the columns that become variables);
    remarks [sentences]; notes [on how the file was read]; distinct_rows (null if no column can be used); lattice
    {log2_subsets, exact_in_reach}; search {method, sets, families, memory_bytes, seconds, fits, sentence}, the
    forecast of 'qnml learn' with the bins above, or null if the table cannot be searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.parts import count, grid, line, source_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml.data import ColumnPreparation, Preparation, Table
    from qnml.reports.fact_parts import Facts
    from qnml.search import Plan

__all__ = ["info_facts", "info_page"]

_MOST_LABELS = 6
_MOST_COLUMNS = 500  # more are not readable, and laying them out takes longer than reading the file
_MOST_SUBSETS_SHOWN = 40
_MANY_MISSING = 0.2
_MANY_LEVELS = 20


def info_facts(looked: Preparation, table: Table | None, source: str, search: Plan | None, exact: Plan | None) -> Facts:
    """The rows, columns and missing cells of a table, and what would be done to it.

    Parameters
    ----------
    looked
        What was found, and what would be done.
    table
        The data as prepared; None if no column can be used.
    source
        Where the data came from.
    search, exact
        The forecasts of `qnml.plan` for the search that would be chosen and for an exact one; None if there is none.
    """
    used = looked.used
    return {
        "source": source,
        "rows": looked.n_rows if table is None else table.n_rows,
        "total": looked.n_rows,
        "missing_cells": sum(column.n_missing for column in looked.columns),
        "columns": [_column(column) for column in looked.columns],
        "used": list(used),
        "remarks": [remark for column in looked.columns for remark in _remarks(column)],
        "notes": list(looked.notes),
        "distinct_rows": None if table is None else table.merged().n_rows,
        "lattice": {"log2_subsets": len(used), "exact_in_reach": exact is not None and exact.fits},
        "search": None if search is None else _forecast(search),
    }


def _forecast(plan: Plan) -> Facts:
    figures = ("method", "sets", "families", "memory_bytes", "seconds", "fits")
    return {**{name: getattr(plan, name) for name in figures}, "sentence": plan.sentence()}


def _column(column: ColumnPreparation) -> Facts:
    return {
        "name": column.name,
        "kind": column.kind,
        "missing": column.n_missing,
        "distinct": column.n_distinct,
        "action": column.action,
        "reason": column.reason,
        "levels": None if column.levels is None else list(column.levels),
        "cuts": None if column.cuts is None else list(column.cuts),
    }


def _remarks(column: ColumnPreparation) -> list[str]:
    """What a person should look at, beyond what the rules decide."""
    remarks = [] if column.remark is None else [f"{column.name}: {column.remark}"]
    if column.action == "drop":
        return remarks
    if column.spelling is not None:
        remarks.append(f"{column.name}: {column.spelling.sentence()}")
    if column.n_missing > _MANY_MISSING * column.n_rows:
        remarks.append(f"{column.name}: {column.n_missing / column.n_rows:.0%} of the cells are missing.")
    levels = len(column.levels or ())
    if levels > _MANY_LEVELS:
        remarks.append(f"{column.name}: {levels} levels make it expensive as a parent; merge some if that makes sense.")
    return remarks


def info_page(facts: Facts) -> list[RenderableType]:
    """A few lines about the table, then one row for each column."""
    columns = facts["columns"]
    heads = [("column", "left"), ("kind", "left"), ("missing", "right"), ("distinct", "right"), ("done", "left")]
    rows = [
        (column["name"], column["kind"], column["missing"] or "", column["distinct"], _done(column))
        for column in columns[:_MOST_COLUMNS]
    ]
    page: list[RenderableType] = [*map(line, _summary(facts)), grid(heads, rows), *map(line, facts["remarks"])]
    if len(columns) > _MOST_COLUMNS:
        page.append(line(f"… and {count(len(columns) - _MOST_COLUMNS, 'more column')}; --json lists all."))
    return page


def _summary(facts: Facts) -> list[str]:
    weighted = f" with a total weight of {facts['total']}" if facts["total"] != facts["rows"] else ""
    n, missing = facts["lattice"]["log2_subsets"], facts["missing_cells"]
    lines = [
        *facts["notes"],
        f"{source_text(facts)}: {count(facts['rows'], 'row')}{weighted}, {count(len(facts['columns']), 'column')}",
        f"Missing cells: {missing or 'none'}",
        f"Columns that become variables: {n}; --column NAME=category, bins or drop decides otherwise",
    ]
    if facts["distinct_rows"] is None:
        return lines
    forecast = [] if facts["search"] is None else [f"A search: {facts['search']['sentence']}{_more_searches(facts)}"]
    return [
        *lines,
        f"Distinct rows of these columns: {facts['distinct_rows']} (identical rows are merged before counting)",
        f"Sets of variables: 2^{n}" + (f" = {2**n}" if n <= _MOST_SUBSETS_SHOWN else ""),
        "Exact learning: in reach"
        if facts["lattice"]["exact_in_reach"]
        else "Exact learning: out of reach ('qnml learn --method exact --plan' says why)",
        *forecast,
    ]


def _more_searches(facts: Facts) -> str:
    """What makes 'qnml learn' search several times."""
    columns = [column for column in facts["columns"] if column["action"] != "drop"]
    reasons = ["learns bins and network together"] * any(column["action"] == "bin" for column in columns)
    reasons += ["estimates missing cells"] * any(column["missing"] for column in columns)
    return f" 'qnml learn' {' and '.join(reasons)}, which takes several searches." if reasons else ""


def _done(column: Facts) -> str:
    """What would be done to a column, with its levels or the reason why it is left out."""
    if column["action"] == "drop":
        return f"left out: {column['reason'][:1].lower()}{column['reason'][1:]}"
    if column["action"] == "bin":
        cuts = column["cuts"]
        return (
            f"{count(len(column['levels']), 'bin')}, cut at {_cut([f'{cut:g}' for cut in cuts])}" if cuts else "1 bin"
        )
    levels = column["levels"]
    unseen = len(levels) - column["distinct"] if column["action"] == "keep" else 0
    word = "kept" if column["action"] == "keep" else "rare labels merged"
    return f"{word}, {len(levels)}{f' ({unseen} unseen)' if unseen > 0 else ''}: {_cut(list(map(str, levels)))}"


def _cut(texts: list[str]) -> str:
    return ", ".join(texts[:_MOST_LABELS]) + (", …" if len(texts) > _MOST_LABELS else "")
