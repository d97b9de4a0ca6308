"""Validation of the states of Markov chains.

A state is a document that users can edit. All of it is checked, against its schema and against the problem, before any
of it reaches the core. Every error names the entry, its value and the allowed values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qnml._memory import format_bytes
from qnml._schema import ABSENT, ListOf, MisfitError, Number, OneOf, OrNull, Record, Text, Whole
from qnml.errors import TooLargeError, bad_argument, shown
from qnml.graph.masks import child_masks, shortest_cycle, topological_order
from qnml.search.chains.candidate_sets import BYTES_PER_SET, MOST_CANDIDATES, allowed_parents
from qnml.search.chains.settings import MOVES
from qnml.search.priors import PRIORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._schema import Kind
    from qnml.errors import InputError
    from qnml.search.problem import SearchProblem

__all__ = ["CHAIN_PARTS", "VERSION", "checked_state", "refusal"]

VERSION = 3
"""Version of the schema of states."""

CHAIN_PARTS = ("random", "dag", "outside", "sweeps", "tried", "changed")
"""Parts of the state of a chain."""

# Numbers of sweeps and moves are exact as doubles, and so in the JSON of other programs.
_COUNT = Whole(0, 2**53)
# Estimates from trial runs lie far inside; the odds with any number of candidates neither vanish nor overflow.
_ODDS = Number(1e-9, 1e12)
_CROWDING = Number(0.0, 10.0)


def checked_state(document: object, problem: SearchProblem, n_chains: int) -> dict[str, Any]:
    """The state as plain lists and dictionaries, checked: number of chains, variables, and admitted parents.

    Parameters
    ----------
    document
        The argument of the user.
    problem
        The problem to continue with.
    n_chains
        Number of chains of the run.

    Raises
    ------
    InputError
        Naming the entry, its value and the allowed values.
    TooLargeError
        If sums over the candidates do not fit into memory.
    """
    try:
        _check_head(document, problem)
        state = _form(problem.n_variables, n_chains).take(document)
        _check_candidates(state, allowed_parents(problem))
        for number, chain in enumerate(state["chains"]):
            _check_chain(chain, f"chains[{number}]", state["candidates"], problem)
        _check_streams(state["chains"])
    except MisfitError as misfit:
        raise refusal(misfit.place, misfit.found, misfit.allowed) from None
    needed = BYTES_PER_SET * sum(2.0 ** len(mine) for mine in state["candidates"])
    if needed > problem.memory_limit:
        raise TooLargeError(
            f"posterior(state): sums over its candidates need {format_bytes(needed)}; "
            f"{format_bytes(problem.memory_limit)} may be used. Give a larger memory_limit, or start new chains."
        )
    return state


def refusal(place: str, value: object, allowed: str, advice: str = "") -> InputError:
    """The error about an entry of the state."""
    path = f"state{place}" if not place or place.startswith("[") else f"state.{place}"
    return bad_argument("posterior", path, value, allowed, advice)


def _check_head(document: object, problem: SearchProblem) -> None:
    """Check version, variables and prior first: the schema of the rest depends on them."""
    if not isinstance(document, Mapping):
        raise MisfitError("", document, "the state of an earlier posterior by chains, a dictionary")
    version = document.get("version", ABSENT)
    if type(version) is not int or version != VERSION:
        raise MisfitError("version", version, f"{VERSION}: states of other versions of qnml cannot be continued")
    head = Record({"names": ListOf(Text()), "prior": OneOf(PRIORS)})
    found = head.take({name: document[name] for name in head.fields if name in document})
    for name, expected in (("names", list(problem.compiled.names)), ("prior", problem.prior)):
        if found[name] != expected:
            same = "the same variables" if name == "names" else "the same prior"
            raise MisfitError(name, found[name], f"{shown(expected)}: the state of a run with {same}")


def _form(n: int, n_chains: int) -> Record:
    """The schema of a state with n variables."""
    node = Whole(0, n - 1)
    chain: dict[str, Kind] = {
        "random": ListOf(Whole(0, 2**64 - 1), 4),
        "dag": ListOf(Whole(0, 2**MOST_CANDIDATES - 1), n),
        "outside": ListOf(ListOf(node, range(n)), n),
        "sweeps": _COUNT,
        "tried": ListOf(_COUNT, len(MOVES)),
        "changed": ListOf(_COUNT, len(MOVES)),
    }
    return Record(
        {
            "version": OneOf((VERSION,)),
            "names": ListOf(Text(), n),
            "prior": OneOf(PRIORS),
            "candidates": ListOf(ListOf(node, range(MOST_CANDIDATES + 1)), n),
            "odds": OrNull(ListOf(ListOf(_ODDS, n), n)),
            "crowding": OrNull(ListOf(_CROWDING, n)),
            "log_totals": ListOf(Number(), n),
            "chains": ListOf(Record(chain), n_chains),
        }
    )


def _check_candidates(state: Mapping[str, Any], allowed: Sequence[Sequence[int]]) -> None:
    candidates = state["candidates"]
    for child, (mine, possible) in enumerate(zip(candidates, allowed, strict=True)):
        _check_parents(mine, f"candidates[{child}]", possible, "parents that the knowledge allows and does not require")
    for part, other in (("odds", "crowding"), ("crowding", "odds")):
        if state[part] is None and state[other] is not None:
            raise MisfitError(part, None, f"given, as {other} is")
    if state["odds"] is None and candidates != allowed:
        child = next(child for child, mine in enumerate(candidates) if mine != allowed[child])
        raise MisfitError("odds", None, f"given: not all allowed parents are in candidates[{child}]")


def _check_chain(
    chain: Mapping[str, Any], place: str, candidates: Sequence[Sequence[int]], problem: SearchProblem
) -> None:
    parents = []
    allowed = allowed_parents(problem)
    for child, (mine, chosen, outside) in enumerate(zip(candidates, chain["dag"], chain["outside"], strict=True)):
        Whole(0, 2 ** len(mine) - 1).take(chosen, f"{place}.dag[{child}]")
        others = [parent for parent in allowed[child] if parent not in mine]
        _check_parents(outside, f"{place}.outside[{child}]", others, "allowed parents that are not candidates")
        inside = [parent for k, parent in enumerate(mine) if chosen >> k & 1]
        family = sum((1 << parent for parent in (*inside, *outside)), problem.compiled.required[child])
        if not problem.admits(child, family):
            within = f"parents of {problem.compiled.names[child]!r} within max_parents and the guard"
            raise MisfitError(f"{place}.dag[{child}]", chosen, within)
        parents.append(family)
    order = topological_order(parents, child_masks(parents))
    if len(order) < len(parents):
        walk = " -> ".join(problem.compiled.names[node] for node in shortest_cycle(parents, order))
        raise MisfitError(f"{place}.dag", chain["dag"], f"a graph without cycles: with its other parents it has {walk}")
    for move, (tried, changed) in enumerate(zip(chain["tried"], chain["changed"], strict=True)):
        if changed > tried:
            raise MisfitError(f"{place}.changed[{move}]", changed, f"at most tried[{move}], which is {tried}")


def _check_parents(found: Sequence[int], place: str, possible: Sequence[int], what: str) -> None:
    known = set(possible)
    for number, parent in enumerate(found):
        if parent not in known:
            raise MisfitError(f"{place}[{number}]", parent, f"one of {shown(list(possible))}, {what}")
        if number and parent <= found[number - 1]:
            raise MisfitError(f"{place}[{number}]", parent, f"above the entry before it, which is {found[number - 1]}")


def _check_streams(chains: Sequence[Mapping[str, Any]]) -> None:
    """Check the random generators: equal ones would give equal chains, and one of four zeros yields only zeros."""
    seen: dict[tuple[int, ...], int] = {}
    for number, chain in enumerate(chains):
        words = tuple(chain["random"])
        if not any(words):
            raise MisfitError(f"chains[{number}].random", chain["random"], "other than four zeros")
        if words in seen:
            raise MisfitError(f"chains[{number}].random", chain["random"], f"other than that of chains[{seen[words]}]")
        seen[words] = number
