"""Preparing one raw column of a table, and recording what was done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.data.coding import encode
from qnml.data.missing import LEAVES_HOLES
from qnml.data.preparation.applying import prepared_column
from qnml.data.preparation.column import ColumnPreparation
from qnml.data.preparation.finding import kind_of, row_numbers
from qnml.data.preparation.labelled import labelled_by_value
from qnml.data.preparation.recipe import Recipe
from qnml.data.preparation.remarks import remark_on
from qnml.data.preparation.rules import OTHER_LABELS
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.data.binning import Binning
    from qnml.data.labels import Label
    from qnml.data.preparation.request import Decided
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["CodedColumn", "dropped", "n_observations", "prepare_column"]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as a variable of a table.

    Attributes
    ----------
    entry : what was done to it.
    codes : the level of each cell; 0 where it is missing.
    levels : the levels.
    mask : which cells are missing; None if none is.
    numbers : the raw values of a binned column, NaN where missing; None for other columns.
    """

    entry: ColumnPreparation
    codes: npt.NDArray[Any]
    levels: tuple[Label, ...]
    mask: npt.NDArray[np.bool_] | None = None
    numbers: npt.NDArray[np.float64] | None = None


def prepare_column(
    call: str,
    column: SourceColumn,
    decided: Decided,
    binning: Binning | DataError | None,
    weights: Weights | None,
    missing: str,
) -> CodedColumn:
    """Prepare and code one column.

    Parameters
    ----------
    call : the calling function, for errors.
    column : the raw column.
    decided : what is done to it; it is not left out.
    binning : its bins, or why it has none; None if it is not binned or holds no numbers.
    weights : how often each row counts.
    missing : the policy for missing cells.
    """
    recipe = _recipe(call, column, decided, binning)
    source = labelled_by_value(call, column) if decided.is_wish and recipe == Recipe() else column
    codes, levels, mask = _coded(call, prepared_column(call, source, recipe), missing)
    label = levels[-1] if missing == "category" and column.values.n_missing else None
    facts = _facts(column, decided, weights, missing)
    if decided.found is None:
        present = codes if mask is None else codes[~mask]
        facts["n_distinct"] = int(np.count_nonzero(np.bincount(present, minlength=1))) - (label is not None)
    entry = ColumnPreparation(**facts, **_done(recipe), levels=levels, missing_label=label)
    return CodedColumn(entry, codes, levels, mask, None if recipe.binning is None else row_numbers(column))


def dropped(column: SourceColumn, decided: Decided, weights: Weights | None, missing: str) -> ColumnPreparation:
    """The record of a column that is left out.

    Parameters
    ----------
    column, decided, weights, missing : as for `prepare_column`.
    """
    return ColumnPreparation(**_facts(column, decided, weights, missing))


def n_observations(column: SourceColumn, weights: Weights | None) -> int:
    """The number of rows, each counted by its weight."""
    return len(column.values) if weights is None else int(weights.sum())


def _facts(column: SourceColumn, decided: Decided, weights: Weights | None, missing: str) -> dict[str, Any]:
    """What was found in a column and decided about it."""
    found = decided.found
    if found is None:
        holes = column.values.is_missing()
        n_missing = int(np.count_nonzero(holes)) if weights is None else int(weights[holes].sum())
        counts = (n_observations(column, weights), n_missing, 0)
    else:
        counts = (found.n_rows, found.n_missing, found.n_distinct)
    spelling = decided.spelling
    written: dict[str, Any] = {}
    if spelling is not None:
        words = spelling.missing_words or None
        written = {"unit": spelling.unit or None, "decimal": spelling.decimal, "missing_words": words}
    remark = None if found is None or decided.is_wish else remark_on(found)
    return {
        **written,
        "remark": remark,
        "name": column.name,
        "kind": kind_of(column) if found is None else found.kind,
        **dict(zip(("n_rows", "n_missing", "n_distinct"), counts, strict=True)),
        "action": decided.decision.action,
        "reason": " ".join([decided.decision.reason, *([] if spelling is None else [spelling.sentence()])]),
        "missing": missing,
        "method": decided.decision.method or None,
        "is_fixed": decided.decision.is_fixed,
    }


def _recipe(call: str, column: SourceColumn, decided: Decided, binning: Binning | DataError | None) -> Recipe:
    """How the cells of a column are prepared."""
    decision = decided.decision
    if decision.action == "bin":
        if isinstance(binning, DataError):
            raise binning
        if binning is None:
            raise DataError(
                f"{call}: column {column.name!r} holds {kind_of(column)} values, which cannot be binned. Keep it as "
                "'category', or 'drop' it."
            )
        return Recipe(binning=binning)
    if decision.action == "merge":
        texts = {str(label) for label in decision.kept_levels}
        other = next(label for label in OTHER_LABELS if label not in texts)
        return Recipe(kept_levels=decision.kept_levels, other=other)
    return Recipe(as_text=decided.is_wish and column.values.kind in ("date", "other"))


def _done(recipe: Recipe) -> Mapping[str, Any]:
    """A recipe as fields of the record."""
    binning = recipe.binning
    return {
        "cuts": None if binning is None else tuple(binning.cuts.tolist()),
        "bins": None if binning is None else binning.labels,
        "slack": 0.0 if binning is None else binning.slack,
        "kept_levels": recipe.kept_levels,
        "other": recipe.other,
    }


def _coded(
    call: str, column: SourceColumn, missing: str
) -> tuple[npt.NDArray[Any], tuple[Label, ...], npt.NDArray[np.bool_] | None]:
    """Level numbers, levels, and the mask of the missing cells if they stay missing."""
    codes, levels = encode(call, column)
    if missing not in LEAVES_HOLES or not column.values.n_missing:
        return codes, levels, None
    if len(levels) == 1:
        raise DataError(f"{call}: every cell of column {column.name!r} is missing. Leave it out.")
    # Coding gives missing cells a level of their own, the last.
    mask = column.values.is_missing()
    return np.where(mask, 0, codes), levels[:-1], mask
