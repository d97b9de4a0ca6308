"""`Cpdag`: the graph of an equivalence class of DAGs.

Its skeleton is that of the members; an edge is directed if all members agree on its direction and undirected
otherwise. Two DAGs are equivalent exactly when their Cpdags are equal.

Examples
--------
>>> from qnml.graph import Cpdag, Dag
>>> Dag.from_modelstring("[A][B|A][C|B]").to_cpdag()
Cpdag(3 nodes, 2 edges: A -- B, B -- C)
>>> Dag.from_modelstring("[A][C][B|A:C]").to_cpdag()
Cpdag(3 nodes, 2 edges: A -> B, C -> B)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from qnml._checks import checked_flag
from qnml.errors import CycleError, InputError, bad_argument
from qnml.graph import exchange
from qnml.graph.completion import completed, extension
from qnml.graph.dag import Dag
from qnml.graph.labels import LabelledGraph, checked_names, checked_pairs, listed, require_same_names
from qnml.graph.masks import bits, child_masks, components, permuted, shortest_cycle, topological_order

if TYPE_CHECKING:
    import networkx

__all__ = ["Cpdag", "consistent_extension"]

_Pairs = Iterable[tuple[str, str]]


class Cpdag(LabelledGraph):
    """A completed partially directed acyclic graph with named nodes; immutable and hashable.

    Usually created by `Dag.to_cpdag`. ``Cpdag(names, directed, undirected)`` is the same as `Cpdag.from_edges`
    without completing. Equality compares names and edges, not the node order.

    Parameters
    ----------
    names
        Names of all the nodes, distinct strings; nodes without edges are kept.
    directed
        Pairs (parent, child) of names.
    undirected
        Pairs of names in any order.

    Raises
    ------
    InputError
        If the edges are not those of an equivalence class; the message says which edge is wrong.
    CycleError
        If the directed edges form a cycle.
    """

    __slots__ = ("_hash", "_neighbour_masks", "_parent_masks")

    _parent_masks: tuple[int, ...]
    _neighbour_masks: tuple[int, ...]
    _hash: int | None

    def __init__(self, names: Iterable[str], directed: _Pairs = (), undirected: _Pairs = ()) -> None:
        made = Cpdag.from_edges(names, directed, undirected)
        self._fill(made._names, made._parent_masks, made._neighbour_masks)

    @classmethod
    def from_edges(cls, names: Iterable[str], directed: _Pairs, undirected: _Pairs, *, complete: bool = False) -> Self:
        """Build from directed and undirected edges.

        Not every mixed graph represents an equivalence class. The edges may have no consistent extension (no
        acyclic orientation with exactly the v-structures already present): always an error. Or they may have
        consistent extensions, all equivalent, but be directed where the class is not or vice versa, as after
        adding background knowledge: an error unless `complete` is true, since completion changes edges.

        Parameters
        ----------
        names
            Names of all the nodes.
        directed
            Pairs (parent, child).
        undirected
            Pairs in any order.
        complete
            Replace the graph by the class of its consistent extensions instead of requiring it to be completed.

        Examples
        --------
        >>> Cpdag.from_edges(["A", "B", "C"], [("A", "B")], [("B", "C")], complete=True)
        Cpdag(3 nodes, 2 edges: A -- B, B -- C)
        """
        return cls._from_edges("Cpdag.from_edges", names, directed, undirected, complete)

    @classmethod
    def _from_edges(cls, call: str, names: Iterable[str], directed: _Pairs, undirected: _Pairs, complete: bool) -> Self:
        complete = checked_flag(call, "complete", complete)
        plain, parents, neighbours = _checked_edges(call, names, directed, undirected)
        completed = cls._of(plain, _extended(call, plain, parents, neighbours))
        if not complete and completed._parent_masks != tuple(parents):
            raise _not_completed(call, plain, parents, completed._parent_masks)
        return completed

    @classmethod
    def from_dag(cls, dag: Dag) -> Self:
        """Return the equivalence class of a DAG."""
        if not isinstance(dag, Dag):
            raise bad_argument("Cpdag.from_dag", "dag", dag, "a Dag")
        return cls._of(dag.names, dag.parent_masks)

    @classmethod
    def from_networkx(cls, graph: Any, *, complete: bool = False) -> Self:
        """Read a networkx graph whose nodes are strings.

        An edge is undirected if the graph is, if it has the attribute ``undirected=True``, or if the
        opposite edge exists too. `complete` is as in `from_edges`.
        """
        call = "Cpdag.from_networkx"
        names, directed, undirected = exchange.from_networkx(call, graph)
        return cls._from_edges(call, names, directed, undirected, complete)

    @classmethod
    def _of(cls, names: tuple[str, ...], parents: Sequence[int]) -> Self:
        """Return the class of the DAG with these parent masks."""
        return cls._trusted(names, *completed(parents))

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
        return sum(2 * up.bit_count() + beside.bit_count() for up, beside in self._both_masks()) // 2

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
        """A member of the class, always the same: edges point from earlier to later nodes where possible."""
        masks = _extended("Cpdag.consistent_extension", self._names, self._parent_masks, self._neighbour_masks)
        return Dag._trusted(self._names, masks)

    def is_equivalent(self, other: Dag | Cpdag) -> bool:
        """Return whether a graph is in this class, or is this class; both must have the same nodes in any order."""
        require_same_names("Cpdag.is_equivalent", self, other)
        return self == (other.to_cpdag() if isinstance(other, Dag) else other)

    def reorder(self, names: Iterable[str]) -> Self:
        """Return the same graph with its nodes in another order; the result is equal to this one."""
        order, positions = self._positions_in("reorder", names)
        return self._trusted(order, permuted(self._parent_masks, positions), permuted(self._neighbour_masks, positions))

    def to_networkx(self) -> networkx.DiGraph:
        """Convert to a ``networkx.DiGraph``; an undirected edge appears in both directions with ``undirected=True``."""
        edges = [(parent, child, False) for parent, child in self.directed]
        edges += [(first, second, True) for first, second in self.undirected]
        return exchange.to_networkx(self._names, edges)

    def _both_masks(self) -> Iterable[tuple[int, int]]:
        return zip(self._parent_masks, self._neighbour_masks, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cpdag):
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
        return f"Cpdag({counted}{': ' if edges else ''}{edges})"


def consistent_extension(names: Iterable[str], directed: _Pairs, undirected: _Pairs) -> Dag:
    """Orient the undirected edges of a partly directed graph without a cycle or a new v-structure.

    The directed edges are kept; the graph need not be a Cpdag.

    Parameters
    ----------
    names
        Names of all the nodes.
    directed
        Pairs (parent, child).
    undirected
        Pairs in any order.

    Raises
    ------
    InputError
        If there is no such orientation.

    Examples
    --------
    >>> print(consistent_extension(["A", "B", "C"], [("C", "B")], [("A", "B")]))
    [C][B|C][A|B]
    """
    call = "consistent_extension"
    plain, parents, neighbours = _checked_edges(call, names, directed, undirected)
    return Dag._trusted(plain, _extended(call, plain, parents, neighbours))


def _checked_edges(
    call: str, names: Iterable[str], directed: _Pairs, undirected: _Pairs
) -> tuple[tuple[str, ...], list[int], list[int]]:
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


def _extended(call: str, names: Sequence[str], parents: Sequence[int], neighbours: Sequence[int]) -> list[int]:
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


def _not_completed(call: str, names: Sequence[str], given: Sequence[int], completed: Sequence[int]) -> InputError:
    """Return the error about the first edge whose direction differs from the class."""
    child = next(node for node in range(len(names)) if given[node] != completed[node])
    needless = given[child] & ~completed[child]
    parent = next(bits(needless or completed[child] & ~given[child]))
    edge = f"{names[parent]} -> {names[child]}"
    problem = (
        f"the edge {edge} is directed, but the other edges leave it free"
        if needless
        else f"the edge {names[parent]} -- {names[child]} is undirected, but the other edges force {edge}"
    )
    return InputError(
        f"{call}: not a completed graph: {problem}. Pass complete=True to have the edges completed, or use "
        "consistent_extension to keep every direction."
    )
