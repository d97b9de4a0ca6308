"""`learn(shape=…)`: the arguments that choose a shape, and the result of its search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._api.problem import fresh_scores
from qnml._api.search_result import SearchResult
from qnml._checks import check_choice, checked_name
from qnml.errors import InputError, bad_argument
from qnml.graph import Dag
from qnml.search import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.problem import Problem
    from qnml.search import Plan
    from qnml.search.running.interruptible import Watch

__all__ = ["checked_shape", "learn_shape", "plan_shape"]


def checked_shape(
    call: str, shape: object, target: object, names: Sequence[str], **others: object
) -> tuple[str, str | None] | None:
    """The shape and its target, or None for networks of any shape.

    Parameters
    ----------
    call
        The function that was called, for messages.
    shape, target
        As for `learn`.
    names
        The columns.
    **others
        Arguments that no shape takes, by name: method, ties and start as given.
    """
    if shape is None:
        if target is not None:
            raise bad_argument(call, "target", target, "None without shape='tan'")
        return None
    check_choice(call, "shape", shape, shapes.SHAPES)
    chosen = str(shape)
    if others["method"] not in ("auto", "exact"):
        advice = "A shape has a search of its own, which proves its answer."
        raise bad_argument(call, "method", others["method"], "'auto' or 'exact' with shape=…", advice)
    if others["ties"] != "canonical":
        raise bad_argument(call, "ties", others["ties"], "'canonical' with shape=…")
    if others["start"] is not None:
        raise bad_argument(call, "start", others["start"], "None with shape=…", "The best one is proven without it.")
    if chosen != "tan":
        if target is not None:
            raise bad_argument(call, "target", target, f"None with shape='{chosen}'", "Only shape='tan' has a target.")
        return chosen, None
    if target is None:
        raise InputError(
            f"{call}: shape='tan' needs a target. Say target='NAME', with the name of the variable to be predicted."
        )
    return chosen, checked_name(call, "target", target, names)


def learn_shape(
    problem: Problem, shape: str, target: str | None, time_limit: float | None, watch: Watch | None
) -> SearchResult:
    """The best network of a shape.

    Parameters
    ----------
    problem
        The problem.
    shape, target
        As `checked_shape` returns them.
    time_limit, watch
        As for other searches.
    """
    request = _request(problem, shape, target)
    found, seconds = shapes.run(request, time_limit, watch)
    masks = [sum(1 << parent for parent in parents) for parents in found.parents]
    (value,) = fresh_scores(problem, [masks], [found.score])
    certificate = shapes.make_certificate(found, value.objective, request, seconds)
    return SearchResult(
        dag=Dag.from_masks(problem.names, masks).reorder(problem.table.names),
        score=value.score,
        score_name=problem.score.label,
        certificate=certificate,
        table=problem.table,
        bound_score=problem.score,
        knowledge=problem.knowledge,
        prior=problem.search.prior,
        log_prior=value.log_prior,
    )


def plan_shape(problem: Problem, shape: str, target: str | None) -> Plan:
    """What that search would need.

    Parameters
    ----------
    problem
        The problem.
    shape, target
        As `checked_shape` returns them.
    """
    return _request(problem, shape, target).plan


def _request(problem: Problem, shape: str, target: str | None) -> shapes.ShapeRequest:
    return shapes.request_of(problem.search, shape, -1 if target is None else problem.names.index(target))
