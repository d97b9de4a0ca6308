"""Run the search that was chosen for a problem, and turn what it found into a `SearchResult`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from qnml._api.problem import FreshScore, Problem, empty_objective, fresh_scores
from qnml._api.search_result import SearchResult
from qnml.errors import QnmlError
from qnml.search.auto import AutoRequest, exact_after, without_proof
from qnml.search.exact.exact import ExactRequest, Found, exact_certificate, run_one
from qnml.search.local import local_search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.search import Certificate
    from qnml.search.running.interruptible import Watch

__all__ = ["Solve", "exact_result", "run_search"]

# The answer of a search to a problem within some seconds.
Solve: TypeAlias = Callable[[Problem, float | None], SearchResult]


def run_search(
    problem: Problem,
    request: ExactRequest | local_search.LocalRequest | AutoRequest,
    time_limit: float | None,
    watch: Watch | None,
) -> SearchResult:
    """Run a search and score its network afresh.

    Parameters
    ----------
    problem : the problem to solve.
    request : the search, as chosen for the problem.
    time_limit : seconds after which the search stops with the best network found so far.
    watch : receives the progress.
    """
    if isinstance(request, ExactRequest):
        return exact_result(problem, request, *run_one(request, time_limit, watch))
    if isinstance(request, AutoRequest):
        return _run_both(problem, request, time_limit, watch)
    return _with_certificate(problem, *_run_local(problem, request, time_limit, watch))


def exact_result(problem: Problem, request: ExactRequest, found: Found, reason: str | None) -> SearchResult:
    """The result of an exact search.

    Parameters
    ----------
    problem : the problem that was solved.
    request : the search.
    found : what the core found.
    reason : why the search stopped early, if it did.
    """
    if not found.has_network:
        raise QnmlError("learn: the search ended without a network.")
    (value,) = fresh_scores(problem, [found.parents], [found.score])
    certificate = exact_certificate(found, value.objective, request, _has_ties(problem, request, found), reason)
    return _with_certificate(problem, found.parents, value, certificate)


def _run_local(
    problem: Problem, request: local_search.LocalRequest, time_limit: float | None, watch: Watch | None
) -> tuple[list[int], FreshScore, Certificate]:
    found, reason = local_search.run(request, time_limit, watch)
    masks = local_search.masks_of(found, request.problem)
    (value,) = fresh_scores(problem, [masks], [found.score])
    return masks, value, local_search.make_certificate(found, value.objective, request.plan.method, reason)


def _run_both(problem: Problem, request: AutoRequest, time_limit: float | None, watch: Watch | None) -> SearchResult:
    """A search that always ends, and in the time that is left an exact one from its network."""
    began = time.perf_counter()
    masks, value, first = _run_local(problem, request.first, time_limit, watch)
    left = None if time_limit is None else time_limit - (time.perf_counter() - began)
    if first.stop_reason in ("interrupted", "time limit") or (left is not None and left <= 0.0):
        return _with_certificate(problem, masks, value, first)
    exact = request.exact_from(masks)
    found, reason = run_one(exact, left, watch)
    if not found.optimal and list(found.parents) == masks:
        return _with_certificate(problem, masks, value, without_proof(first, found, reason))
    result = exact_result(problem, exact, found, reason)
    return replace(result, certificate=exact_after(first, result.certificate))


def _with_certificate(
    problem: Problem, masks: Sequence[int], value: FreshScore, certificate: Certificate
) -> SearchResult:
    return SearchResult(
        dag=problem.dag(masks),
        score=value.score,
        score_name=problem.score.label,
        certificate=_completed(problem, certificate),
        table=problem.table,
        bound_score=problem.score,
        knowledge=problem.knowledge,
        prior=problem.search.prior,
        log_prior=value.log_prior,
    )


def _completed(problem: Problem, certificate: Certificate) -> Certificate:
    """The certificate with the limit on parents that was asked for or, without a proof, the score of no arcs."""
    if not certificate.optimal:
        return replace(certificate, empty=empty_objective(problem))
    limits = set(problem.search.compiled.max_parents)
    is_limited = len(limits) == 1 and max(limits) < len(problem.names) - 1
    return replace(certificate, most_parents=max(limits) if is_limited else None)


def _has_ties(problem: Problem, request: ExactRequest, found: Found) -> bool | None:
    """Whether another class scores the same; arcs to variables of one level, left out of the search, count."""
    if not found.ties_examined:
        return None
    known, searched = problem.search.compiled, request.problem.compiled
    if found.has_ties or searched == known:
        return found.has_ties
    if problem.search.prior == "sparse":  # only no parents and all other variables have the same price
        everyone = len(known.allowed) - 1
        return any(
            allowed.bit_count() == everyone <= most
            for allowed, most in zip(known.allowed, known.max_parents, strict=True)
        )
    if problem.score.score.has_price_of_arcs and problem.score.value > 0:
        return False  # every arc costs something
    return any(
        known.allowed[child] & ~searched.allowed[child] and parents.bit_count() < known.max_parents[child]
        for child, parents in enumerate(found.parents)
    )
