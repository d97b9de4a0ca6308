"""Columns that say whether a cell of another column is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from qnml.data.labels import Label
from qnml.data.preparation.column import ColumnPreparation
from qnml.data.source import SourceColumn, column_of_categories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["INDICATOR_LEVELS", "indicator_columns", "indicator_of", "indicators_of_masks"]

INDICATOR_LEVELS: tuple[Label, ...] = ("no", "yes")

_Indicator = tuple[ColumnPreparation, npt.NDArray[np.uint8], tuple[Label, ...]]


def indicator_columns(
    call: str, columns: Sequence[SourceColumn], entries: Sequence[ColumnPreparation]
) -> Iterator[_Indicator]:
    """An indicator for each used column with missing cells: its record, its codes and its levels.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the raw columns.
    entries : what is done to them.
    """
    masks = {column.name: column.values.is_missing() if column.values.n_missing else None for column in columns}
    return indicators_of_masks(entries, masks)


def indicators_of_masks(
    entries: Sequence[ColumnPreparation], masks: Mapping[str, npt.NDArray[np.bool_] | None]
) -> Iterator[_Indicator]:
    """The same for columns of which only the missing cells are known.

    Parameters
    ----------
    entries : what is done to the columns.
    masks : by name, which cells are missing; None if none is, or the column is left out.
    """
    taken = {entry.name for entry in entries} | set(masks)
    for entry in entries:
        mask = masks.get(entry.name)
        if entry.action == "drop" or mask is None:
            continue
        name = f"{entry.name} is missing"
        while name in taken:
            name += "_"
        taken.add(name)
        made = ColumnPreparation(
            name,
            "indicator",
            entry.n_rows,
            0,
            2 if entry.n_missing < entry.n_rows else 1,
            "indicate",
            f"Whether {entry.name} is missing.",
            levels=INDICATOR_LEVELS,
            missing=entry.missing,
            of=entry.name,
        )
        yield made, mask.astype(np.uint8), INDICATOR_LEVELS


def indicator_of(call: str, column: SourceColumn, name: str) -> SourceColumn:
    """The indicator of a raw column.

    Parameters
    ----------
    call : the calling function, for errors.
    column : the raw column.
    name : the name of the indicator.
    """
    return column_of_categories(call, name, column.values.is_missing().astype(np.int64), INDICATOR_LEVELS)
