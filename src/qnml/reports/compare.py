"""``qnml compare``: the differences between two networks.

compare
    first and second {source, variables, arcs, class_size}; on; shd; sid {lower, upper, is_exact} (null if the first
    network is known as a class only); skeleton and arrowheads {precision, recall, f1}, each null where nothing is to
    be counted; equivalent; matching, missing and extra [{first, second, directed}]; wrongly_oriented [{first_graph,
    second_graph}], both edges like the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import network_facts
from qnml.reports.parts import count, edge_text, grid, large, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml.graph import Agreement, Comparison, Dag, Edge
    from qnml.reports.fact_parts import Facts

__all__ = ["compare_facts", "compare_page"]

_COMPARED = {
    "cpdag": "as equivalence classes",
    "mpdag": "with what knowledge directs",
    "dag": "as graphs, arc by arc",
}


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
        "sid": None if comparison.sid is None else comparison.sid._asdict(),
        "skeleton": _agreement(comparison.skeleton),
        "arrowheads": _agreement(comparison.arrowheads),
        "equivalent": equivalent,
        "matching": [_edge(edge) for edge in comparison.matching],
        "missing": [_edge(edge) for edge in comparison.missing],
        "extra": [_edge(edge) for edge in comparison.extra],
        "wrongly_oriented": [
            {"first_graph": _edge(before), "second_graph": _edge(after)}
            for before, after in comparison.wrongly_oriented
        ],
    }


def _agreement(agreement: Agreement) -> Facts:
    return {**agreement._asdict(), "f1": agreement.f1}


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
    compared = _COMPARED[facts["on"]]
    page: list[RenderableType] = [
        grid(heads, networks),
        line(f"The networks are {verdict}."),
        line(
            f"Structural Hamming distance {facts['shd']} (compared {compared}; "
            f"{count(len(facts['matching']), 'edge')} in common)."
        ),
    ]
    page += [*_of_effects(facts), _agreements(facts)]
    rows = _differences(facts)
    if rows:
        page.append(grid([(head, "left") for head in ("difference", "in the first", "in the second")], rows))
    return page


def _of_effects(facts: Facts) -> list[RenderableType]:
    found = facts["sid"]
    if found is None:
        return []
    least, most = found["lower"], found["upper"]
    pairs = facts["first"]["variables"] * (facts["first"]["variables"] - 1)
    number = f"{least}" if least == most else f"{least} to {most}"
    outside = "" if found["is_exact"] or least == most else "; no member need reach these bounds"
    return [
        line(
            f"Structural intervention distance {number} of {pairs}: so many effects of one variable on another are "
            f"wrong in the second if the first is true{outside}."
        )
    ]


def _agreements(facts: Facts) -> RenderableType:
    heads = [("of the second", "left"), *((head, "right") for head in ("precision", "recall", "F1"))]
    rows = [
        (part, *("-" if value is None else f"{value:.3f}" for value in facts[part].values()))
        for part in ("skeleton", "arrowheads")
    ]
    return grid(heads, rows)


def _differences(facts: Facts) -> list[tuple[str, str, str]]:
    return [
        *(("missing in the second", edge_text(edge), "") for edge in facts["missing"]),
        *(("extra in the second", "", edge_text(edge)) for edge in facts["extra"]),
        *(
            ("oriented differently", edge_text(pair["first_graph"]), edge_text(pair["second_graph"]))
            for pair in facts["wrongly_oriented"]
        ),
    ]
