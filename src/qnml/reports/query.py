"""``qnml query``: exact answers of a network.

query
    network {source, variables, arcs}; evidence and do {name: label}; raw {name: value as given, where it is no label};
    targets [names]; levels {name: [labels]}; probabilities [{levels {name: label}, probability}], the last target
    changing fastest; warnings [texts].
query, with ``--mpe``
    network, evidence, do and raw as above; assignment {name: label}; log_probability, of the assignment with the
    evidence; log_probability_given_evidence; warnings [texts].
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from qnml.reports.fact_parts import condition_facts
from qnml.reports.parts import condition_lines, grid, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml._types import Label
    from qnml.model import Network
    from qnml.model.inference import Distribution
    from qnml.reports.fact_parts import Facts

__all__ = ["mpe_facts", "mpe_page", "query_facts", "query_page"]

_MOST_ROWS = 60


def query_facts(
    net: Network,
    source: str,
    answer: Distribution,
    evidence: Mapping[str, str],
    do: Mapping[str, str],
    *,
    warnings: Sequence[str] = (),
) -> Facts:
    """The joint distribution of the targets.

    Parameters
    ----------
    net
        The network.
    source
        Where the network came from.
    answer
        The result of `Network.query`.
    evidence
        Observed labels.
    do
        Labels set by intervention.
    warnings
        Warnings that the query gave.
    """
    names = answer.names
    keys = itertools.product(*answer.levels.values())
    return {
        **condition_facts(net, source, evidence, do),
        "targets": list(names),
        "levels": {name: list(labels) for name, labels in answer.levels.items()},
        "probabilities": [
            {"levels": dict(zip(names, key, strict=True)), "probability": probability}
            for key, probability in zip(keys, answer.values.reshape(-1).tolist(), strict=True)
        ],
        "warnings": list(warnings),
    }


def query_page(facts: Facts) -> list[RenderableType]:
    """One row for each combination of labels."""
    entries = facts["probabilities"]
    page = condition_lines(facts)
    heads = [*((name, "left") for name in facts["targets"]), ("probability", "right")]
    shown = entries
    if len(entries) > _MOST_ROWS:
        shown = sorted(entries, key=lambda entry: -entry["probability"])[:_MOST_ROWS]
        page.append(line(f"The {_MOST_ROWS} most probable of {len(entries)}; --json gives all."))
    rows = [(*entry["levels"].values(), _share(entry["probability"])) for entry in shown]
    return [*page, grid(heads, rows), *map(line, facts["warnings"])]


def mpe_facts(
    net: Network,
    source: str,
    answer: tuple[Mapping[str, Label], float],
    log_evidence: float,
    evidence: Mapping[str, str],
    do: Mapping[str, str],
    *,
    warnings: Sequence[str] = (),
) -> Facts:
    """The most probable explanation.

    Parameters
    ----------
    net
        The network.
    source
        Where the network came from.
    answer
        The result of `Network.most_probable`.
    log_evidence
        The log-probability of the evidence.
    evidence
        Observed labels.
    do
        Labels set by intervention.
    warnings
        Warnings that the query gave.
    """
    assignment, log_probability = answer
    return {
        **condition_facts(net, source, evidence, do),
        "assignment": dict(assignment),
        "log_probability": log_probability,
        "log_probability_given_evidence": log_probability - log_evidence,
        "warnings": list(warnings),
    }


def mpe_page(facts: Facts) -> list[RenderableType]:
    """One row for each variable."""
    given = {**facts["evidence"], **facts["do"]}
    rows = [
        (name, label, "given" if name in facts["evidence"] else "set" if name in given else "")
        for name, label in facts["assignment"].items()
    ]
    probability = math.exp(facts["log_probability_given_evidence"])
    return [
        *condition_lines(facts),
        line(f"Most probable explanation, probability {_share(probability)} given the evidence:"),
        grid([("variable", "left"), ("label", "left"), ("", "left")], rows),
        *map(line, facts["warnings"]),
    ]


def _share(probability: float) -> str:
    return f"{probability:.6f}" if probability == 0.0 or probability >= 1e-4 else f"{probability:.3e}"
