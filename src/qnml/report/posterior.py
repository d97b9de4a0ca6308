"""A posterior over structures as plain facts and as a page; see `qnml.report.facts` for the rules.

posterior
    data {source, rows, total, variables}; score (label); method; prior; weights_are; log_total (null where only ratios
    are known); seconds; diagnostics; sentence; variables [names]; pairs [{first, second, forward, backward, adjacent,
    absent, forward_error, backward_error}], most probably joined first, errors null where figures are exact; paths
    [{from, to, probability, error}]; top_classes [{directed, undirected, log_weight, probability}] and top_dags [{arcs,
    log_weight, probability}], best first; rankings_are_proven; least, the probability from which pairs are shown to
    people; warnings [texts]; files [{path, holds}].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph import Dag
from qnml.report.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml._api.posterior_result import Posterior, RankedGraph
    from qnml.report.facts import Facts

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
    """What is believed about the structure behind a table.

    Parameters
    ----------
    result
        What `qnml.posterior` returned.
    source
        Where the data came from.
    top
        How many structures to list.
    least
        Pairs that are less probably joined are left out of the page, not of the facts.
    warnings
        What was warned of.
    files
        The files that were written, each with what it holds.
    """
    names, table = result.names, result.table
    errors = result.standard_errors
    return {
        "data": {"source": source, "rows": table.n_rows, "total": table.total, "variables": len(names)},
        "score": result.score_name,
        "method": result.method,
        "prior": result.prior,
        "weights_are": result.weights_are,
        "log_total": result.log_total,
        "seconds": result.seconds,
        "diagnostics": dict(result.diagnostics),
        "sentence": result.sentence(),
        "variables": list(names),
        "pairs": [{"forward_error": None, "backward_error": None, **row} for row in result.to_frame().to_dicts()],
        "paths": [
            {
                "from": a,
                "to": b,
                "probability": float(result.ancestors[i, j]),
                "error": None if errors is None else float(errors.ancestors[i, j]),
            }
            for i, a in enumerate(names)
            for j, b in enumerate(names)
            if i != j
        ],
        "top_classes": [_ranked(one) for one in result.top_classes(top)],
        "top_dags": [_ranked(one) for one in result.top_dags(top)],
        "rankings_are_proven": result.ranking_is_proven("dags", top) and result.ranking_is_proven("classes", top),
        "least": least,
        "warnings": list(warnings),
        "files": [{"path": path, "holds": holds} for path, holds in files],
    }


def posterior_page(facts: Facts) -> list[RenderableType]:
    """Pairs that are probably joined, the most probable classes, and what the figures are."""
    data = facts["data"]
    shown = [pair for pair in facts["pairs"] if pair["adjacent"] >= facts["least"]]
    page: list[RenderableType] = [
        line(f"{data['source']}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"),
        line(facts["sentence"]),
    ]
    if shown:
        heads = [("pair", "left"), ("->", "right"), ("<-", "right"), ("joined", "right"), ("not joined", "right")]
        page.append(
            grid(
                heads,
                [
                    (
                        f"{pair['first']}, {pair['second']}",
                        _share(pair["forward"], pair["forward_error"]),
                        _share(pair["backward"], pair["backward_error"]),
                        _share(pair["adjacent"]),
                        _share(pair["absent"]),
                    )
                    for pair in shown
                ],
            )
        )
    hidden = len(facts["pairs"]) - len(shown)
    if hidden:
        words = f"{count(hidden, 'other pair')}:" if shown else "All pairs:"
        page.append(line(f"{words} joined with a probability below {facts['least']:g}."))
    if facts["top_classes"]:
        best = "Most probable classes" if facts["rankings_are_proven"] else "Most probable classes among those drawn"
        page.append(line(f"{best} (a -- b: either direction):"))
        page.append(
            grid(
                [("probability", "right"), ("class", "left")],
                [(_share(one["probability"]), _edges(one)) for one in facts["top_classes"]],
            )
        )
    page += [line(warning) for warning in facts["warnings"]]
    page += [line(f"Written: {file['path']} ({file['holds']})") for file in facts["files"]]
    return page


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
    # What is not quite certain is not called so by rounding.
    text = "<0.001" if 0 < share < 0.0005 else ">0.999" if 0.9995 < share < 1 - 1e-12 else f"{share:.3f}"
    return text if error is None else f"{text} ± {error:.3f}"
