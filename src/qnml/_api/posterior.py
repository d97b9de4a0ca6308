"""`posterior`: check the arguments, choose and run a method, return its result with names.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("earthquake", 1000, seed=1)
>>> beliefs = qnml.posterior(table, "bdeu")
>>> beliefs.method, beliefs.weights_are
('enumerate', 'posterior probabilities')
>>> joined = beliefs.edge_probabilities["Alarm", "MaryCalls"] + beliefs.edge_probabilities["MaryCalls", "Alarm"]
>>> joined > 0.99
True
"""

from __future__ import annotations

import time
import warnings
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import (
    MOST_SEED,
    MOST_STRUCTURES,
    check_progress,
    check_time_limit,
    check_whole_number,
    refuse_unknown_arguments,
)
from qnml._api.posterior_result import Posterior
from qnml._api.posterior_sentence import OUT_OF_REACH
from qnml._api.problem import Problem, prepare
from qnml._checks import check_choice
from qnml._interrupts import held_interrupts
from qnml._progress import progress_bar
from qnml.errors import OverfullWarning, StandInWarning, bad_argument
from qnml.search.posterior.method import RunOptions
from qnml.search.posterior_methods import METHODS, answer
from qnml.search.priors import PRIORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.scores import Score
    from qnml.search import Knowledge

__all__ = ["posterior"]

# Warn if a variable has an over-full parent set with more than this probability.
_LEAST_WARNED_OF = 0.05


def posterior(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    samples: int | None = None,
    seed: int | None = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: bool | None = None,
    state: Mapping[str, Any] | None = None,
    **parameters: float | str,
) -> Posterior:
    """Posterior over structures: probabilities of arcs, paths and parent sets, the best structures, averages.

    The weight of a structure is exp(score) times its prior. For scores that are log marginal likelihoods (bdeu, bds,
    bdj, k2) the normalized weight is its posterior probability; for qnml and fnml it is an NML weight.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` accepts without options.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : ``"enumerate"`` lists all DAGs on up to 6 variables; ``"exact"`` sums over all DAGs without listing them;
        ``"mcmc"`` samples DAGs by MCMC. ``"auto"`` takes the first that is feasible, in this order.
    prior : ``"uniform"``, equal for all DAGs; ``"sparse"``, proportional to the product over the n variables of
        1 / C(n − 1, number of parents); ``"classes"``, equal for all equivalence classes (enumerate only); ``"order"``,
        proportional to the number of orders consistent with the DAG (exact only); ``"auto"``, as for :func:`learn`.
    knowledge : background knowledge, see :class:`Knowledge`. Structures that violate it have probability zero.
    max_parents : largest number of parents of a variable; unlimited by default.
    guard : how to treat families with more cells than half the rows, as in :func:`learn`: ``"warn"`` if they are
        probable, ``"cap"`` (exclude them) or ``"off"``.
    samples : number of DAGs to draw, if the method draws any, from 2 to a million; by default the method decides.
    seed : seed of all random numbers; 0 by default.
    n_jobs : number of threads; all cores by default. The result does not depend on it.
    time_limit : seconds. Chains stop then and return their draws, at least six of each chain. Partial sums are of no
        use: if ``"exact"`` or ``"enumerate"`` has not finished after nine tenths of the time (and is not expected to
        finish by its end), or after half of it with ``"auto"`` (or if it is far from finishing), chains get the rest.
        `method`, `diagnostics` and `sentence` of the result say so, and a StandInWarning if the method was requested
        by name.
    memory_limit : bytes; a method that needs more is refused before it starts. By default 90 % of the free memory.
    progress : show a progress bar on standard error.
    state : the `state` of an earlier posterior by chains on the same data: the chains continue from it, with new draws.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Raises
    ------
    TooLargeError
        Before any work, with the cost and a method that would be feasible.
    OutOfTimeError
        If the time is over, no exact result is complete, and chains do not fit into memory.
    KeyboardInterrupt
        If Ctrl-C is pressed a second time before chains have drawn anything. After the first, chains return their
        draws; if another method was running, chains run for a moment and stand in for it.
    """
    started = time.perf_counter()
    refuse_unknown_arguments(posterior, [score], parameters)
    check_choice("posterior", "method", method, ("auto", *METHODS))
    samples = check_whole_number("posterior", "samples", samples, 2, MOST_STRUCTURES)
    seed = check_whole_number("posterior", "seed", seed, 0, MOST_SEED)
    time_limit = check_time_limit("posterior", time_limit)
    shows_progress = check_progress("posterior", progress)
    given = (knowledge, max_parents, guard, memory_limit, n_jobs, parameters)
    asked = prepare("posterior", data, score, *given, prior=prior, priors=("auto", *PRIORS), seed=seed)
    if state is not None and method != "mcmc":
        raise bad_argument("posterior", "state", "…", "left out unless method='mcmc': only chains can continue")
    # A second Ctrl-C must not lose the result before it is returned.
    with held_interrupts():
        with progress_bar() if shows_progress else nullcontext() as watch:
            taken, found = answer(asked.search, method, RunOptions(samples, time_limit, watch, state))
        result = Posterior(
            table=asked.table,
            score_name=asked.score.label,
            method=taken,
            prior=asked.search.prior,
            weights_are=_weights_are(asked.score.score),
            seconds=time.perf_counter() - started,
            bound_score=asked.score,
            found=found,
            knowledge=asked.knowledge,
        )
        if taken != method and method != "auto":
            _warn_of_stand_in(result, method)
        if asked.warns:
            _warn_if_overfull(result, asked)
        return result


def _weights_are(score: Score) -> str:
    if score.is_bayesian:
        return "posterior probabilities"
    return "NML weights" if score.is_normalized_likelihood else "score weights"


def _warn_of_stand_in(result: Posterior, method: str) -> None:
    errors = result.standard_errors
    worst = 0.0 if errors is None else float(errors.edges.max())
    facts = result.diagnostics
    reach = "" if facts["all_parents_are_candidates"] else f"{OUT_OF_REACH} "
    warnings.warn(
        f"posterior(method={method!r}): these are estimates by Markov chains, with standard errors of up to "
        f"{worst:.2g} for arcs. They stand in for {facts['instead_of']}. {reach}Allow more time for exact figures.",
        StandInWarning,
        stacklevel=3,
    )


def _warn_if_overfull(result: Posterior, asked: Problem) -> None:
    half, arities = asked.table.total / 2, asked.counts.arities
    shares = {}
    for child, name in enumerate(asked.names):
        share = result.found.share_of_large(child, arities, half)
        if share > _LEAST_WARNED_OF:
            shares[name] = share
    if not shares:
        return
    shown = ", ".join(f"{name} ({share:.0%})" for name, share in list(shares.items())[:5])
    warnings.warn(
        f"posterior: families with more cells than half the {result.table.total} rows are probable, for {shown}. "
        "qNML can prefer such families without any dependence. guard='cap' excludes them; guard='off' silences "
        "this.",
        OverfullWarning,
        stacklevel=3,
    )
