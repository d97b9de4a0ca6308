"""The front door for structure learning: check the arguments, wire the rooms, return.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> result = qnml.learn(table)
>>> result.certificate.optimal
True
>>> ("tub", "either") in result.dag.arcs or ("either", "tub") in result.dag.arcs
True
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from qnml._api.problem import (
    MOST_SEED,
    CountedTable,
    Problem,
    check_choice,
    check_progress,
    check_time_limit,
    check_whole_number,
    fresh_scores,
    prepare,
    refuse_unknown_arguments,
    warn_of_overfull,
)
from qnml._api.scoring import Explanation, FamilyExplanation, explain
from qnml._api.search_choice import METHODS, choose_with_fallback
from qnml._checks import checked_list
from qnml._interrupts import held_interrupts
from qnml._jobs import resolve_jobs
from qnml._progress import progress_bar
from qnml.errors import QnmlError, TooLargeError, bad_argument
from qnml.graph.masks import bits
from qnml.scores import BoundScore, find_score
from qnml.search.auto import AutoRequest, exact_after, without_proof
from qnml.search.exact.exact import TIE_RULES, Found, Request, exact_certificate, run_many, run_one
from qnml.search.local import local_search

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from qnml.data import Table
    from qnml.graph import Cpdag, Dag
    from qnml.model import Network
    from qnml.report.notebook import Picture
    from qnml.search import Certificate, Knowledge, Plan
    from qnml.search.running.interruptible import Watch

__all__ = ["SearchResult", "learn", "learn_many", "plan"]


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A learned structure with its certificate.

    Attributes
    ----------
    dag : the network found; of an exact search, a canonical one among the members of its equivalence class.
    score : its score in nats, computed afresh from the table.
    score_name : the score and its parameter.
    certificate : what is proven about it.
    table : the data it was learned from.
    """

    dag: Dag
    score: float
    score_name: str
    certificate: Certificate
    table: Table
    bound_score: BoundScore

    @cached_property
    def cpdag(self) -> Cpdag:
        """The equivalence class of the network: arcs that the data cannot direct are undirected."""
        return self.dag.to_cpdag()

    @cached_property
    def explanation(self) -> Explanation:
        """Fit and penalty per variable, and per arc what removing it would cost, in bits."""
        return explain(self.table, self.dag, self.bound_score.score.name, n_jobs=None, **self._parameters)

    @cached_property
    def copies(self) -> tuple[tuple[str, ...], ...]:
        """Groups of columns that tell the rows apart in the same way: no score knows which of them others depend on.

        In a search that is not exact the first of them by name is the parent, wherever one of them alone is, unless
        knowledge tells them apart. Exact searches have their own rule (see `learn`, `ties`).
        """
        counted = CountedTable(self.table)
        return tuple(tuple(counted.names[column] for column in group) for group in counted.counts.copies)

    @property
    def overfull(self) -> tuple[FamilyExplanation, ...]:
        """Families with more cells than half the number of rows (see :class:`FamilyExplanation`)."""
        return self.explanation.overfull

    @property
    def _parameters(self) -> dict[str, float | str]:
        parameter = self.bound_score.score.parameter
        return {} if parameter is None else {parameter.name: self.bound_score.value}

    def sentence(self) -> str:
        """The certificate in one sentence."""
        return self.certificate.sentence()

    def fit(self, parameters: str = "snml", **options: float) -> Network:
        """The network with parameters estimated from the same table; see :func:`qnml.fit`."""
        from qnml.model import fit

        return fit(self.table, self.dag, parameters=parameters, **options)

    def plot(self, path: str | PathLike[str] | None = None) -> Picture:
        """Draw the equivalence class, arcs as thick as they are strong.

        Parameters
        ----------
        path : a file to save the picture to, ending in ``.svg``, ``.png`` or ``.dot``; ``.save(path)`` does the same.
        """
        # The one place where a result knows its looks: notebooks ask objects how they show themselves.
        from qnml.report.notebook import Picture

        picture = Picture(self)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        return f"{self.plot()._repr_html_()}<p>{self.score_name} {self.score:.4f} nats. {self.sentence()}</p>"

    def __repr__(self) -> str:
        proven = "optimal" if self.certificate.optimal else f"gap {self.certificate.gap:.4g}"
        return f"SearchResult({self.dag}, {self.score_name}={self.score:.4f}, {proven})"


@dataclass(frozen=True)
class _Search:
    """A problem, and how it is to be solved."""

    problem: Problem
    request: Request | local_search.LocalRequest | AutoRequest

    @property
    def plan(self) -> Plan:
        return self.request.plan


