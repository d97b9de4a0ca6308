"""`learn` and `k_best` on local scores in place of data."""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from qnml._api.arguments import check_knowledge, check_whole_number
from qnml._api.k_best_result import KBest, RankedNetwork
from qnml._api.local_score_files import read_local_scores
from qnml._api.local_score_result import LocalScoreResult
from qnml._api.start import checked_start
from qnml._checks import check_choice
from qnml._interrupts import held_interrupts
from qnml._jobs import resolve_jobs
from qnml._memory import resolve_memory_limit
from qnml._progress import progress_bar
from qnml.errors import InputError, plain
from qnml.graph import Dag
from qnml.graph.labels import listed as in_words
from qnml.graph.masks import bits, child_masks, topological_order
from qnml.scores import LocalScores, family_arrays
from qnml.search.listed import MOST_EXACT, FamilyArrays, ListedProblem, run_exact, run_k_best, run_orders
from qnml.search.priors import AUTO, SEARCH_PRIORS, prior_term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.search import Certificate
    from qnml.search.running.interruptible import Watch

__all__ = ["given_local_scores", "k_best_listed", "learn_listed"]

# Beyond, a search over orders comes first, and leaves little for the exact one.
_EXACT_FIRST_UP_TO = 20


def given_local_scores(data: Any) -> LocalScores | None:
    """The local scores, if data are local scores or a JKL file of them; None for anything else.

    Parameters
    ----------
    data
        As given to `learn`.
    """
    if isinstance(data, LocalScores):
        return data
    if isinstance(data, str | Path) and str(data).lower().endswith(".jkl"):
        return read_local_scores(data)
    return None


def learn_listed(
    scores: LocalScores, method: str, effort: str, ties: str, start: Any, arguments: Mapping[str, Any]
) -> LocalScoreResult:
    """The best network by local scores.

    Parameters
    ----------
    scores
        The local scores.
    method, effort, ties, start
        As for `learn`, the first three checked.
    arguments
        The others by name.
    """
    call = "learn"
    _refuse(call, arguments)
    if method not in ("auto", "exact", "order"):
        raise InputError(
            f"{call}: method='{method}' moves between networks whose families need not be listed. With local scores "
            "say method='auto', 'exact' or 'order'."
        )
    problem = _problem(call, scores, arguments)
    known = [] if start is None else _start(problem, scores, start)
    limit = arguments["time_limit"]
    with held_interrupts():
        with progress_bar() if arguments["progress"] else nullcontext() as watch:
            if method == "order":
                masks, certificate = run_orders(problem, effort, known, limit, watch)
            elif method == "exact" or ties != "canonical" or problem.n_variables <= _EXACT_FIRST_UP_TO:
                masks, certificate = run_exact(problem, ties, known, limit, watch)
            else:
                masks, certificate = _run_both(problem, effort, known, limit, watch)
        if not masks:
            _refuse_impossible(problem)
        dag = _dag(problem, scores, masks)
        value, log_prior = _fresh_score(problem, scores, dag, certificate.score)
        objective = value + log_prior
        bound = objective if certificate.optimal else max(certificate.bound, objective)
        certificate = replace(certificate, score=objective, bound=bound)
        return LocalScoreResult(
            dag, value, certificate, scores, arguments["knowledge"], prior=problem.prior, log_prior=log_prior
        )


def k_best_listed(scores: LocalScores, k: int, what: str, arguments: Mapping[str, Any]) -> KBest:
    """The k best networks, or equivalence classes, by local scores.

    Parameters
    ----------
    scores
        The local scores.
    k, what
        As for `k_best`, checked.
    arguments
        The others by name.
    """
    call = "k_best"
    _refuse(call, arguments)
    problem = _problem(call, scores, arguments)
    with held_interrupts():
        with progress_bar() if arguments["progress"] else nullcontext() as watch:
            found, reason = run_k_best(problem, k, arguments["time_limit"], watch, by_class=what == "classes")
        if found.is_exhausted and not found.scores:
            _refuse_impossible(problem)
        entries = []
        for masks, claimed in zip(found.parents, found.scores, strict=True):
            dag = _dag(problem, scores, masks)
            value, log_prior = _fresh_score(problem, scores, dag, claimed)
            weight = claimed - found.scores[0]
            entries.append(RankedNetwork(dag, value, weight, knowledge=arguments["knowledge"], log_prior=log_prior))
    return KBest(
        entries=tuple(entries),
        what=what,
        k=k,
        score_name=LocalScoreResult.score_name,
        prior=problem.prior,
        bound=found.bound if found.has_bound else None,
        is_exhausted=found.is_exhausted,
        stop_reason=reason,
        seconds=dict(found.seconds),
        networks_held=found.networks,
    )


