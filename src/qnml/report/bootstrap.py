"""A bootstrap as plain facts and as a page; see `qnml.report.facts` for the rules.

bootstrap
    data {source, variables}; score; method; replicates; seed; stop_reason; threshold; pairs [{first, second, strength,
    standard_error, forward, backward, is_joined}], strongest first, only those found at all; network {variables, arcs
    [{parent, child}], undecided [{parent, child}], left_out [{parent, child}]}; sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.report.parts import grid, line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from qnml._api.bootstrap_result import Bootstrap
    from qnml.report.facts import Facts

__all__ = ["bootstrap_facts", "bootstrap_page"]


def bootstrap_facts(result: Bootstrap, source: str) -> Facts:
    """How often each pair of variables was joined, and the averaged network.

    Parameters
    ----------
    result
        What `qnml.bootstrap` returned.
    source
        Where the data came from.
    """
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
    return {
        "data": {"source": source, "variables": len(result.names)},
        "score": result.score_name,
        "method": result.method,
        "replicates": result.replicates,
        "seed": result.seed,
        "stop_reason": result.stop_reason,
        "threshold": result.threshold,
        "pairs": sorted(pairs, key=lambda pair: (-float(pair["strength"]), pair["first"], pair["second"])),
        "network": {
            "variables": list(result.names),
            "arcs": _arcs(result.dag.arcs),
            "undecided": _arcs(result.averaged.undecided),
            "left_out": _arcs(result.averaged.left_out),
        },
        "sentence": result.sentence(),
    }


def _arcs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"parent": parent, "child": child} for parent, child in pairs]


def bootstrap_page(facts: Facts) -> list[RenderableType]:
    """The page of a bootstrap: pairs with their strength, then what was left out, then the sentence."""
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
    page: list[RenderableType] = [grid(heads, rows)]
    network = facts["network"]
    for title, arcs in (
        ("Direction undecided", network["undecided"]),
        ("Left out, they would close a cycle", network["left_out"]),
    ):
        if arcs:
            page.append(line(f"{title}: " + ", ".join(f"{arc['parent']} -> {arc['child']}" for arc in arcs)))
    return [*page, line(facts["sentence"])]
