"""``qnml compare``: the differences between two networks.

compare
    first and second {source, variables, arcs, class_size}; on; shd; equivalent; matching, missing and extra
    [{first, second, directed}]; wrongly_oriented [{first_graph, second_graph}], both edges like the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import network_facts
from qnml.reports.parts import count, edge_text, grid, large, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml.graph import Comparison, Dag, Edge
    from qnml.reports.fact_parts import Facts

__all__ = ["compare_facts", "compare_page"]


def compare_facts(
    comparison: Comparison,
    *,
    sources: tuple[str, str],
    dags: tuple[Dag, Dag],
    class_sizes: tuple[int, int],
    equivalent: bool,
) -> Facts:
    """The differences between two networks; missing and extra edges are those of the second.

    Parameters
    ----------
    comparison
        The result of `qnml.compare`.
    sources
        Where the two networks came from.
    dags
        Their structures.
    class_sizes
        The number of networks in each equivalence class.
    equivalent
        Whether the two are equivalent.
    """
    first, second = (
        {**network_facts(dag, source), "class_size": size}
        for source, dag, size in zip(sources, dags, class_sizes, strict=True)
    )
    return {
        "first": first,
        "second": second,
        "on": comparison.on,
        "shd": comparison.shd,
        "equivalent": equivalent,
        "matching": [_edge(edge) for edge in comparison.matching],
        "missing": [_edge(edge) for edge in comparison.missing],
        "extra": [_edge(edge) for edge in comparison.extra],
        "wrongly_oriented": [
            {"first_graph": _edge(before), "second_graph": _edge(after)}
            for before, after in comparison.wrongly_oriented
        ],
    }


def _edge(edge: Edge) -> Facts:
    return {"first": edge.first, "second": edge.second, "directed": edge.directed}


def compare_page(facts: Facts) -> list[RenderableType]:
    """The two networks, their distance, and the edges in which they differ."""
    heads = [
        ("network", "left"),
        *((head, "right") for head in ("variables", "arcs", "networks in its class")),
    ]
    networks = [
        (network["source"], network["variables"], network["arcs"], large(network["class_size"]))
        for network in (facts["first"], facts["second"])
    ]
    verdict = "equivalent: they imply the same independences" if facts["equivalent"] else "not equivalent"
    compared = "as equivalence classes" if facts["on"] == "cpdag" else "as graphs, arc by arc"
    page: list[RenderableType] = [
        grid(heads, networks),
        line(f"The networks are {verdict}."),
        line(
            f"Structural Hamming distance {facts['shd']} (compared {compared}; "
            f"{count(len(facts['matching']), 'edge')} in common)."
        ),
    ]
    rows = _differences(facts)
    if rows:
        page.append(grid([(head, "left") for head in ("difference", "in the first", "in the second")], rows))
    return page


def _differences(facts: Facts) -> list[tuple[str, str, str]]:
    return [
        *(("missing in the second", edge_text(edge), "") for edge in facts["missing"]),
        *(("extra in the second", "", edge_text(edge)) for edge in facts["extra"]),
        *(
            ("oriented differently", edge_text(pair["first_graph"]), edge_text(pair["second_graph"]))
            for pair in facts["wrongly_oriented"]
        ),
    ]
