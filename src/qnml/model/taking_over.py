"""Networks from objects of other packages, which need not be imported here: their own methods are called.

The reverse of :mod:`qnml.model.hand_over`. Such a network is taken at its word: it has no `mpdag`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import InputError, bad_argument
from qnml.graph import Dag
from qnml.model.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray

__all__ = ["from_pgmpy", "from_pyagrum"]


def from_pgmpy(model: Any) -> Network:
    """Take over a ``pgmpy.models.DiscreteBayesianNetwork`` with its tables.

    Parameters
    ----------
    model
        The model. States keep their type, as far as labels have it: text, whole numbers and booleans. Nodes must have
        text as their names.

    Raises
    ------
    InputError
        If a node has no table.
    """
    call = "from_pgmpy"
    if not all(hasattr(model, part) for part in ("nodes", "edges", "get_cpds")):
        raise bad_argument(call, "model", model, "a discrete Bayesian network of pgmpy")
    dag = Dag.from_arcs(list(model.nodes()), list(model.edges()))
    levels, tables = {}, {}
    for name in dag.names:
        table = model.get_cpds(name)
        if table is None:
            raise InputError(f"{call}: the node {name!r} has no table. Fit the model, or add its TabularCPD.")
        if not all(hasattr(table, part) for part in ("variables", "values", "state_names")):
            raise InputError(
                f"{call}: the table of {name!r} is no TabularCPD. Only discrete networks can be taken over."
            )
        levels[name] = list(table.state_names[name])
        tables[name] = _in_order(call, dag, name, list(table.variables), np.asarray(table.values, dtype=float))
    return Network(dag, levels, tables)


def from_pyagrum(model: Any) -> Network:
    """Take over a ``pyagrum.BayesNet`` with its tables; the labels are text, the only type that pyAgrum has.

    Parameters
    ----------
    model
        The network.
    """
    call = "from_pyagrum"
    if not all(hasattr(model, part) for part in ("nodes", "arcs", "variable", "cpt")):
        raise bad_argument(call, "model", model, "a BayesNet of pyAgrum")
    name_of = {node: str(model.variable(node).name()) for node in sorted(model.nodes())}
    dag = Dag.from_arcs(list(name_of.values()), [(name_of[tail], name_of[head]) for tail, head in model.arcs()])
    levels, tables = {}, {}
    for node, name in name_of.items():
        table = model.cpt(node)
        levels[name] = [str(label) for label in model.variable(node).labels()]
        # The axes of the array are those of the table, last variable first.
        tables[name] = _in_order(call, dag, name, list(table.names)[::-1], np.asarray(table.toarray(), dtype=float))
    return Network(dag, levels, tables)


def _in_order(call: str, dag: Dag, name: str, axes: Sequence[str], values: FloatArray) -> FloatArray:
    """A table with its axes in the order of the graph, the variable itself last."""
    family = [*dag.parents(name), name]
    if sorted(axes) != sorted(family):
        raise InputError(
            f"{call}: the table of {name!r} is about {', '.join(axes)}, but its arcs make it depend on "
            f"{', '.join(family[:-1]) or 'nothing'}. Give it a table of these."
        )
    ordered: FloatArray = np.transpose(values, [list(axes).index(member) for member in family])
    return ordered
