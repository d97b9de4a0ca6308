"""Handling of missing cells.

They are rejected by default, because every alternative changes the result: dropping rows discards data (and biases
them if cells are not missing at random), and a separate category treats "missing" as a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml.errors import DataError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.source import SourceColumn

__all__ = ["check_policy", "complete_rows"]

_POLICIES = ("raise", "drop", "category")
_MOST_SHOWN = 8


def check_policy(call: str, missing: object) -> None:
    """Reject a policy that is not one of the three."""
    if not isinstance(missing, str) or missing not in _POLICIES:
        raise bad_argument(call, "missing", missing, "'raise', 'drop' or 'category'")


def complete_rows(call: str, columns: Sequence[SourceColumn], missing: str) -> npt.NDArray[np.bool_] | None:
    """Return the mask of rows to keep under a policy, or None for all of them."""
    holed = [column for column in columns if column.values.n_missing]
    if not holed or missing == "category":
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
