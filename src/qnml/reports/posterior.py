"""``qnml posterior``: edge inclusion probabilities and the most probable structures.

posterior
    data (as in learn); score (label); method; prior; weights_are; log_total (null where only ratios
    are known); seconds; diagnostics; sentence; variables [names]; pairs [{first, second, forward, backward, adjacent,
    absent, forward_error, backward_error}], most probably joined first, errors null where figures are exact; paths
    [{from, to, probability, error}]; top_classes [{directed, undirected, log_weight, probability}] and top_dags [{arcs,
    log_weight, probability}], best first; rankings_are_proven; least, the probability from which pairs are shown on the
    page; warnings [texts]; files [{path, holds}].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph import Dag
from qnml.reports.fact_parts import data_facts, file_facts
from qnml.reports.parts import count, data_lines, file_lines, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml._api.posterior_result import Posterior, RankedGraph
    from qnml.reports.fact_parts import Facts

__all__ = ["posterior_facts", "posterior_page"]


def posterior_facts(
    result: Posterior,
    source: str,
    *,
    top: int = 3,
    least: float = 0.1,
    warnings: Sequence[str] = (),
    files: Sequence[tuple[str, str]] = (),
) -> Facts:
    """The probabilities of arcs, paths and structures.

    Parameters
    ----------
    result
        The result of `qnml.posterior`.
    source
        Where the data came from.
    top
        The number of structures to list.
    least
        The page omits pairs that are adjacent with a smaller probability; the facts contain all pairs.
    warnings
        Warnings that the computation gave.
    files
        The files that were written, each with a description of its content.
    """
    return {
        "data": data_facts(result.table, source),
        "score": result.score_name,
        "method": result.method,
        "prior": result.prior,
        "weights_are": result.weights_are,
        "log_total": result.log_total,
        "seconds": result.seconds,
        "diagnostics": dict(result.diagnostics),
        "sentence": result.sentence(),
        "variables": list(result.names),
        "pairs": [
            {"forward_error": None, "backward_error": None, **row} for row in result.to_frame(kind="polars").to_dicts()
        ],
        "paths": _paths(result),
        "top_classes": [_ranked(one) for one in result.top_classes(top)],
        "top_dags": [_ranked(one) for one in result.top_dags(top)],
        "rankings_are_proven": result.ranking_is_proven("dags", top) and result.ranking_is_proven("classes", top),
        "least": least,
        "warnings": list(warnings),
        "files": file_facts(files),
    }


def _paths(result: Posterior) -> list[Facts]:
    errors = result.standard_errors
    return [
        {
            "from": first,
            "to": second,
            "probability": float(result.ancestors[i, j]),
            "error": None if errors is None else float(errors.ancestors[i, j]),
        }
        for i, first in enumerate(result.names)
        for j, second in enumerate(result.names)
        if i != j
    ]


def posterior_page(facts: Facts) -> list[RenderableType]:
    """The pairs that are probably joined, and the most probable classes."""
    return [
        *data_lines(facts["data"]),
        line(facts["sentence"]),
        *_pairs(facts),
        *_classes(facts),
        *map(line, facts["warnings"]),
        *file_lines(facts["files"]),
    ]


def _pairs(facts: Facts) -> list[RenderableType]:
    shown = [pair for pair in facts["pairs"] if pair["adjacent"] >= facts["least"]]
    hidden = len(facts["pairs"]) - len(shown)
    page: list[RenderableType] = []
    if shown:
        heads = [("pair", "left"), *((head, "right") for head in ("->", "<-", "joined", "not joined"))]
        rows = [
            (
                f"{pair['first']}, {pair['second']}",
                _share(pair["forward"], pair["forward_error"]),
                _share(pair["backward"], pair["backward_error"]),
                _share(pair["adjacent"]),
                _share(pair["absent"]),
            )
            for pair in shown
        ]
        page.append(grid(heads, rows))
    if hidden:
        words = f"{count(hidden, 'other pair')}:" if shown else "All pairs:"
        page.append(line(f"{words} joined with a probability below {facts['least']:g}."))
    return page


def _classes(facts: Facts) -> list[RenderableType]:
    if not facts["top_classes"]:
        return []
    among = "" if facts["rankings_are_proven"] else " among those drawn"
    rows = [(_share(one["probability"]), _edges(one)) for one in facts["top_classes"]]
    return [
        line(f"Most probable equivalence classes{among} (a -- b: either direction):"),
        grid([("probability", "right"), ("class", "left")], rows),
    ]


def _ranked(one: RankedGraph) -> Facts:
    graph = one.graph
    weights = {"log_weight": one.log_weight, "probability": one.probability}
    if isinstance(graph, Dag):
        return {"arcs": [list(arc) for arc in graph.arcs], **weights}
    directed, undirected = ([list(edge) for edge in edges] for edges in (graph.directed, graph.undirected))
    return {"directed": directed, "undirected": undirected, **weights}


def _edges(one: Facts) -> str:
    edges = [f"{a} -> {b}" for a, b in one["directed"]] + [f"{a} -- {b}" for a, b in one["undirected"]]
    return ", ".join(edges) or "no edges"


def _share(share: float | None, error: float | None = None) -> str:
    if share is None:
        return "?"
    # Rounding must not turn a probability below 1 into certainty.
    text = "<0.001" if 0 < share < 0.0005 else ">0.999" if 0.9995 < share < 1 - 1e-12 else f"{share:.3f}"
    return text if error is None else f"{text} ± {error:.3f}"
