"""`learn`: the network with the highest score, with a certificate; `plan`: the forecast of that search.

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
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import (
    as_table,
    check_progress,
    check_search_arguments,
    check_time_limit,
    refuse_unknown_arguments,
)
from qnml._api.joint_learning import checked_joint, guard_of_bins, learn_jointly
from qnml._api.listed import given_local_scores, learn_listed
from qnml._api.problem import Problem, warn_of_overfull
from qnml._api.problem import prepare as prepared_problem
from qnml._api.run_search import run_search
from qnml._api.search_choice import choose_with_fallback
from qnml._api.shapes import checked_shape, learn_shape, plan_shape
from qnml._api.start import checked_start, started_from, starting_from
from qnml._api.structural_em import Searches, check_score_of_missing, learn_by_structural_em
from qnml._interrupts import held_interrupts
from qnml._progress import progress_bar
from qnml.data import Table, read_table
from qnml.data.interventions import HOLES_AND_INTERVENTIONS, refuse_interventions
from qnml.data.numeric_column import numeric_columns_of, rebinned
from qnml.errors import TooLargeError, bad_argument
from qnml.search.exact.on_card import chosen_device, refuse_device
from qnml.search.local import local_search

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from qnml._api.search_result import SearchResult
    from qnml.graph import Dag
    from qnml.model import Network
    from qnml.search import Knowledge, Plan
    from qnml.search.auto import AutoRequest
    from qnml.search.exact.exact import ExactRequest
    from qnml.search.exact.on_card import Device
    from qnml.search.running.interruptible import Watch

__all__ = ["learn", "plan"]


def learn(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    seed: int | None = None,
    ties: str = "canonical",
    start: Dag | Network | str | Iterable[tuple[str, str]] | None = None,
    shape: str | None = None,
    target: str | None = None,
    prepare: str | None = None,
    columns: Mapping[str, str | Iterable[float]] | None = None,
    discretize: str | None = None,
    missing: str | None = None,
    device: str = "cpu",
    **parameters: float | str,
) -> SearchResult:
    """The network with the highest score, or a good one where that is out of reach, with a certificate.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options; or :class:`LocalScores` in place of
        data, or a ``.jkl`` file of them: :doc:`local-scores`.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : ``"exact"``, which proves what it finds; ``"order"``, ``"hill-climbing"`` or ``"ges"`` (greedy equivalence
        search, for scores that are the same for equivalent networks), which take any number of variables and look for
        a proof afterwards; ``"auto"``: ``"order"`` (or ``"hill-climbing"`` for a quick answer on up to 2,000 variables)
        and then, where it fits and is forecast to take no more than about an hour, an exact search from there, which is
        given up if it outgrows its forecast by far; the exact one alone where that is done at once. Never worse than
        the first of the two with the same seed and effort.
    effort : ``"quick"``, ``"default"`` or ``"thorough"``: how much work goes into the latter and their proof, and how
        long ``"auto"`` lets an exact one take (a second, an hour, a day; never more than `time_limit`).
    prior : the prior over structures, whose logarithm is added to the score: ``"uniform"``, nothing; ``"sparse"``,
        which charges each of n variables log C(n − 1, number of parents) nats, so that fewer arcs are there by chance;
        ``"auto"``, the sparse one for qnml and fnml on more than 30 variables, otherwise the uniform one.
        :doc:`structure-prior`.
    knowledge : arcs that are required or forbidden, tiers, limits: see :class:`Knowledge`. Always obeyed.
    max_parents : limit for every variable; none by default.
    guard : what to do about families with more cells than half the rows, which qNML can prefer without any dependence:
        ``"warn"``, ``"cap"`` (do not admit them) or ``"off"``. With ``discretize="joint"``, ``"warn"`` does not admit
        them either: bins would be chosen to make them.
    time_limit : seconds after which the best network found so far is returned with its gap.
    memory_limit : bytes; what would need more is refused before it starts. By default 90 % of what is free.
    n_jobs : threads; all cores by default. The result does not depend on it.
    progress : show a progress bar on standard error.
    seed : for ``ties="random"``, and for ``"order"`` and ``"hill-climbing"``.
    ties : among networks of equal score, take the ``"canonical"`` one (fewest parameters, then fewest arcs, then first
        by name), the one with the ``"larger"`` families, or one at ``"random"``. The latter two take an exact search.
    start : a network to start from: a :class:`Dag`, a :class:`Network`, a model string such as ``"[a][b|a]"``, or arcs
        as pairs of names. Columns are matched by name, and those that it does not name have no arcs in it. The arcs
        that `knowledge` requires are added; conflicts with the rules are refused by name. The result never has a lower
        objective than this network. Searches that are not exact look around it, and so may find another network than
        without it; of exact ones it shortens the way. Where cells are missing, structural EM starts from it.
    shape : look among networks of this shape alone, where the best is found and proven for any number of variables:
        ``"tree"`` (every variable but one has one parent), ``"forest"`` (at most one) or ``"tan"`` (a tree-augmented
        classifier: `target` is the parent of all others, which have at most one other parent); :doc:`shapes`. It takes
        ``method="auto"`` or ``"exact"``, and is not cut short: after `time_limit` there is an error.
    target : with ``shape="tan"``, the variable that is to be predicted.
    prepare, columns : for data that are no table yet, as for :func:`read_table`: ``prepare="auto"`` lets rules decide
        what is done to each column, and `columns` decides for single ones. By default ``"strict"``, or ``"auto"`` with
        ``discretize="joint"``.
    discretize : ``"joint"`` chooses the bins of the columns of numbers together with the network, by the length of one
        code for both, and `SearchResult.binning` has what is known about them; :doc:`discretization`. The data must
        be a table with numbers, as from ``read_table(source, prepare="auto")``, or a source, which is then read in this
        way. The score must be a fit minus a price of levels: qnml, bic, aic, hqc or ebic. Missing cells count as a
        level while bins are chosen. None takes the columns as they are.
    missing : for data that are no table yet, what is done about missing cells, as for :func:`read_table`. ``"em"``
        leaves them missing, as in a table with `Table.missing`. They are then estimated by structural EM, and
        `SearchResult.structural_em` has what is known about that; :doc:`missing-cells`. This takes a score that is a
        fit minus a price that does not depend on counts: qnml, bic, aic, hqc, ebic or loglik.
    device : where an exact search counts and compares: ``"cpu"``; ``"gpu"``, with the same result to the last bit, or
        an error that says what is missing; ``"auto"``, a GPU where there is one and it is forecast to be faster. On a
        GPU, ``method="auto"`` means the exact search. :doc:`gpu`.
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
    seed = check_search_arguments("learn", method, effort, ties, seed)
    time_limit = check_time_limit("learn", time_limit)
    shows_progress = check_progress("learn", progress)
    listed = given_local_scores(data)
    if listed is not None:
        given = {
            "score": score,
            "knowledge": knowledge,
            "max_parents": max_parents,
            "guard": guard,
            "seed": seed,
            "time_limit": time_limit,
            "memory_limit": memory_limit,
            "n_jobs": n_jobs,
            "progress": shows_progress,
            "shape": shape,
            "target": target,
            "prepare": prepare,
            "columns": columns,
            "discretize": discretize,
            "missing": missing,
            "prior": prior,
            "parameters": parameters,
        }
        refuse_device("learn", device, "local scores, of which nothing is left to count")
        return learn_listed(listed, method, effort, ties, start, given)
    is_joint = checked_joint("learn", discretize, score)
    if is_joint:
        guard = guard_of_bins(guard, score)
    table = _table(data, {"prepare": prepare, "columns": columns, "missing": missing}, is_joint=is_joint)
    if is_joint:
        refuse_interventions("learn", table, "Bins cannot be learned with the network then; choose them first.")
    if table.n_missing:
        refuse_interventions("learn", table, HOLES_AND_INTERVENTIONS)
        check_score_of_missing("learn", score)
    if is_joint and start is not None:
        advice = "Choose the bins first, by discretize='nml' or in an earlier result, whose table has them."
        raise bad_argument("learn", "start", start, "None with discretize='joint'", advice)
    begun = None if start is None else checked_start("learn", start, table.names)
    shaped = checked_shape("learn", shape, target, table.names, method=method, ties=ties, start=start)
    where = _device("learn", device, method, shape)

    def problem_of(table: Table, scale: int = 1) -> Problem:
        return prepared_problem(
            *("learn", table, score, knowledge, max_parents, guard, memory_limit, n_jobs, parameters),
            prior=prior,
            seed=seed,
            scale=scale,
        )

    def solved(problem: Problem, seconds: float | None, watch: Watch | None, *, is_quick: bool = False) -> SearchResult:
        if shaped is not None:
            return learn_shape(problem, *shaped, seconds, watch)
        if is_quick and method in ("auto", "exact"):
            return run_search(problem, _choose(problem, "auto", "quick", "canonical", seconds, where), seconds, watch)
        request = _choose(problem, method, effort, ties, seconds, where)
        if not request.plan.fits:
            raise TooLargeError(f"learn: {request.plan.sentence()}")
        if begun is not None and not table.n_missing:
            request = starting_from(request, started_from(problem, begun, knowledge))
        return run_search(problem, request, seconds, watch)

    # Until there is a result to return, a second Ctrl-C must not lose it.
    with held_interrupts():
        with progress_bar() if shows_progress else nullcontext() as watch:
            solve = partial(solved, watch=watch)
            searches = Searches(problem_of, solve, partial(solve, is_quick=True), shaped is not None)
            if is_joint:
                result, problem = _with_bins(table, searches, time_limit, watch, seed or 0)
            elif table.n_missing:
                begins = None if begun is None else lambda one: one.dag(started_from(one, begun, knowledge))
                result, problem = learn_by_structural_em(table, searches, begins, time_limit, watch, seed=seed or 0)
            else:
                problem = problem_of(table)
                result = solve(problem, time_limit)
        if problem.warns:
            warn_of_overfull(problem, result.overfull)
        return result


