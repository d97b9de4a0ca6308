"""Running the search for the best tree, forest or tree-augmented classifier: rules, forecast, certificate.

In these shapes every variable has at most one parent beside those that the shape gives it. So what an arc gains
does not depend on the other arcs, and a spanning tree gives the best network with proof. See ``docs/shapes.md``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml import _core
from qnml._memory import peak_memory
from qnml.errors import InputError, QnmlError, TooLargeError
from qnml.graph.labels import listed
from qnml.graph.masks import bits
from qnml.search.plan import Plan
from qnml.search.running.certificate import Certificate
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.search.knowledge.knowledge import CompiledKnowledge
    from qnml.search.problem import SearchProblem

__all__ = ["SHAPES", "ShapeRequest", "make_certificate", "make_plan", "request_of", "run"]

# By shape: what the arcs that are chosen form, and the words for networks of this shape.
SHAPES = {"tree": _core.Span.tree, "forest": _core.Span.forest, "tan": _core.Span.forest}
_PLURALS = {"tree": "trees", "forest": "forests", "tan": "tree-augmented classifiers"}
_DIRECT_UP_TO = 50  # variables: finished before a thread would pay off


@dataclass(frozen=True)
class ShapeRequest:
    """One search for the best network of a shape.

    Attributes
    ----------
    problem : the problem, with the arcs of the target required.
    plan : its forecast.
    shape : one of `SHAPES`.
    target : number of the variable that is the parent of all others; -1 for none.
    """

    problem: SearchProblem
    plan: Plan
    shape: str
    target: int = -1


def request_of(problem: SearchProblem, shape: str, target: int) -> ShapeRequest:
    """The search for a shape, under the rules that the shape adds.

    Parameters
    ----------
    problem
        The problem.
    shape
        One of `SHAPES`.
    target
        Number of the variable that is the parent of all others; -1 for none.

    Raises
    ------
    InputError
        If the rules of the problem contradict the shape; the message names every conflict.
    """
    conflicts = [*_conflicts(problem, target)]
    if conflicts:
        raise InputError(
            f"{problem.call}(shape='{shape}'): the rules contradict this shape: {listed(conflicts)}. "
            "Change the knowledge, or learn without a shape."
        )
    if target >= 0:
        problem = replace(problem, compiled=_with_target(problem, target))
    return ShapeRequest(problem, make_plan(problem, shape), shape, target)


def _with_target(problem: SearchProblem, target: int) -> CompiledKnowledge:
    compiled, mine = problem.compiled, 1 << target
    required = [mask | mine if child != target else mask for child, mask in enumerate(compiled.required)]
    allowed = [mask if child != target else 0 for child, mask in enumerate(compiled.allowed)]
    return replace(compiled, required=tuple(required), allowed=tuple(allowed))


def _conflicts(problem: SearchProblem, target: int) -> Iterator[str]:
    compiled = problem.compiled
    names = compiled.names
    for child, required in enumerate(compiled.required):
        others = [names[parent] for parent in bits(required) if parent != target]
        if child == target:
            why = "but the target has no parents"
            yield from (f"the arc {parent} -> {names[child]} is required, {why}" for parent in others)
            continue
        if len(others) > 1:
            beside = f" beside {names[target]}" if target >= 0 else ""
            yield f"{names[child]} has {len(others)} required parents{beside} ({', '.join(others)}), where one fits"
        if target < 0:
            continue
        if not compiled.allowed[child] >> target & 1:
            yield f"the arc {names[target]} -> {names[child]} is not allowed"
        elif compiled.max_parents[child] < 1 + min(len(others), 1):
            yield f"{names[child]} may have {compiled.max_parents[child]} parents, and needs {1 + min(len(others), 1)}"


def make_plan(problem: SearchProblem, shape: str) -> Plan:
    """Forecast the search: all pairs of variables are counted once.

    Parameters
    ----------
    problem
        The problem.
    shape
        One of `SHAPES`.
    """
    n, n_rows, limit = problem.n_variables, problem.n_rows, problem.memory_limit
    needed = _core.shape_bytes(n)
    pairs = n * (n - 1) / 2
    return Plan(
        n_variables=n,
        n_rows=n_rows,
        method=shape,
        sets=n + pairs,
        families=float(n * n),
        memory_bytes=needed,
        memory_limit=limit,
        seconds=(1e-6 * max(n_rows, 50) / 1000 + 2e-8) * 2 * pairs / problem.n_jobs,
        fits=needed <= limit,
        advice="" if needed <= limit else "Allow more memory, or select fewer columns.",
        work=f"{n + pairs:.3g} sets of variables to count",
    )


def run(request: ShapeRequest, time_limit: float | None, watch: Watch | None) -> tuple[_core.ShapeResult, float]:
    """Run the core; return also the seconds it took.

    Raises
    ------
    InputError
        If the rules admit no tree.
    QnmlError
        After the time limit: until all pairs are counted, no network of the shape is known.
    TooLargeError
        Before any work, if the plan does not fit.
    """
    problem = request.problem
    if not request.plan.fits:
        raise TooLargeError(f"{problem.call}: {request.plan.sentence()}")
    control, began = _core.Control(), time.perf_counter()
    if time_limit is not None:
        control.set_deadline(time_limit)

    def work() -> _core.ShapeResult:
        return _core.learn_shape(problem.core, SHAPES[request.shape], request.target, control)

    is_quick = problem.n_variables <= _DIRECT_UP_TO and watch is None
    memory = f"{problem.call}: memory ran out during the search. Set memory_limit, or select fewer columns."
    found, interrupted = (work(), 0) if is_quick else interruptible(work, control, watch, memory)
    if not found.exists:
        if interrupted:
            raise KeyboardInterrupt
        if control.is_timed_out:
            raise QnmlError(
                f"{problem.call}(shape='{request.shape}'): the time limit of {time_limit:g} s was reached before all "
                f"pairs of variables were counted, and no {request.shape} is known until then. Allow more time."
            )
        raise InputError(
            f"{problem.call}(shape='{request.shape}'): the rules admit no tree that connects all variables. "
            "Say shape='forest', or allow more arcs."
        )
    return found, time.perf_counter() - began


def make_certificate(found: _core.ShapeResult, score: float, request: ShapeRequest, seconds: float) -> Certificate:
    """The certificate of the network found.

    Parameters
    ----------
    found
        The result of the core.
    score
        The score of the network, computed independently.
    request
        The search.
    seconds
        How long it took.
    """
    return Certificate(
        optimal=True,
        score=score,
        bound=score,
        ties=None,
        tie_rule="canonical",
        method=request.shape,
        stop_reason=None,
        families_scored=found.families,
        families_pruned=0,
        candidates=0,
        states=0,
        visits=0,
        seconds={"pairs": seconds},
        peak_memory=peak_memory(),
        n_proven=request.problem.n_variables,
        among=_PLURALS[request.shape],
    )
