"""The summary that ``qnml paper`` prints at the end, as plain facts and as a page.

paper
    folder; seed; agreement (a sentence); run {networks_learned, networks_kept, seconds, networks_per_second, workers,
    unreadable_files}, null when nothing was run; parts [{part, title, missing (a sentence or null), tables, findings
    [{statement, holds (true, false or null), evidence}]}]; files [paths].
tables
    [{title, rows, columns, extra_columns {name: [a text for each row]}, repetitions {row: number}, cells [{row, column,
    ours, error, printed, difference_in_errors, within}], decimals (printed in the paper, or null), notes}].
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from qnml.paper.report import numbers
from qnml.paper.report.about import part_title
from qnml.paper.report.verdicts import total_sentence
from qnml.paper.summary.types import Cell
from qnml.reports.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import RenderableType

    from qnml.paper.run import Outcome
    from qnml.paper.summary.types import PartSummary, Table
    from qnml.reports.fact_parts import Facts

__all__ = ["paper_facts", "paper_page"]

_MOST_COLUMNS = 6
_MOST_LETTERS = 40
_WORDS = {True: "holds", False: "does not hold", None: "open"}


def paper_facts(
    outcome: Outcome | None, summaries: Sequence[PartSummary], seed: int, folder: str, files: Sequence[Path]
) -> Facts:
    """The facts about a run and its results.

    Parameters
    ----------
    outcome
        The outcome of the run; None if results were only read.
    summaries
        Summaries of the parts to show.
    seed
        Seed of the results.
    folder
        Folder of the results.
    files
        The files that were written.
    """
    return {
        "folder": folder,
        "seed": seed,
        "run": None if outcome is None else _run_facts(outcome),
        "agreement": total_sentence(summaries),
        "parts": [_part_facts(summary) for summary in summaries],
        "files": [str(path) for path in files],
    }


def paper_page(facts: Facts) -> list[RenderableType]:
    """For each part its tables, with the printed values, and the paper's findings; then a summary of the run."""
    page: list[RenderableType] = []
    for part in facts["parts"]:
        page.append(line(part["title"]))
        if part["missing"]:
            page.append(line(part["missing"]))
        for table in part["tables"]:
            page += _grids(table)
        page += [
            line(f"{_WORDS[finding['holds']]}: {finding['statement']} {finding['evidence']}")
            for finding in part["findings"]
        ]
        page.append(line(""))
    return [*page, *map(line, _closing(facts))]


def _closing(facts: Facts) -> list[str]:
    run = facts["run"]
    lines = []
    if run is not None:
        lines.append(
            f"{count(run['networks_learned'], 'network')} learned in {run['seconds']:.1f} s "
            f"({run['networks_per_second']:,.0f} a second, {count(run['workers'], 'worker')}), "
            f"{run['networks_kept']} kept from earlier runs; seed {facts['seed']}."
        )
        if run["unreadable_files"]:
            lines.append(
                f"{count(run['unreadable_files'], 'file')} of earlier runs could not be read and were recomputed."
            )
    lines.append(facts["agreement"])
    pages = [path for path in facts["files"] if path.endswith(".html")]
    return [*lines, f"Report: {pages[-1]}" if pages else f"Results: {facts['folder']}"]


def _grids(table: Facts) -> list[RenderableType]:
    """A table, in parts where it is too wide for a terminal; texts of any length have lines of their own."""
    long = {name for name, texts in table["extra_columns"].items() if max(map(len, texts), default=0) > _MOST_LETTERS}
    extra = {name: texts for name, texts in table["extra_columns"].items() if name not in long}
    room = max(_MOST_COLUMNS - len(extra), 1)
    columns = table["columns"]
    pieces = [columns[first : first + room] for first in range(0, len(columns), room)] or [[]]
    page: list[RenderableType] = []
    for number, piece in enumerate(pieces, 1):
        part = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        page += [line(f"{table['title']}{part}: ours, and in brackets the paper's")]
        page.append(_grid({**table, "columns": piece, "extra_columns": extra}))
    for name in table["extra_columns"]:
        if name in long:
            page.append(line(f"{name}:"))
            texts = table["extra_columns"][name]
            page += [line(f"  {row}: {text}") for row, text in zip(table["rows"], texts, strict=True)]
    return page


def _grid(table: Facts) -> RenderableType:
    cells = {(cell.pop("row"), cell.pop("column")): Cell(**cell) for cell in map(dict, table["cells"])}
    decimals = table["decimals"]
    heads = [("", "left"), *((name, "left") for name in table["extra_columns"])]
    heads += [(name, "right") for name in table["columns"]]
    rows = []
    for place, row in enumerate(table["rows"]):
        extra = [texts[place] for texts in table["extra_columns"].values()]
        rows.append([row, *extra, *(_shown(cells.get((row, column)), decimals) for column in table["columns"])])
    return grid(heads, rows)


def _shown(cell: Cell | None, decimals: int | None) -> str:
    if cell is None:
        return ""
    beside = "" if cell.printed is None else f" ({numbers.printed(cell, decimals)})"
    return f"{numbers.ours(cell, decimals)}{beside}"


def _run_facts(outcome: Outcome) -> Facts:
    return {
        "networks_learned": outcome.learnings,
        "networks_kept": outcome.kept,
        "seconds": outcome.seconds,
        "networks_per_second": outcome.learnings / outcome.seconds if outcome.seconds > 0 else 0.0,
        "workers": outcome.workers,
        "unreadable_files": outcome.unreadable,
    }


def _part_facts(summary: PartSummary) -> Facts:
    return {
        "part": summary.part,
        "title": part_title(summary.part),
        "missing": summary.missing,
        "tables": [_table_facts(table) for table in summary.tables],
        "findings": [asdict(finding) for finding in summary.findings],
    }


def _table_facts(table: Table) -> Facts:
    return {
        "title": table.title,
        "rows": list(table.row_names),
        "columns": list(table.column_names),
        "extra_columns": {name: list(texts) for name, texts in table.extra_columns.items()},
        "repetitions": dict(table.repetitions),
        "cells": [
            {"row": row, "column": column, **asdict(table.cells[row, column])}
            for row in table.row_names
            for column in table.column_names
            if (row, column) in table.cells
        ],
        "decimals": numbers.places(table),
        "notes": list(table.notes),
    }
