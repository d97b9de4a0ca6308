"""From what any file format holds to a Network: one place for parent order and for errors of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import CycleError, FileFormatError, InputError
from qnml.graph import Dag
from qnml.model.network import Network

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qnml._types import FloatArray, Label

__all__ = ["assemble_network", "line_and_column"]


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def assemble_network(
    source: str,
    levels: Mapping[str, Sequence[Label]],
    parents: Mapping[str, Sequence[str]],
    tables: Mapping[str, FloatArray],
    properties: Mapping[str, Any],
    place: Callable[[str], tuple[int, int]],
) -> Network:
    """Build the network a file describes.

    Files list parents in any order; tables come with their axes in that order and are turned to the graph's.

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
    """
    arcs = [(parent, child) for child in levels for parent in parents[child]]
    try:
        dag = Dag.from_arcs(list(levels), arcs)
        turned = {}
        for name, table in tables.items():
            axes = [parents[name].index(parent) for parent in dag.parents(name)]
            turned[name] = np.transpose(table, (*axes, len(axes)))
        return Network(dag, levels, turned, properties)
    except CycleError as error:
        problem = f"the arcs form a cycle: {' -> '.join(error.cycle)}"
        raise FileFormatError(source, problem, *place(error.cycle[0])) from error
    except InputError as error:
        raise FileFormatError(source, str(error)) from error
