"""`Mpdag`: the members of an equivalence class that have some known arcs.

Background knowledge directs edges that data cannot direct, and these direct others by Meek's rules. An `Mpdag` has an
edge directed exactly if all remaining members agree on it, so it is the maximally oriented partially directed acyclic
graph of the class and the knowledge.

Examples
--------
>>> from qnml.graph import Cpdag, Mpdag
>>> chain = Cpdag(["A", "B", "C"], [], [("A", "B"), ("B", "C")])
>>> chain.orient([("A", "B")])
Mpdag(3 nodes, 2 edges: A -> B, B -> C)
>>> chain.orient([("B", "A")])
Mpdag(3 nodes, 2 edges: B -> A, B -- C)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from qnml._checks import checked_flag
from qnml.errors import InputError, bad_argument
from qnml.graph import exchange
from qnml.graph.completion import completed
from qnml.graph.labels import checked_pairs
from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation
from qnml.graph.partly_directed import Pairs, PartlyDirected, checked_edges, extended

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.graph.cpdag import Cpdag

__all__ = ["Mpdag", "oriented"]


class Mpdag(PartlyDirected):
    """A maximally oriented partially directed acyclic graph with named nodes; immutable and hashable.

    Usually `SearchResult.mpdag`, or made by `Cpdag.orient`. ``Mpdag(names, directed, undirected)`` is the same as
    `Mpdag.from_edges` without completing. Equality compares names and edges, not the node order. `class_size`,
    `enumerate_class` and `sample_class` count, list and draw its members.

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
        If an undirected edge must have one of the directions, given the others; the message says which.
    CycleError
        If the directed edges form a cycle.
    """

    __slots__ = ()

    def __init__(self, names: Iterable[str], directed: Pairs = (), undirected: Pairs = ()) -> None:
        made = Mpdag.from_edges(names, directed, undirected)
        self._fill(made._names, made._parent_masks, made._neighbour_masks)

    @classmethod
    def from_edges(cls, names: Iterable[str], directed: Pairs, undirected: Pairs, *, complete: bool = False) -> Self:
        """Build from directed and undirected edges.

        Parameters
        ----------
        names
            Names of all the nodes.
        directed
            Pairs (parent, child).
        undirected
            Pairs in any order.
        complete
            Direct also the edges whose direction follows, instead of raising an error about the first of them.

        Examples
        --------
        >>> Mpdag.from_edges(["A", "B", "C"], [("A", "B")], [("B", "C")], complete=True)
        Mpdag(3 nodes, 2 edges: A -> B, B -> C)
        """
        return cls._from_edges("Mpdag.from_edges", names, directed, undirected, complete)

    @classmethod
    def from_networkx(cls, graph: Any, *, complete: bool = False) -> Self:
        """Read a networkx graph whose nodes are strings, with undirected edges as in :meth:`Cpdag.from_networkx`."""
        call = "Mpdag.from_networkx"
        names, directed, undirected = exchange.from_networkx(call, graph)
        return cls._from_edges(call, names, directed, undirected, complete)

    @classmethod
    def _from_edges(cls, call: str, names: Iterable[str], directed: Pairs, undirected: Pairs, complete: bool) -> Self:
        complete = checked_flag(call, "complete", complete)
        plain, parents, neighbours = checked_edges(call, names, directed, undirected)
        # The class of any extension, with the arcs given, is what the rules lead to.
        graph = PartialOrientation(*completed(extended(call, plain, parents, neighbours)))
        for child, mask in enumerate(parents):
            for parent in bits(mask):
                assert graph.orient(parent, child), "an extension has all arcs given"
        if not complete and graph.parents != parents:
            child = next(node for node in range(len(plain)) if graph.parents[node] != parents[node])
            parent = next(bits(graph.parents[child] & ~parents[child]))
            edge, free = (f"{plain[parent]} {mark} {plain[child]}" for mark in ("->", "--"))
            raise InputError(
                f"{call}: not a maximally oriented graph: the edge {free} is undirected, but the other edges force "
                f"{edge}. Pass complete=True to have such edges directed."
            )
        return cls._trusted(plain, graph.parents, graph.neighbours)

    def to_cpdag(self) -> Cpdag:
        """Return the equivalence class of the members, without what is known about their arcs."""
        return self.consistent_extension().to_cpdag()

    def orient(self, arcs: Pairs) -> Mpdag:
        """Return the graph of the members that have further arcs; see :meth:`Cpdag.orient`."""
        return oriented("Mpdag.orient", self, arcs)


def oriented(call: str, graph: PartlyDirected, arcs: Pairs) -> Mpdag:
    """Direct edges of a graph and all edges that follow, or raise an error that names the first conflict."""
    names = graph.names
    index = {name: position for position, name in enumerate(names)}
    partial = PartialOrientation(graph.parent_masks, graph.neighbour_masks)
    for tail, head in checked_pairs(call, "arcs", arcs, index):
        edge = f"{names[tail]} -> {names[head]}"
        if not partial.adjacent[tail] >> head & 1:
            raise bad_argument(call, "arcs", (names[tail], names[head]), "edges of the graph with a direction")
        if not partial.orient(tail, head):
            why = _why_not(graph.parent_masks, tail, head)
            raise InputError(f"{call}: no member has the arc {edge}: {why} {names[head]} -> {names[tail]}.")
    return Mpdag._trusted(names, partial.parents, partial.neighbours)


def _why_not(parents: Sequence[int], tail: int, head: int) -> str:
    return "the graph has" if parents[tail] >> head & 1 else "the other arcs given force"
