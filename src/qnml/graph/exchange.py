"""Conversion of graphs to and from networkx, which is imported only to create a networkx graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx

__all__ = ["from_networkx", "to_networkx"]

_Pair = tuple[str, str]


def to_networkx(names: Iterable[str], edges: Iterable[tuple[str, str, bool]]) -> networkx.DiGraph:
    """Build a ``networkx.DiGraph``; an edge marked true is undirected and appears in both directions."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    for first, second, undirected in edges:
        if undirected:
            graph.add_edge(first, second, undirected=True)
            graph.add_edge(second, first, undirected=True)
        else:
            graph.add_edge(first, second)
    return graph


def from_networkx(call: str, graph: Any) -> tuple[list[str], list[_Pair], list[_Pair]]:
    """Read names, directed edges and undirected edges from a networkx graph of any kind.

    An edge is undirected if the graph is, if it has ``undirected=True``, or if the opposite edge exists too.
    Parallel edges count once.
    """
    if not all(hasattr(graph, attribute) for attribute in ("nodes", "edges", "is_directed")):
        raise bad_argument(call, "graph", graph, "a networkx graph")
    names = list(graph.nodes)
    for name in names:
        if not isinstance(name, str):
            raise bad_argument(
                call,
                "graph",
                name,
                "a graph whose nodes are strings",
                "Try networkx.relabel_nodes(graph, str).",
            )
    marked: dict[_Pair, bool] = {}
    for first, second, mark in graph.edges(data="undirected", default=False):
        marked[first, second] = marked.get((first, second), False) or bool(mark)
    directed: list[_Pair] = []
    undirected: list[_Pair] = []
    for (first, second), mark in marked.items():
        # A self-loop is its own opposite; it stays directed, so that the graph class rejects it as a self-loop.
        both = first != second and (second, first) in marked
        (undirected if mark or both or not graph.is_directed() else directed).append((first, second))
    return names, directed, undirected
