"""The most probable levels of all variables, or of some, and the next most probable ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._checks import checked_whole_number
from qnml.model.inference.answers import impossible_evidence, most_probable_by_contraction
from qnml.model.inference.engine import EXPLANATION, engine_of
from qnml.model.inference.given import checked_given
from qnml.model.inference.question import checked_targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._types import Label
    from qnml.model.inference.given import EvidenceOf, LikelihoodOf
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["MOST_EXPLANATIONS", "k_most_probable", "most_probable"]

MOST_EXPLANATIONS = 10**6
"""Each takes the memory of a row."""


def most_probable(
    net: Network,
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    targets: str | Iterable[str] | None = None,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> tuple[dict[str, Label], float]:
    """The most probable explanation; see :meth:`qnml.model.Network.most_probable`."""
    call = "Network.most_probable"
    given = checked_given(call, net, evidence, likelihood, do)
    asked = range(len(net.names)) if targets is None else checked_targets(call, net, targets)
    if targets is None and engine_of(net).tree(call, given, asked, EXPLANATION, memory_limit) is None:
        # A contraction keeps fewer tables at a time than a tree.
        codes, total = most_probable_by_contraction(call, net, given, memory_limit)
        if codes is None:
            raise impossible_evidence(call, net, evidence, do, likelihood)
        return {name: net.levels[name][codes[node]] for node, name in enumerate(net.names)}, total
    return _ranked(call, net, 1, evidence, do, targets, likelihood, memory_limit)[0]


def k_most_probable(
    net: Network,
    k: int,
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    targets: str | Iterable[str] | None = None,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> list[tuple[dict[str, Label], float]]:
    """The k most probable explanations; see :meth:`qnml.model.Network.k_most_probable`."""
    call = "Network.k_most_probable"
    most = checked_whole_number(call, "k", k, 1, MOST_EXPLANATIONS)
    return _ranked(call, net, most, evidence, do, targets, likelihood, memory_limit)


def _ranked(
    call: str,
    net: Network,
    most: int,
    evidence: EvidenceOf,
    do: Settings,
    targets: str | Iterable[str] | None,
    likelihood: LikelihoodOf,
    memory_limit: float | None,
) -> list[tuple[dict[str, Label], float]]:
    given = checked_given(call, net, evidence, likelihood, do)
    asked = tuple(range(len(net.names))) if targets is None else checked_targets(call, net, targets)
    engine = engine_of(net)
    tree = engine.required_tree(call, given, asked, EXPLANATION, memory_limit)
    logs, flat = tree.explanations(engine.codes(given), engine.weights(given), most)
    if not len(logs):
        raise impossible_evidence(call, net, evidence, do, likelihood)
    names = [net.names[node] for node in asked]
    rows = flat.reshape(len(logs), -1)[:, list(asked)].tolist()
    return [
        ({name: net.levels[name][code] for name, code in zip(names, row, strict=True)}, log + given.log_weight)
        for row, log in zip(rows, logs.tolist(), strict=True)
    ]
