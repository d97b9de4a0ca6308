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

from typing import TYPE_CHECKING, Any, Self

from qnml._checks import checked_flag
from qnml.errors import InputError, bad_argument
from qnml.graph import exchange
from qnml.graph.completion import completed
from qnml.graph.dag import Dag
from qnml.graph.labels import require_same_names
from qnml.graph.masks import bits
from qnml.graph.mpdag import Mpdag, oriented
from qnml.graph.partly_directed import Pairs, PartlyDirected, checked_edges, extended

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Cpdag", "consistent_extension"]


class Cpdag(PartlyDirected):
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

    __slots__ = ()

    def __init__(self, names: Iterable[str], directed: Pairs = (), undirected: Pairs = ()) -> None:
        made = Cpdag.from_edges(names, directed, undirected)
        self._fill(made._names, made._parent_masks, made._neighbour_masks)

    @classmethod
    def from_edges(cls, names: Iterable[str], directed: Pairs, undirected: Pairs, *, complete: bool = False) -> Self:
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
    def _from_edges(cls, call: str, names: Iterable[str], directed: Pairs, undirected: Pairs, complete: bool) -> Self:
        complete = checked_flag(call, "complete", complete)
        plain, parents, neighbours = checked_edges(call, names, directed, undirected)
        completed = cls._of(plain, extended(call, plain, parents, neighbours))
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

    def is_equivalent(self, other: Dag | Cpdag | Mpdag) -> bool:
        """Return whether a graph is in this class, or is this class; both must have the same nodes in any order."""
        require_same_names("Cpdag.is_equivalent", self, other)
        return self == other.to_cpdag()

    def to_cpdag(self) -> Cpdag:
        """Return this class; as for :meth:`Dag.to_cpdag`."""
        return self

    def orient(self, arcs: Pairs) -> Mpdag:
        """Return the graph of the members that have the given arcs.

        Edges that follow from these arcs are directed as well, by Meek's rules.

        Parameters
        ----------
        arcs
            Pairs (parent, child) of adjacent nodes.

        Raises
        ------
        InputError
            If no member has all of them; the message names the first that does not fit.
        """
        return oriented("Cpdag.orient", self, arcs)


def consistent_extension(names: Iterable[str], directed: Pairs, undirected: Pairs) -> Dag:
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
    plain, parents, neighbours = checked_edges(call, names, directed, undirected)
    return Dag._trusted(plain, extended(call, plain, parents, neighbours))


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
