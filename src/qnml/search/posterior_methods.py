"""Which way to a structure posterior: what each would need, the first that fits, and why another does not."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from qnml._memory import format_bytes
from qnml.errors import InputError, OutOfTimeError, TooLargeError
from qnml.search import chain_posterior, enumerate_structures, summed_posterior

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.search.structure_posterior import Forecast, RunOptions, StructurePosterior, StructureProblem

__all__ = ["METHODS", "answer", "choose"]

METHODS = ("enumerate", "exact", "mcmc")
# Beyond this, exact sums take less than going through all DAGs.
_ENUMERATED_UP_TO = 5
_PRIORS_OF = {
    "enumerate": ("uniform", "sparse", "classes"),
    "exact": ("uniform", "sparse", "order"),
    "mcmc": ("uniform", "sparse"),
}


class _Method(Protocol):
    def forecast(self, problem: StructureProblem) -> Forecast: ...

    def run(self, problem: StructureProblem, options: RunOptions) -> StructurePosterior: ...


_RUNNERS: Mapping[str, _Method] = {
    "enumerate": enumerate_structures,
    "exact": summed_posterior,
    "mcmc": chain_posterior,
}


def choose(problem: StructureProblem, method: str, time_limit: float | None = None) -> Forecast:
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
            raise TooLargeError(f"posterior(method={method!r}): {found.problem} {_alternative(problem, able, method)}")
        return found
    forecasts = {name: _RUNNERS[name].forecast(problem) for name in able}
    order = able if problem.n_variables <= _ENUMERATED_UP_TO else [*able[1:], *able[:1]]
    fitting = [forecasts[name] for name in order if forecasts[name].fits]
    for found in fitting:
        if time_limit is None or found.method == "mcmc" or found.seconds <= time_limit / 2:
            return found
    if fitting:
        return fitting[0]
    problems = " ".join(forecast.problem for forecast in forecasts.values())
    raise TooLargeError(f"posterior: {problems} {_alternative(problem, able, '')}")


def answer(problem: StructureProblem, method: str, options: RunOptions) -> tuple[str, StructurePosterior]:
    """Choose a method and run it; the name of the one that answers, and its answer.

    ``"auto"`` gives sums half of the time there is, and leaves the rest to chains where the sums are not done by then
    and chains go with the prior. The answer says so.

    Parameters
    ----------
    problem
        What is asked.
    method
        One of `METHODS`, or ``"auto"``.
    options
        How to run.
    """
    limit = options.time_limit
    chosen = choose(problem, method, limit)
    if method != "auto" or limit is None or "mcmc" not in _able(problem):
        return chosen.method, _RUNNERS[chosen.method].run(problem, options)
    if chosen.method == "mcmc":
        sums = _RUNNERS["exact"].forecast(problem)
        why = f"exact sums, which would have taken about {sums.seconds:.2g} s" if sums.fits else ""
        return "mcmc", _RUNNERS["mcmc"].run(problem, replace(options, instead_of=why))
    began = time.perf_counter()
    try:
        return chosen.method, _RUNNERS[chosen.method].run(problem, replace(options, time_limit=limit / 2))
    except OutOfTimeError:
        seconds = time.perf_counter() - began
    why = f"exact figures, which were not done after {seconds:.2g} s"
    left = replace(options, time_limit=max(0.0, limit - seconds), instead_of=why)
    return "mcmc", _RUNNERS["mcmc"].run(problem, left)


def _able(problem: StructureProblem) -> list[str]:
    return [name for name in METHODS if problem.prior in _PRIORS_OF[name]]


def _alternative(problem: StructureProblem, able: list[str], refused: str) -> str:
    """What would fit instead."""
    for name in able:
        found = None if name in ("", refused) else _RUNNERS[name].forecast(problem)
        if found is not None and found.fits:
            needs = f"about {found.seconds:.2g} s, {format_bytes(found.memory_bytes)} of memory"
            return f"method={name!r} would fit ({needs})."
    if problem.prior == "classes":
        return "With prior='uniform' there are methods for more variables."
    return "Select fewer columns, or set max_parents."
