"""``qnml score``: the scores of a given network.

score
    data {source, rows, total, variables, prepared}, where prepared says whether raw cells were prepared as the network
    remembers; network {source, variables, arcs, levels}, where levels says which of them declared the levels,
    ``"network"`` or ``"data"``; scores [{name, parameters, label, value, explanation}], where
    explanation is null unless asked for, else {families [{child, parents, score, fit, penalty, n_parameters, cells,
    is_overfull, log_z}], arcs [{parent, child, removal_cost_bits}], overfull [names]}.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from qnml.reports.fact_parts import data_facts, network_facts
from qnml.reports.parts import arc_text, data_lines, grid, large, line, network_text, overfull

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from qnml._api.explanation import Explanation
    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.reports.fact_parts import Facts

__all__ = ["explanation_facts", "score_facts", "score_page"]


def score_facts(
    table: Table,
    source: str,
    dag: Dag,
    network: str,
    *,
    levels_from_network: bool,
    is_prepared: bool,
    scores: Iterable[Facts],
) -> Facts:
    """The data, the network and its scores.

    Parameters
    ----------
    table
        The data.
    source
        Where the data came from.
    dag
        The structure of the network.
    network
        Where the network came from.
    levels_from_network
        Whether the network declared the levels.
    is_prepared
        Whether the rows were prepared as the network remembers.
    scores
        One dictionary for each score, as described above.
    """
    return {
        "data": {**data_facts(table, source), "prepared": is_prepared},
        "network": {**network_facts(dag, network), "levels": "network" if levels_from_network else "data"},
        "scores": list(scores),
    }


def explanation_facts(explanation: Explanation) -> Facts:
    """The terms of one score."""
    return {
        "families": [{**asdict(family), "parents": list(family.parents)} for family in explanation.families],
        "arcs": [asdict(arc) for arc in explanation.arcs],
        "overfull": [family.child for family in explanation.overfull],
    }


def score_page(facts: Facts) -> list[RenderableType]:
    """The scores, and the terms of those that were explained."""
    data, network = facts["data"], facts["network"]
    levels = {"network": "declared by the network", "data": "taken from the data"}[network["levels"]]
    heads = [("score", "left"), ("nats", "right"), ("nats per row", "right")]
    rows = [
        (score["label"], f"{score['value']:z.4f}", f"{score['value'] / data['total']:z.4f}")
        for score in facts["scores"]
    ]
    page: list[RenderableType] = [
        *data_lines(data),
        line(f"{network_text(network)}; levels {levels}"),
        *([line("Raw cells were prepared as in the data the network was learned from.")] if data["prepared"] else []),
        grid(heads, rows),
    ]
    explained = [score for score in facts["scores"] if score["explanation"] is not None]
    for score in explained:
        page += _explanation(score["label"], score["explanation"])
    if explained:
        # Whether a family is over-full does not depend on the score: say it once.
        families = explained[0]["explanation"]["families"]
        page += overfull([family for family in families if family["is_overfull"]], data["total"])
    return page


def _explanation(label: str, facts: Facts) -> list[RenderableType]:
    heads = [
        ("variable", "left"),
        ("parents", "left"),
        *((head, "right") for head in ("score", "fit", "penalty", "parameters")),
    ]
    families = [
        (
            family["child"],
            ", ".join(family["parents"]),
            *(f"{family[term]:z.3f}" for term in ("score", "fit", "penalty")),
            large(family["n_parameters"]),
        )
        for family in facts["families"]
    ]
    page: list[RenderableType] = [
        line(f"{label} by variable (in nats; score = fit - penalty)"),
        grid(heads, families),
    ]
    if facts["arcs"]:
        # The strongest arcs first: that is what a reader looks for.
        strongest = sorted(facts["arcs"], key=lambda arc: -arc["removal_cost_bits"])
        rows = [(arc_text(arc), f"{arc['removal_cost_bits']:z.2f}") for arc in strongest]
        page += [
            line(f"{label} by arc (bits that the score loses without the arc)"),
            grid([("arc", "left"), ("bits", "right")], rows),
        ]
    return page
