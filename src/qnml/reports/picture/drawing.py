"""The content of a drawing, independent of the renderer: names, lines and their strengths."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from qnml.errors import bad_argument
from qnml.graph import Cpdag, Dag, Mpdag

if TYPE_CHECKING:
    from qnml._api.explanation import Explanation

__all__ = ["Belief", "Drawable", "Drawing", "Line", "Strengths", "drawing_of"]

Drawable: TypeAlias = Any
"""A Dag, a Cpdag, an Mpdag, an object that has an ``mpdag`` or a ``dag`` (a search result, a network), a `Drawing`."""

Strengths: TypeAlias = "Mapping[tuple[str, str], float] | Explanation"


@dataclass(frozen=True)
class Belief:
    """The probability of a line in each direction: downwards, from upper to lower, and upwards."""

    down: float
    up: float

    @property
    def either(self) -> float:
        """The probability that the two nodes are adjacent."""
        return min(self.down + self.up, 1.0)


@dataclass(frozen=True)
class Line:
    """An arc or an edge between two node numbers.

    Attributes
    ----------
    upper, lower : the ends: parent and child of an arc; of an edge, chosen such that the lines form no cycle.
    directed : whether it is an arc.
    bits : what the score loses without it, or None if unknown.
    belief : its probability, if structures were averaged.
    """

    upper: int
    lower: int
    directed: bool
    bits: float | None = None
    belief: Belief | None = None


@dataclass(frozen=True)
class Drawing:
    """Names of the nodes, including isolated ones, and the lines between them."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The ends of all lines, upper before lower."""
        return [(line.upper, line.lower) for line in self.lines]

    @property
    def weakest_and_strongest(self) -> tuple[float, float] | None:
        """The minimum and maximum bits of the lines, or None if none are known."""
        known = [line.bits for line in self.lines if line.bits is not None]
        return (min(known), max(known)) if known else None


def drawing_of(call: str, graph: Drawable, strengths: Strengths | None = None) -> Drawing:
    """Collect the content of a drawing.

    Parameters
    ----------
    call
        For errors.
    graph
        A Dag is drawn with its arcs, a Cpdag or an Mpdag with directed and undirected edges; a search result as its
        Mpdag with its strengths; any other object with a ``dag`` as that Dag. A drawing is returned unchanged.
    strengths
        Bits by pair of names, in either order, or an explanation; by default those of the result.
    """
    if isinstance(graph, Drawing):
        return graph
    if strengths is None:
        strengths = getattr(graph, "explanation", None)
    member, fixed = _structure(call, graph)
    bits = _bits(call, strengths)
    number = {name: place for place, name in enumerate(member.names)}
    return Drawing(
        member.names,
        tuple(
            Line(
                number[parent],
                number[child],
                fixed is None or (parent, child) in fixed,
                _finite(bits.get((parent, child), bits.get((child, parent)))),
            )
            for parent, child in member.arcs
        ),
    )


def _structure(call: str, graph: Drawable) -> tuple[Dag, set[tuple[str, str]] | None]:
    """Return a member of the class, and its directed arcs; None if all arcs are directed."""
    members = getattr(graph, "mpdag", graph)
    dag = getattr(graph, "dag", graph)
    if isinstance(members, Cpdag | Mpdag):
        member = dag if isinstance(dag, Dag) else members.consistent_extension()
        return member, set(members.directed)
    if isinstance(dag, Dag):
        return dag, None
    raise bad_argument(call, "graph", graph, "a Dag, a Cpdag, an Mpdag, a Network or the result of learning one")


def _finite(bits: float | None) -> float | None:
    try:
        return None if bits is None or not math.isfinite(bits) else float(bits)
    except OverflowError:  # an integer beyond the range of doubles
        return None


def _bits(call: str, strengths: Strengths | None) -> Mapping[tuple[str, str], float]:
    if strengths is None:
        return {}
    allowed = "bits by pair of names, or an explanation of a score"
    if not isinstance(strengths, Mapping):
        try:
            strengths = {(arc.parent, arc.child): arc.removal_cost_bits for arc in strengths.arcs}
        except (AttributeError, TypeError):
            raise bad_argument(call, "strengths", strengths, allowed) from None
    if not all(isinstance(bits, numbers.Real) for bits in strengths.values()):
        raise bad_argument(call, "strengths", strengths, allowed)
    return strengths
