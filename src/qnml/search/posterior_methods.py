"""The choice of a method for structure posteriors: the first that fits, and why the others do not.

A partial sum is worthless. Where exact sums or enumeration are stopped, chains give estimates instead, with standard
errors and a note about what they replace.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from qnml._memory import format_bytes
from qnml.errors import InputError, OutOfTimeError, TooLargeError
from qnml.search.chains import partition_mcmc
from qnml.search.posterior import enumerated, summed
from qnml.search.posterior.method import Unfinished
from qnml.search.priors import MODULAR_PRIORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.search.plan import Plan
    from qnml.search.posterior.interface import StructurePosterior
    from qnml.search.posterior.method import Method, RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["METHODS", "answer", "choose"]

METHODS = ("enumerate", "exact", "mcmc")
# Up to this number of variables enumeration is faster than exact sums.
_ENUMERATED_UP_TO = 5
_PRIORS_OF = {
    "enumerate": ("uniform", "sparse", "classes"),
    "exact": ("uniform", "sparse", "order"),
    # Other priors need importance weights: good enough only where no other method finishes.
    "mcmc": MODULAR_PRIORS,
}
# Part of the time limit that is reserved for chains when another method was requested by name: a share, and at most
# this many seconds. On 20 columns chains make all their draws in two seconds.
_KEPT_BACK_SHARE, _MOST_KEPT_BACK = 0.1, 5.0

_RUNNERS: Mapping[str, Method] = {"enumerate": enumerated, "exact": summed, "mcmc": partition_mcmc}


def choose(problem: SearchProblem, method: str, time_limit: float | None = None) -> Plan:
    """The plan of the method to take.

    Parameters
    ----------
    problem
        The problem to solve.
    method
        One of `METHODS`, or ``"auto"``: enumeration up to five columns, else exact sums where they fit, else chains.
    time_limit
        Seconds. A partial sum is worthless, so sums with a forecast above half of the limit give way to chains where
        chains fit.

    Raises
    ------
    InputError
        If the method does not support the prior.
    TooLargeError
        If it would not fit, with the figures and a method that would.
    """
    able = _able(problem)
    if method == "auto":
        return _first_fitting(problem, able, time_limit)
    if method not in able:
        raise InputError(
            f"posterior(method={method!r}, prior={problem.prior!r}): this prior goes with method="
            f"{' or '.join(map(repr, able))}, this method with prior={' or '.join(map(repr, _PRIORS_OF[method]))}."
        )
    found = _RUNNERS[method].forecast(problem)
    if not found.fits:
        raise TooLargeError(f"posterior(method={method!r}): {found.sentence()} {_alternative(problem, able, method)}")
    return found


def answer(problem: SearchProblem, method: str, options: RunOptions) -> tuple[str, StructurePosterior]:
    """Choose a method and run it; the name of the method that answers, and its posterior.

    With a time limit, ``"auto"`` gives exact sums half of the time. A method requested by name gets nine tenths; the
    rest as well if it will then finish, and only half if it will by far not finish. Chains get the remaining time, or a
    moment after Ctrl-C, and the result says so.

    Parameters
    ----------
    problem
        The problem to solve.
    method
        One of `METHODS`, or ``"auto"``.
    options
        How to run it.

    Raises
    ------
    OutOfTimeError
        When the time is over and chains do not fit in memory.
    KeyboardInterrupt
        After Ctrl-C when chains do not fit in memory, or when Ctrl-C is pressed a second time before chains have drawn
        anything.
    """
    began = time.perf_counter()
    limit = options.time_limit
    chosen = choose(problem, method, limit)
    if chosen.method == "mcmc":
        why = _slow_sums(problem) if method == "auto" and limit is not None else ""
        return "mcmc", partition_mcmc.run(problem, replace(options, instead_of=why))
    has_chains = _RUNNERS["mcmc"].forecast(problem).fits
    shares_time = method == "auto" and "mcmc" in _able(problem)
    found = _RUNNERS[chosen.method].run(problem, _first_options(options, shares_time) if has_chains else options)
    if not isinstance(found, Unfinished):
        return chosen.method, found
    if not has_chains or found.interruptions > 1:
        raise _nothing(chosen.method, limit, found)
    ended = "Ctrl-C" if found.reason == "interrupted" else "the time limit"
    why = f"method={chosen.method!r}, which {ended} ended after {found.seconds:.2g} s, {found.how_far}"
    left = None if limit is None else max(0.0, limit - (time.perf_counter() - began))
    return "mcmc", partition_mcmc.run(problem, replace(options, time_limit=left, instead_of=why, stopped=found.reason))


def _first_fitting(problem: SearchProblem, able: list[str], time_limit: float | None) -> Plan:
    """The plan of the first method that fits in memory and, where there is a choice, in time."""
    forecasts = {name: _RUNNERS[name].forecast(problem) for name in able}
    order = able if problem.n_variables <= _ENUMERATED_UP_TO else [*able[1:], *able[:1]]
    fitting = [forecasts[name] for name in order if forecasts[name].fits]
    for found in fitting:
        if time_limit is None or found.method == "mcmc" or found.seconds <= time_limit / 2:
            return found
    if fitting:
        return fitting[0]
    problems = " ".join(forecast.sentence() for forecast in forecasts.values())
    raise TooLargeError(f"posterior: {problems} {_alternative(problem, able, '')}")


def _slow_sums(problem: SearchProblem) -> str:
    """What chains replace where exact sums would fit but take too long; empty where they do not fit."""
    sums = _RUNNERS["exact"].forecast(problem)
    return f"exact sums, which would have taken about {sums.seconds:.2g} s" if sums.fits else ""


def _first_options(options: RunOptions, shares_time: bool) -> RunOptions:
    """Options of the first method that leave some time for chains."""
    limit = options.time_limit
    if limit is None:
        return options
    if shares_time:
        return replace(options, time_limit=limit / 2)
    return replace(options, kept_back=min(_KEPT_BACK_SHARE * limit, _MOST_KEPT_BACK))


def _nothing(method: str, limit: float | None, found: Unfinished) -> OutOfTimeError | KeyboardInterrupt:
    """The exception where there are no figures at all."""
    words = f"posterior(method={method!r}) ended after {found.seconds:.2g} s, {found.how_far}; a part is of no use"
    if found.reason == "interrupted":
        return KeyboardInterrupt(f"{words}.")
    words += ", and chains, which could stand in, do not fit in memory"
    return OutOfTimeError(f"{words}. Allow more time than {limit:g} s, or more memory.")


def _able(problem: SearchProblem) -> list[str]:
    """The methods that support the prior."""
    return [name for name in METHODS if problem.prior in _PRIORS_OF[name]]


def _alternative(problem: SearchProblem, able: list[str], refused: str) -> str:
    """A method that would fit, or other advice."""
    for name in able:
        found = None if name == refused else _RUNNERS[name].forecast(problem)
        if found is not None and found.fits:
            needs = f"about {found.seconds:.2g} s, {format_bytes(found.memory_bytes)} of memory"
            return f"method={name!r} would fit ({needs})."
    if problem.prior == "classes":
        return "With prior='uniform' there are methods for more variables."
    return "Select fewer columns, or set max_parents."
