"""From the contents of a file in any format to a Network: parent order, rounding, and errors of the whole file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import CycleError, FileFormatError, InputError
from qnml.graph import Dag, Mpdag
from qnml.model.files.number_table import rescale_rounded
from qnml.model.network import Network
from qnml.model.tables import Conditional, DenseTable, SparseTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qnml._types import FloatArray, Label
    from qnml.data import Preparation
    from qnml.model.files.reading import Reading
    from qnml.model.parameters import Parameters

__all__ = ["assemble_network", "gathered", "line_and_column", "of_variable", "texts"]


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def assemble_network(
    reading: Reading,
    levels: Mapping[str, Sequence[Label]],
    parents: Mapping[str, Sequence[str]],
    tables: dict[str, FloatArray | SparseTable],
    properties: Mapping[str, Any],
    place: Callable[[str], tuple[int, int]],
    parameters: Parameters | None = None,
    preparation: Preparation | None = None,
    undirected: Sequence[tuple[str, str]] | None = None,
) -> Network:
    """Build the network that a file describes, and warn about what was repaired.

    Files list parents in any order; the axes of the tables follow that order and are transposed to that of the graph.
    Distributions whose sum is further from one than a network admits, but close enough to be explained by rounding, are
    rescaled to sum to one, with a warning.

    Parameters
    ----------
    reading
        The record of this read: the file, the memory in use, and the repairs so far.
    levels
        Labels by variable, in the order of the file.
    parents
        Parents by variable, in the order of the table's axes.
    tables
        Conditional tables by variable, the variable itself last. Takes ownership of the arrays and empties the mapping.
    properties
        Annotations.
    place
        Returns line and column of a variable's distribution in the file.
    parameters
        How the probabilities were estimated, if the file says so.
    preparation
        What was done to the columns of the data, if the file says so; checked against the levels by the reader.
    undirected
        The arcs that have no direction in the class that the network was learned in, if the file says so.
    """
    source = reading.source
    arcs = [(parent, child) for child in levels for parent in parents[child]]
    try:
        _hold_graph(reading, levels, parents)
        dag = Dag.from_arcs(list(levels), arcs)
        turned: dict[str, Conditional] = {}
        for name in levels:
            axis_of = {parent: axis for axis, parent in enumerate(parents[name])}
            axes = [axis_of[parent] for parent in dag.parents(name)]
            turned[name] = _turned(tables.pop(name), axes, reading, partial(_line, place, name))
        mpdag = None if undirected is None else _members(dag, undirected)
        net = Network(dag, levels, turned, properties, parameters, preparation, mpdag)
    except CycleError as error:
        problem = f"the arcs form a cycle: {' -> '.join(error.cycle)}"
        raise FileFormatError(source, problem, *place(error.cycle[0])) from error
    except InputError as error:
        raise FileFormatError(source, str(error)) from error
    reading.warn()
    return net


def _members(dag: Dag, undirected: Sequence[tuple[str, str]]) -> Mpdag:
    """The class of a network, given the arcs that have no direction in it."""
    free = {frozenset(edge) for edge in undirected}
    directed = [arc for arc in dag.arcs if frozenset(arc) not in free]
    return Mpdag.from_edges(dag.names, directed, undirected)


def _line(place: Callable[[str], tuple[int, int]], name: str) -> int:
    return place(name)[0]


def _hold_graph(reading: Reading, levels: Mapping[str, Sequence[Label]], parents: Mapping[str, Sequence[str]]) -> None:
    # For each node, a graph stores one bit for every node up to its last parent, and up to its last child.
    number = {name: i for i, name in enumerate(levels)}
    last_child = [0] * len(number)
    bits = 0
    for child, above in parents.items():
        bits += max((number[parent] for parent in above), default=0)
        for parent in above:
            last_child[number[parent]] = max(last_child[number[parent]], number[child])
    reading.hold((bits + sum(last_child)) // 7, f"the graph of {len(number):,} variables")


def _turned(table: FloatArray | SparseTable, axes: list[int], reading: Reading, line: Callable[[], int]) -> Conditional:
    if isinstance(table, SparseTable):
        rows, others = table.rows.copy(), table.unseen.copy()
        if rescale_rounded(rows, reading, line) | rescale_rounded(
            others.reshape(1, -1), reading, line
        ) or axes != sorted(axes):
            return SparseTable(table.configs[:, axes], rows, others, table.counts)
        return table
    turned = np.ascontiguousarray(np.transpose(table, (*axes, len(axes))))
    rescale_rounded(turned.reshape(-1, turned.shape[-1]), reading, line)
    return DenseTable._owning(turned)


def gathered(
    name: str | None,
    comments: Sequence[str],
    network: Sequence[str],
    variables: Mapping[str, Sequence[str]],
    probabilities: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The annotations of a network from those of a file, without empty ones."""
    found: dict[str, Any] = {
        "name": name,
        "comments": list(comments),
        "network": list(network),
        "variables": {key: list(value) for key, value in variables.items() if value},
        "probabilities": {key: list(value) for key, value in probabilities.items() if value},
    }
    return {key: value for key, value in found.items() if value}


def of_variable(properties: Mapping[str, Any], kind: str, name: str) -> list[str]:
    """The annotations of one variable (``"variables"``) or of its distribution (``"probabilities"``)."""
    by_name = properties.get(kind)
    return texts(by_name.get(name)) if isinstance(by_name, dict) else []


def texts(given: object) -> list[str]:
    """The texts in a list of annotations.

    Annotations are free-form: those of another shape than the file formats allow are not written.
    """
    return [item for item in given if isinstance(item, str)] if isinstance(given, list) else []
