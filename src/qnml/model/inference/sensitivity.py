"""How much an answer depends on each probability in the tables.

When the probability θ of one level given one configuration of the parents changes, the other levels of that
distribution share the rest in proportion. Then P(target, e) and P(e) are linear in θ, and their derivatives follow from
the distributions of the family given the evidence, with and without the target (A. Darwiche, "A differential approach
to inference in Bayesian networks", JACM 50, 2003; H. Chan, A. Darwiche, "When do numbers really matter?", JAIR 17,
2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml._checks import checked_whole_number
from qnml.errors import InputError
from qnml.graph.masks import ancestors_of, bits
from qnml.model.inference.answers import query
from qnml.model.inference.given import checked_given
from qnml.model.inference.problem import normalised
from qnml.model.inference.question import checked_targets
from qnml.model.level_codes import prepared_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml._types import FloatArray, Label
    from qnml.model.inference.given import EvidenceOf, Given, LikelihoodOf
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["Sensitivity", "sensitivity"]

_CALL = "Network.sensitivity"


@dataclass(frozen=True)
class Sensitivity:
    """How an answer changes with one probability of a table.

    Attributes
    ----------
    variable, level : whose probability it is.
    parents : the levels of the parents, by name.
    probability : its value in the table.
    derivative : of the answer with respect to it; the other levels share the rest in proportion.
    """

    variable: str
    level: Label
    parents: dict[str, Label]
    probability: float
    derivative: float


def sensitivity(
    net: Network,
    target: str,
    level: Label,
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    most: int = 20,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> list[Sensitivity]:
    """The probabilities on which an answer depends most; see :meth:`qnml.model.Network.sensitivity`."""
    (node,) = checked_targets(_CALL, net, [target])
    code = prepared_code(_CALL, "level", net, target, level)
    most = checked_whole_number(_CALL, "most", most, 1)
    given = checked_given(_CALL, net, evidence, likelihood, do)
    if node in given.seen or node in given.forced or node in given.weights:
        raise InputError(f"{_CALL}: there is evidence on the target {target!r} itself. Leave it out.")
    answer = query(net, target, evidence, do, likelihood=likelihood, memory_limit=memory_limit).values[code]
    found: list[Sensitivity] = []
    for child in _that_matter(net, node, given):
        family = (*net.dag.parents(net.names[child]), net.names[child])
        settings = {"do": do, "likelihood": likelihood, "memory_limit": memory_limit}
        alone = query(net, family, evidence, **settings).values  # type: ignore[arg-type]
        joint = np.zeros(alone.shape)
        if answer > 0.0:
            seen = {**(evidence or {}), target: net.levels[target][code]}
            joint = answer * query(net, family, seen, **settings).values  # type: ignore[arg-type]
        found += _of_family(net, net.names[child], alone, joint, float(answer))
    found.sort(key=lambda one: (-abs(one.derivative), one.variable))
    return found[:most]


def _that_matter(net: Network, node: int, given: Given) -> list[int]:
    """Variables whose tables the answer reads: the target, those with evidence, and their ancestors."""
    parents = [0 if child in given.forced else mask for child, mask in enumerate(net.dag.parent_masks)]
    evident = sum(1 << one for one in {node, *given.seen, *given.weights})
    return [child for child in bits(ancestors_of(parents, evident)) if child not in given.forced]


def _of_family(net: Network, child: str, alone: FloatArray, joint: FloatArray, answer: float) -> Iterator[Sensitivity]:
    """Derivatives for the probabilities of one table that are neither 0 nor 1."""
    table = normalised(net.table(child))
    inside = (table > 0.0) & (table < 1.0)
    derivative = np.zeros(table.shape)
    theta = table[inside]
    for sign, shares in ((1.0, joint), (-answer, alone)):
        rest = shares.sum(axis=-1, keepdims=True) - shares
        derivative[inside] += sign * (shares[inside] / theta - rest[inside] / (1.0 - theta))
    names = net.dag.parents(child)
    for place in np.argwhere(inside & (derivative != 0.0)).tolist():
        labels = {name: net.levels[name][code] for name, code in zip(names, place[:-1], strict=True)}
        at = tuple(place)
        yield Sensitivity(child, net.levels[child][place[-1]], labels, float(table[at]), float(derivative[at]))
