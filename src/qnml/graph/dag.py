"""`Dag`: the structure of a Bayesian network.

A `Dag` is immutable: methods that change a graph return a new one. Nodes have names and an order; the order
affects only listing and numbering, so two Dags with the same names and arcs are equal whatever their node
order.

Examples
--------
>>> from qnml.graph import Dag
>>> dag = Dag.from_arcs(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
>>> dag.parents("wet")
('rain', 'sprinkler')
>>> dag.d_separated("rain", "sprinkler"), dag.d_separated("rain", "sprinkler", given="wet")
(True, False)
>>> print(dag)
[rain][sprinkler][wet|rain:sprinkler]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, Protocol, Self, SupportsIndex

import numpy as np

from qnml._checks import checked_list, checked_texts, checked_whole_number
from qnml.errors import CycleError, InputError, bad_argument, shown
from qnml.graph import exchange, modelstring
from qnml.graph.labels import checked_names, checked_pairs, index_of, listed, require_same_names
from qnml.graph.masks import bits, child_masks, permuted, shortest_cycle, topological_order
from qnml.graph.relations import Relations

if TYPE_CHECKING:
    import networkx
    from numpy.typing import NDArray

    from qnml.graph.cpdag import Cpdag
    from qnml.graph.mpdag import Mpdag

__all__ = ["Dag"]


class _ByName(Protocol):
    """A mapping from node names to integers: a dict, or the `arities` of a table."""

    def __getitem__(self, name: str, /) -> SupportsIndex: ...


class Dag(Relations):
    """A directed acyclic graph with named nodes; immutable and hashable.

    ``Dag(names, arcs)`` is the same as `Dag.from_arcs`.

    Parameters
    ----------
    names
        Names of all the nodes, distinct strings; nodes without arcs are kept.
    arcs
        Pairs (parent, child) of names; an arc given twice counts once.

    Raises
    ------
    InputError
        If a name is given twice or an arc joins a node to itself.
    UnknownNameError
        If an arc mentions a name that is not a node.
    CycleError
        If the arcs form a cycle; the message shows it.
    """

    __slots__ = ("_hash",)

    _hash: int | None

    def __init__(self, names: Iterable[str], arcs: Iterable[tuple[str, str]] = ()) -> None:
        self._fill_arcs("Dag.from_arcs", "arcs", names, arcs)

    # Construction.

    @classmethod
    def from_arcs(cls, names: Iterable[str], arcs: Iterable[tuple[str, str]]) -> Self:
        """Build a graph from its node names and (parent, child) pairs."""
        return cls(names, arcs)

    @classmethod
    def empty(cls, names: Iterable[str]) -> Self:
        """Build the graph without arcs."""
        return cls._from_arcs("Dag.empty", "names", names, ())

    @classmethod
    def from_parents(cls, parents: Mapping[str, Iterable[str]]) -> Self:
        """Build a graph from the parents of every node.

        Parameters
        ----------
        parents
            For each node, in node order, the names of its parents; a node without any has an empty list.

        Examples
        --------
        >>> Dag.from_parents({"A": [], "B": ["A"], "C": ["A", "B"]}).arcs
        (('A', 'B'), ('A', 'C'), ('B', 'C'))
        """
        call = "Dag.from_parents"
        if not isinstance(parents, Mapping):
            raise bad_argument(call, "parents", parents, "a mapping from each node to its parents")
        arcs: list[tuple[Any, Any]] = []
        for child, above in parents.items():
            allowed = f"a list of names for the node {shown(child)}"
            given = [above] if isinstance(above, str) else checked_list(call, "parents", above, allowed)
            arcs += [(parent, child) for parent in given]
        return cls._from_arcs(call, "parents", parents, arcs)

    @classmethod
    def from_masks(cls, names: Iterable[str], masks: Iterable[SupportsIndex]) -> Self:
        """Build a graph from one integer per node, whose bit ``j`` is set if node ``j`` is a parent."""
        call = "Dag.from_masks"
        plain = checked_names(call, names)
        given = checked_list(call, "masks", masks, "a list of whole numbers")
        integers = [checked_whole_number(call, "masks", mask) for mask in given]
        if len(integers) != len(plain):
            raise bad_argument(call, "masks", integers, f"one mask for each of the {len(plain)} nodes")
        for position, mask in enumerate(integers):
            if not 0 <= mask < 1 << len(plain) or mask >> position & 1:
                allowed = f"bits of {len(plain)} nodes, that of {plain[position]!r} itself not among them"
                raise bad_argument(call, "masks", mask, allowed)
        return cls._from_masks(call, plain, integers)

    @classmethod
    def from_modelstring(cls, text: str) -> Self:
        """Read bnlearn's notation, such as ``"[A][C][B|A:C]"``; nodes come in the order of their brackets.

        Raises
        ------
        FileFormatError
            If the text is malformed; the message gives the position.
        CycleError
            If the arcs form a cycle.
        """
        names, arcs = modelstring.parse(text)
        return cls._from_arcs("Dag.from_modelstring", "text", names, arcs)

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """Read a directed networkx graph whose nodes are strings; attributes are not kept."""
        call = "Dag.from_networkx"
        names, directed, undirected = exchange.from_networkx(call, graph)
        if undirected:
            raise bad_argument(
                call,
                "graph",
                undirected[0],
                "a graph with directed edges only; this one is undirected",
                "Use Cpdag.from_networkx for partly directed graphs.",
            )
        return cls._from_arcs(call, "graph", names, directed)

    @classmethod
    def _from_arcs(cls, call: str, argument: str, names: Iterable[str], arcs: Iterable[tuple[str, str]]) -> Self:
        self = cls.__new__(cls)
        self._fill_arcs(call, argument, names, arcs)
        return self

    @classmethod
    def _from_masks(cls, call: str, names: tuple[str, ...], masks: Sequence[int]) -> Self:
        self = cls.__new__(cls)
        self._fill(call, names, masks)
        return self

    @classmethod
    def _trusted(cls, names: tuple[str, ...], masks: Sequence[int]) -> Self:
        """Build a graph without checks, for algorithms whose results are acyclic by construction."""
        self = cls.__new__(cls)
        self._fill(None, names, masks)
        return self

    def _fill_arcs(self, call: str, argument: str, names: Iterable[str], arcs: Iterable[tuple[str, str]]) -> None:
        plain = checked_names(call, names)
        index = {name: position for position, name in enumerate(plain)}
        masks = [0] * len(plain)
        for parent, child in checked_pairs(call, argument, arcs, index):
            masks[child] |= 1 << parent
        self._fill(call, plain, masks)

    def _fill(self, call: str | None, names: tuple[str, ...], masks: Sequence[int]) -> None:
        self._label(names)
        self._parent_masks = tuple(masks)
        self._child_masks = tuple(child_masks(masks))
        self._hash = None
        if call is not None:
            order = topological_order(self._parent_masks, self._child_masks)
            if len(order) < len(names):
                cycle = shortest_cycle(self._parent_masks, order)
                raise CycleError(call, [names[position] for position in cycle])

    # Equivalence.

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """All triples (a, c, b) with a → c ← b and no arc between a and b.

        Sorted by the position of c, then a, then b; a comes before b in node order.
        """
        names = self._names
        triples = []
        for collider, mask in enumerate(self._parent_masks):
            for a in bits(mask):
                apart = mask & ~(self._parent_masks[a] | self._child_masks[a]) & ~((2 << a) - 1)
                triples += [(names[a], names[collider], names[b]) for b in bits(apart)]
        return tuple(triples)

    def covered_arcs(self) -> tuple[tuple[str, str], ...]:
        """Arcs a → b where b has exactly the parents of a and a itself.

        These are the arcs that can be reversed one at a time without leaving the equivalence class.
        """
        return tuple(
            (self._names[parent], self._names[child])
            for parent, mask in enumerate(self._child_masks)
            for child in bits(mask)
            if self._parent_masks[child] == self._parent_masks[parent] | 1 << parent
        )

    def is_equivalent(self, other: Dag | Cpdag | Mpdag) -> bool:
        """Return whether both graphs are Markov equivalent: encode the same conditional independences.

        Both must have the same nodes; their order does not matter.
        """
        require_same_names("Dag.is_equivalent", self, other)
        return self.to_cpdag().is_equivalent(other)

    def to_cpdag(self) -> Cpdag:
        """Return the completed partially directed graph of the equivalence class."""
        # Imported here because Cpdag is built on Dag.
        from qnml.graph.cpdag import Cpdag

        return Cpdag.from_dag(self)

    def interventional_class(self, targets: Iterable[Iterable[str]]) -> Mpdag:
        """Return the equivalent networks that experiments cannot tell from this one, as a graph.

        Parameters
        ----------
        targets
            For each experiment the nodes that were set in it. Every node must be observed in some data: the data
            without any intervention, or another experiment.

        Examples
        --------
        >>> Dag.from_modelstring("[smoke][lung|smoke][xray|lung]").interventional_class([["lung"]])
        Mpdag(3 nodes, 2 edges: smoke -> lung, lung -> xray)
        """
        # Imported here because Mpdag is built on Dag.
        from qnml.graph.interventional import parts_of_targets, told_arcs

        call = "Dag.interventional_class"
        given = checked_list(call, "targets", targets, "a list of lists of names")
        sets = [checked_texts(call, "targets", one) for one in given]
        for name in (name for one in sets for name in one):
            self._position("interventional_class", "targets", name)
        return self.to_cpdag().orient(told_arcs(self, parts_of_targets(self._names, sets)))

    # Graphs derived from this one.

    def add_arc(self, parent: str, child: str) -> Self:
        """Return the graph with one more arc; an error if it exists already or closes a cycle."""
        call, tail, head = self._ends("add_arc", parent, child)
        if self._parent_masks[head] >> tail & 1:
            raise InputError(f"{call}: the arc {parent} -> {child} already exists.")
        return self._changed(call, {head: self._parent_masks[head] | 1 << tail})

    def remove_arc(self, parent: str, child: str) -> Self:
        """Return the graph without an arc; an error if it does not exist."""
        call, tail, head = self._ends("remove_arc", parent, child)
        self._require_arc(call, tail, head)
        return self._changed(call, {head: self._parent_masks[head] ^ 1 << tail})

    def reverse_arc(self, parent: str, child: str) -> Self:
        """Return the graph with an arc reversed; an error if it does not exist or this closes a cycle."""
        call, tail, head = self._ends("reverse_arc", parent, child)
        self._require_arc(call, tail, head)
        masks = self._parent_masks
        return self._changed(call, {head: masks[head] ^ 1 << tail, tail: masks[tail] | 1 << head})

    def _ends(self, method: str, parent: str, child: str) -> tuple[str, int, int]:
        call = f"Dag.{method}"
        [(tail, head)] = checked_pairs(call, "arc", [(parent, child)], self._index)
        return call, tail, head

    def _require_arc(self, call: str, tail: int, head: int) -> None:
        if not self._parent_masks[head] >> tail & 1:
            there = " The opposite arc exists." if self._parent_masks[tail] >> head & 1 else ""
            raise InputError(f"{call}: there is no arc {self._names[tail]} -> {self._names[head]}.{there}")

    def _changed(self, call: str, masks: Mapping[int, int]) -> Self:
        changed = [masks.get(node, mask) for node, mask in enumerate(self._parent_masks)]
        return self._from_masks(call, self._names, changed)

    def reorder(self, names: Iterable[str]) -> Self:
        """Return the same graph with its nodes in another order; the result is equal to this one."""
        order, positions = self._positions_in("reorder", names)
        return self._trusted(order, permuted(self._parent_masks, positions))

    def relabel(self, new_names: Mapping[str, str]) -> Self:
        """Return the graph with nodes renamed; names that are not keys of `new_names` are kept."""
        call = "Dag.relabel"
        if not isinstance(new_names, Mapping):
            raise bad_argument(call, "new_names", new_names, "a mapping from old names to new ones")
        for old in new_names:
            index_of(call, "new_names", old, self._index)
        renamed = checked_names(call, [new_names.get(name, name) for name in self._names])
        return self._trusted(renamed, self._parent_masks)

    # Numbers and other forms.

    def n_parameters(self, levels: _ByName) -> int:
        """Return the number of free parameters of a network with this graph, an exact integer of any size.

        Parameters
        ----------
        levels
            The number of levels of each node, by name.

        Examples
        --------
        >>> Dag.from_modelstring("[A][B][C|A:B]").n_parameters({"A": 2, "B": 3, "C": 4})
        21
        """
        counts = []
        for name in self._names:
            try:
                count = as_integer(levels[name])
            except Exception:  # any error of the lookup in a foreign class
                count = 0
            if count < 1:
                raise bad_argument(
                    "Dag.n_parameters",
                    "levels",
                    levels,
                    f"a mapping from every node to a whole number of at least 1; it fails for {name!r}",
                )
            counts.append(count)
        total = 0
        for node, mask in enumerate(self._parent_masks):
            free = counts[node] - 1
            for parent in bits(mask):
                free *= counts[parent]
            total += free
        return total

    def adjacency_matrix(self) -> NDArray[np.uint8]:
        """Return the matrix with a 1 in row i, column j if there is an arc from node i to node j."""
        matrix = np.zeros((self.n_nodes, self.n_nodes), dtype=np.uint8)
        for child, mask in enumerate(self._parent_masks):
            matrix[list(bits(mask)), child] = 1
        return matrix

    def to_modelstring(self) -> str:
        """Return the graph in bnlearn's notation; an error if a name contains one of the characters ``[ ] | :``."""
        modelstring.check_writable(self._names)
        return modelstring.written(self._names, self._parent_masks)

    def to_networkx(self) -> networkx.DiGraph:
        """Convert to a ``networkx.DiGraph`` with the same nodes, order and arcs."""
        return exchange.to_networkx(self._names, ((parent, child, False) for parent, child in self.arcs))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dag):
            return NotImplemented
        if self._names == other._names:
            return self._parent_masks == other._parent_masks
        if set(self._names) != set(other._names):
            return False
        return self._parent_masks == other.reorder(self._names)._parent_masks

    def __hash__(self) -> int:
        # Must not depend on the node order, since equality does not.
        if self._hash is None:
            self._hash = hash((frozenset(self._names), frozenset(self.arcs)))
        return self._hash

    def __repr__(self) -> str:
        arcs = listed(f"{parent} -> {child}" for parent, child in self.arcs)
        counted = f"{self.n_nodes} node{'' if self.n_nodes == 1 else 's'}"
        counted += f", {self.n_arcs} arc{'' if self.n_arcs == 1 else 's'}"
        return f"Dag({counted}{': ' if arcs else ''}{arcs})"

    def __str__(self) -> str:
        return modelstring.written(self._names, self._parent_masks)
