"""Answers under interventions that depend on directions which neither data nor knowledge tell.

A network learned from data carries the class it was found in (`Network.mpdag`), and its own directions are a choice
among those of the members. Where an answer depends on that choice it is said, with the range over all members.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from qnml._checks import check_choice
from qnml.errors import TooLargeError, UnidentifiedEffectError, UnidentifiedEffectWarning
from qnml.graph.labels import listed
from qnml.graph.masks import bits
from qnml.graph.possible_paths import PossiblePaths
from qnml.model.inference.class_effects import answer_in, choices_of
from qnml.model.inference.given import checked_given
from qnml.model.inference.question import checked_targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml.graph import Mpdag
    from qnml.model.inference.given import EvidenceOf, Given, LikelihoodOf
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["OnUnidentified", "is_identified", "require_identified"]

OnUnidentified: TypeAlias = Literal["warn", "raise", "ignore"]
"""What is done about an answer that depends on directions that neither data nor knowledge tell."""

_SAME = 1e-9


def is_identified(mpdag: Mpdag, causes: Iterable[int], targets: Iterable[int]) -> bool:
    """Return whether the targets have the same distribution under an intervention in all members."""
    above, below = sum(1 << node for node in {*causes}), sum(1 << node for node in {*targets})
    return PossiblePaths(mpdag.parent_masks, mpdag.neighbour_masks).is_amenable(above, below & ~above)


def require_identified(
    call: str,
    net: Network,
    targets: str | Iterable[str] | None,
    question: tuple[EvidenceOf, LikelihoodOf, Settings],
    on_unidentified: str,
    memory_limit: float | None = None,
) -> None:
    """Warn or raise if an answer under an intervention depends on an arbitrary direction.

    Parameters
    ----------
    call
        The public call.
    net
        The network.
    targets
        Variables asked for; None if every variable is.
    question
        Evidence, likelihoods and interventions, as for `Network.query`.
    on_unidentified
        ``"warn"``, ``"raise"`` or ``"ignore"``.
    memory_limit
        As for `Network.query`.
    """
    check_choice(call, "on_unidentified", on_unidentified, ("warn", "raise", "ignore"))
    mpdag = net.mpdag
    evidence, likelihood, do = question
    if mpdag is None or not do or on_unidentified == "ignore" or not any(mpdag.neighbour_masks):
        return
    given = checked_given(call, net, evidence, likelihood, do)
    asked = range(len(net.names)) if targets is None else checked_targets(call, net, targets) if targets else ()
    if is_identified(mpdag, given.forced, {*asked, *given.seen, *given.weights}):
        return
    spread: str | None = ""
    if targets is not None:
        free = [node for node in dict.fromkeys(asked) if node not in given.seen and node not in given.forced]
        spread = _range_in_words(call, net, free, given, memory_limit)
        if spread is None:
            return
    edges = listed(
        f"{net.names[node]} -- {net.names[other]}"
        for node in given.forced
        for other in bits(mpdag.neighbour_masks[node])
    )
    told = (
        f"{call}: the answer depends on the direction of edges of the variables in do, which neither data nor "
        f"knowledge tell ({edges}).{spread} Network.effect has the effects in all members of the class"
    )
    if on_unidentified == "raise":
        raise UnidentifiedEffectError(f"{told}.")
    warnings.warn(f"{told}; on_unidentified='ignore' silences this.", UnidentifiedEffectWarning, stacklevel=3)


def _range_in_words(
    call: str, net: Network, targets: list[int], given: Given, memory_limit: float | None
) -> str | None:
    """The range of the answer over the members; None if it is a single value, empty if it cannot be computed."""
    assert net.mpdag is not None
    weighed = [node for node in given.weights if node not in targets]
    answers = []
    try:
        for choice in choices_of(call, net.mpdag, [*given.forced]):
            axes = [*targets, *weighed]
            joint = answer_in(net, choice.parents, axes, given.seen, given.forced, memory_limit)
            if joint is None:
                return " In some members it is not defined: labels are set that never occur with some parents."
            for node, weights in given.weights.items():
                joint = joint * weights.reshape([-1 if axis == node else 1 for axis in axes])
            joint = joint.sum(axis=tuple(range(len(targets), len(axes))))
            # Without targets the probability of the evidence is asked for, otherwise what it says about them.
            total = float(joint.sum())
            scale = 1.0 / total if targets and total > 0.0 else math.exp(given.log_weight)
            answers.append(joint * scale)
    except TooLargeError:
        return " The range over the members takes too much work."
    low, high = np.min(answers, axis=0), np.max(answers, axis=0)
    if np.all(high - low <= _SAME):
        return None
    if not targets:
        return f" The probability of the evidence lies between {low:.4g} and {high:.4g}."
    # Of two levels both ranges are equally wide, up to rounding: the first is shown.
    place = np.unravel_index(int(np.argmax(high - low > np.max(high - low) - _SAME)), low.shape)
    names = [net.names[node] for node in targets]
    labels = ", ".join(f"{name}={net.levels[name][code]}" for name, code in zip(names, place, strict=True))
    return f" P({labels}) lies between {low[place]:.4g} and {high[place]:.4g} in its members."
