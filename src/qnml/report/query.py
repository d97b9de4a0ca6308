"""Answers of a network and rows drawn from it as plain facts, and the pages drawn from them.

See `qnml.report.facts` for the rules.

query
    network {source, variables, arcs}; evidence and do {name: label}; targets [names]; levels {name: [labels]};
    probabilities [{levels {name: label}, probability}], the last target changing fastest.
query, with ``--mpe``
    network, evidence and do as above; assignment {name: label}; log_probability, of the assignment with the
    evidence; log_probability_given_evidence.
sample
    network, evidence and do as above; rows; seed; output (the file); notes [sentences].
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from qnml.report.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml._types import Label
    from qnml.model import Network
    from qnml.model.inference import Distribution
    from qnml.report.facts import Facts

__all__ = ["explanation_page", "mpe_facts", "query_facts", "query_page", "sampling_facts", "sampling_page"]

_MOST_ROWS = 60


def query_facts(
    net: Network, source: str, answer: Distribution, evidence: Mapping[str, str], do: Mapping[str, str]
) -> Facts:
    """The distribution of some variables."""
    names = answer.names
    keys = itertools.product(*answer.levels.values())
    return {
        **_asked(net, source, evidence, do),
        "targets": list(names),
        "levels": {name: list(labels) for name, labels in answer.levels.items()},
        "probabilities": [
            {"levels": dict(zip(names, key, strict=True)), "probability": probability}
            for key, probability in zip(keys, answer.values.reshape(-1).tolist(), strict=True)
        ],
    }


def mpe_facts(
    net: Network,
    source: str,
    answer: tuple[Mapping[str, Label], float],
    log_evidence: float,
    evidence: Mapping[str, str],
    do: Mapping[str, str],
) -> Facts:
    """The most probable explanation: all variables with their labels."""
    assignment, log_probability = answer
    return {
        **_asked(net, source, evidence, do),
        "assignment": dict(assignment),
        "log_probability": log_probability,
        "log_probability_given_evidence": log_probability - log_evidence,
    }


def sampling_facts(
    net: Network,
    source: str,
    rows: int,
    seed: int,
    output: str,
    notes: Sequence[str],
    evidence: Mapping[str, str],
    do: Mapping[str, str],
) -> Facts:
    """What was drawn, and where it went."""
    return {
        **_asked(net, source, evidence, do),
        "rows": rows,
        "seed": seed,
        "output": output,
        "notes": list(notes),
    }


def query_page(facts: Facts) -> list[RenderableType]:
    """One line per combination of levels."""
    entries = facts["probabilities"]
    page = _head(facts)
    heads = [*((name, "left") for name in facts["targets"]), ("probability", "right")]
    shown = entries
    if len(entries) > _MOST_ROWS:
        shown = sorted(entries, key=lambda entry: -entry["probability"])[:_MOST_ROWS]
        page.append(line(f"The {_MOST_ROWS} most probable of {len(entries)}; --json gives all."))
    rows = [(*entry["levels"].values(), _share(entry["probability"])) for entry in shown]
    return [*page, grid(heads, rows)]


def explanation_page(facts: Facts) -> list[RenderableType]:
    """One line per variable."""
    given = {**facts["evidence"], **facts["do"]}
    rows = [
        (name, label, "given" if name in facts["evidence"] else "set" if name in given else "")
        for name, label in facts["assignment"].items()
    ]
    probability = math.exp(facts["log_probability_given_evidence"])
    return [
        *_head(facts),
        line(f"Most probable, with probability {_share(probability)} given what is known:"),
        grid([("variable", "left"), ("label", "left"), ("", "left")], rows),
    ]


def sampling_page(facts: Facts) -> list[RenderableType]:
    """What was drawn, in a few lines."""
    written = f"{count(facts['rows'], 'row')} written to {facts['output']}; seed {facts['seed']}."
    return [*_head(facts), line(written), *map(line, facts["notes"])]


def _asked(net: Network, source: str, evidence: Mapping[str, str], do: Mapping[str, str]) -> Facts:
    return {
        "network": {"source": source, "variables": net.dag.n_nodes, "arcs": net.dag.n_arcs},
        "evidence": dict(evidence),
        "do": dict(do),
    }


def _head(facts: Facts) -> list[RenderableType]:
    network = facts["network"]
    lines = [f"{network['source']}: {count(network['variables'], 'variable')}, {count(network['arcs'], 'arc')}"]
    for word, settings in (("Given", facts["evidence"]), ("Set", facts["do"])):
        if settings:
            lines.append(f"{word}: {', '.join(f'{name} = {label}' for name, label in settings.items())}")
    return [line(text) for text in lines]


def _share(probability: float) -> str:
    return f"{probability:.6f}" if probability == 0.0 or probability >= 1e-4 else f"{probability:.3e}"
