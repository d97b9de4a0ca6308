"""All marginals at once: two waves of messages through a junction tree instead of one contraction per variable."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml.model.inference.answers import impossible_evidence, log_evidence, query
from qnml.model.inference.engine import MARGINALS, engine_of
from qnml.model.inference.given import checked_given
from qnml.model.inference.marginal_answers import Marginals
from qnml.model.inference.question import checked_impossible, checked_targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._types import FloatArray
    from qnml.model.inference.given import EvidenceOf, LikelihoodOf
    from qnml.model.inference.question import Impossible, Settings
    from qnml.model.network import Network

__all__ = ["marginals"]

_CALL = "Network.marginals"


def marginals(
    net: Network,
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    targets: str | Iterable[str] | None = None,
    likelihood: LikelihoodOf = None,
    impossible: Impossible = "raise",
    memory_limit: float | None = None,
) -> Marginals:
    """The distribution of every variable; see :meth:`qnml.model.Network.marginals`."""
    given = checked_given(_CALL, net, evidence, likelihood, do)
    checked_impossible(_CALL, impossible)
    asked = range(len(net.names)) if targets is None else checked_targets(_CALL, net, targets)
    levels = {net.names[node]: net.levels[net.names[node]] for node in asked}
    engine = engine_of(net)
    tree = engine.tree(_CALL, given, asked, MARGINALS, memory_limit)
    if tree is None:
        return _one_by_one(net, evidence, do, likelihood, tuple(levels), impossible, memory_limit)
    total, values = tree.marginals(engine.codes(given), engine.weights(given))
    if total == -math.inf:
        if impossible == "raise":
            raise impossible_evidence(_CALL, net, evidence, do, likelihood)
        values = np.full(len(values), math.nan)
    if targets is not None:
        values = _in_order(net, asked, values)
    return Marginals._made(levels, values, total + given.log_weight)


def _in_order(net: Network, asked: Iterable[int], values: FloatArray) -> FloatArray:
    """The core answers in the order of the network."""
    pieces, start = {}, 0
    for node in sorted(asked):
        size = len(net.levels[net.names[node]])
        pieces[node] = values[start : start + size]
        start += size
    return np.concatenate([pieces[node] for node in asked])


def _one_by_one(
    net: Network,
    evidence: EvidenceOf,
    do: Settings,
    likelihood: LikelihoodOf,
    names: tuple[str, ...],
    impossible: Impossible,
    memory_limit: float | None,
) -> Marginals:
    """One contraction per variable, which need less memory at a time, for networks whose tree does not fit."""
    found = [
        query(net, name, evidence, do, likelihood=likelihood, impossible=impossible, memory_limit=memory_limit)
        for name in names
    ]
    total = log_evidence(net, evidence, do, likelihood=likelihood, memory_limit=memory_limit)
    levels = {name: net.levels[name] for name in names}
    return Marginals._made(levels, np.concatenate([one.values for one in found]), total)
