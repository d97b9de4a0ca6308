"""The network that `learn` starts from: matched with the columns by name, completed and checked under the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from qnml._checks import checked_list
from qnml.errors import CycleError, InputError, UnknownNameError, bad_argument, plain, unknown_name
from qnml.graph import Cpdag, Dag, Mpdag
from qnml.graph.labels import checked_pairs, listed
from qnml.graph.masks import bits, child_masks, shortest_cycle, topological_order
from qnml.model import Network
from qnml.search.auto import AutoRequest
from qnml.search.exact.exact import ExactRequest
from qnml.search.local.local_search import LocalRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.problem import Problem
    from qnml.search import Knowledge, SearchProblem

__all__ = ["checked_start", "started_from", "starting_from"]

_Request: TypeAlias = ExactRequest | LocalRequest | AutoRequest
_ALLOWED = "a qnml.Dag, a qnml.Network, a model string such as '[a][b|a]', or arcs as pairs (parent, child) of names"


def checked_start(call: str, start: Any, names: Sequence[str]) -> Dag:
    """The network that is given as a start, as a graph over all columns; those that it does not name have no arcs.

    Parameters
    ----------
    call : the function that was called, for messages.
    start : as for `learn`.
    names : the columns.
    """
    given = start.dag if isinstance(start, Network) else start
    if isinstance(given, str):
        if not given.lstrip().startswith("["):
            raise bad_argument(call, "start", given, _ALLOWED, "Read a file with qnml.read_structure(path)[0].")
        given = Dag.from_modelstring(given)
    if isinstance(given, Cpdag | Mpdag):
        raise bad_argument(call, "start", start, _ALLOWED, "Take a member of the class: start.consistent_extension().")
    if isinstance(given, Dag):
        _refuse_unknown(call, given.names, names)
        arcs: Any = given.arcs
    else:
        arcs = checked_list(call, "start", given, _ALLOWED)
    masks = [0] * len(names)
    for parent, child in checked_pairs(call, "start", arcs, {name: place for place, name in enumerate(names)}):
        masks[child] |= 1 << parent
    cycle = _cycle(masks)
    if cycle:
        raise CycleError(f"{call}: the start", [names[node] for node in cycle])
    return Dag.from_masks(names, masks)


def started_from(problem: Problem, start: Dag, knowledge: Knowledge | None) -> tuple[int, ...]:
    """The parents of each variable in the start completed by the required arcs, variables in the order of their names.

    Parameters
    ----------
    problem : what is to be solved.
    start : the network, over all columns.
    knowledge : the knowledge in the problem, which words its conflicts.

    Raises
    ------
    InputError
        If the completed network breaks the rules; the message names every conflict.
    """
    call, rules = problem.search.call, problem.search.compiled
    given = start.reorder(problem.names).parent_masks
    masks = tuple(mask | required for mask, required in zip(given, rules.required, strict=True))
    cycle = [problem.names[node] for node in _cycle(masks)]
    if cycle:
        raise InputError(
            f"{call}: the start and the required arcs form the cycle {' -> '.join(map(plain, cycle))}. "
            "Remove or turn an arc of the start, or change the knowledge."
        )
    conflicts = [*_arc_conflicts(problem, masks, knowledge), *_size_conflicts(problem, masks)]
    if conflicts:
        raise InputError(
            f"{call}: the start conflicts with the rules of the search: {listed(conflicts)}. "
            "Change the start, or the rules."
        )
    return masks


def starting_from(request: _Request, masks: tuple[int, ...]) -> _Request:
    """The same search, from a network.

    Arcs of variables with one level, which canonical networks leave unconnected, are dropped: they change no fit.

    Parameters
    ----------
    request : the search.
    masks : the parents of each variable, admitted and acyclic.
    """
    if isinstance(request, AutoRequest):
        return replace(request, first=replace(request.first, start=_searched(request.first.problem, masks)))
    kept = _searched(request.problem, masks)
    return replace(request, known=kept) if isinstance(request, ExactRequest) else replace(request, start=kept)


def _searched(search: SearchProblem, masks: Sequence[int]) -> tuple[int, ...]:
    return tuple(mask & allowed for mask, allowed in zip(masks, search.compiled.allowed, strict=True))


def _arc_conflicts(problem: Problem, masks: Sequence[int], knowledge: Knowledge | None) -> list[str]:
    known = [] if knowledge is None else knowledge.violations(problem.dag(masks))
    found = [text for text in known if not text.endswith("are allowed")]  # numbers of parents come with other limits
    # Besides the knowledge, only indicators of missing cells forbid arcs: they have no children.
    made = problem.table.preparation
    indicators = set() if made is None else {*made.indicators} - {*(() if knowledge is None else knowledge.leaves)}
    for child, mask in enumerate(masks):
        barred = [problem.names[one] for one in bits(mask & ~problem.search.compiled.allowed[child])]
        found += [
            f"the arc {one} -> {problem.names[child]} starts at an indicator of missing cells"
            for one in barred
            if one in indicators
        ]
    return found


def _size_conflicts(problem: Problem, masks: Sequence[int]) -> list[str]:
    names, rules = problem.names, problem.search.compiled
    found = []
    for child, mask in enumerate(masks):
        if mask.bit_count() > rules.max_parents[child]:
            limit = rules.max_parents[child]
            found.append(f"{names[child]} has {mask.bit_count()} parents, at most {limit} are allowed")
        elif not mask & ~rules.allowed[child] and not problem.search.admits(child, mask):
            found.append(f"{names[child]} and its parents have more cells than half the rows, against guard='cap'")
    return found


def _refuse_unknown(call: str, given: Sequence[str], names: Sequence[str]) -> None:
    lacking = [name for name in given if name not in set(names)]
    if lacking:
        nearest = str(unknown_name(call, "start", lacking[0], names))
        raise UnknownNameError(
            f"{call}: the start names {len(lacking)} variable(s) the data lack: {listed(lacking, 5)}. {nearest}"
        )


def _cycle(masks: Sequence[int]) -> list[int]:
    order = topological_order(masks, child_masks(masks))
    return [*shortest_cycle(masks, order)] if len(order) < len(masks) else []
