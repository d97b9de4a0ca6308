"""All marginals under interventions, in every member of the class that a network carries.

Members stand for the same joint distribution, and under an intervention they differ by the parents of the variables set
alone. So one member for each choice of these parents is enough: the network with the arcs of the member, whose tables
are conditional probabilities of the network itself.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import TooLargeError, UnidentifiedEffectError
from qnml.graph import Dag
from qnml.graph.completion import extension
from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation
from qnml.graph.parent_choices import parent_choices
from qnml.model.inference.answers import query
from qnml.model.inference.given import checked_given
from qnml.model.inference.marginals import marginals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._types import FloatArray
    from qnml.model.inference.given import EvidenceOf
    from qnml.model.inference.marginal_answers import Marginals
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["class_marginals"]

_CALL = "Network.class_marginals"
# Each choice takes a junction tree of its own.
_MOST_CHOICES = 64


def class_marginals(
    net: Network, evidence: EvidenceOf = None, do: Settings = None, *, memory_limit: float | None = None
) -> list[Marginals]:
    """The marginals in members with different parents; see :meth:`qnml.model.Network.class_marginals`."""
    given = checked_given(_CALL, net, evidence, None, do)
    found = [marginals(net, evidence, do, memory_limit=memory_limit)]
    mpdag = net.mpdag
    forced = [*given.forced]
    if mpdag is None or not any(mpdag.neighbour_masks[node] for node in forced):
        return found
    start = PartialOrientation(mpdag.parent_masks, mpdag.neighbour_masks)
    choices = [*islice(parent_choices(start, forced), _MOST_CHOICES + 1)]
    if len(choices) > _MOST_CHOICES:
        names = ", ".join(net.names[node] for node in forced)
        raise TooLargeError(
            f"{_CALL}: the members of the class have more than {_MOST_CHOICES} different sets of parents of {names}. "
            "Network.effect answers for one cause and one target."
        )
    own = tuple(net.dag.parent_masks[node] for node in forced)
    for parents, members in choices:
        if parents != own:
            member = _member(net, members, memory_limit)
            _require_defined(member, given.forced.items())
            found.append(marginals(member, evidence, do, memory_limit=memory_limit))
    return found


def _member(net: Network, members: PartialOrientation, memory_limit: float | None) -> Network:
    """The network with the arcs of one of some equivalent graphs."""
    masks = extension(members.parents, members.neighbours)
    assert masks is not None
    tables = {
        name: net.conditional(name)
        if mask == net.dag.parent_masks[node]
        else _conditional(net, name, [net.names[parent] for parent in bits(mask)], memory_limit)
        for node, (name, mask) in enumerate(zip(net.names, masks, strict=True))
    }
    return type(net)(Dag.from_masks(net.names, masks), net.levels, tables, preparation=net.preparation)


def _conditional(net: Network, name: str, parents: list[str], memory_limit: float | None) -> FloatArray:
    joint = query(net, [*parents, name], memory_limit=memory_limit).values
    total = joint.sum(axis=-1, keepdims=True)
    # Parents that never occur together: `_require_defined` sees to it that they do not matter.
    uniform = np.full_like(joint, 1.0 / joint.shape[-1])
    found: FloatArray = np.divide(joint, total, out=uniform, where=total > 0.0)
    return found


def _require_defined(member: Network, forced: Iterable[tuple[int, int]]) -> None:
    """An effect is defined where the level that is set occurs with all parents that do."""
    for node, code in forced:
        name = member.names[node]
        parents = [member.names[parent] for parent in bits(member.dag.parent_masks[node])]
        joint = query(member, [*parents, name]).values
        if np.any((joint[..., code] <= 0.0) & (joint.sum(axis=-1) > 0.0)):
            raise UnidentifiedEffectError(
                f"{_CALL}: in a member of the class {name!r} never takes this level with some of its parents, so the "
                "effect of setting it is not defined there."
            )
