"""Which search solves a problem: the exact one where it fits, otherwise one that may prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import bad_argument
from qnml.search.auto import AutoRequest, most_states
from qnml.search.exact.exact import ExactRequest, make_plan, orders_seconds
from qnml.search.local import local_search

if TYPE_CHECKING:
    from qnml.search import Plan, SearchProblem
    from qnml.search.exact.on_card import Device

__all__ = ["METHODS", "choose_search", "choose_with_fallback", "exact_request"]

# Exact searches of so many variables, and seconds, are done before another could be of use to them.
_AT_ONCE_UP_TO = 20
_AT_ONCE = 1.0

METHODS = ("auto", "exact", *local_search.LOCAL_METHODS)


def exact_request(problem: SearchProblem, ties: str = "canonical", device: Device | None = None) -> ExactRequest:
    """The exact search for a problem, with its plan: whether that fits is for the caller to see."""
    searched = problem.without_constants() if ties == "canonical" else problem
    plan, card = make_plan(searched), None
    if device is not None:
        orders = orders_seconds(searched.n_variables, searched.n_jobs)
        plan, card = device.better(plan, searched, orders)
    return ExactRequest(searched, plan, ties, card=card)


def choose_with_fallback(
    problem: SearchProblem,
    method: str,
    effort: str,
    exact_seconds: float,
    ties: str = "canonical",
    device: Device | None = None,
) -> ExactRequest | local_search.LocalRequest | AutoRequest:
    """As `choose_search`; but ``"auto"`` begins an exact search after another unless it is done at once.

    The arguments are those of `choose_search`. An exact search that may turn out to be too long is tried all the same:
    there is an answer to fall back on.
    """
    if method != "auto" or ties != "canonical":
        return choose_search(problem, method, effort, exact_seconds, ties, device)
    exact = exact_request(problem, ties, device)
    if device is not None and device.is_demanded:
        return exact
    if exact.plan.fits and _is_at_once(exact.plan, exact_seconds):
        return exact
    first = _local_request(problem, method, effort, exact.plan)
    if not exact.plan.fits or _tried_seconds(exact.plan, effort, problem.n_jobs) > exact_seconds:
        return first
    return AutoRequest(first, exact) if first.plan.fits else exact


def _is_at_once(plan: Plan, exact_seconds: float) -> bool:
    # A tenth of the time there is: a forecast may be wrong, and nothing else has been found by then.
    return plan.n_variables <= _AT_ONCE_UP_TO and plan.seconds <= min(_AT_ONCE, exact_seconds / 10)


def _tried_seconds(plan: Plan, effort: str, n_jobs: int) -> float:
    """The forecast, with no more time for the search over orders than after which it is given up."""
    orders = orders_seconds(plan.n_variables, n_jobs)
    return plan.seconds - orders + min(orders, most_states(effort) * 1e-6 / n_jobs)


def choose_search(
    problem: SearchProblem,
    method: str,
    effort: str,
    exact_seconds: float,
    ties: str = "canonical",
    device: Device | None = None,
) -> ExactRequest | local_search.LocalRequest:
    """The search that `method` asks for, with its plan: whether that fits is for the caller to see.

    Parameters
    ----------
    problem : what to solve.
    method : one of `METHODS`.
    effort : how much work goes into a search that is not exact, and into its proof.
    exact_seconds : how long an exact search may be expected to take for ``"auto"`` to choose it.
    ties : the rule among networks of equal score; other rules than ``"canonical"`` take an exact search.
    device : where an exact search counts; None for the CPU.
    """
    score = problem.score.score
    if method in local_search.OF_CLASSES and score.is_equivalent and not problem.is_equivalent:
        advice = "Say method='order'."
        raise bad_argument(
            problem.call,
            "method",
            method,
            "'order', 'hill-climbing', 'exact' or 'auto' where variables were set in some rows, since equivalent "
            "networks then differ in score",
            advice,
        )
    if method in local_search.OF_CLASSES and not score.is_equivalent:
        allowed = f"a score that is the same for equivalent networks with method='{method}'"
        advice = "Say method='order', or choose another score."
        raise bad_argument(problem.call, "score", score.name, allowed, advice)
    exact = None if method in local_search.LOCAL_METHODS else exact_request(problem, ties, device)
    if exact is not None:
        is_wanted = method == "exact" or ties != "canonical" or (device is not None and device.is_demanded)
        if is_wanted or (exact.plan.fits and exact.plan.seconds <= exact_seconds):
            return exact
    return _local_request(problem, method, effort, None if exact is None else exact.plan)


def _local_request(problem: SearchProblem, method: str, effort: str, exact: Plan | None) -> local_search.LocalRequest:
    searched = problem.without_constants()
    return local_search.LocalRequest(searched, local_search.make_plan(searched, method, effort, exact), effort)
