"""Labels in the data that a network does not have: counting them, and refusing columns that do not match.

A few unknown labels are ordinary: new rows hold values that were not seen before. A column most of whose labels are
unknown is another thing. It was binned or named differently, so that every answer given it would be that of a network
without this column. Such columns are refused under either rule for unknown labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import Label
__all__ = ["FEWEST_CELLS", "Unknown", "UnknownLabels", "refuse_unknown"]

Unknown = Literal["uniform", "raise"]

FEWEST_CELLS = 10
"""Columns with fewer cells that are not missing are not judged: in a few rows most labels may well be new."""

_MOST_COLUMNS = 8
_MOST_LABELS = 12
_MOST_EXAMPLES = 4


@dataclass(frozen=True)
class UnknownLabels:
    """The labels of one column that the network does not have.

    Attributes
    ----------
    name : the column.
    labels : the unknown labels, each once.
    cells : how many cells hold one of them. A row of weight w counts as w rows.
    observed : how many cells are not missing.
    takes_numbers : whether the network bins this column, so that numbers would be known.
    """

    name: str
    labels: tuple[Label, ...]
    cells: int
    observed: int
    takes_numbers: bool = False

    @property
    def are_most(self) -> bool:
        """Whether the column does not match: it has enough cells to judge, and more than half are unknown."""
        return self.observed >= FEWEST_CELLS and 2 * self.cells > self.observed


def refuse_unknown(
    call: str, found: Sequence[UnknownLabels], levels: Mapping[str, Sequence[Label]], rule: Unknown, way_out: str
) -> None:
    """Refuse columns that do not match, and under ``"raise"`` every unknown label; one error names all columns.

    Parameters
    ----------
    call
        The calling function.
    found
        The columns with unknown labels.
    levels
        The labels that the network has.
    rule
        How to treat unknown labels.
    way_out
        What else than leaving rows out the caller can do about single unknown labels; may be empty.
    """
    strange = [one for one in found if one.are_most]
    if strange:
        raise _mismatch(call, strange, levels)
    if rule == "raise" and found:
        also = f", or {way_out}" if way_out else ""
        raise DataError(f"{call}: {_holds(found, levels)} Leave out those rows{also}.")


def _mismatch(call: str, strange: Sequence[UnknownLabels], levels: Mapping[str, Sequence[Label]]) -> DataError:
    one = len(strange) == 1
    return DataError(
        f"{call}: {'a column does' if one else f'{len(strange)} columns do'} not match the network, which does not "
        f"know most of {'its' if one else 'their'} labels: "
        f"{_cut([_of_column(found, levels) for found in strange], _MOST_COLUMNS, '; ', ' columns')}. "
        f"Give the column{'' if one else 's'} the same labels and bins as the data the network was learned from, or "
        f"leave {'it' if one else 'them'} out."
    )


def _of_column(found: UnknownLabels, levels: Mapping[str, Sequence[Label]]) -> str:
    return (
        f"{found.name!r}, {found.cells} of {found.observed} cells, such as "
        f"{', '.join(map(repr, found.labels[:_MOST_EXAMPLES]))} (known: {_known(found, levels)})"
    )


def _holds(found: Sequence[UnknownLabels], levels: Mapping[str, Sequence[Label]]) -> str:
    parts = [
        f"{'Column' if place else 'column'} {one.name!r} holds labels that the network does not know: "
        f"{_listed(one.labels)}. Known: {_known(one, levels)}."
        for place, one in enumerate(found[:_MOST_COLUMNS])
    ]
    rest = len(found) - _MOST_COLUMNS
    return " ".join(parts) + (f" So do {rest} more columns." if rest > 0 else "")


def _known(found: UnknownLabels, levels: Mapping[str, Sequence[Label]]) -> str:
    return f"{'numbers, and the bins ' if found.takes_numbers else ''}{_listed(levels[found.name])}"


def _listed(labels: Sequence[Label]) -> str:
    return _cut([repr(label) for label in labels], _MOST_LABELS)


def _cut(parts: Sequence[str], most: int, between: str = ", ", what: str = "") -> str:
    shown = between.join(parts[:most])
    return shown + (f" and {len(parts) - most} more{what}" if len(parts) > most else "")
