"""``qnml learn`` on local scores: the network, what its arcs gain, and its certificate.

learn, on a .jkl file
    data {source, variables, families}; score {label, value}; prior; log_prior; objective; network {variables, arcs
    [{parent, child, removal_cost}], isolated [names]}, where the removal cost is what the score loses without the arc,
    null if no smaller parent set is listed; certificate (as in learn); files [{path, holds}].
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from qnml.reports.fact_parts import data_facts, file_facts
from qnml.reports.parts import arc_text, count, data_lines, file_lines, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml._api.local_score_result import LocalScoreResult
    from qnml.reports.fact_parts import Facts

__all__ = ["learn_scores_facts", "learn_scores_page"]


def learn_scores_facts(result: LocalScoreResult, source: str, *, files: Sequence[tuple[str, str]] = ()) -> Facts:
    """The network, its score and what is proven about it.

    Parameters
    ----------
    result
        The result of `qnml.learn`.
    source
        Where the scores came from.
    files
        The files that were written, each with a description of its content.
    """
    costs = result.removal_costs
    joined = {name for arc in costs for name in arc}
    return {
        "data": data_facts(result.local_scores, source),
        "score": {"label": result.score_name, "value": result.score},
        "prior": result.prior,
        "log_prior": result.log_prior,
        "objective": result.objective,
        "network": {
            "variables": list(result.dag.names),
            "arcs": [
                {"parent": parent, "child": child, "removal_cost": cost if math.isfinite(cost) else None}
                for (parent, child), cost in sorted(costs.items(), key=lambda one: (-one[1], one[0]))
            ],
            "isolated": [name for name in result.dag.names if name not in joined],
        },
        "certificate": {
            **asdict(result.certificate),
            "gap": result.certificate.gap,
            "total_seconds": result.certificate.total_seconds,
            "sentence": result.certificate_sentence(),
        },
        "files": file_facts(files),
    }


def learn_scores_page(facts: Facts) -> list[RenderableType]:
    """The network, the certificate, and the files written.

    Parameters
    ----------
    facts
        The facts of `learn_scores_facts`.
    """
    arcs, isolated = facts["network"]["arcs"], facts["network"]["isolated"]
    page = [*data_lines(facts["data"]), line(f"score {facts['score']['value']:z.10g}, {count(len(arcs), 'arc')}")]
    if arcs:
        rows = [(arc_text(arc), "–" if arc["removal_cost"] is None else f"{arc['removal_cost']:z.4g}") for arc in arcs]
        page.append(grid([("arc", "left"), ("score lost without it", "right")], rows))
    if arcs and isolated:
        page.append(line(f"Without arcs: {', '.join(isolated)}"))
    return [*page, line(facts["certificate"]["sentence"]), *file_lines(facts["files"])]
