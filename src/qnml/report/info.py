"""``qnml info``: the content of a table.

info
    source; rows; total (sum of the row weights); distinct_rows; missing_cells; constant [names]; variables [{name,
    labels, n_levels, n_observed, missing}]; lattice {log2_subsets, exact_in_reach}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.data.coding import MISSING_LABELS
from qnml.report.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml._types import Label
    from qnml.data import Table
    from qnml.report.fact_parts import Facts

__all__ = ["info_facts", "info_page"]

_MOST_LABELS = 8
_MOST_COLUMNS = 500  # more are not readable, and laying them out takes longer than reading the file
_MOST_SUBSETS_SHOWN = 40


def info_facts(table: Table, source: str, *, has_missing: bool, exact_in_reach: bool) -> Facts:
    """The rows, levels and missing cells of a table.

    Parameters
    ----------
    table
        The data; read with ``missing="category"`` if cells are missing.
    source
        Where the data came from.
    has_missing
        Whether cells are missing.
    exact_in_reach
        Whether an exact search would fit, according to `qnml.plan`.
    """
    variables = [
        _variable(name, labels, codes, has_missing=has_missing)
        for name, labels, codes in zip(table.names, table.levels, table.columns, strict=True)
    ]
    return {
        "source": source,
        "rows": table.n_rows,
        "total": table.total,
        "distinct_rows": table.merged().n_rows,
        "missing_cells": sum(variable["missing"] for variable in variables),
        "constant": [
            variable["name"] for variable in variables if variable["n_observed"] + bool(variable["missing"]) == 1
        ],
        "variables": variables,
        "lattice": {"log2_subsets": len(variables), "exact_in_reach": exact_in_reach},
    }


def _variable(name: str, labels: Sequence[Label], codes: np.ndarray, *, has_missing: bool) -> Facts:
    occurrences = np.bincount(codes, minlength=len(labels))
    holed = has_missing and labels[-1] in MISSING_LABELS
    return {
        "name": name,
        "labels": list(labels[:-1] if holed else labels),
        "n_levels": len(labels) - holed,
        "n_observed": int(np.count_nonzero(occurrences)) - holed,
        "missing": int(occurrences[-1]) if holed else 0,
    }


def info_page(facts: Facts) -> list[RenderableType]:
    """A few lines about the table, then one row for each column."""
    variables = facts["variables"]
    heads = [("column", "left"), ("levels", "right"), ("missing", "right"), ("labels", "left")]
    rows = [
        (variable["name"], _levels(variable), variable["missing"] or "", _labels(variable["labels"]))
        for variable in variables[:_MOST_COLUMNS]
    ]
    page: list[RenderableType] = [*map(line, _summary(facts)), grid(heads, rows)]
    if len(variables) > _MOST_COLUMNS:
        page.append(line(f"… and {count(len(variables) - _MOST_COLUMNS, 'more column')}; --json lists all."))
    return page


def _summary(facts: Facts) -> list[str]:
    weighted = f" with a total weight of {facts['total']}" if facts["total"] != facts["rows"] else ""
    n = facts["lattice"]["log2_subsets"]
    missing = facts["missing_cells"]
    return [
        f"{facts['source']}: {count(facts['rows'], 'row')}{weighted}, {count(n, 'column')}",
        f"Distinct rows: {facts['distinct_rows']} (identical rows are merged before counting)",
        f"Constant columns: {_listed(facts['constant'])}",
        f"Missing cells: {missing}, treated here as a category of their own" if missing else "Missing cells: none",
        f"Sets of variables: 2^{n}" + (f" = {2**n}" if n <= _MOST_SUBSETS_SHOWN else ""),
        "Exact learning: in reach"
        if facts["lattice"]["exact_in_reach"]
        else "Exact learning: out of reach ('qnml learn --method exact --plan' says why)",
    ]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_COLUMNS
    return (", ".join(names[:_MOST_COLUMNS]) or "none") + (f" and {more} more" if more > 0 else "")


def _levels(variable: Facts) -> str:
    unseen = variable["n_levels"] - variable["n_observed"]
    return f"{variable['n_levels']}" + (f" ({unseen} unseen)" if unseen else "")


def _labels(labels: Sequence[object]) -> str:
    shown = ", ".join(map(str, labels[:_MOST_LABELS]))
    return f"{shown}, … {len(labels) - _MOST_LABELS} more" if len(labels) > _MOST_LABELS else shown
