"""Labels and raw values as the levels of a variable: what users give as evidence, turned into level numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.data.labels import Label, as_label
from qnml.data.preparation import Preparation, prepared_columns
from qnml.data.preparation.labelled import numbered_labels
from qnml.data.source import column_of_objects
from qnml.errors import UnknownNameError, bad_argument, shown, unknown_name
from qnml.model.preparing import preparation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data import ColumnPreparation
    from qnml.model.network import Network

__all__ = ["code_of", "level_of", "prepared_code"]

_MISSING_CLASSES = ("NoneType", "NAType", "NaTType")
_LARGEST_WHOLE = 2**63 - 1


def code_of(call: str, argument: str, levels: Sequence[Label], label: object) -> int:
    """Index of a label among levels, matched by value or else as text; an error that lists the levels otherwise."""
    try:
        cleaned = as_label(label)
    except Exception:  # whatever a foreign class raises when converted to text
        raise unknown_name(call, argument, label, map(str, levels)) from None
    # Compared with their types, since True == 1 in Python.
    by_value = {(type(level), level): place for place, level in enumerate(levels)}
    by_text = {str(level): place for place, level in enumerate(levels)}
    place = by_value.get((type(cleaned), cleaned), by_text.get(str(cleaned)))
    if place is None:
        raise unknown_name(call, argument, label, by_text)
    return place


def prepared_code(call: str, argument: str, net: Network, name: str, value: object) -> int:
    """The number of the level of a variable that a label or a raw value stands for.

    Parameters
    ----------
    call, argument
        For errors.
    net
        The network.
    name
        One of its variables.
    value
        A label of the variable. If the network remembers how the column was prepared, also a raw value.
    """
    how = preparation_of(net, name)
    if how is None:
        return code_of(call, argument, net.levels[name], value)
    label: Label | None
    try:
        label = _prepared_label(call, how, value)
    except Exception:  # whatever a foreign class raises when converted
        return code_of(call, argument, net.levels[name], value)
    if label is None:
        raise bad_argument(
            call, argument, value, f"a level of {name!r} or a raw value", "Leave out variables that were not observed."
        )
    try:
        return code_of(call, argument, net.levels[name], label)
    except UnknownNameError:
        pass
    try:
        return code_of(call, argument, net.levels[name], value)
    except UnknownNameError as error:
        raise UnknownNameError(f"{error}{_advice(how, label)}") from None


def level_of(net: Network, name: object, value: object) -> Label:
    """The level that a value stands for; see :meth:`Network.level_of`."""
    call = "Network.level_of"
    if not isinstance(name, str) or name not in net.levels:
        raise unknown_name(call, "name", name, net.names)
    return net.levels[name][prepared_code(call, "value", net, name, value)]


def _prepared_label(call: str, how: ColumnPreparation, value: object) -> Label | None:
    """The label of one cell after its column was prepared; None if the cell is missing and stays so."""
    cell = value
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        # A number is binned as it is; a text of it could be another one.
        cell = float(value) if how.action == "bin" or value != value else as_label(value)
    elif type(value).__name__ not in _MISSING_CLASSES and not how.recipe.as_text:
        cell = as_label(value)
    if isinstance(cell, int) and abs(cell) > _LARGEST_WHOLE:
        cell = str(cell)  # columns cannot hold it as a number
    (column,) = prepared_columns(call, [column_of_objects(call, how.name, [cell])], Preparation([how]))
    numbers, labels = numbered_labels(call, column)
    return None if numbers[0] < 0 else labels[int(numbers[0])]


def _advice(how: ColumnPreparation, label: Label) -> str:
    if how.action != "bin":
        return ""
    if how.bins is not None and label in how.bins:
        return f" The network has no level for its bin, {shown(label)}."
    return " Numbers are put into these bins."
