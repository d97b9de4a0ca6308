"""Which cells bear on a target, for many patterns of missing cells at once.

The rule is that of `qnml.model.inference.problem`: a factor matters if its variable is observed or queried, or an
ancestor of such a variable, and if it is connected to the target through unobserved variables. Here the rule is
evaluated with boolean vectors over all patterns, one for every variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml.model.inference.problem import Problem

__all__ = ["Relevance", "relevance"]


@dataclass(frozen=True, slots=True)
class Relevance:
    """The cells that matter for the target under each pattern.

    Attributes
    ----------
    seen : patterns × variables: observed, and bearing on the target.
    radius : for each pattern, the largest distance from the target of a variable that must be summed out, along the
        edges of the moral graph.
    """

    seen: NDArray[np.bool_]
    radius: NDArray[np.intp]


def relevance(problem: Problem, target: int, patterns: NDArray[np.bool_]) -> Relevance:
    """Determine which cells matter.

    Parameters
    ----------
    problem
        The network, with nothing observed.
    target
        The queried variable; not observed in any pattern.
    patterns
        Patterns × variables: which are observed.
    """
    n_nodes = len(problem.sizes)
    seen = np.ascontiguousarray(patterns.T)
    nodes = [node for node in range(n_nodes) if node not in problem.fixed]
    families = {
        node: [*(parent for parent in bits(problem.parents[node]) if parent not in problem.fixed), node]
        for node in nodes
    }
    order = [problem.net.dag.index(name) for name in problem.net.dag.topological_order()]
    order = [node for node in order if node in families]
    has_factor = seen.copy()
    has_factor[target] = True
    for node in reversed(order):
        for parent in families[node][:-1]:
            has_factor[parent] |= has_factor[node]

    reached = np.zeros_like(seen)
    reached[target] = True
    count = 0
    # Alternate between both directions: most trails are followed to their end in a few sweeps.
    while count < (count := int(np.count_nonzero(reached))):
        order.reverse()
        for node in order:
            touched = _touched(reached, families[node]) & has_factor[node]
            for member in families[node]:
                reached[member] |= touched & ~seen[member]
    relevant = np.zeros_like(seen)
    for node in order:
        touched = _touched(reached, families[node]) & has_factor[node]
        for member in families[node]:
            relevant[member] |= touched & seen[member]
    distance = _distances(families, target, n_nodes)
    radius = np.zeros(seen.shape[1], dtype=np.intp)
    for node in nodes:
        np.maximum(radius, np.where(reached[node], distance[node], 0), out=radius)
    return Relevance(np.ascontiguousarray(relevant.T), radius)


def _touched(reached: NDArray[np.bool_], family: list[int]) -> NDArray[np.bool_]:
    touched: NDArray[np.bool_] = np.logical_or.reduce([reached[member] for member in family])
    return touched


def _distances(families: dict[int, list[int]], target: int, n_nodes: int) -> list[int]:
    neighbours: list[set[int]] = [set() for _ in range(n_nodes)]
    for family in families.values():
        for member in family:
            neighbours[member].update(family)
    distance = [n_nodes] * n_nodes
    distance[target] = 0
    level = [target]
    while level:
        following = []
        for node in level:
            for other in neighbours[node]:
                if distance[other] == n_nodes:
                    distance[other] = distance[node] + 1
                    following.append(other)
        level = following
    return distance
