"""Arcs with probabilities as one drawing, in which the opacity of a line is its probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import ancestors_of
from qnml.reports.picture.drawing import Belief, Drawing, Line

if TYPE_CHECKING:
    from qnml._api.bootstrap_result import Bootstrap
    from qnml._api.posterior_result import Posterior

__all__ = ["averaged_drawing"]

_DECIDED = 0.75


def averaged_drawing(shares: Posterior | Bootstrap, threshold: float) -> Drawing:
    """Draw all pairs that are adjacent with at least a given probability.

    A line has an arrowhead if three quarters of its probability are in one direction. The most probable directions of
    three pairs can form a cycle, which is not allowed; the least certain line then has no arrowhead.

    Parameters
    ----------
    shares
        The result of `qnml.posterior`, or that of `qnml.bootstrap`, whose shares are drawn as probabilities.
    threshold
        The minimum probability of a line.
    """
    edges, joined = shares.edges, shares.adjacencies
    n = len(shares.names)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if joined[i, j] >= threshold and joined[i, j] > 0]
    pairs.sort(key=lambda pair: (-round(abs(float(edges[pair] - edges[pair[::-1]])), 9), pair))
    parents = [0] * n
    lines = []
    for i, j in pairs:
        upper, lower = (i, j) if edges[i, j] >= edges[j, i] else (j, i)
        belief = Belief(float(edges[upper, lower]), float(edges[lower, upper]))
        directed = belief.down >= _DECIDED * (belief.down + belief.up)
        if ancestors_of(parents, 1 << upper) >> lower & 1:
            upper, lower, directed = lower, upper, False
            belief = Belief(belief.up, belief.down)
        parents[lower] |= 1 << upper
        lines.append(Line(upper, lower, directed, belief=belief))
    return Drawing(shares.names, tuple(lines))
