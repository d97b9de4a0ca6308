"""Reading interventions: from a column of the data, from booleans by name, or from an array of booleans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_array
from qnml.data.interventions import Interventions
from qnml.data.preparation.labelled import columns_of_table, numbered_labels
from qnml.data.table import Table
from qnml.errors import DataError, bad_argument, did_you_mean, plain, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.source import SourceColumn

__all__ = ["split_interventions", "with_interventions"]

_SEPARATOR = "|"
_NONE = "none"
_ALLOWED = (
    "the name of a column that says which variable was set, booleans by the names of variables, or an array of "
    "booleans, rows × columns"
)
_MOST_SHOWN = 6


def split_interventions(
    call: str, columns: list[SourceColumn], given: object
) -> tuple[list[SourceColumn], Interventions | None]:
    """Check the interventions; if they are a column, remove it from the variables.

    Parameters
    ----------
    call
        The calling function, for errors.
    columns
        Of the source.
    given
        What the caller passed as `interventions`.
    """
    if given is None:
        return columns, None
    names = [column.name for column in columns]
    n_rows = len(columns[0].values)
    if isinstance(given, Interventions):
        made = given
    elif isinstance(given, str):
        found = next((column for column in columns if column.name == given), None)
        if found is None:
            raise unknown_name(call, "interventions", given, names)
        columns = [column for column in columns if column is not found]
        if not columns:
            raise DataError(f"{call}: the interventions {given!r} are the only column. A table needs a variable.")
        made = _from_labels(call, found, [column.name for column in columns])
    else:
        made = Interventions.from_masks(_masks(call, given, names, n_rows), n_rows)
    return columns, made.restricted(names)


def with_interventions(table: Table, given: object) -> Table:
    """The same rows with other interventions; see `Table.with_interventions`."""
    call = "Table.with_interventions"
    kept, made = split_interventions(call, columns_of_table(table), given)
    chosen = table.select([column.name for column in kept])
    return Table._of(
        chosen.names,
        chosen.columns,
        chosen.levels,
        chosen.weights,
        call,
        chosen.preparation,
        chosen.missing,
        chosen.numbers,
        made,
        chosen.frame_kind,
    )


def _from_labels(call: str, column: SourceColumn, names: Sequence[str]) -> Interventions:
    """Read a column whose cells name the variables that were set, joined by ``|``; empty or ``none`` for none."""
    numbers, labels = numbered_labels(call, column)
    known = set(names)
    targets: list[tuple[str, ...]] = []
    unknown: dict[str, None] = {}
    for label in labels:
        text = str(label)
        parts = [text] if text in known else [part.strip() for part in text.split(_SEPARATOR)]
        if parts in ([""], [_NONE]) and _NONE not in known:
            parts = []
        targets.append(tuple(parts))
        unknown.update({part: None for part in parts if part not in known})
    if unknown:
        shown = ", ".join(plain(one) + did_you_mean(one, names) for one in list(unknown)[:_MOST_SHOWN])
        raise DataError(
            f"{call}: column {column.name!r} says which variables were set, but some of its cells name no column: "
            f"{shown}. Known: {', '.join(map(plain, names[: 3 * _MOST_SHOWN]))}. Leave the cell empty, or write "
            f"{_NONE!r}, where nothing was set, and join several names by {_SEPARATOR!r}."
        )
    return Interventions(np.where(numbers < 0, len(targets), numbers), [*targets, ()])


def _masks(call: str, given: Any, names: Sequence[str], n_rows: int) -> dict[str, npt.NDArray[np.bool_]]:
    """Masks by name, from a mapping, a frame, or an array with a column for each variable."""
    if not isinstance(given, Mapping) and hasattr(given, "columns"):
        try:
            given = {name: np.asarray(given[name]) for name in given.columns}
        except Exception as error:  # lazy frames, and whatever else has columns that cannot be looked up
            raise bad_argument(call, "interventions", given, _ALLOWED) from error
    if not isinstance(given, Mapping):
        array = checked_array(call, "interventions", given, _ALLOWED)
        if array.shape != (n_rows, len(names)):
            shape = " × ".join(map(str, array.shape)) or "a single value"
            advice = f"The data have {n_rows} rows and {len(names)} columns, the interventions have shape {shape}."
            raise bad_argument(call, "interventions", given, _ALLOWED, advice)
        given = dict(zip(names, array.T, strict=True))
    masks = {}
    for name, rows in given.items():
        if not isinstance(name, str) or name not in names:
            raise unknown_name(call, "interventions", name, names)
        mask = checked_array(call, "interventions", rows, _ALLOWED)
        if mask.shape != (n_rows,) or not _says_yes_or_no(mask):
            advice = f"Those of {name!r} must be {n_rows} booleans, one for each row."
            raise bad_argument(call, "interventions", given, _ALLOWED, advice)
        masks[str(name)] = mask.astype(bool)
    return masks


def _says_yes_or_no(mask: npt.NDArray[Any]) -> bool:
    if mask.dtype == object:  # of frames whose columns may have holes
        return all(isinstance(one, bool | np.bool_) for one in mask.tolist())
    return mask.dtype.kind == "b" or (mask.dtype.kind in "iuf" and bool(np.isin(mask, [0, 1]).all()))
