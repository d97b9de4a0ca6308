"""The averaged network of a bootstrap: arcs above a threshold on their strength, without cycles.

The strength of a pair of nodes is how often they were adjacent. The threshold is that of Scutari and Nagarajan
(*Identifying significant edges in graphical models of molecular networks*, 2013). Ideal strengths would be 0 or 1,
with an empirical distribution function that is constant in between, at some height p. The constant closest to the
observed distribution function in the L1 norm is the median of its heights, each weighted by the width of its step;
the threshold is the p-quantile of the strengths.

>>> significance_threshold([0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439])
0.3921
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml.graph.dag import Dag
from qnml.graph.labels import checked_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Averaged", "averaged_network", "significance_threshold"]


@dataclass(frozen=True)
class Averaged:
    """An averaged network.

    Attributes
    ----------
    dag : its arcs, each in its more frequent direction.
    undecided : arcs of `dag` whose two directions were equally frequent: their direction is arbitrary.
    left_out : arcs that would have closed a cycle with stronger ones.
    """

    dag: Dag
    undecided: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]


def significance_threshold(strengths: Sequence[float]) -> float:
    """Return the strength above which pairs count as adjacent; 0 if there are no pairs.

    Parameters
    ----------
    strengths
        How often the two nodes of each pair were adjacent, from 0 to 1, one number for each pair.
    """
    ordered = sorted(strengths)
    if not ordered:
        return 0.0
    count = len(ordered)
    ends = [0.0, *ordered, 1.0]
    # The distribution has the height k / count between the k-th strength and the next.
    height, width = 0, 0.0
    for height in range(count + 1):
        width += ends[height + 1] - ends[height]
        if width >= 0.5:
            break
    return ordered[max(height - 1, 0)]


def averaged_network(names: Sequence[str], edges: NDArray[Any], threshold: float) -> Averaged:
    """Return the network of all pairs that are stronger than the threshold or always adjacent.

    Arcs enter by decreasing strength, each in its more frequent direction; one that would close a cycle is left out.
    Pairs with equally frequent directions enter last, from the earlier node to the later unless that closes a cycle.

    Parameters
    ----------
    names
        The nodes.
    edges
        ``edges[i, j]`` is how often the arc from node i to node j was found, from 0 to 1.
    threshold
        See `significance_threshold`.
    """
    plain = checked_names("averaged_network", names)
    chosen = []
    for i in range(len(plain)):
        for j in range(i + 1, len(plain)):
            forward, backward = float(edges[i, j]), float(edges[j, i])
            strength = forward + backward
            if strength > threshold or strength >= 1.0 - 1e-12:
                is_tied = math.isclose(forward, backward, abs_tol=1e-12)
                pair = (j, i) if backward > forward and not is_tied else (i, j)
                chosen.append((is_tied, -strength, -max(forward, backward), pair))
    masks = [0] * len(plain)
    undecided, left_out = [], []
    for is_tied, _, _, (parent, child) in sorted(chosen):
        if _reaches(masks, child, parent):
            if not is_tied:
                left_out.append((plain[parent], plain[child]))
                continue
            parent, child = child, parent
        masks[child] |= 1 << parent
        if is_tied:
            undecided.append((plain[parent], plain[child]))
    return Averaged(Dag.from_masks(plain, masks), tuple(undecided), tuple(left_out))


def _reaches(masks: Sequence[int], start: int, goal: int) -> bool:
    """Return whether `start` is `goal` or one of its ancestors, given parent masks."""
    seen, new = 0, 1 << goal
    while new:
        seen |= new
        node = new.bit_length() - 1
        new = (new ^ 1 << node) | (masks[node] & ~seen)
    return bool(seen >> start & 1)
