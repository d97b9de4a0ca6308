"""Distance between two graphs: the structural Hamming distance and its parts.

By default both graphs are compared as equivalence classes, as Tsamardinos, Brown and Aliferis (2006) define
the distance: data alone cannot tell equivalent DAGs apart, so they are at distance zero. If one of the graphs is an
`Mpdag`, which knows more than data tell, both are compared as they are.

Examples
--------
>>> from qnml.graph import Dag, compare, shd
>>> truth, found = Dag.from_modelstring("[A][C][B|A:C]"), Dag.from_modelstring("[A][B|A][C|B]")
>>> shd(truth, found), shd(truth, found, on="dag")
(2, 1)
>>> print(compare(truth, found))
SID 3 to 6; SHD 2: 0 missing, 0 extra, 2 wrongly oriented, 0 matching

References
----------
I. Tsamardinos, L. E. Brown, C. F. Aliferis (2006). The max-min hill-climbing Bayesian network structure
learning algorithm. Machine Learning 65.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from qnml._checks import check_choice
from qnml._html import html_table, paragraph
from qnml._packages import needed
from qnml.errors import TooLargeError, bad_argument
from qnml.graph.dag import Dag
from qnml.graph.intervention_distance import Sid, sid
from qnml.graph.labels import require_same_names
from qnml.graph.masks import bits, child_masks
from qnml.graph.mpdag import Mpdag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.graph.cpdag import Cpdag

__all__ = ["Agreement", "Comparison", "Edge", "compare", "shd"]

_WAYS = ("cpdag", "mpdag", "dag")
_Graph: TypeAlias = "Dag | Cpdag | Mpdag"
_On: TypeAlias = Literal["cpdag", "mpdag", "dag"]


class Edge(NamedTuple):
    """An edge between two named nodes; an undirected one has its earlier node first."""

    first: str
    second: str
    directed: bool

    def __str__(self) -> str:
        return f"{self.first} {'->' if self.directed else '--'} {self.second}"


class Agreement(NamedTuple):
    """How much of what one graph says is also said by a reference, and the other way round.

    Attributes
    ----------
    precision : share of what the graph has that the reference has too; None if it has nothing.
    recall : share of what the reference has that the graph has too; None if it has nothing.
    """

    precision: float | None
    recall: float | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; None if one is None, 0 if both are."""
        if self.precision is None or self.recall is None:
            return None
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


@dataclass(frozen=True, repr=False)
class Comparison:
    """Differences between a graph and a reference, by pair of nodes.

    Parameters
    ----------
    missing
        Edges of the reference between nodes that are not adjacent in the other graph.
    extra
        Edges of the other graph between nodes that are not adjacent in the reference.
    wrongly_oriented
        (edge of the reference, edge of the other) for pairs adjacent in both, with different orientations.
    matching
        Edges common to both.
    on
        "cpdag", "mpdag" or "dag": which graphs were compared.
    sid
        The structural intervention distance of the other graph, as compared, from the reference; None unless the
        reference is a Dag, or if there are too many members to look at.
    """

    missing: tuple[Edge, ...]
    extra: tuple[Edge, ...]
    wrongly_oriented: tuple[tuple[Edge, Edge], ...]
    matching: tuple[Edge, ...]
    on: str
    sid: Sid | None = None

    @property
    def skeleton(self) -> Agreement:
        """Precision and recall of the pairs of adjacent nodes."""
        common = len(self.matching) + len(self.wrongly_oriented)
        return _agreement(common, common + len(self.extra), common + len(self.missing))

    @property
    def arrowheads(self) -> Agreement:
        """Precision and recall of the directed edges, with their direction."""
        both = [edge for edge in self.matching if edge.directed]
        before = [*both, *self.missing, *(edge for edge, _ in self.wrongly_oriented)]
        after = [*both, *self.extra, *(edge for _, edge in self.wrongly_oriented)]
        return _agreement(len(both), sum(edge.directed for edge in after), sum(edge.directed for edge in before))

    @property
    def shd(self) -> int:
        """Structural Hamming distance: the number of node pairs that differ."""
        return len(self.missing) + len(self.extra) + len(self.wrongly_oriented)

    def to_frame(self) -> Any:
        """One row for each pair of nodes that is adjacent in a graph, as a polars frame; edges as text, or null."""
        polars = needed("polars", "Comparison.to_frame", "makes the frame")
        heads = ("difference", "reference", "other")
        return polars.DataFrame(self._rows(), schema=dict.fromkeys(heads, polars.String), orient="row")

    def _rows(self) -> list[tuple[str, str | None, str | None]]:
        return [
            *(("missing", str(edge), None) for edge in self.missing),
            *(("extra", None, str(edge)) for edge in self.extra),
            *(("wrongly oriented", str(before), str(after)) for before, after in self.wrongly_oriented),
            *(("matching", str(edge), str(edge)) for edge in self.matching),
        ]

    def _repr_html_(self) -> str:
        heads = [("", False), ("reference", False), ("other", False)]
        return paragraph(str(self)) + html_table(heads, [[cell or "" for cell in row] for row in self._rows()])

    def __repr__(self) -> str:
        return f"Comparison({self})"

    def __str__(self) -> str:
        distance = "" if self.sid is None else f"{self.sid}; "
        return (
            f"{distance}SHD {self.shd}: {len(self.missing)} missing, {len(self.extra)} extra, "
            f"{len(self.wrongly_oriented)} wrongly oriented, {len(self.matching)} matching"
        )


