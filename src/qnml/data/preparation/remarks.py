"""What a person should look at in a column, beyond what the rules decide about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.data.preparation.spelling import FEW_VALUES, Spelling

if TYPE_CHECKING:
    from qnml.data.preparation.finding import Finding

__all__ = ["remark_on"]

_PLAIN = Spelling()
_MOST_SPOILED = 0.3
_FEWEST_CELLS = 3
_CODES = frozenset({-1, -9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999})
_MOST_SHOWN = 3
_WAY_OUT = "among the words for missing cells"


def remark_on(found: Finding) -> str | None:
    """A sentence about cells that look like missing ones, or labels that look like misspelt ones; None without any.

    Parameters
    ----------
    found : the facts about the column.
    """
    if found.values is None or not len(found.values):
        return None
    if found.kind in ("integer", "real"):
        return _code_for_missing(found)
    return (_spoiled_numbers(found) or _alike(found)) if found.kind == "text" else None


def _code_for_missing(found: Finding) -> str | None:
    """The smallest or the largest number, if it is a usual code and as far from the others as these from each other."""
    values = np.asarray(found.values, dtype=np.float64)
    if len(values) <= FEW_VALUES:
        return None
    for place, others in ((0, values[1:]), (-1, values[:-1])):
        code, count = float(values[place]), int(found.counts[place])
        gap = others[0] - code if place == 0 else code - others[-1]
        if code in _CODES and count >= _FEWEST_CELLS and gap > others[-1] - others[0]:
            return f"{count:,} cells hold {code:g}, far from all others. If it stands for nothing, name it {_WAY_OUT}."
    return None


def _spoiled_numbers(found: Finding) -> str | None:
    """Text that would be numbers without a few cells."""
    assert found.values is not None
    others = np.array([_PLAIN.number(text) is None for text in found.values])
    n_others = int(found.counts[others].sum())
    if np.count_nonzero(~others) <= FEW_VALUES or not 0 < n_others <= _MOST_SPOILED * found.n_present:
        return None
    example = found.values[int(np.flatnonzero(others)[found.counts[others].argmax()])]
    cells = "1 cell" if n_others == 1 else f"{n_others:,} cells"
    return f"Numbers but for {cells}, such as {example!r}. To bin the numbers, name these {_WAY_OUT}."


def _alike(found: Finding) -> str | None:
    """Labels that differ in capitals and blanks only."""
    assert found.values is not None
    if len(found.values) > found.n_present / 2:
        return None
    first: dict[str, str] = {}
    for text in found.values:
        other = first.setdefault("".join(text.casefold().split()), text)
        if other is not text:
            return (
                f"Labels that differ in capitals and blanks only, such as {other!r} and {text!r}, are different levels."
            )
    return None