def _table(data: Any, reading: Mapping[str, Any], *, is_joint: bool) -> Table:
    given = {name: value for name, value in reading.items() if value is not None}
    if isinstance(data, Table):
        for name, value in given.items():
            advice = "A table has been read already: say it to read_table."
            if name == "missing":
                advice = "A table has been read already; Table.missing says which of its cells are missing."
            raise bad_argument("learn", name, value, "left out where the data are a Table", advice)
        return data
    return read_table(data, **{"prepare": "auto" if is_joint else "strict", **given})


def _with_bins(
    table: Table, searches: Searches, time_limit: float | None, watch: Watch | None, seed: int
) -> tuple[SearchResult, Problem]:
    """Choose the bins with missing cells as levels, and then learn again with these bins, by structural EM."""
    began = time.perf_counter()
    prepare, solve = searches.prepare, searches.solve
    result, state = learn_jointly("learn", table.with_missing_level(), prepare, solve, time_limit, watch)
    if not table.n_missing:
        return result, state.problem
    left = None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - began))
    binned = rebinned(table, numeric_columns_of("learn", table), state.edges)
    estimated, problem = learn_by_structural_em(binned, searches, None, left, watch, by_levels=result.dag, seed=seed)
    return replace(estimated, binning=result.binning), problem


def plan(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    shape: str | None = None,
    target: str | None = None,
    device: str = "cpu",
    **parameters: float | str,
) -> Plan:
    """What :func:`learn` with the same arguments would do and need, and whether it fits; nothing is searched.

    Where cells are missing, the forecast is that of one search of structural EM, as on the table in which missing cells
    are levels.
    """
    refuse_unknown_arguments(plan, [score], parameters)
    check_search_arguments("plan", method, effort, "canonical", None)
    table = as_table(data)
    shaped = checked_shape("plan", shape, target, table.names, method=method, ties="canonical", start=None)
    if table.n_missing:
        refuse_interventions("plan", table, HOLES_AND_INTERVENTIONS)
        check_score_of_missing("plan", score)
        table = table.with_missing_level()
    where = _device("plan", device, method, shape)
    given = (knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    problem = prepared_problem("plan", table, score, *given, prior=prior)
    if shaped is not None:
        return plan_shape(problem, *shaped)
    return _choose(problem, method, effort, "canonical", None, where).plan


def _device(call: str, device: str, method: str, shape: str | None) -> Device:
    if shape is not None:
        refuse_device(call, device, "shape=…, which counts pairs of variables alone")
    if method in local_search.LOCAL_METHODS:
        refuse_device(call, device, f"method={method!r}: say 'auto' or 'exact'")
    return chosen_device(call, device)


def _choose(
    problem: Problem, method: str, effort: str, ties: str, time_limit: float | None, device: Device
) -> ExactRequest | local_search.LocalRequest | AutoRequest:
    seconds = local_search.exact_seconds(effort)
    if time_limit is not None:
        seconds = min(seconds, time_limit)
    return choose_with_fallback(problem.search, method, effort, seconds, ties, device)
