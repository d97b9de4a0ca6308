"""Classes of networks that experiments leave: interventional equivalence.

In an experiment some nodes are set. Two equivalent networks stay indistinguishable only if every edge of which exactly
one end was set in some experiment has the same direction in both (Hauser and Bühlmann 2012, for experiments among which
every node is once not set). So the class of a network is an `Mpdag`: its essential graph under interventions.

>>> from qnml.graph import Dag
>>> chain = Dag.from_modelstring("[smoke][lung|smoke][xray|lung]")
>>> chain.interventional_class([["lung"]])
Mpdag(3 nodes, 2 edges: smoke -> lung, lung -> xray)
>>> chain.interventional_class([["smoke", "lung"]])
Mpdag(3 nodes, 2 edges: lung -> xray, smoke -- lung)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.graph.cpdag import Cpdag
    from qnml.graph.dag import Dag
    from qnml.graph.mpdag import Mpdag

__all__ = ["interventional_class", "parts_of_targets", "told_arcs"]


def interventional_class(dag: Dag, parts: Sequence[int]) -> Cpdag | Mpdag:
    """The networks that agree with one on all edges between nodes of different parts, in its equivalence class.

    Parameters
    ----------
    dag
        A member.
    parts
        For each node a number; nodes have the same number if they were set in the same experiments.
    """
    cpdag = dag.to_cpdag()
    return cpdag if len(set(parts)) <= 1 else cpdag.orient(told_arcs(dag, parts))


def told_arcs(dag: Dag, parts: Sequence[int]) -> list[tuple[str, str]]:
    """The arcs of a network between nodes of different parts.

    Parameters
    ----------
    dag, parts
        As for `interventional_class`.
    """
    part = dict(zip(dag.names, parts, strict=True))
    return [(tail, head) for tail, head in dag.arcs if part[tail] != part[head]]


def parts_of_targets(names: Sequence[str], targets: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """Numbers that two nodes share if they were set in the same experiments.

    Parameters
    ----------
    names
        The nodes.
    targets
        For each experiment the nodes that were set.
    """
    sets = [frozenset(one) for one in targets]
    numbers: dict[tuple[bool, ...], int] = {}
    return tuple(numbers.setdefault(tuple(name in one for one in sets), len(numbers)) for name in names)
