"""From a query to factors: the tables that matter, and the arrays to be multiplied.

Three things keep problems small. Variables that are neither queried nor observed, nor ancestors of such, cannot matter
and are left out. Observed variables are fixed, so that only a slice of each table is used. Factors that are then no
longer connected to the targets cannot influence them; they matter only because the evidence there could be
impossible. Together, this leaves out exactly what d-separation allows.

``do`` is graph surgery: a variable set by an intervention loses its parents and its table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph.masks import ancestors_of, bits, components

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from qnml._types import FloatArray
    from qnml.model.inference.plan import Scope
    from qnml.model.network import Network

__all__ = ["Part", "Problem", "normalised"]


@dataclass(frozen=True, slots=True)
class Part:
    """A connected component of factors, joined by variables that are not fixed.

    Attributes
    ----------
    nodes : variables whose conditional tables are the factors.
    scopes : free variables of each factor, in the order of its axes.
    free : mask of all free variables of the component.
    """

    nodes: tuple[int, ...]
    scopes: tuple[Scope, ...]
    free: int


class Problem:
    """A network in which some variables are observed and some are set by an intervention.

    Parameters
    ----------
    net
        The network.
    seen, forced
        Codes of variables, by number.
    weights
        Weights of the levels of variables with other evidence, by number.
    """

    __slots__ = ("evident", "fixed", "net", "observed", "parents", "settled", "sizes", "weights")

    def __init__(
        self,
        net: Network,
        seen: Mapping[int, int],
        forced: Mapping[int, int],
        weights: Mapping[int, FloatArray] | None = None,
    ) -> None:
        self.net = net
        self.sizes = tuple(len(net.levels[name]) for name in net.names)
        # A variable with a single level is always fixed: observing it tells nothing and setting it has no effect.
        single = {node: 0 for node, size in enumerate(self.sizes) if size == 1}
        self.fixed = {**single, **seen, **forced}
        self.settled = _mask((*single, *forced))
        self.observed = _mask(seen) & ~self.settled
        self.weights = weights or {}
        # Variables with evidence of any kind.
        self.evident = self.observed | _mask(self.weights)
        self.parents = tuple(0 if self.settled >> node & 1 else mask for node, mask in enumerate(net.dag.parent_masks))

    def above(self, nodes: int) -> int:
        """Mask of the given variables and their ancestors that have a factor."""
        return ancestors_of(self.parents, nodes) & ~self.settled

    def scope(self, node: int) -> Scope:
        """Free variables of the factor of a variable, in the order of its axes."""
        return tuple(member for member in (*bits(self.parents[node]), node) if member not in self.fixed)

    def factor(self, node: int) -> FloatArray:
        """The conditional table of a variable, sliced at the fixed variables and weighed by other evidence."""
        net, name = self.net, self.net.names[node]
        # Files round probabilities. A distribution is normalized before one of its levels is selected, so that leaving
        # out irrelevant factors changes nothing.
        fixed = {net.names[member]: self.fixed[member] for member in bits(self.parents[node]) if member in self.fixed}
        values = normalised(net.factor(name, fixed)[1])
        if node in self.weights:
            values = values * self.weights[node]
        return values[..., self.fixed[node]] if node in self.fixed else values

    def is_positive(self, node: int) -> bool:
        """Whether the whole table of a variable, not only the slice in use, and its weights are free of zeros."""
        if node in self.weights and not np.all(self.weights[node] > 0.0):
            return False
        table = self.net.conditional(self.net.names[node])
        return bool(np.all(table.rows > 0.0) and np.all(table.unseen > 0.0))

    def parts(self, nodes: int) -> list[Part]:
        """The factors of some variables, by connected component; factors without free variables stand alone."""
        scopes = {node: self.scope(node) for node in bits(nodes)}
        masks = {node: _mask(scope) for node, scope in scopes.items()}
        neighbours = [0] * len(self.sizes)
        free = 0
        for node, scope in scopes.items():
            free |= masks[node]
            for member in scope:
                neighbours[member] |= masks[node]
        found = [Part((node,), ((),), 0) for node, scope in scopes.items() if not scope]
        for component in components(neighbours, free):
            inside = tuple(node for node in scopes if masks[node] & component)
            found.append(Part(inside, tuple(scopes[node] for node in inside), component))
        return found


def normalised(values: FloatArray) -> FloatArray:
    """Distributions along the last axis, each divided by its sum."""
    result: FloatArray = values / values.sum(axis=-1, keepdims=True)
    return result


def _mask(nodes: Iterable[int]) -> int:
    mask = 0
    for node in nodes:
        mask |= 1 << node
    return mask
