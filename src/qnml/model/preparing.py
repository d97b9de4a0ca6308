"""Raw rows and raw values in the levels of a network, as its preparation says.

The rules are those of `qnml.data.preparation`, and so is the code: numbers fall into bins, labels that were merged
belong to the merged level, missing cells to the level for them if there is one. What already is a level of the network
stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.data.cells import array_cells
from qnml.data.preparation import prepared_columns
from qnml.data.preparation.labelled import columns_of_table, numbered_labels, relabelled
from qnml.data.source import SourceColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data import ColumnPreparation, Preparation, Table
    from qnml.model.network import Network

__all__ = ["indicators_of", "is_prepared", "needed_columns", "preparation_of", "prepared_rows", "raw_columns"]

_CHANGING = ("bin", "merge")


def preparation_of(net: Network, name: str) -> ColumnPreparation | None:
    """What a network remembers about one of its variables; None if nothing."""
    if net.preparation is None:
        return None
    place = net.preparation.columns.places.get(name)
    return None if place is None else net.preparation.columns[place]


def is_prepared(net: Network, table: Table) -> bool:
    """Whether the columns of a table hold levels of the network already, so that nothing is to be done to them."""
    if net.preparation is None:
        return True
    for name, labels, mask in zip(table.names, table.levels, table.missing, strict=True):
        how = preparation_of(net, name)
        if how is None:
            continue
        if mask is not None and how.missing_label is not None:
            return False
        if how.action in _CHANGING and not set(net.levels[name]).issuperset(labels):
            return False
    return not any(how.of in table.names and how.name not in table.names for how in _entries(net))


def needed_columns(net: Network) -> set[str]:
    """The columns of rows that bear on a network: its variables, and those whose missing cells it has as variables."""
    return {*net.names, *(how.of for how in _entries(net) if how.of is not None)}


def raw_columns(table: Table, net: Network) -> list[SourceColumn]:
    """The columns of a table that a network needs; the raw numbers where the table binned them in another way."""
    columns, needed = [], needed_columns(net)
    for column in columns_of_table(table):
        if column.name not in needed:
            continue
        how = preparation_of(net, column.name)
        numbers = table.numbers.get(column.name)
        is_binned = how is not None and how.action == "bin"
        if is_binned and numbers is not None and not set(net.levels[column.name]).issuperset(column.declared or ()):
            column = SourceColumn(column.name, array_cells(numbers))
        columns.append(column)
    return columns


def indicators_of(net: Network, name: str | None) -> set[str]:
    """The variables that say whether a variable is missing."""
    return {how.name for how in _entries(net) if how.of is not None and how.of == name}


def prepared_rows(
    call: str, columns: Sequence[SourceColumn], net: Network
) -> tuple[list[SourceColumn], tuple[str, ...]]:
    """Prepare the columns of rows, and name those that were changed or added.

    Parameters
    ----------
    call
        The calling function, for errors.
    columns
        The columns.
    net
        The network.
    """
    preparation = net.preparation
    if preparation is None:
        return list(columns), ()
    given = [_with_labels(call, column, preparation) for column in columns]
    present = {column.name for column in given}
    made = [column for column in prepared_columns(call, given, preparation) if column.name in net.levels]
    changed = [column.name for column in given if column.name in net.levels and _is_changed(column, preparation)]
    return made, (*changed, *(column.name for column in made if column.name not in present))


def _entries(net: Network) -> Sequence[ColumnPreparation]:
    return () if net.preparation is None else net.preparation.columns


def _with_labels(call: str, column: SourceColumn, preparation: Preparation) -> SourceColumn:
    """Code text that may change: its labels say whether it does, and it would be coded later anyway."""
    place = preparation.columns.places.get(column.name)
    if place is None or preparation.columns[place].action not in _CHANGING or column.values.kind != "text":
        return column
    return relabelled(call, column.name, *numbered_labels(call, column), ())


def _is_changed(column: SourceColumn, preparation: Preparation) -> bool:
    place = preparation.columns.places.get(column.name)
    if place is None:
        return False
    how = preparation.columns[place]
    if column.values.n_missing and how.missing_label is not None:
        return True
    if how.action not in _CHANGING:
        return False
    known = {*(how.levels or ()), *(how.bins or ()), *(how.kept_levels or ()), how.other, how.missing_label}
    return column.declared is None or not known.issuperset(column.declared)
