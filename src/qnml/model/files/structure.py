"""Structures for other programs: DOT, GraphML and dagitty. They are written, not read, isolated nodes included.

A structure is a `Dag`, a `Cpdag`, an `Mpdag` or the graph of a `Network`; GraphML also stores the levels of a network.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from qnml.errors import InputError
from qnml.graph import Cpdag, Dag, Mpdag
from qnml.model.files.xml_tree import attribute_text, content_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.model.network import Network

__all__ = ["write_dagitty", "write_dot", "write_graphml", "write_modelstring"]

_BARE = re.compile(r"[A-Za-z][0-9A-Za-z_.]*+")
_UNQUOTABLE = re.compile("[\x00-\x1f\x7f]|\\\\$")


def write_dot(graph: Dag | Cpdag | Mpdag | Network) -> str:
    """Return the text of a DOT file for Graphviz; an undirected edge has ``dir=none``.

    Examples
    --------
    >>> print(write_dot(Dag.from_modelstring("[A][B|A]")), end="")
    digraph {
      "A";
      "B";
      "A" -> "B";
    }
    """
    directed, undirected = _edges(graph)
    lines = [f"  {_dot(name)};" for name in graph.names]
    lines += [f"  {_dot(first)} -> {_dot(second)};" for first, second in directed]
    lines += [f"  {_dot(first)} -> {_dot(second)} [dir=none];" for first, second in undirected]
    return "\n".join(["digraph {", *lines, "}"]) + "\n"


def write_graphml(graph: Dag | Cpdag | Mpdag | Network) -> str:
    """Return the text of a GraphML file.

    Levels are JSON lists. An undirected edge is written in both directions, each marked ``undirected``, as
    `Cpdag.to_networkx` writes it and `Cpdag.from_networkx` reads it.
    """
    return "".join(_graphml_lines(graph))


def _graphml_lines(graph: Dag | Cpdag | Mpdag | Network) -> Iterator[str]:
    directed, undirected = _edges(graph)
    levels = None if isinstance(graph, Dag | Cpdag | Mpdag) else graph.levels
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    if levels is not None:
        yield '  <key id="levels" for="node" attr.name="levels" attr.type="string" />\n'
    if undirected:
        yield '  <key id="undirected" for="edge" attr.name="undirected" attr.type="boolean" />\n'
    yield '  <graph edgedefault="directed">\n'
    for name in graph.names:
        if levels is None:
            yield f'    <node id="{attribute_text(name)}" />\n'
        else:
            listed = content_text(json.dumps(levels[name]))
            yield f'    <node id="{attribute_text(name)}"><data key="levels">{listed}</data></node>\n'
    for first, second in directed:
        yield f'    <edge source="{attribute_text(first)}" target="{attribute_text(second)}" />\n'
    for edge in undirected:
        for first, second in (edge, edge[::-1]):
            ends = f'source="{attribute_text(first)}" target="{attribute_text(second)}"'
            yield f'    <edge {ends}><data key="undirected">true</data></edge>\n'
    yield "  </graph>\n</graphml>\n"


def write_dagitty(graph: Dag | Cpdag | Mpdag | Network) -> str:
    """Return the text that dagitty accepts, in the browser or in R: ``dag { … }``, or ``pdag { … }``
    where edges may be undirected.

    Examples
    --------
    >>> print(write_dagitty(Dag.from_modelstring("[A][B|A]")), end="")
    dag {
    A
    B
    A -> B
    }
    """
    directed, undirected = _edges(graph)
    lines = [_dagitty(name) for name in graph.names]
    lines += [f"{_dagitty(first)} -> {_dagitty(second)}" for first, second in directed]
    lines += [f"{_dagitty(first)} -- {_dagitty(second)}" for first, second in undirected]
    kind = "pdag" if isinstance(graph, Cpdag | Mpdag) else "dag"
    return "\n".join([f"{kind} {{", *lines, "}"]) + "\n"


def write_modelstring(graph: Dag | Cpdag | Mpdag | Network) -> str:
    """Return the text of a model string file, bnlearn's one-line notation."""
    if isinstance(graph, Cpdag | Mpdag):
        raise InputError(
            "write_structure(graph): a model string cannot represent undirected edges. "
            "Write a member of the class: graph.consistent_extension()."
        )
    dag = graph if isinstance(graph, Dag) else graph.dag
    return dag.to_modelstring() + "\n"


def _edges(graph: Dag | Cpdag | Mpdag | Network) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    if isinstance(graph, Cpdag | Mpdag):
        return graph.directed, graph.undirected
    return (graph if isinstance(graph, Dag) else graph.dag).arcs, ()


def _dot(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _dagitty(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    if _UNQUOTABLE.search(name):
        raise InputError(
            f"write_structure(graph): dagitty cannot represent the name {name!r}: it has a control character or ends "
            "in a backslash. Rename it with relabel."
        )
    # In dagitty a backslash is literal unless a quote follows.
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'
