"""Facts that several commands share; the package docstring of `qnml.report` has the rules for facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.model import Network

__all__ = ["Facts", "arc_facts", "condition_facts", "data_facts", "file_facts", "network_facts"]

Facts: TypeAlias = dict[str, Any]


def data_facts(table: Table, source: str) -> Facts:
    """Size and origin of a table; `total` counts each row by its weight."""
    return {"source": source, "rows": table.n_rows, "total": table.total, "variables": len(table.names)}


def network_facts(dag: Dag, source: str) -> Facts:
    """Size and origin of a network."""
    return {"source": source, "variables": dag.n_nodes, "arcs": dag.n_arcs}


def condition_facts(net: Network, source: str, evidence: Mapping[str, str], do: Mapping[str, str]) -> Facts:
    """A network with the evidence and the interventions under which it is used."""
    return {"network": network_facts(net.dag, source), "evidence": dict(evidence), "do": dict(do)}


def arc_facts(arcs: Iterable[tuple[str, str]]) -> list[Facts]:
    """Arcs by the names of their ends."""
    return [{"parent": parent, "child": child} for parent, child in arcs]


def file_facts(files: Iterable[tuple[str, str]]) -> list[Facts]:
    """Files that were written, each with a description of its content."""
    return [{"path": path, "holds": holds} for path, holds in files]