def learn(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    seed: int | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> SearchResult:
    """The network with the highest score, or a good one where that is out of reach, with a certificate.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : ``"exact"``, which proves what it finds; ``"order"``, ``"hill-climbing"`` or ``"ges"`` (greedy equivalence
        search, for scores that are the same for equivalent networks), which take any number of variables and look for
        a proof afterwards; ``"auto"``: ``"order"`` (or ``"hill-climbing"`` for a quick answer on up to 2,000 variables)
        and then, where it fits and is forecast to take no more than about an hour, an exact search from there, which is
        given up if it outgrows its forecast by far; the exact one alone where that is done at once. Never worse than
        the first of the two with the same seed and effort.
    effort : ``"quick"``, ``"default"`` or ``"thorough"``: how much work goes into the latter and their proof, and how
        long ``"auto"`` lets an exact one take (a second, an hour, a day; never more than `time_limit`).
    knowledge : arcs that are required or forbidden, tiers, limits: see :class:`Knowledge`. Always obeyed.
    max_parents : limit for every variable; none by default.
    guard : what to do about families with more cells than half the rows, which qNML can prefer without any dependence:
        ``"warn"``, ``"cap"`` (do not admit them) or ``"off"``.
    time_limit : seconds after which the best network found so far is returned with its gap.
    memory_limit : bytes; what would need more is refused before it starts. By default 90 % of what is free.
    n_jobs : threads; all cores by default. The result does not depend on it.
    progress : show a progress bar on standard error.
    seed : for ``ties="random"``, and for ``"order"`` and ``"hill-climbing"``.
    ties : among networks of equal score, take the ``"canonical"`` one (fewest parameters, then fewest arcs, then first
        by name), the one with the ``"larger"`` families, or one at ``"random"``. The latter two take an exact search.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Returns
    -------
    SearchResult
        Also after a time limit or Ctrl-C, with the best network found so far; its certificate says so.

    Raises
    ------
    TooLargeError
        Before any work, with the figures and what would fit.
    """
    refuse_unknown_arguments(learn, [score], parameters)
    seed = _check("learn", method, effort, ties, seed)
    time_limit = check_time_limit("learn", time_limit)
    shows_progress = check_progress("learn", progress)
    problem = prepare("learn", data, score, knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    search = _choose(problem, method, effort, ties, seed, time_limit)
    if not search.plan.fits:
        raise TooLargeError(f"learn: {search.plan.sentence()}")
    # Until there is a result to return, a second Ctrl-C must not lose it.
    with held_interrupts():
        with progress_bar() if shows_progress else nullcontext() as watch:
            result = _run(search, time_limit, watch)
        if problem.warns:
            warn_of_overfull(problem, result.overfull)
        return result


def plan(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    **parameters: float | str,
) -> Plan:
    """What :func:`learn` with the same arguments would do and need, and whether it fits; nothing is searched."""
    refuse_unknown_arguments(plan, [score], parameters)
    _check("plan", method, effort, "canonical", None)
    problem = prepare("plan", data, score, knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    return _choose(problem, method, effort, "canonical", None).plan


@overload
def learn_many(
    tables: Iterable[Any],
    score: str = "qnml",
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[SearchResult]: ...


@overload
def learn_many(
    tables: Iterable[Any],
    score: tuple[str, ...] | list[str],
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[tuple[SearchResult, ...]]: ...


def learn_many(
    tables: Iterable[Any],
    score: str | tuple[str, ...] | list[str] = "qnml",
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[SearchResult] | list[tuple[SearchResult, ...]]:
    """Learn from many tables at once, one thread a table: for experiments with thousands of small problems.

    Parameters
    ----------
    tables : tables, or anything :func:`read_table` takes without options.
    score : name of a score; or several, which then share the counting of each table.
    knowledge : as for :func:`learn`.
    max_parents : as for :func:`learn`.
    guard : as for :func:`learn`; over-full families are not warned of.
    n_jobs : tables at a time.
    seed : for ``ties="random"``: one number, or one for each table.
    ties : as for :func:`learn`.
    **parameters : parameters of the scores; each goes to the scores that take it.

    Returns
    -------
    list
        In the order of the tables: one result each, or with several scores a tuple of them, in the order of the scores.
    """
    scores = [score] if isinstance(score, str) else checked_list("learn_many", "score", score, "a score, or several")
    refuse_unknown_arguments(learn_many, scores, parameters)
    jobs = resolve_jobs("learn_many", n_jobs)
    counted = [CountedTable(data) for data in checked_list("learn_many", "tables", tables, "a list of tables")]
    if not scores:
        raise bad_argument("learn_many", "score", score, "at least one score")
    given = [find_score("learn_many", name) for name in scores]
    own = [
        {k: v for k, v in parameters.items() if one.parameter is not None and k == one.parameter.name} for one in given
    ]
    seeds: list[Any] = [*seed] if isinstance(seed, list | tuple | range) else [seed] * len(counted)
    if len(seeds) != len(counted):
        raise bad_argument("learn_many", "seed", f"{len(seeds)} numbers", f"one number, or {len(counted)}, one a table")
    seeds = [_check("learn_many", "exact", "default", ties, one) for one in seeds]
    searches = [
        [
            _choose(
                prepare("learn_many", one, name, knowledge, max_parents, guard, None, 1, its),
                "exact",
                "default",
                ties,
                mine,
            )
            for name, its in zip(scores, own, strict=True)
        ]
        for one, mine in zip(counted, seeds, strict=True)
    ]
    for number, group in enumerate(searches):
        for search in group:
            if not search.plan.fits:
                raise TooLargeError(f"learn_many: table {number}: {search.plan.sentence()}")
    # Asked for by "exact", they are all of that kind.
    requests = [[one.request for one in group if isinstance(one.request, Request)] for group in searches]
    found = run_many([group for group in requests if group], jobs)
    results = [
        tuple(
            _to_result(search.problem, request, one, None)
            for search, request, one in zip(group, its, each, strict=True)
        )
        for group, its, each in zip(searches, requests, found, strict=True)
    ]
    return [one for (one,) in results] if isinstance(score, str) else results


def _check(call: str, method: str, effort: str, ties: str, seed: object) -> int | None:
    check_choice(call, "method", method, METHODS)
    check_choice(call, "effort", effort, local_search.EFFORTS)
    check_choice(call, "ties", ties, TIE_RULES)
    checked = check_whole_number(call, "seed", seed, 0, MOST_SEED)
    if ties != "canonical" and method in local_search.LOCAL_METHODS:
        raise bad_argument(
            call, "ties", ties, f"'canonical' with method='{method}'", "Only exact searches know of ties."
        )
    return checked


def _choose(
    problem: Problem, method: str, effort: str, ties: str, seed: int | None, time_limit: float | None = None
) -> _Search:
    seconds = local_search.exact_seconds(effort)
    if time_limit is not None:
        seconds = min(seconds, time_limit)
    return _Search(problem, choose_with_fallback(problem, method, effort, seconds, ties, seed))


def _run(search: _Search, time_limit: float | None, watch: Watch | None) -> SearchResult:
    problem, request = search.problem, search.request
    if isinstance(request, Request):
        return _to_result(problem, request, *run_one(request, time_limit, watch))
    if isinstance(request, AutoRequest):
        return _run_both(problem, request, time_limit, watch)
    return _with_certificate(problem, *_run_local(problem, request, time_limit, watch))


def _run_local(
    problem: Problem, request: local_search.LocalRequest, time_limit: float | None, watch: Watch | None
) -> tuple[list[int], Certificate]:
    found, reason = local_search.run(request, time_limit, watch)
    masks = local_search.masks_of(found, request, is_equivalent=problem.bound.score.is_equivalent)
    (value,) = fresh_scores(problem, [[[*bits(mask)] for mask in masks]], [found.score])
    return masks, local_search.make_certificate(found, value, request.plan.method, reason)


def _run_both(problem: Problem, request: AutoRequest, time_limit: float | None, watch: Watch | None) -> SearchResult:
    """A search that always ends, and in the time that is left an exact one from its network."""
    began = time.perf_counter()
    masks, first = _run_local(problem, request.first, time_limit, watch)
    left = None if time_limit is None else time_limit - (time.perf_counter() - began)
    if first.stop_reason in ("interrupted", "time limit") or (left is not None and left <= 0.0):
        return _with_certificate(problem, masks, first)
    exact = request.exact_from(masks)
    found, reason = run_one(exact, left, watch)
    if not found.optimal and list(found.parents) == masks:
        return _with_certificate(problem, masks, without_proof(first, found, reason))
    result = _to_result(problem, exact, found, reason)
    return replace(result, certificate=exact_after(first, result.certificate))


def _with_certificate(problem: Problem, masks: Sequence[int], certificate: Certificate) -> SearchResult:
    bound = problem.bound
    return SearchResult(problem.dag(masks), certificate.score, bound.label, certificate, problem.table, bound)


def _to_result(problem: Problem, request: Request, found: Found, reason: str | None) -> SearchResult:
    if not found.found:
        raise QnmlError("learn: the search ended without a network.")
    (value,) = fresh_scores(problem, [[[*bits(mask)] for mask in found.parents]], [found.score])
    certificate = exact_certificate(found, value, request, _has_ties(problem, request, found), reason)
    return _with_certificate(problem, found.parents, certificate)


def _has_ties(problem: Problem, request: Request, found: Found) -> bool | None:
    """Whether another class scores the same; arcs to variables of one level, left out of the search, count."""
    if not found.ties_examined:
        return None
    if found.has_ties or request.compiled == problem.compiled:
        return found.has_ties
    if problem.bound.score.has_price_of_arcs and problem.bound.value > 0:
        return False  # every arc has its price
    known = problem.compiled
    return any(
        known.allowed[child] & ~request.compiled.allowed[child] and parents.bit_count() < known.max_parents[child]
        for child, parents in enumerate(found.parents)
    )