class _Masks(NamedTuple):
    parents: Sequence[int]
    children: Sequence[int]
    neighbours: Sequence[int]

    def edge(self, names: Sequence[str], low: int, high: int) -> Edge | None:
        """The edge between two nodes, if any."""
        if self.neighbours[low] >> high & 1:
            return Edge(names[low], names[high], False)
        if self.children[low] >> high & 1:
            return Edge(names[low], names[high], True)
        if self.parents[low] >> high & 1:
            return Edge(names[high], names[low], True)
        return None


def shd(a: _Graph, b: _Graph, on: _On | None = None) -> int:
    """Structural Hamming distance: the number of node pairs whose edge differs.

    A missing edge, an extra edge and a reversed edge each cost one; so does an edge that is directed in one graph
    and undirected in the other.

    Parameters
    ----------
    a, b
        Graphs with the same nodes, in any order.
    on
        "cpdag" compares equivalence classes; "dag" compares two Dags arc by arc, a reversed arc costing one; "mpdag"
        compares graphs of any kind as they are, edge by edge. By default "mpdag" if one of them is an `Mpdag`,
        otherwise "cpdag".
    """
    _, first, second, _ = _aligned("shd", a, b, on)
    differing = 0
    for node in range(len(first.parents)):
        differing += (
            (first.parents[node] ^ second.parents[node])
            | (first.children[node] ^ second.children[node])
            | (first.neighbours[node] ^ second.neighbours[node])
        ).bit_count()
    return differing // 2


def compare(reference: _Graph, other: _Graph, on: _On | None = None) -> Comparison:
    """List the differences between the edges of a graph and a reference.

    Parameters
    ----------
    reference, other
        Graphs with the same nodes, in any order.
    on
        As in `shd`.

    Returns
    -------
    A `Comparison`; its lists follow the node order of the reference, and its `shd` is the distance.
    """
    names, first, second, used = _aligned("compare", reference, other, on)
    missing: list[Edge] = []
    extra: list[Edge] = []
    wrongly_oriented: list[tuple[Edge, Edge]] = []
    matching: list[Edge] = []
    for low in range(len(names)):
        around = first.parents[low] | first.children[low] | first.neighbours[low]
        around |= second.parents[low] | second.children[low] | second.neighbours[low]
        for high in bits(around >> low + 1 << low + 1):
            before, after = first.edge(names, low, high), second.edge(names, low, high)
            if before is None:
                extra += [after] if after is not None else []
            elif after is None:
                missing.append(before)
            elif before == after:
                matching.append(before)
            else:
                wrongly_oriented.append((before, after))
    distance = _sid(reference, other, used)
    return Comparison(tuple(missing), tuple(extra), tuple(wrongly_oriented), tuple(matching), used, distance)


def _sid(reference: _Graph, other: _Graph, on: str) -> Sid | None:
    if not isinstance(reference, Dag):
        return None
    try:
        return sid(reference, other.to_cpdag() if on == "cpdag" else other)
    except TooLargeError:
        return None


def _agreement(common: int, found: int, wanted: int) -> Agreement:
    return Agreement(common / found if found else None, common / wanted if wanted else None)


def _aligned(call: str, a: _Graph, b: _Graph, on: str | None) -> tuple[tuple[str, ...], _Masks, _Masks, str]:
    """Check both graphs; return the nodes of the first, both graphs in their order, and how to compare them."""
    if on is not None:
        check_choice(call, "on", on, _WAYS)
    require_same_names(call, a, b)
    used = on or ("mpdag" if isinstance(a, Mpdag) or isinstance(b, Mpdag) else "cpdag")
    return a.names, _masks(call, a, used), _masks(call, b.reorder(a.names), used), used


def _masks(call: str, graph: _Graph, on: str) -> _Masks:
    if on == "dag" and not isinstance(graph, Dag):
        allowed = "'cpdag' or 'mpdag' when a graph is not a Dag"
        raise bad_argument(call, "on", on, allowed, "A class has no arcs of its own to compare.")
    if isinstance(graph, Dag) and on != "cpdag":
        return _Masks(graph.parent_masks, child_masks(graph.parent_masks), [0] * graph.n_nodes)
    shown = graph if on == "mpdag" and not isinstance(graph, Dag) else graph.to_cpdag()
    return _Masks(shown.parent_masks, child_masks(shown.parent_masks), shown.neighbour_masks)
