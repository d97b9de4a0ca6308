"""`PartlyDirected`: what `Cpdag` and `Mpdag` have in common, directed and undirected edges between named nodes.

Both stand for several DAGs, their members, which have the same skeleton and the same v-structures and agree on the
directed edges. So all members imply the same independences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self

from qnml.errors import CycleError, InputError, bad_argument
from qnml.graph import exchange
from qnml.graph.adjusting import Adjusting
from qnml.graph.completion import extension
from qnml.graph.dag import Dag
from qnml.graph.labels import checked_names, checked_pairs, listed
from qnml.graph.masks import bits, child_masks, components, permuted, shortest_cycle, topological_order

if TYPE_CHECKING:
    import networkx

__all__ = ["Pairs", "PartlyDirected", "checked_edges", "extended"]

Pairs = Iterable[tuple[str, str]]


class PartlyDirected(Adjusting):
    """The read-only part of `Cpdag` and `Mpdag`."""

    __slots__ = ("_hash", "_neighbour_masks", "_parent_masks")

    _parent_masks: tuple[int, ...]
    _neighbour_masks: tuple[int, ...]
    _hash: int | None

    @classmethod
    def _trusted(cls, names: tuple[str, ...], parents: Sequence[int], neighbours: Sequence[int]) -> Self:
        self = cls.__new__(cls)
        self._fill(names, parents, neighbours)
        return self

    def _fill(self, names: tuple[str, ...], parents: Sequence[int], neighbours: Sequence[int]) -> None:
        self._label(names)
        self._parent_masks = tuple(parents)
        self._neighbour_masks = tuple(neighbours)
        self._hash = None

    def _with_member(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        return self._parent_masks, self._neighbour_masks, self.consistent_extension().parent_masks

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """Directed edges as (parent, child) pairs, sorted by the positions of parent and child."""
        return tuple(
            (self._names[parent], self._names[child])
            for parent, mask in enumerate(child_masks(self._parent_masks))
            for child in bits(mask)
        )

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """Undirected edges, each once with the earlier node first, sorted by position."""
        return tuple(
            (self._names[first], self._names[second])
            for first, mask in enumerate(self._neighbour_masks)
            for second in bits(mask)
            if first < second
        )

    @property
    def n_edges(self) -> int:
        """Number of edges of both kinds."""
        both = zip(self._parent_masks, self._neighbour_masks, strict=True)
        return sum(2 * up.bit_count() + beside.bit_count() for up, beside in both) // 2

    @property
    def parent_masks(self) -> tuple[int, ...]:
        """For each node an integer whose bit ``j`` says that a directed edge points to it from node ``j``."""
        return self._parent_masks

    @property
    def neighbour_masks(self) -> tuple[int, ...]:
        """For each node an integer whose bit ``j`` says that an undirected edge joins it to node ``j``."""
        return self._neighbour_masks

    def parents(self, name: str) -> tuple[str, ...]:
        """Nodes with a directed edge to this one, in node order."""
        return self._names_in(self._parent_masks[self._position("parents", "name", name)])

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Nodes joined to this one by an undirected edge, in node order."""
        return self._names_in(self._neighbour_masks[self._position("neighbours", "name", name)])

    def chain_components(self) -> tuple[tuple[str, ...], ...]:
        """Connected components of the undirected edges; a node without such edges is its own component."""
        every = (1 << self.n_nodes) - 1
        return tuple(self._names_in(mask) for mask in components(self._neighbour_masks, every))

    def consistent_extension(self) -> Dag:
        """A member, always the same: edges point from earlier to later nodes where possible."""
        call = f"{type(self).__name__}.consistent_extension"
        return Dag._trusted(self._names, extended(call, self._names, self._parent_masks, self._neighbour_masks))

    def d_separated(self, x: str | Iterable[str], y: str | Iterable[str], given: str | Iterable[str] = ()) -> bool:
        """Return whether two sets of nodes are d-separated given a third, in every member: they agree on it.

        Parameters
        ----------
        x, y, given
            As for :meth:`Dag.d_separated`.
        """
        return self.consistent_extension().d_separated(x, y, given)

    def __contains__(self, dag: object) -> bool:
        """Return whether a Dag with the same nodes is a member."""
        if not isinstance(dag, Dag):
            raise bad_argument(type(self).__name__, "member", dag, "a Dag")
        if set(dag.names) != set(self._names):
            return False
        aligned = dag if dag.names == self._names else dag.reorder(self._names)
        fits = all(not mask & ~own for mask, own in zip(self._parent_masks, aligned.parent_masks, strict=True))
        return fits and aligned.is_equivalent(self.consistent_extension())

    def reorder(self, names: Iterable[str]) -> Self:
        """Return the same graph with its nodes in another order; the result is equal to this one."""
        order, positions = self._positions_in("reorder", names)
        return self._trusted(order, permuted(self._parent_masks, positions), permuted(self._neighbour_masks, positions))

    def to_networkx(self) -> networkx.DiGraph:
        """Convert to a ``networkx.DiGraph``; an undirected edge appears in both directions with ``undirected=True``."""
        edges = [(parent, child, False) for parent, child in self.directed]
        edges += [(first, second, True) for first, second in self.undirected]
        return exchange.to_networkx(self._names, edges)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, PartlyDirected):
            return NotImplemented
        if set(self._names) != set(other._names):
            return False
        aligned = other if self._names == other._names else other.reorder(self._names)
        return self._parent_masks == aligned._parent_masks and self._neighbour_masks == aligned._neighbour_masks

    def __hash__(self) -> int:
        # Must not depend on the node order, since equality does not.
        if self._hash is None:
            undirected = frozenset(frozenset(edge) for edge in self.undirected)
            self._hash = hash((frozenset(self._names), frozenset(self.directed), undirected))
        return self._hash

    def __repr__(self) -> str:
        counted = f"{self.n_nodes} node{'' if self.n_nodes == 1 else 's'}"
        counted += f", {self.n_edges} edge{'' if self.n_edges == 1 else 's'}"
        edges = listed(
            [f"{parent} -> {child}" for parent, child in self.directed]
            + [f"{first} -- {second}" for first, second in self.undirected]
        )
        return f"{type(self).__name__}({counted}{': ' if edges else ''}{edges})"


