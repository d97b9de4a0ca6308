"""Relations between the nodes of a directed acyclic graph: parents, ancestors, Markov blankets, d-separation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._checks import checked_whole_number
from qnml.errors import bad_argument
from qnml.graph.adjusting import Adjusting
from qnml.graph.instruments import conditional_instruments
from qnml.graph.labels import listed
from qnml.graph.masks import ancestors_of, bits, topological_order
from qnml.graph.separation import reachable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Relations"]


class Relations(Adjusting):
    """The read-only part of `Dag`: arcs and the relations they imply."""

    __slots__ = ("_child_masks", "_parent_masks")

    _parent_masks: tuple[int, ...]
    _child_masks: tuple[int, ...]

    def _with_member(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        return self._parent_masks, [0] * self.n_nodes, self._parent_masks

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs as (parent, child) pairs, sorted by the positions of parent and child."""
        names = self._names
        return tuple(
            (names[parent], names[child]) for parent, mask in enumerate(self._child_masks) for child in bits(mask)
        )

    @property
    def n_arcs(self) -> int:
        """Number of arcs."""
        return sum(mask.bit_count() for mask in self._parent_masks)

    @property
    def parent_masks(self) -> tuple[int, ...]:
        """For each node, in node order, an integer whose bit ``j`` says that node ``j`` is a parent."""
        return self._parent_masks

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the parents of a node, in node order."""
        return self._names_in(self._parent_masks[self._position("parents", "name", name)])

    def children(self, name: str) -> tuple[str, ...]:
        """Return the children of a node, in node order."""
        return self._names_in(self._child_masks[self._position("children", "name", name)])

    def has_arc(self, parent: str, child: str) -> bool:
        """Return whether the arc parent → child exists."""
        tail = self._position("has_arc", "parent", parent)
        return bool(self._parent_masks[self._position("has_arc", "child", child)] >> tail & 1)

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return the nodes with a directed path to this one, in node order, without the node itself."""
        start = 1 << self._position("ancestors", "name", name)
        return self._names_in(ancestors_of(self._parent_masks, start) & ~start)

    def descendants(self, name: str) -> tuple[str, ...]:
        """Return the nodes with a directed path from this one, in node order, without the node itself."""
        start = 1 << self._position("descendants", "name", name)
        return self._names_in(ancestors_of(self._child_masks, start) & ~start)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return the parents, the children and the children's other parents, in node order.

        Given these, the node is independent of all other nodes.
        """
        node = self._position("markov_blanket", "name", name)
        blanket = self._parent_masks[node] | self._child_masks[node]
        for child in bits(self._child_masks[node]):
            blanket |= self._parent_masks[child]
        return self._names_in(blanket & ~(1 << node))

    def topological_order(self) -> tuple[str, ...]:
        """Return the names ordered parents first; among nodes that are ready, the first in node order comes first."""
        return tuple(self._names[node] for node in topological_order(self._parent_masks, self._child_masks))

    def d_separated(self, x: str | Iterable[str], y: str | Iterable[str], given: str | Iterable[str] = ()) -> bool:
        """Return whether two sets of nodes are d-separated given a third, and so independent.

        Parameters
        ----------
        x, y, given
            Disjoint sets of names; a single string is one name. An empty `x` or `y` is always separated.
        """
        method = "d_separated"
        source, target = self._mask(method, "x", x), self._mask(method, "y", y)
        condition = self._mask(method, "given", given)
        for argument, value, overlap in (
            ("y", y, source & target),
            ("given", given, condition & (source | target)),
        ):
            if overlap:
                raise bad_argument(
                    f"{type(self).__name__}.{method}",
                    argument,
                    value,
                    f"disjoint from the other sets; {listed(self._names_in(overlap))} is in two of them",
                )
        return not reachable(self._parent_masks, self._child_masks, source, condition) & target

    def instruments(
        self, x: str, y: str, *, unobserved: str | Iterable[str] = (), most_given: int = 1
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """List the instruments for the effect of `x` on `y`, each with a minimal set to condition on.

        Given the set, an instrument depends on `x`, and would be independent of `y` if `x` had no effect on it. None
        of these variables is a consequence of `x` or `y`.

        Parameters
        ----------
        x, y
            Names of the cause and of the target.
        unobserved
            Names of variables that were not measured.
        most_given
            The largest number of variables to condition on.

        Examples
        --------
        >>> from qnml.graph import Dag
        >>> dag = Dag.from_modelstring("[lottery][will][school|lottery:will][income|school:will]")
        >>> dag.adjustment_sets("school", "income", unobserved="will")
        ()
        >>> dag.instruments("school", "income", unobserved="will")
        (('lottery', ()),)
        """
        method = "instruments"
        cause, target = self._position(method, "x", x), self._position(method, "y", y)
        if cause == target:
            raise bad_argument(f"{type(self).__name__}.{method}", "y", y, "another node than x")
        most = checked_whole_number(f"{type(self).__name__}.{method}", "most_given", most_given, 0, self.n_nodes)
        observed = ((1 << self.n_nodes) - 1) & ~self._mask(method, "unobserved", unobserved)
        found = conditional_instruments(self._parent_masks, cause, target, observed, most)
        return tuple((self._names[z], self._names_in(given)) for z, given in found)
