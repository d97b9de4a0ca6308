"""The structural intervention distance: how many effects a graph gets wrong.

For an ordered pair of nodes (i, j), the effect of i on j is wrong if adjusting for the parents that i has in the other
graph does not give it in the reference; if j is one of these parents, the other graph says that there is no effect.

References
----------
J. Peters, P. Bühlmann (2015). Structural intervention distance for evaluating causal graphs. Neural Computation 27.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from qnml import _core
from qnml.errors import TooLargeError, bad_argument
from qnml.graph.dag import Dag
from qnml.graph.labels import require_same_names
from qnml.graph.masks import bits, components
from qnml.graph.meek import PartialOrientation
from qnml.graph.orientations import orientations
from qnml.graph.parent_choices import parent_choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.graph.cpdag import Cpdag
    from qnml.graph.mpdag import Mpdag

__all__ = ["Sid", "sid"]

_MOST_ORIENTATIONS = 1_000
_MOST_CHOICES = 10_000


class Sid(NamedTuple):
    """The structural intervention distance of a graph from a reference.

    Attributes
    ----------
    lower, upper : the smallest and the largest number of wrong effects over the members of the graph; equal for a Dag.
    is_exact : whether some members have these numbers; otherwise the numbers of all members lie between them.
    """

    lower: int
    upper: int
    is_exact: bool

    def __str__(self) -> str:
        if self.lower == self.upper:
            return f"SID {self.lower}"
        return f"SID {self.lower} to {self.upper}{'' if self.is_exact else ' at most'}"


def sid(reference: Dag, other: Dag | Cpdag | Mpdag) -> Sid:
    """Structural intervention distance: the number of effects of one node on another that a graph gets wrong.

    Parameters
    ----------
    reference
        The Dag that is taken for the truth.
    other
        A graph with the same nodes, in any order. For a Cpdag or an Mpdag the range over its members is given. It is
        that of single members where no connected part of the undirected edges has more than a thousand orientations;
        beyond, each node has its best and its worst parents for itself, which may go together in no member.

    Returns
    -------
    Sid

    Examples
    --------
    >>> truth = Dag.from_modelstring("[A][B|A][C|B]")
    >>> sid(truth, Dag.from_modelstring("[B][A|B][C|B]")), sid(truth, truth.to_cpdag())
    (Sid(lower=3, upper=3, is_exact=True), Sid(lower=0, upper=6, is_exact=True))
    """
    if not isinstance(reference, Dag):
        advice = "Effects in a class differ between its members; the true Dag, or a member, is needed."
        raise bad_argument("sid", "reference", reference, "a Dag", advice)
    require_same_names("sid", reference, other)
    other = other.reorder(reference.names)
    true_parents = [[*bits(mask)] for mask in reference.parent_masks]
    if isinstance(other, Dag):
        every = _counts(true_parents, enumerate(other.parent_masks))
        total = sum(every.values())
        return Sid(total, total, True)
    parts, choices_of_node, is_exact = _possibilities(other)
    fixed = [(node, mask) for node, mask in enumerate(other.parent_masks) if not other.neighbour_masks[node]]
    asked = {
        *fixed,
        *choices_of_node,
        *((node, masks[node]) for part, found in parts for masks in found for node in part),
    }
    wrong = _counts(true_parents, asked)
    lower = upper = sum(wrong[family] for family in fixed)
    for part, found in parts:
        sums = [sum(wrong[node, masks[node]] for node in part) for masks in found]
        lower, upper = lower + min(sums), upper + max(sums)
    by_node: dict[int, list[int]] = {}
    for family in choices_of_node:
        by_node.setdefault(family[0], []).append(wrong[family])
    lower += sum(map(min, by_node.values()))
    upper += sum(map(max, by_node.values()))
    return Sid(lower, upper, is_exact)


def _possibilities(
    graph: Cpdag | Mpdag,
) -> tuple[list[tuple[list[int], list[list[int]]]], list[tuple[int, int]], bool]:
    """Parts of the undirected edges with all their orientations; families by node where there are too many."""
    parts, families, is_exact = [], [], True
    for component in components(graph.neighbour_masks, (1 << graph.n_nodes) - 1):
        nodes = [*bits(component)]
        if len(nodes) == 1:
            continue
        # Edges of other parts never direct those of this one.
        within = [mask if component >> node & 1 else 0 for node, mask in enumerate(graph.neighbour_masks)]
        found = [*islice(orientations(graph.parent_masks, within), _MOST_ORIENTATIONS + 1)]
        if len(found) <= _MOST_ORIENTATIONS:
            parts.append((nodes, found))
            continue
        is_exact = False
        whole = PartialOrientation(graph.parent_masks, graph.neighbour_masks)
        for node in nodes:
            listed = [*islice(parent_choices(whole, [node]), _MOST_CHOICES + 1)]
            if len(listed) > _MOST_CHOICES:
                raise _too_many(graph.names[node])
            families += [(node, parents) for (parents,), _ in listed]
    return parts, families, is_exact


def _too_many(name: str) -> TooLargeError:
    return TooLargeError(
        f"sid: {name!r} has more than {_MOST_CHOICES:,} different sets of parents in the members of the class. Compare "
        "with one member, such as consistent_extension()."
    )


def _counts(true_parents: Sequence[Sequence[int]], families: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How many effects of a node are wrong if it is believed to have some parents."""
    listed = sorted(set(families))
    found = _core.wrong_effects(true_parents, [node for node, _ in listed], [[*bits(mask)] for _, mask in listed])
    return dict(zip(listed, found, strict=True))
