"""``qnml bootstrap``: the strength of each pair of variables, and the averaged network.

bootstrap
    data (as in learn); score; prior; method; replicates; seed; stop_reason; threshold; pairs [{first, second, strength,
    standard_error, forward, backward, is_joined}], strongest first, only pairs that were joined at least once; network
    {variables, arcs [{parent, child}], undecided [{parent, child}], left_out [{parent, child}]}; sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import arc_facts, data_facts
from qnml.reports.parts import arc_text, data_lines, grid, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml._api.bootstrap_result import Bootstrap
    from qnml.data import Table
    from qnml.reports.fact_parts import Facts

__all__ = ["bootstrap_facts", "bootstrap_page"]


def bootstrap_facts(result: Bootstrap, table: Table, source: str) -> Facts:
    """The share of replicates in which each pair is joined, and the averaged network.

    Parameters
    ----------
    result
        The result of `qnml.bootstrap`.
    table, source
        The data, and where they came from.
    """
    return {
        "data": data_facts(table, source),
        "score": result.score_name,
        "prior": result.prior,
        "method": result.method,
        "replicates": result.replicates,
        "seed": result.seed,
        "stop_reason": result.stop_reason,
        "threshold": result.threshold,
        "pairs": _pairs(result),
        "network": {
            "variables": list(result.names),
            "arcs": arc_facts(result.dag.arcs),
            "undecided": arc_facts(result.averaged.undecided),
            "left_out": arc_facts(result.averaged.left_out),
        },
        "sentence": result.sentence(),
    }


def _pairs(result: Bootstrap) -> list[Facts]:
    strength, error = result.adjacencies, result.standard_errors
    joined = {frozenset(arc) for arc in result.dag.arcs}
    pairs = [
        {
            "first": first,
            "second": second,
            "strength": float(strength[i, j]),
            "standard_error": float(error[i, j]),
            "forward": float(result.edges[i, j]),
            "backward": float(result.edges[j, i]),
            "is_joined": frozenset((first, second)) in joined,
        }
        for i, first in enumerate(result.names)
        for j, second in enumerate(result.names[i + 1 :], i + 1)
        if strength[i, j] > 0
    ]
    return sorted(pairs, key=lambda pair: (-float(pair["strength"]), pair["first"], pair["second"]))


def bootstrap_page(facts: Facts) -> list[RenderableType]:
    """The pairs with their strengths, arcs that are undecided or left out, and a summary."""
    heads = [
        ("pair", "left"),
        *((head, "right") for head in ("strength", "± error", "forward", "backward")),
        ("", "left"),
    ]
    rows = [
        (
            f"{pair['first']} -- {pair['second']}",
            *(f"{pair[part]:.3f}" for part in ("strength", "standard_error", "forward", "backward")),
            "joined" if pair["is_joined"] else "",
        )
        for pair in facts["pairs"]
    ]
    page: list[RenderableType] = [*data_lines(facts["data"]), grid(heads, rows)]
    network = facts["network"]
    for title, arcs in (
        ("Direction undecided", network["undecided"]),
        ("Left out because they would close a cycle", network["left_out"]),
    ):
        if arcs:
            page.append(line(f"{title}: {', '.join(map(arc_text, arcs))}"))
    return [*page, line(facts["sentence"])]
