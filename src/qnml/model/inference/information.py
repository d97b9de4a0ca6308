"""How uncertain variables are given evidence, and which variable to look at next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import InputError, bad_argument
from qnml.model.inference.answers import query
from qnml.model.inference.given import checked_given
from qnml.model.inference.marginals import marginals
from qnml.model.inference.question import checked_targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._types import FloatArray
    from qnml.model.inference.given import EvidenceOf, LikelihoodOf
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["Informative", "entropy", "mutual_information", "value_of_information"]


@dataclass(frozen=True)
class Informative:
    """What looking at a variable tells about a target.

    Attributes
    ----------
    variable : the variable that may be looked at.
    information : its mutual information with the target given the evidence, in nats: by how much the entropy of the
        target falls on average.
    expected_accuracy : how probable the best guess of the target will be, on average, once the variable is known.
    """

    variable: str
    information: float
    expected_accuracy: float


def entropy(
    net: Network,
    targets: str | Iterable[str],
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> float:
    """Joint entropy in nats; see :meth:`qnml.model.Network.entropy`."""
    asked = checked_targets("Network.entropy", net, targets)
    names = [net.names[node] for node in asked]
    return _entropy(query(net, names, evidence, do, likelihood=likelihood, memory_limit=memory_limit).values)


def mutual_information(
    net: Network,
    first: str | Iterable[str],
    second: str | Iterable[str],
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> float:
    """Mutual information in nats; see :meth:`qnml.model.Network.mutual_information`."""
    call = "Network.mutual_information"
    ours, theirs = (checked_targets(call, net, names) for names in (first, second))
    shared = [net.names[node] for node in ours if node in theirs]
    if shared:
        raise bad_argument(call, "second", second, f"variables that are not in first; {', '.join(shared)} are in both")
    names = [net.names[node] for node in (*ours, *theirs)]
    joint = query(net, names, evidence, do, likelihood=likelihood, memory_limit=memory_limit).values
    rows = joint.reshape(np.prod([len(net.levels[net.names[node]]) for node in ours], dtype=int), -1)
    return max(0.0, _entropy(rows.sum(axis=0)) + _entropy(rows.sum(axis=1)) - _entropy(rows))


def value_of_information(
    net: Network,
    target: str,
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    candidates: str | Iterable[str] | None = None,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> list[Informative]:
    """What each variable tells about a target; see :meth:`qnml.model.Network.value_of_information`."""
    call = "Network.value_of_information"
    (node,) = checked_targets(call, net, [target])
    given = checked_given(call, net, evidence, likelihood, do)
    known = {*given.seen, *given.forced, node}
    if node in given.seen or node in given.forced:
        raise InputError(f"{call}: the target {target!r} is known already. Leave it out of evidence and do.")
    if candidates is None:
        asked = [net.names[other] for other in range(len(net.names)) if other not in known]
    else:
        asked = [net.names[other] for other in checked_targets(call, net, candidates)]
        settled = [name for name in asked if net.dag.index(name) in known]
        if settled:
            raise bad_argument(call, "candidates", candidates, f"variables to look at; {', '.join(settled)} are known")
    prior = query(net, target, evidence, do, likelihood=likelihood, memory_limit=memory_limit).values
    conditional = _given_each_level(net, node, prior, evidence, do, asked, likelihood, memory_limit)
    found = [_informative(name, prior, conditional[name]) for name in asked]
    return sorted(found, key=lambda one: (-one.information, one.variable))


def _given_each_level(
    net: Network,
    node: int,
    prior: FloatArray,
    evidence: EvidenceOf,
    do: Settings,
    names: list[str],
    likelihood: LikelihoodOf,
    memory_limit: float | None,
) -> dict[str, FloatArray]:
    """The distribution of each variable given each level of the target: one wave of messages per level, for all."""
    target = net.names[node]
    found = {name: np.zeros((len(prior), len(net.levels[name]))) for name in names}
    plain = {name: value for name, value in (evidence or {}).items() if name != target}
    soft = {name: value for name, value in (likelihood or {}).items() if name != target}
    for code, share in enumerate(prior if names else ()):
        if share == 0.0:
            continue
        seen: dict[str, Any] = {**plain, target: net.levels[target][code]}
        each = marginals(net, seen, do, targets=names, likelihood=soft, memory_limit=memory_limit)
        for name in names:
            found[name][code] = each.values_of(name)
    return found


def _informative(name: str, prior: FloatArray, conditional: FloatArray) -> Informative:
    joint = prior[:, np.newaxis] * conditional
    information = _entropy(prior) + _entropy(joint.sum(axis=0)) - _entropy(joint)
    # What is independent gives rounding errors, which are no information.
    return Informative(name, max(0.0, information), float(joint.max(axis=0).sum()))


def _entropy(values: FloatArray) -> float:
    shares = values[values > 0.0]
    return float(-(shares * np.log(shares)).sum())