def _run_both(
    problem: ListedProblem, effort: str, known: Sequence[int], time_limit: float | None, watch: Watch | None
) -> tuple[list[int], Certificate]:
    """The search over orders, and where that has no proof and time is left, the exact search from its network."""
    began = time.perf_counter()
    masks, first = run_orders(problem, effort, known, time_limit, watch)
    left = None if time_limit is None else time_limit - (time.perf_counter() - began)
    is_over = first.stop_reason in ("interrupted", "time limit") or (left is not None and left <= 0.0)
    if not masks or first.optimal or is_over or problem.n_variables > MOST_EXACT:
        return masks, first
    better, exact = run_exact(problem, "canonical", masks, left, watch, effort)
    seconds = {**first.seconds, "exact search": exact.total_seconds}
    if exact.optimal:
        return better, replace(exact, seconds=seconds)
    if exact.score > first.score:
        masks, first = better, replace(first, score=exact.score)
    bound = max(min(first.bound, exact.bound), first.score)
    return masks, replace(first, seconds=seconds, bound=bound, stop_reason=exact.stop_reason)


def _refuse(call: str, arguments: Mapping[str, Any]) -> None:
    """Refuse what takes data, all at once."""
    wrong = [
        name
        for name in ("prepare", "columns", "discretize", "missing", "shape", "target")
        if arguments.get(name) is not None
    ]
    wrong += ["score"] if arguments["score"] != "qnml" else []
    wrong += ["guard"] if arguments["guard"] == "cap" else []
    wrong += list(arguments["parameters"])
    if wrong:
        said = ", ".join(f"{name}={arguments.get(name, arguments['parameters'].get(name))!r}" for name in wrong)
        raise InputError(
            f"{call}: local scores are what is maximized, and say nothing about the data that they came from: "
            f"leave out {said}."
        )


def _problem(call: str, scores: LocalScores, arguments: Mapping[str, Any]) -> ListedProblem:
    if not len(scores):
        raise InputError(f"{call}: the local scores have no variables.")
    known = check_knowledge(call, arguments["knowledge"])
    max_parents = check_whole_number(call, "max_parents", arguments["max_parents"])
    names = sorted(scores.names)
    compiled = known.compile(names, max_parents=max_parents)
    check_choice(call, "prior", arguments["prior"], SEARCH_PRIORS)
    # What the scores are is not known, so "auto" adds nothing to them.
    prior = "uniform" if arguments["prior"] == AUTO else arguments["prior"]
    arrays = FamilyArrays(*family_arrays(call, scores, names)).with_prior(prior, len(names))
    problem = ListedProblem(
        call=call,
        families=arrays,
        compiled=compiled,
        memory_limit=resolve_memory_limit(call, arguments["memory_limit"]),
        n_jobs=resolve_jobs(call, arguments["n_jobs"]),
        seed=arguments.get("seed") or 0,
        prior=prior,
    )
    without = [name for child, name in enumerate(names) if not problem.core.n_of_child(child)]
    if without:
        rules = "" if compiled.is_free else " that the rules admit"
        raise InputError(
            f"{call}: there is no listed parent set{rules} for {in_words(list(map(plain, without)), 5)}. List one, the "
            "empty set for example, or change the rules."
        )
    return problem


def _refuse_impossible(problem: ListedProblem) -> NoReturn:
    rules = "" if problem.compiled.is_free else " and the rules"
    raise InputError(
        f"{problem.call}: the listed parent sets{rules} admit no network without cycles. List more of them, the empty "
        "sets for example."
    )


def _dag(problem: ListedProblem, scores: LocalScores, masks: Sequence[int]) -> Dag:
    return Dag.from_masks(problem.compiled.names, masks).reorder(scores.names)


def _fresh_score(problem: ListedProblem, scores: LocalScores, dag: Dag, claimed: float) -> tuple[float, float]:
    """The score from the given values, and the log prior; the search, which sums whole units, must agree."""
    value = scores.total({name: dag.parents(name) for name in dag.names})
    sizes = [len(dag.parents(name)) for name in dag.names]
    log_prior = math.fsum(prior_term(problem.prior, len(sizes), size) for size in sizes)
    largest = sum(abs(scores[name][frozenset(dag.parents(name))]) for name in dag.names)
    room = problem.n_variables * problem.core.unit + 1e-12 * (largest - log_prior)
    if not abs(value + log_prior - claimed) <= room:
        raise AssertionError(f"the search says {claimed}, the network scores {value + log_prior}")
    return value, log_prior


def _start(problem: ListedProblem, scores: LocalScores, start: Any) -> list[int]:
    """The parent masks of the start with the required arcs, all of its families listed."""
    names, compiled = problem.compiled.names, problem.compiled
    given = checked_start(problem.call, start, names).parent_masks
    masks = [mask | required for mask, required in zip(given, compiled.required, strict=True)]
    unlisted = [
        names[child]
        for child, mask in enumerate(masks)
        if not compiled.admits_family(child, mask)
        or frozenset(names[one] for one in bits(mask)) not in scores[names[child]]
    ]
    if unlisted:
        raise InputError(
            f"{problem.call}: the start has parent sets that are not listed, or that the rules do not admit, for "
            f"{in_words(list(map(plain, unlisted)), 5)}. Change the start."
        )
    if len(topological_order(masks, child_masks(masks))) < len(masks):
        raise InputError(f"{problem.call}: the start and the required arcs form a cycle. Change the start.")
    return masks
