"""Answers under interventions in every member of the class that a network carries.

All members stand for the same joint distribution P, that of the network, and differ in which of its factors an
intervention removes. In a member in which the variables set, x₁ … x_k, have the parents pa₁ … pa_k,

    P(y | do(x)) = Σ P(y, x, pa) / Π P(xᵢ | paᵢ),    summed over the parents that are neither set nor in y,

so a member matters by these parents alone. They are few, and `graph.parent_choices` finds them without listing the
members. The formula needs P(xᵢ | paᵢ) > 0 wherever P(paᵢ) > 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import TooLargeError
from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation
from qnml.graph.orientation_counts import MemberCounts, OutOfWorkError
from qnml.graph.parent_choices import parent_choices
from qnml.model.inference.answers import log_evidence, query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.graph import Mpdag
    from qnml.model.network import Network

__all__ = ["MOST_CHOICES", "Choice", "answer_in", "choices_of"]

MOST_CHOICES = 10_000
_MOST_STEPS = 1_000


@dataclass(frozen=True)
class Choice:
    """Members in which the variables set have the same parents.

    Attributes
    ----------
    parents : the parents of each of these variables, as masks.
    count : the number of such members; None if it is too much work to count them.
    """

    parents: tuple[int, ...]
    count: int | None


def choices_of(call: str, mpdag: Mpdag, nodes: Sequence[int]) -> list[Choice]:
    """What the parents of some variables are in the members.

    Raises
    ------
    TooLargeError
        If there are more than ten thousand possibilities.
    """
    start = PartialOrientation(mpdag.parent_masks, mpdag.neighbour_masks)
    found = [*islice(parent_choices(start, nodes), MOST_CHOICES + 1)]
    if len(found) > MOST_CHOICES:
        names = ", ".join(mpdag.names[node] for node in nodes)
        raise TooLargeError(
            f"{call}: the members of the class have more than {MOST_CHOICES:,} different sets of parents of {names}. "
            "Background knowledge about their edges leaves fewer (Network.with_mpdag)."
        )
    counts: MemberCounts | None = MemberCounts(_MOST_STEPS)
    choices = []
    for parents, members in found:
        count = None
        if counts is not None:
            try:
                count = counts.total(members)
            except OutOfWorkError:
                counts = None
        choices.append(Choice(parents, count))
    return choices


def answer_in(
    net: Network,
    parents: Sequence[int],
    targets: Sequence[int],
    seen: Mapping[int, int],
    forced: Mapping[int, int],
    memory_limit: float | None,
) -> FloatArray | None:
    """P(targets, evidence | do) where the variables set have the given parents; None where that is not defined.

    Parameters
    ----------
    net
        The network.
    parents
        A mask for each variable of `forced`, in its order.
    targets
        Variables that are neither seen nor set; one axis of the result each.
    seen, forced
        Codes of observed variables and of those that are set.
    memory_limit
        As for `Network.query`.
    """
    fixed = {**seen, **forced}
    above_all = reduce(or_, parents, 0)
    axes = [*targets, *(node for node in bits(above_all) if node not in fixed and node not in targets)]
    joint = _joint(net, axes, fixed, memory_limit)
    for (node, code), mask in zip(forced.items(), parents, strict=True):
        above = [*bits(mask)]
        free = [other for other in above if other not in fixed]
        known = {other: fixed[other] for other in above if other in fixed}
        marginal = _joint(net, free, known, memory_limit)
        with_cause = _joint(net, free, {**known, node: code}, memory_limit)
        if np.any((with_cause <= 0.0) & (marginal > 0.0)):
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = np.where(with_cause > 0.0, marginal / with_cause, 0.0)
        shape = [len(net.levels[net.names[axis]]) if axis in free else 1 for axis in axes]
        order = sorted(range(len(free)), key=lambda place, free=free: axes.index(free[place]))  # type: ignore[misc]
        joint = joint * np.transpose(weights, order).reshape(shape)
    found: FloatArray = joint.sum(axis=tuple(range(len(targets), len(axes))))
    return found


def _joint(net: Network, free: Sequence[int], fixed: Mapping[int, int], memory_limit: float | None) -> FloatArray:
    """P(free, fixed), one axis for each free variable."""
    names = net.names
    given = {names[node]: net.levels[names[node]][code] for node, code in fixed.items()}
    total = math.exp(log_evidence(net, given, memory_limit=memory_limit)) if given else 1.0
    if not free or total == 0.0:
        return np.full([len(net.levels[names[node]]) for node in free], total)
    return total * query(net, [names[node] for node in free], given, memory_limit=memory_limit).values
