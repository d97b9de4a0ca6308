"""`k_best`: the k best networks or equivalence classes, in order and with proof.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> best = qnml.k_best(table, 3)
>>> best.proven, best[0].log_weight
(3, 0.0)
>>> best[0].score >= best[1].score >= best[2].score
True
>>> best[0].cpdag == qnml.learn(table).cpdag
True
"""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import MOST_STRUCTURES, check_progress, check_time_limit, refuse_unknown_arguments
from qnml._api.explanation import explain
from qnml._api.k_best_result import KBest, RankedNetwork
from qnml._api.listed import given_local_scores, k_best_listed
from qnml._api.problem import Problem, fresh_scores, prepare, warn_of_overfull
from qnml._checks import check_choice, checked_whole_number
from qnml._interrupts import held_interrupts
from qnml._progress import progress_bar
from qnml.search.exact.k_best import Found, KBestRequest, make_plan, run_k_best

if TYPE_CHECKING:
    from qnml.search import Knowledge

__all__ = ["k_best"]

KINDS = ("dags", "classes")
# Networks become objects in parts, so that a time limit is kept to; some milliseconds and tenths of a second each.
_FIRST_RETURNED, _LATER_RETURNED = 1_000, 10_000
_SECONDS_TO_RETURN = 0.5


def k_best(
    data: Any,
    k: int = 10,
    score: str = "qnml",
    what: str = "classes",
    *,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    **parameters: float | str,
) -> KBest:
    """The k networks, or equivalence classes, with the highest scores, in order and with proof.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options; or :class:`LocalScores`, or a
        ``.jkl`` file of them: :doc:`local-scores`.
    k : how many; made for up to 1000, at most a million.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    what : ``"classes"`` (one entry for all equivalent networks) or ``"dags"``. The score of a class is that of its best
        admitted member; for score-equivalent scores all members have it.
    prior : as for :func:`learn`: networks are ranked by score and log prior together.
    knowledge : arcs that are required or forbidden, tiers, limits: see :class:`Knowledge`. Always obeyed.
    max_parents : limit for every variable; none by default.
    guard : what to do about families with more cells than half the rows: ``"warn"`` (when the best network has any),
        ``"cap"`` (do not admit them) or ``"off"``.
    time_limit : seconds after which what is proven so far is returned.
    memory_limit : bytes; what would need more is refused before it starts, and a search that grows beyond it returns
        what is proven so far. By default 90 % of what is free.
    n_jobs : threads; all cores by default. The result does not depend on it.
    progress : show a progress bar on standard error.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Returns
    -------
    KBest
        Of equal scores the simpler networks come first: fewer parameters, then fewer arcs, then by name. After a time
        limit or Ctrl-C it has fewer than `k` entries, all proven, and says so.

    Raises
    ------
    TooLargeError
        Before any work, with the figures: 20 variables take about 0.4 GB.
    """
    refuse_unknown_arguments(k_best, [score], parameters)
    k = checked_whole_number("k_best", "k", k, 1, MOST_STRUCTURES)
    check_choice("k_best", "what", what, KINDS)
    time_limit = check_time_limit("k_best", time_limit)
    shows_progress = check_progress("k_best", progress)
    listed = given_local_scores(data)
    if listed is not None:
        asked = {
            "score": score,
            "knowledge": knowledge,
            "max_parents": max_parents,
            "guard": guard,
            "time_limit": time_limit,
            "memory_limit": memory_limit,
            "n_jobs": n_jobs,
            "progress": shows_progress,
            "prior": prior,
            "parameters": parameters,
        }
        return k_best_listed(listed, k, what, asked)
    given = (knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    problem = prepare("k_best", data, score, *given, prior=prior)
    request = KBestRequest(problem.search, make_plan(problem.search), k, what == "classes")
    # Until there is a result to return, a second Ctrl-C must not lose it.
    with held_interrupts():
        began = time.monotonic()
        with progress_bar() if shows_progress else nullcontext() as watch:
            found, reason = run_k_best(request, time_limit, watch)
        now = time.monotonic()
        # Turning a million networks into objects takes longer than finding them.
        limit = now if reason == "interrupted" else math.inf if time_limit is None else began + time_limit
        result = _to_result(problem, request, what, found, reason, max(limit, now) + _SECONDS_TO_RETURN)
        if problem.warns and result.entries:
            warn_of_overfull(
                problem, explain(problem.table, result[0].dag, score, n_jobs=problem.search.n_jobs).overfull
            )
        return result


def _to_result(
    problem: Problem, request: KBestRequest, what: str, found: Found, reason: str | None, deadline: float
) -> KBest:
    # Each look at a list of the core copies the whole of it.
    listed, scores = found.parents, found.scores
    entries: list[RankedNetwork] = []
    size = _FIRST_RETURNED
    while len(entries) < len(listed) and (not entries or time.monotonic() < deadline):
        part = slice(len(entries), len(entries) + size)
        fresh = fresh_scores(problem, listed[part], scores[part])
        entries += [
            RankedNetwork(
                problem.dag(masks),
                value.score,
                sum_of_units - scores[0],
                problem.knowledge,
                value.log_prior,
                problem.table.interventions,
            )
            for masks, value, sum_of_units in zip(listed[part], fresh, scores[part], strict=True)
        ]
        size = _LATER_RETURNED
    bound = found.bound if found.has_bound else None
    if len(entries) < len(listed):
        # The next one is known, and no network that is not listed scores more.
        bound, reason = scores[len(entries)], reason or "time limit"
    return KBest(
        entries=tuple(entries),
        what=what,
        k=request.k,
        score_name=problem.score.label,
        prior=problem.search.prior,
        bound=bound,
        is_exhausted=found.is_exhausted and len(entries) == len(listed),
        stop_reason=reason,
        seconds=dict(found.seconds),
        networks_held=found.networks,
        frame_kind=problem.table.frame_kind,
    )
