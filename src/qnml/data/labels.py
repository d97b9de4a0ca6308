"""Level labels: their types, and how labels from two sources are matched.

A label is a Python ``str``, ``int`` or ``bool``. Within a column, labels differ both by value and as text: files
hold only text, where two labels with the same text could not be told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from qnml.errors import DataError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "MISSING_LABELS",
    "MOST_LEVELS",
    "Label",
    "as_label",
    "distinct_labels",
    "label_for_missing",
    "match_labels",
    "too_many_levels",
]

Label: TypeAlias = str | int | bool

MOST_LEVELS = 65_536  # the range of a 16-bit code

MISSING_LABELS = ("?", "(missing)", "((missing))")
"""The labels for missing cells, in order of preference."""

_MOST_SHOWN = 5


def as_label(value: object) -> Label:
    """Convert a scalar of any library to a label: whole numbers become ``int``, unknown types become text."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    return str(value)


def distinct_labels(call: str, name: str, labels: Iterable[object]) -> tuple[Label, ...]:
    """Return the declared labels of one column as a tuple, rejecting too few, too many or repeated labels."""
    try:
        if isinstance(labels, (str, bytes)):
            raise TypeError
        cleaned = tuple(as_label(label) for label in labels)
    except Exception as error:  # not a list, or labels of a foreign class whose methods fail
        raise DataError(
            f"{call}: the levels of column {name!r} must be a list of labels, not {shown(labels)}. "
            "Write them as ['no', 'yes']."
        ) from error
    if not cleaned:
        raise DataError(f"{call}: column {name!r} is given no levels. Give at least one.")
    if len(cleaned) > MOST_LEVELS:
        raise DataError(too_many_levels(call, name, len(cleaned)))
    values: set[Label] = set()
    texts: set[str] = set()
    for label in cleaned:
        if label in values or str(label) in texts:
            raise DataError(
                f"{call}: the levels of column {name!r} repeat {shown(label)}. Labels must differ by value and as text."
            )
        values.add(label)
        texts.add(str(label))
    return cleaned


def label_for_missing(call: str, name: str, levels: Sequence[Label]) -> Label:
    """Return a label for the missing cells of a column that none of its levels has."""
    taken = {str(level) for level in levels}
    label = next((label for label in MISSING_LABELS if label not in taken), None)
    if label is None:
        raise DataError(
            f"{call}: column {name!r} already has the levels {', '.join(MISSING_LABELS)}, so no label is left for its "
            "missing cells. Rename one."
        )
    return label


def too_many_levels(call: str, name: str, count: int) -> str:
    """Return the error message for a column with more distinct values than a code can number."""
    return (
        f"{call}: column {name!r} has {count:,} different values, more than the {MOST_LEVELS:,} allowed. "
        "It looks like an identifier: leave it out, or group its values."
    )


def match_labels(call: str, name: str, found: Sequence[Label], given: Sequence[Label]) -> list[int]:
    """Return the position in ``given`` of each label of ``found``, matched by value or else as text.

    Matching as text lets the levels of a file, always strings, fit a column that was read as integers or booleans.
    """
    by_value = {label: place for place, label in enumerate(given)}
    by_text = {str(label): place for place, label in enumerate(given)}
    places = [by_value.get(label, by_text.get(str(label), -1)) for label in found]
    if -1 in places:
        lost = [shown(label) for label, place in zip(found, places, strict=True) if place == -1]
        listed = ", ".join(lost[:_MOST_SHOWN])
        if len(lost) > _MOST_SHOWN:
            listed += f" and {len(lost) - _MOST_SHOWN} more"
        raise DataError(
            f"{call}: column {name!r} holds labels that its given levels do not list: {listed}. "
            "Add them to the levels, or remove those rows."
        )
    if len(set(places)) < len(places):
        raise DataError(
            f"{call}: two labels of column {name!r} match the same given level. Give levels of the column's own type."
        )
    return places
