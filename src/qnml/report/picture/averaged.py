"""A posterior over structures as one drawing: lines as opaque as they are probable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.graph.masks import ancestors_of
from qnml.report.picture.drawing import Belief, Drawing, Line

if TYPE_CHECKING:
    from qnml._api.posterior_result import Posterior

__all__ = ["averaged_drawing"]

_DECIDED = 0.75


def averaged_drawing(posterior: Posterior, threshold: float) -> Drawing:
    """Draw all pairs that are joined with at least some probability.

    A line has a head where three quarters of its probability point one way. Lines may not form a cycle, which the most
    probable directions of three pairs can do; the least decided one then has to do without a head.

    Parameters
    ----------
    posterior
        What `qnml.posterior` returned.
    threshold
        The least probability of a line.
    """
    edges, joined = posterior.edges, posterior.adjacencies
    n = len(posterior.names)
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
    return Drawing(posterior.names, tuple(lines))