def checked_edges(
    call: str, names: Iterable[str], directed: Pairs, undirected: Pairs
) -> tuple[tuple[str, ...], list[int], list[int]]:
    """Return the names, the parent masks and the neighbour masks of a partly directed graph without cycles."""
    plain = checked_names(call, names)
    index = {name: position for position, name in enumerate(plain)}
    parents = [0] * len(plain)
    neighbours = [0] * len(plain)
    for parent, child in checked_pairs(call, "directed", directed, index):
        parents[child] |= 1 << parent
    for first, second in checked_pairs(call, "undirected", undirected, index):
        if (parents[first] >> second | parents[second] >> first) & 1:
            raise bad_argument(
                call,
                "undirected",
                (plain[first], plain[second]),
                "edges that are not among the directed ones",
            )
        neighbours[first] |= 1 << second
        neighbours[second] |= 1 << first
    order = topological_order(parents, child_masks(parents))
    if len(order) < len(plain):
        raise CycleError(call, [plain[node] for node in shortest_cycle(parents, order)])
    return plain, parents, neighbours


def extended(call: str, names: Sequence[str], parents: Sequence[int], neighbours: Sequence[int]) -> list[int]:
    """Return the parent masks of a consistent extension, or raise an error that names the undirected edges."""
    masks = extension(parents, neighbours)
    if masks is None:
        edges = listed(
            f"{names[first]} -- {names[second]}"
            for first, mask in enumerate(neighbours)
            for second in bits(mask)
            if first < second
        )
        raise InputError(
            f"{call}: the edges have no consistent extension: every orientation of the undirected edges ({edges}) "
            "has a cycle or a new v-structure. Direct some of them or remove one."
        )
    return masks
