"""What a question takes as given: evidence of every kind, and interventions, checked and turned into numbers.

Observing one level fixes a variable. All other evidence weighs its levels: those that are not among several observed
ones have weight zero, and a likelihood gives the probability of an observation under each level.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from qnml._checks import checked_mapping, checked_number
from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model.inference.question import checked_settings
from qnml.model.level_codes import code_of, prepared_code

if TYPE_CHECKING:
    from qnml._types import FloatArray, Label
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["AnyBut", "EvidenceOf", "Given", "LikelihoodOf", "checked_given"]

EvidenceOf: TypeAlias = "Mapping[str, Label | Iterable[Label] | AnyBut] | None"
LikelihoodOf: TypeAlias = "Mapping[str, Mapping[Label, float]] | None"


class AnyBut:
    """Negative evidence: a variable was observed to have none of some levels.

    Parameters
    ----------
    labels
        The levels, or raw values, that are ruled out; at least one.

    Examples
    --------
    >>> import qnml
    >>> net = qnml.Network(qnml.Dag.empty(["x"]), {"x": ["a", "b", "c"]}, {"x": [0.5, 0.25, 0.25]})
    >>> net.query("x", evidence={"x": qnml.AnyBut("a")}).values.tolist()
    [0.0, 0.5, 0.5]
    """

    __slots__ = ("labels",)

    labels: tuple[Any, ...]

    def __init__(self, *labels: Label) -> None:
        if not labels:
            raise bad_argument("AnyBut", "labels", labels, "at least one level that is ruled out")
        self.labels = labels

    def __eq__(self, other: object) -> bool:
        """Equal if the same levels are ruled out, in the same order."""
        return isinstance(other, AnyBut) and self.labels == other.labels

    def __hash__(self) -> int:
        return hash((AnyBut, self.labels))

    def __repr__(self) -> str:
        return f"AnyBut({', '.join(map(repr, self.labels))})"

    def __str__(self) -> str:
        return f"not {' or '.join(map(str, self.labels))}"


@dataclass(frozen=True, slots=True)
class Given:
    """Evidence and interventions by number of the variable.

    Attributes
    ----------
    seen : codes of observed variables.
    forced : codes set by an intervention.
    weights : weights of the levels of variables with other evidence; the largest is 1.
    log_weight : logarithm of what the weights were divided by.
    """

    seen: dict[int, int]
    forced: dict[int, int]
    weights: dict[int, FloatArray] = field(default_factory=dict)
    log_weight: float = 0.0


def checked_given(
    call: str, net: Network, evidence: EvidenceOf, likelihood: LikelihoodOf = None, do: Settings = None
) -> Given:
    """Check evidence, likelihoods and interventions together.

    Parameters
    ----------
    call
        The calling function, named in errors.
    net
        The network.
    evidence
        By variable a level, several of which one was observed, or `AnyBut`.
    likelihood
        By variable the probability of an observation under each level.
    do
        Labels set by an intervention.
    """
    plain, several = _split(call, evidence)
    seen, forced = checked_settings(call, net, plain, do)
    weights = {_node(call, "evidence", net, name): _among(call, net, name, labels) for name, labels in several.items()}
    for name, by_level in _likelihoods(call, likelihood).items():
        node = _node(call, "likelihood", net, name)
        if node in seen or node in weights:
            raise InputError(
                f"{call}: {name!r} is in both evidence and likelihood. Multiply several likelihoods of one variable "
                "into one, and leave out those of a variable that was observed."
            )
        weights[node] = _weights(call, net, name, by_level)
    for node in weights:
        if node in forced:
            raise InputError(
                f"{call}: {net.names[node]!r} is in do, and in evidence or likelihood as well. A variable that is set "
                "cannot also be observed; leave it out of one of them."
            )
    return _settled(seen, forced, weights)


def _settled(seen: dict[int, int], forced: dict[int, int], weights: dict[int, FloatArray]) -> Given:
    """Turn weights of a single possible level into observations, and leave out those that say nothing."""
    log_weight = 0.0
    left = {}
    for node, values in weights.items():
        largest = float(values.max())
        log_weight += math.log(largest)
        if np.count_nonzero(values) == 1:
            seen[node] = int(values.argmax())
        elif values.min() < largest:
            left[node] = values / largest
    return Given(seen, forced, left, log_weight)


def _split(call: str, evidence: object) -> tuple[Any, dict[Any, Any]]:
    """Evidence of one level, and of several."""
    if not isinstance(evidence, Mapping):
        return evidence, {}
    several = {name: value for name, value in evidence.items() if _is_several(value)}
    return {name: value for name, value in evidence.items() if name not in several}, several


def _is_several(value: object) -> bool:
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    return is_array or isinstance(value, (list, tuple, set, frozenset, AnyBut))


def _among(call: str, net: Network, name: str, labels: Iterable[Any] | AnyBut) -> FloatArray:
    """One for the levels that are possible, zero for the others."""
    excluded = isinstance(labels, AnyBut)
    argument = f"evidence[{name!r}]"
    given = list(labels.labels if isinstance(labels, AnyBut) else labels)
    codes = [prepared_code(call, argument, net, name, label) for label in given]
    values = np.full(len(net.levels[name]), float(excluded))
    values[codes] = float(not excluded)
    if not values.any():
        rest = "but not all of them" if excluded else "at least one"
        raise bad_argument(call, argument, labels, f"levels of {name!r}, {rest}: {_listed(net, name)}")
    return values


def _likelihoods(call: str, likelihood: object) -> dict[Any, Any]:
    if likelihood is None:
        return {}
    allowed = "a mapping from variables to probabilities of an observation, such as {'x': {'yes': 0.8, 'no': 0.2}}"
    return checked_mapping(call, "likelihood", likelihood, allowed)


def _weights(call: str, net: Network, name: str, by_level: object) -> FloatArray:
    argument = f"likelihood[{name!r}]"
    allowed = f"a number of at least 0 for each level of {name!r}: {_listed(net, name)}"
    given = checked_mapping(call, argument, by_level, allowed)
    levels = net.levels[name]
    values = np.full(len(levels), np.nan)
    for label, weight in given.items():
        code = code_of(call, argument, levels, label)
        place = f"likelihood[{name!r}][{str(levels[code])!r}]"
        values[code] = checked_number(call, place, weight, "a finite number of at least 0", 0.0, sys.float_info.max)
    lacking = [str(level) for level, value in zip(levels, values, strict=True) if np.isnan(value)]
    if lacking:
        raise bad_argument(call, argument, by_level, allowed, f"Nothing is said about {', '.join(lacking)}.")
    if not values.any():
        raise bad_argument(call, argument, by_level, allowed, "They must not all be zero.")
    return values


def _node(call: str, argument: str, net: Network, name: object) -> int:
    if not isinstance(name, str) or name not in net.levels:
        raise unknown_name(call, argument, name, net.names)
    return net.dag.index(name)


def _listed(net: Network, name: str) -> str:
    levels = [str(level) for level in net.levels[name]]
    return ", ".join(levels[:12]) + (f" and {len(levels) - 12} more" if len(levels) > 12 else "")
