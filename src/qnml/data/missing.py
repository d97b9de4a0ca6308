"""Handling of missing cells.

They are rejected by default, because every alternative changes the result: dropping rows discards data (and biases
them if cells are not missing at random), a separate category treats "missing" as a value, and EM estimates what is
missing under the assumption that cells are missing at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml.errors import DataError, bad_argument, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.source import SourceColumn
    from qnml.data.table import Table

__all__ = ["LEAVES_HOLES", "POLICIES", "check_policy", "complete_rows", "refuse_incomplete"]

POLICIES = ("raise", "drop", "category", "em", "indicator")
LEAVES_HOLES = ("em", "indicator")
"""Policies under which a table keeps its missing cells."""

_MOST_SHOWN = 8


def check_policy(call: str, missing: object) -> None:
    """Reject an unknown policy."""
    if not isinstance(missing, str) or missing not in POLICIES:
        raise bad_argument(call, "missing", missing, "'raise', 'drop', 'category', 'em' or 'indicator'")


def complete_rows(call: str, columns: Sequence[SourceColumn], missing: str) -> npt.NDArray[np.bool_] | None:
    """Return the mask of rows to keep under a policy, or None for all of them."""
    holed = [column for column in columns if column.values.n_missing]
    if not holed or missing not in ("raise", "drop"):
        return None
    if missing == "raise":
        shown = [f"{column.name!r} ({column.values.n_missing})" for column in holed[:_MOST_SHOWN]]
        if len(holed) > _MOST_SHOWN:
            shown.append(f"and {len(holed) - _MOST_SHOWN} more columns")
        count = sum(column.values.n_missing for column in holed)
        counted = "1 cell is" if count == 1 else f"{count:,} cells are"
        raise DataError(
            f"{call}: {counted} missing, in {', '.join(shown)}. Use missing='drop' to drop "
            "their rows, missing='category' to make missing a level, or fill them in."
        )
    keep = np.ones(len(columns[0].values), dtype=bool)
    for column in holed:
        keep &= ~column.values.is_missing()
    if not keep.any():
        raise DataError(
            f"{call}: every row has a missing cell, so missing='drop' leaves none. "
            "Use missing='category', or leave out columns."
        )
    return keep


def refuse_incomplete(call: str, table: Table) -> None:
    """Refuse a table with missing cells, for callers that would take them for observed ones."""
    holed = [plain(name) for name, mask in zip(table.names, table.missing, strict=True) if mask is not None]
    if not holed:
        return
    listed = ", ".join(holed[:_MOST_SHOWN])
    more = f" and {len(holed) - _MOST_SHOWN} more columns" if len(holed) > _MOST_SHOWN else ""
    raise DataError(
        f"{call}: {table.n_missing:,} cells of the table are missing, in {listed}{more}. Only learn and fit estimate "
        "what is missing, by EM. For anything else make 'missing' a level, by table.with_missing_level(), or read the "
        "data with missing='category' or missing='drop'."
    )
