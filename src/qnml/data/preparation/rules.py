"""The rules of ``prepare="auto"``: what is done to a column, judged by what it holds.

Text that is numbers with a unit, or beside words for missing cells, counts as numbers (see `spelling`).
The first rule that applies decides:

1. A column without values, with less than a fifth of its cells, or with values that cannot be levels (lists) is left
   out.
2. A column with declared levels is kept.
3. A column with a single value is left out.
4. Dates are left out; as text only if there are more than 10 of them.
5. Integers that number the rows (more than 10) are left out, and so is a column of integers or text with nearly as many
   values as cells (nine in ten, from 20 cells on): it looks like an identifier.
6. Booleans and integers with up to 10 values are kept.
7. Real numbers with up to 6 values get one bin for each value; all other numbers are cut by NML histograms of at most
   10 bins.
8. Text with up to 10 labels is kept. With more labels than half the cells, or none that 5 rows share, it is free text
   and left out. Otherwise labels of fewer than 5 rows are merged if there are several, and at most 64 labels stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from qnml.data.labels import Label
    from qnml.data.preparation.column import Action
    from qnml.data.preparation.finding import Finding

__all__ = ["FEW_LEVELS", "OTHER_LABELS", "Decision", "decide"]

LEAST_PRESENT = 0.2
FEW_LEVELS = 10
FEW_REALS = 6
FEWEST_ROWS = 20
IDENTIFIER_SHARE = 0.9
FREE_TEXT_SHARE = 0.5
RARE = 5
MOST_LABELS = 64
OTHER_LABELS = ("(other)", "(others)", "(all others)")


@dataclass(frozen=True)
class Decision:
    """What is to be done to a column, and why.

    Attributes
    ----------
    action : as in `ColumnPreparation`.
    reason : in a sentence.
    method : how to bin, one of the methods of `Discretizer` or ``"values"`` for one bin for each value.
    bins : the number of bins, for methods that need one; their highest number for ``"nml"``.
    cuts : given cut points, for the method ``"cuts"``.
    kept_levels : the labels that stay when the others are merged.
    is_fixed : whether the caller asked for these very bins, so that `learn` does not choose others.
    """

    action: Action
    reason: str
    method: str = ""
    bins: int | None = None
    cuts: tuple[float, ...] = ()
    kept_levels: tuple[Label, ...] = ()
    is_fixed: bool = False


def decide(found: Finding) -> Decision:
    """Apply the rules to one column."""
    left_out = _left_out(found)
    if left_out:
        return Decision("drop", left_out)
    if found.kind == "declared":
        return Decision("keep", "Its levels are declared.")
    if found.kind in ("integer", "real"):
        return _numbers(found)
    if found.kind == "boolean" or found.n_distinct <= FEW_LEVELS:
        return Decision("keep", "Categories.")
    return _many_labels(found)


def _left_out(found: Finding) -> str:
    """Why a column is left out; empty if it is not."""
    if found.kind == "empty":
        return "Every cell is missing."
    if found.problem is not None or found.values is None or found.kind == "other":
        return "Its cells are of mixed kinds or no single values." if found.problem is None else _problem(found)
    if found.n_present < LEAST_PRESENT * found.n_rows:
        return f"Only {found.n_present:,} of {found.n_rows:,} cells are there."
    if found.kind == "declared":
        return ""
    if found.n_distinct == 1:
        return f"Constant: every cell is {found.values[0]}."
    if found.kind == "date" or (found.looks_like_dates and found.n_distinct > FEW_LEVELS):
        return "Dates or times."
    if found.is_index and found.n_rows > FEW_LEVELS:
        return "It numbers the rows."
    if found.kind in ("integer", "text") and _is_identifier(found):
        return (
            f"It looks like an identifier: {found.n_distinct:,} different values in {found.n_present:,} cells."
            if found.kind == "integer" or not _is_prose(found)
            else f"Free text: {found.n_distinct:,} different texts in {found.n_present:,} cells."
        )
    return ""


def _problem(found: Finding) -> str:
    return "Its values cannot be levels: " + str(found.problem).partition(": ")[2]


def _is_identifier(found: Finding) -> bool:
    return found.n_present >= FEWEST_ROWS and found.n_distinct >= IDENTIFIER_SHARE * found.n_present


def _is_prose(found: Finding) -> bool:
    assert found.values is not None
    return bool(np.mean([" " in text for text in found.values]) > FREE_TEXT_SHARE)


def _numbers(found: Finding) -> Decision:
    if found.kind == "integer" and found.n_distinct <= FEW_LEVELS:
        return Decision("keep", "Integers with few values.")
    if found.kind == "real" and found.n_distinct <= FEW_REALS:
        return Decision("bin", "Real numbers with few values: one bin for each.", "values")
    what = "Integers with many values." if found.kind == "integer" else "Real numbers."
    return Decision("bin", what, "nml", FEW_LEVELS)


def _many_labels(found: Finding) -> Decision:
    assert found.values is not None
    if found.n_distinct > FREE_TEXT_SHARE * found.n_present:
        return Decision("drop", f"Free text: {found.n_distinct:,} different texts in {found.n_present:,} cells.")
    often = np.flatnonzero(found.counts >= RARE)
    if not len(often):
        return Decision("drop", f"Free text: none of {found.n_distinct:,} different texts occurs in {RARE} rows.")
    if len(often) > MOST_LABELS:
        often = np.sort(np.argsort(-found.counts, kind="stable")[:MOST_LABELS])
    n_merged = found.n_distinct - len(often)
    if n_merged < 2:
        return Decision("keep", "Categories.")
    share = 1.0 - found.counts[often].sum() / found.n_present
    return Decision(
        "merge",
        f"{n_merged:,} rare labels ({share:.0%} of the cells) are merged.",
        kept_levels=tuple(found.values[place] for place in often.tolist()),
    )
