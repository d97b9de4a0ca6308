"""Which way to a structure posterior: what each would need, the first that fits, and why another does not.

Part of a sum tells nothing about the whole. Where sums or the weighing of all DAGs are stopped, chains give figures in
their stead, with errors and with a word on what they stand in for.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from qnml._memory import format_bytes
from qnml.errors import InputError, OutOfTimeError, TooLargeError
from qnml.search.chains import posterior as chain_posterior
from qnml.search.chains.partition_mcmc import DRAWN_PRIORS
from qnml.search.posterior import enumerate_structures, summed_posterior
from qnml.search.posterior.structure_posterior import Unfinished

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.search.plan import Plan
    from qnml.search.posterior.structure_posterior import RunOptions, StructurePosterior
    from qnml.search.problem import SearchProblem

__all__ = ["METHODS", "answer", "choose"]

METHODS = ("enumerate", "exact", "mcmc")
# Beyond this, exact sums take less than going through all DAGs.
_ENUMERATED_UP_TO = 5
_PRIORS_OF = {
    "enumerate": ("uniform", "sparse", "classes"),
    "exact": ("uniform", "sparse", "order"),
    # Under the others draws have to be weighted, which is good enough only where there is nothing else.
    "mcmc": DRAWN_PRIORS,
}
# Of the time limit, what is kept back for chains from a method that was asked for by name: a share, and seconds at the
# most. On 20 columns chains make all their draws in two seconds.
_KEPT_BACK_SHARE, _MOST_KEPT_BACK = 0.1, 5.0


class _Method(Protocol):
    def forecast(self, problem: SearchProblem) -> Plan: ...

    def run(self, problem: SearchProblem, options: RunOptions) -> StructurePosterior | Unfinished: ...


_RUNNERS: Mapping[str, _Method] = {
    "enumerate": enumerate_structures,
    "exact": summed_posterior,
    "mcmc": chain_posterior,
}


def choose(problem: SearchProblem, method: str, time_limit: float | None = None) -> Plan:
    """The method to take, with its forecast.

    Parameters
    ----------
    problem
        What is asked.
    method
        One of `METHODS`, or ``"auto"``: all structures up to five columns, else exact sums where they fit, else chains.
    time_limit
        Seconds; half a sum tells nothing, so sums that would take more than half of them are not chosen where chains
        will do.

    Raises
    ------
    InputError
        If the method does not go with the prior.
    TooLargeError
        If it would not fit, with the figures and what would.
    """
    able = _able(problem)
    if method != "auto":
        if method not in able:
            raise InputError(
                f"posterior(method={method!r}, prior={problem.prior!r}): this prior goes with method="
                f"{' or '.join(map(repr, able))}, this method with prior={' or '.join(map(repr, _PRIORS_OF[method]))}."
            )
        found = _RUNNERS[method].forecast(problem)
        if not found.fits:
            raise TooLargeError(
                f"posterior(method={method!r}): {found.sentence()} {_alternative(problem, able, method)}"
            )
        return found
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


def answer(problem: SearchProblem, method: str, options: RunOptions) -> tuple[str, StructurePosterior]:
    """Choose a method and run it; the name of the one that answers, and its answer.

    Of the time there is, ``"auto"`` gives sums half; a method asked for by name gets nine tenths of it, the rest, too,
    where it will then be done, and half where it is without hope. What is left, or a moment after Ctrl-C, belongs to
    chains. The answer says so.

    Parameters
    ----------
    problem
        What is asked.
    method
        One of `METHODS`, or ``"auto"``.
    options
        How to run.

    Raises
    ------
    OutOfTimeError
        When the time is over, and chains do not fit in memory.
    KeyboardInterrupt
        After Ctrl-C likewise, or when it is pressed a second time before chains have drawn anything.
    """
    began = time.perf_counter()
    limit = options.time_limit
    chosen = choose(problem, method, limit)
    if chosen.method == "mcmc":
        sums = _RUNNERS["exact"].forecast(problem) if method == "auto" and limit is not None else None
        why = f"exact sums, which would have taken about {sums.seconds:.2g} s" if sums and sums.fits else ""
        return "mcmc", chain_posterior.run(problem, replace(options, instead_of=why))
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
    return "mcmc", chain_posterior.run(problem, replace(options, time_limit=left, instead_of=why, stopped=found.reason))


def _first_options(options: RunOptions, shares_time: bool) -> RunOptions:
    """With less time, so that chains have some: half of it, or what is little enough."""
    limit = options.time_limit
    if limit is None:
        return options
    if shares_time:
        return replace(options, time_limit=limit / 2)
    return replace(options, kept_back=min(_KEPT_BACK_SHARE * limit, _MOST_KEPT_BACK))


def _nothing(method: str, limit: float | None, found: Unfinished) -> OutOfTimeError | KeyboardInterrupt:
    """What to raise where there are no figures at all."""
    words = f"posterior(method={method!r}) ended after {found.seconds:.2g} s, {found.how_far}; part of it tells nothing"
    if found.reason == "interrupted":
        return KeyboardInterrupt(f"{words}.")
    words += ", and chains, which could stand in, do not fit in memory"
    return OutOfTimeError(f"{words}. Allow more time than {limit:g} s, or more memory.")


def _able(problem: SearchProblem) -> list[str]:
    return [name for name in METHODS if problem.prior in _PRIORS_OF[name]]


def _alternative(problem: SearchProblem, able: list[str], refused: str) -> str:
    """What would fit instead."""
    for name in able:
        found = None if name in ("", refused) else _RUNNERS[name].forecast(problem)
        if found is not None and found.fits:
            needs = f"about {found.seconds:.2g} s, {format_bytes(found.memory_bytes)} of memory"
            return f"method={name!r} would fit ({needs})."
    if problem.prior == "classes":
        return "With prior='uniform' there are methods for more variables."
    return "Select fewer columns, or set max_parents."
