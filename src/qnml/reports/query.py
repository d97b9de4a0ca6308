"""``qnml query``: exact answers of a network.

query
    network {source, variables, arcs}; evidence and do {name: label}; raw {name: value as given, where it is no label};
    targets [names]; levels {name: [labels]}; probabilities [{levels {name: label}, probability}], the last target
    changing fastest; warnings [texts].
query, with ``--mpe``
    network, evidence, do and raw as above; assignment {name: label}; log_probability, of the assignment with the
    evidence; log_probability_given_evidence; explanations [{assignment, log_probability,
    log_probability_given_evidence}], best first, with ``--best``; warnings [texts].
query, with ``--marginals``
    network, evidence, do and raw as above; marginals {name: {label: probability}}; log_evidence; warnings [texts].
query, with ``--next``
    network, evidence, do and raw as above; target; informative [{variable, information, expected_accuracy}], most
    informative first, in nats; warnings [texts].

Evidence of one of several levels is a list of them, of all but some {"not": [labels]}. All have likelihood
{name: {label: number}} if one was given.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from qnml.reports.fact_parts import condition_facts
from qnml.reports.parts import condition_lines, grid, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml._types import Label
    from qnml.model import Network
    from qnml.model.inference import Distribution, Marginals
    from qnml.model.inference.information import Informative
    from qnml.reports.fact_parts import Facts

__all__ = [
    "marginals_facts",
    "marginals_page",
    "mpe_facts",
    "mpe_page",
    "next_facts",
    "next_page",
    "query_facts",
    "query_page",
]

_MOST_ROWS = 60
_MOST_LEVELS = 4


def query_facts(
    net: Network,
    source: str,
    answer: Distribution,
    evidence: Mapping[str, Any],
    do: Mapping[str, str],
    *,
    likelihood: Mapping[str, Mapping[str, float]] | None = None,
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
    likelihood
        Soft evidence.
    warnings
        Warnings that the query gave.
    """
    names = answer.names
    keys = itertools.product(*answer.levels.values())
    return {
        **_conditions(net, source, evidence, do, likelihood),
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
    answers: Sequence[tuple[Mapping[str, Label], float]],
    log_evidence: float,
    evidence: Mapping[str, Any],
    do: Mapping[str, str],
    *,
    likelihood: Mapping[str, Mapping[str, float]] | None = None,
    warnings: Sequence[str] = (),
) -> Facts:
    """The most probable explanation.

    Parameters
    ----------
    net
        The network.
    source
        Where the network came from.
    answers
        The result of `Network.k_most_probable`; those after the first are listed, too.
    log_evidence
        The log-probability of the evidence.
    evidence
        Observed labels.
    do
        Labels set by intervention.
    likelihood
        Soft evidence.
    warnings
        Warnings that the query gave.
    """
    ranked = [
        {
            "assignment": dict(assignment),
            "log_probability": log_probability,
            "log_probability_given_evidence": log_probability - log_evidence,
        }
        for assignment, log_probability in answers
    ]
    return {
        **_conditions(net, source, evidence, do, likelihood),
        **ranked[0],
        **({"explanations": ranked} if len(ranked) > 1 else {}),
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
        *_next_best(facts),
        *map(line, facts["warnings"]),
    ]


def _next_best(facts: Facts) -> list[RenderableType]:
    """What the next explanations change of the best one."""
    found: list[RenderableType] = []
    for number, one in enumerate(facts.get("explanations", [])[1:], 2):
        changes = [
            f"{name} = {label}" for name, label in one["assignment"].items() if facts["assignment"][name] != label
        ]
        probability = math.exp(one["log_probability_given_evidence"])
        found.append(line(f"{number}. probability {_share(probability)}: {', '.join(changes)}"))
    return found


def marginals_facts(
    net: Network,
    source: str,
    answer: Marginals,
    evidence: Mapping[str, Any],
    do: Mapping[str, str],
    *,
    likelihood: Mapping[str, Mapping[str, float]] | None = None,
    warnings: Sequence[str] = (),
) -> Facts:
    """The distributions of many variables.

    Parameters
    ----------
    net, source
        As for `query_facts`.
    answer
        The result of `Network.marginals`.
    evidence, do, likelihood, warnings
        As for `query_facts`.
    """
    return {
        **_conditions(net, source, evidence, do, likelihood),
        "marginals": {name: {str(key): share for key, share in answer[name].to_dict().items()} for name in answer},
        "log_evidence": answer.log_evidence,
        "warnings": list(warnings),
    }


def marginals_page(facts: Facts) -> list[RenderableType]:
    """One row for each variable, its most probable levels first."""
    rows = []
    for name, shares in facts["marginals"].items():
        ranked = sorted(shares.items(), key=lambda one: -one[1])
        shown = [f"{label} {share:.4f}" for label, share in ranked[:_MOST_LEVELS]]
        more = len(ranked) - _MOST_LEVELS
        rows.append((name, ", ".join([*shown, *([f"{more} more"] if more > 0 else [])])))
    page = [*condition_lines(facts), grid([("variable", "left"), ("probabilities", "left")], rows)]
    if facts["evidence"] or "likelihood" in facts:
        page.append(line(f"Probability of the evidence: {_share(math.exp(facts['log_evidence']))}"))
    return [*page, *map(line, facts["warnings"])]


def next_facts(
    net: Network,
    source: str,
    target: str,
    answer: Sequence[Informative],
    evidence: Mapping[str, Any],
    do: Mapping[str, str],
    *,
    likelihood: Mapping[str, Mapping[str, float]] | None = None,
    warnings: Sequence[str] = (),
) -> Facts:
    """Which variable to look at next.

    Parameters
    ----------
    net, source
        As for `query_facts`.
    target
        The variable of interest.
    answer
        The result of `Network.value_of_information`.
    evidence, do, likelihood, warnings
        As for `query_facts`.
    """
    return {
        **_conditions(net, source, evidence, do, likelihood),
        "target": target,
        "informative": [
            {
                "variable": one.variable,
                "information": one.information,
                "expected_accuracy": one.expected_accuracy,
            }
            for one in answer
        ],
        "warnings": list(warnings),
    }


def next_page(facts: Facts) -> list[RenderableType]:
    """One row for each variable that tells something."""
    rows = [
        (one["variable"], f"{one['information']:.4f}", f"{one['expected_accuracy']:.4f}")
        for one in facts["informative"][:_MOST_ROWS]
    ]
    heads = [("look at", "left"), ("information (nats)", "right"), ("guess right", "right")]
    told = f"What each variable tells about {facts['target']}, and how often its best guess would be right:"
    return [*condition_lines(facts), line(told), grid(heads, rows), *map(line, facts["warnings"])]


def _conditions(
    net: Network,
    source: str,
    evidence: Mapping[str, Any],
    do: Mapping[str, str],
    likelihood: Mapping[str, Mapping[str, float]] | None,
) -> Facts:
    soft = {"likelihood": {name: dict(weights) for name, weights in likelihood.items()}} if likelihood else {}
    return {**condition_facts(net, source, evidence, do), **soft}


def _share(probability: float) -> str:
    return f"{probability:.6f}" if probability == 0.0 or probability >= 1e-4 else f"{probability:.3e}"
