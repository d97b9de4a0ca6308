"""Facts that several commands share; the package docstring of `qnml.reports` has the rules for facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from qnml.reports.preparation import preparation_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from qnml.data import Preparation, Table
    from qnml.graph import Dag
    from qnml.model import Network
    from qnml.scores import LocalScores

__all__ = ["Facts", "arc_facts", "condition_facts", "data_facts", "file_facts", "network_facts", "prepared_facts"]

Facts: TypeAlias = dict[str, Any]

_DONE = {"bin": "binned", "merge": "merged", "keep": "missing cells made a level", "drop": "left out"}


def data_facts(table: Table | LocalScores, source: str) -> Facts:
    """Size and origin of a table, and what was done to its columns; `total` counts each row by its weight.

    Of local scores, the numbers of variables and of families, and their origin.
    """
    if isinstance(table, Mapping):
        return {"source": source, "variables": len(table), "families": table.n_families}
    return {
        "source": source,
        "rows": table.n_rows,
        "total": table.total,
        "variables": len(table.names),
        "preparation": preparation_facts(table),
        **_interventions(table),
    }


def _interventions(table: Table) -> Facts:
    """In how many rows each variable was set, counted by weight; nothing where none was."""
    settings = table.interventions
    if settings is None:
        return {}
    weights = np.ones(table.n_rows, dtype=np.uint64) if table.weights is None else table.weights
    return {"interventions": {name: int(weights[settings.mask(name)].sum()) for name in settings.names}}


def network_facts(dag: Dag, source: str) -> Facts:
    """Size and origin of a network."""
    return {"source": source, "variables": dag.n_nodes, "arcs": dag.n_arcs}


def condition_facts(net: Network, source: str, evidence: Mapping[str, Any], do: Mapping[str, str]) -> Facts:
    """A network with the evidence and the interventions under which it is used, by levels; raw values apart.

    One of several levels is a list, and all but some are ``{"not": [levels]}``.
    """
    given = {**evidence, **do}
    levels = {name: _levels_of(net, name, value) for name, value in given.items()}
    return {
        "network": network_facts(net.dag, source),
        "evidence": {name: levels[name] for name in evidence},
        "do": {name: levels[name] for name in do},
        "raw": {name: value for name, value in given.items() if isinstance(value, str) and levels[name] != value},
    }


def _levels_of(net: Network, name: str, value: Any) -> Any:
    # Inference is not imported for commands that ask nothing.
    from qnml import AnyBut

    if isinstance(value, AnyBut):
        return {"not": [str(net.level_of(name, one)) for one in value.labels]}
    if isinstance(value, list):
        return [str(net.level_of(name, one)) for one in value]
    return str(net.level_of(name, value))


def prepared_facts(preparation: Preparation | None, changed: Collection[str], present: Collection[str]) -> list[Facts]:
    """What the preparation of a network did to columns of rows.

    Parameters
    ----------
    preparation
        The preparation.
    changed
        The variables in which cells were changed.
    present
        All columns of the rows.
    """
    return [
        {"column": column.name, "done": _DONE[column.action]}
        for column in (() if preparation is None else preparation.columns)
        if column.name in changed or (column.action == "drop" and column.name in present)
    ]


def arc_facts(arcs: Iterable[tuple[str, str]]) -> list[Facts]:
    """Arcs by the names of their ends."""
    return [{"parent": parent, "child": child} for parent, child in arcs]


def file_facts(files: Iterable[tuple[str, str]]) -> list[Facts]:
    """Files that were written, each with a description of its content."""
    return [{"path": path, "holds": holds} for path, holds in files]
