"""From what any file format holds to a Network: one place for parent order, rounding, errors of the whole."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import CycleError, FileFormatError, InputError
from qnml.graph import Dag
from qnml.model.network import ROW_SUM_TOLERANCE, Network
from qnml.model.tables import SparseTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray, Label
    from qnml.model.parameters import Parameters

__all__ = ["ROUNDING", "assemble_network", "gathered", "line_and_column", "of_variable", "texts"]

ROUNDING = 1.0001e-3
"""How far from one the sum of a distribution may be in a file: numbers rounded to three digits are common."""


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def assemble_network(
    source: str,
    levels: Mapping[str, Sequence[Label]],
    parents: Mapping[str, Sequence[str]],
    tables: Mapping[str, FloatArray | SparseTable],
    properties: Mapping[str, Any],
    place: Callable[[str], tuple[int, int]],
    parameters: Parameters | None = None,
) -> Network:
    """Build the network a file describes.

    Files list parents in any order; tables come with their axes in that order and are turned to the graph's.
    Distributions whose sum is further from one than a network admits, but not further than rounding explains,
    are made to sum to one, with a warning.

    Parameters
    ----------
    source
        The file, for error messages.
    levels
        Labels by variable, in the order of the file.
    parents
        Parents by variable, in the order of the table's axes.
    tables
        Conditional tables by variable, the variable itself last.
    properties
        Annotations.
    place
        Line and column where the file gives the distribution of a variable.
    parameters
        How the probabilities were estimated, where the file tells it.
    """
    arcs = [(parent, child) for child in levels for parent in parents[child]]
    try:
        dag = Dag.from_arcs(list(levels), arcs)
        turned: dict[str, FloatArray | SparseTable] = {}
        for name, table in tables.items():
            axes = [parents[name].index(parent) for parent in dag.parents(name)]
            if isinstance(table, SparseTable):
                turned[name] = SparseTable(table.configs[:, axes], table.rows, table.unseen, table.counts)
            else:
                turned[name] = np.transpose(table, (*axes, len(axes)))
        return Network(dag, levels, _rescaled(source, turned), properties, parameters)
    except CycleError as error:
        problem = f"the arcs form a cycle: {' -> '.join(error.cycle)}"
        raise FileFormatError(source, problem, *place(error.cycle[0])) from error
    except InputError as error:
        raise FileFormatError(source, str(error)) from error


def _rescaled(source: str, tables: dict[str, FloatArray | SparseTable]) -> dict[str, FloatArray | SparseTable]:
    count, worst = 0, 0.0
    made = dict(tables)
    for name, table in tables.items():
        if isinstance(table, SparseTable):
            continue
        totals = table.sum(axis=-1, keepdims=True)
        off = np.abs(totals - 1.0)
        rounded: NDArray[np.bool_] = (off > ROW_SUM_TOLERANCE) & (off <= ROUNDING)
        if rounded.any():
            count += int(rounded.sum())
            worst = max(worst, float(off[rounded].max()))
            made[name] = np.where(rounded, table / totals, table)
    if count:
        warnings.warn(
            f"{source}: {count} distributions do not sum to one (by up to {worst:.2g}), as if rounded; "
            "they were rescaled.",
            stacklevel=2,
        )
    return made


def gathered(
    name: str | None,
    comments: Sequence[str],
    network: Sequence[str],
    variables: Mapping[str, Sequence[str]],
    probabilities: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The annotations of a network from those of a file, without what is empty."""
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

    Annotations are free: whatever does not have the shape a file format can hold stays out of the file.
    """
    return [item for item in given if isinstance(item, str)] if isinstance(given, list) else []
