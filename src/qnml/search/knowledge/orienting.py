"""Background knowledge applied to an equivalence class: which of its edges get a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import InputError, bad_argument
from qnml.graph import Cpdag, Dag
from qnml.graph.masks import bits, child_masks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.graph import Mpdag
    from qnml.search.knowledge.knowledge import CompiledKnowledge, Knowledge

__all__ = ["admitted_members"]

_CALL = "Knowledge.orient"


def admitted_members(knowledge: Knowledge, graph: Dag | Cpdag) -> Mpdag:
    """Direct the edges of a class as far as knowledge does; see `Knowledge.orient`."""
    if not isinstance(graph, Dag | Cpdag):
        raise bad_argument(_CALL, "graph", graph, "a qnml.Dag or a qnml.Cpdag")
    cpdag = graph.to_cpdag()
    names = cpdag.names
    compiled = knowledge.compile(names)
    for child, parent in _missing(compiled, cpdag):
        raise InputError(
            f"{_CALL}: no member is admitted: the required arc {names[parent]} -> {names[child]} is missing."
        )
    for child, parents in enumerate(cpdag.parent_masks):
        for parent in bits(parents & ~compiled.allowed[child]):
            edge = f"{names[parent]} -> {names[child]}"
            raise InputError(f"{_CALL}: no member is admitted: all have the arc {edge}, which the knowledge excludes.")
    try:
        return cpdag.orient((names[tail], names[head]) for tail, head in _known(compiled, cpdag))
    except InputError as error:
        raise InputError(f"{_CALL}: no member is admitted: {error}") from error


def _missing(compiled: CompiledKnowledge, cpdag: Cpdag) -> Iterator[tuple[int, int]]:
    """Required arcs that no member can have: their nodes are not adjacent, or the arc is the other way round."""
    for child, required in enumerate(compiled.required):
        there = cpdag.parent_masks[child] | cpdag.neighbour_masks[child]
        for parent in bits(required & ~there):
            yield child, parent


def _known(compiled: CompiledKnowledge, cpdag: Cpdag) -> Iterator[tuple[int, int]]:
    """Undirected edges of which one direction is required or the other is not allowed, as (tail, head)."""
    excluded = child_masks([beside & ~own for beside, own in zip(cpdag.neighbour_masks, compiled.allowed, strict=True)])
    for head, beside in enumerate(cpdag.neighbour_masks):
        for tail in bits(beside & (compiled.required[head] | excluded[head])):
            yield tail, head
