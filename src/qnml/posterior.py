"""The front door for structure posteriors: check the arguments, choose the method, wire the rooms, return.

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

import math
import time
import warnings
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from qnml._jobs import resolve_jobs
from qnml._memory import available_memory
from qnml._progress import progress_bar
from qnml.counts import MemoryCounts
from qnml.data import Table, read_table
from qnml.errors import OverfullWarning, bad_argument, unknown_name
from qnml.posterior_result import Posterior
from qnml.scores import bind_score, find_score
from qnml.search import Knowledge
from qnml.search.posterior_methods import METHODS, answer
from qnml.search.structure_posterior import PRIORS, RunOptions, StructureProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.scores import Score

__all__ = ["posterior"]

GUARDS = ("warn", "cap", "off")
# Over-full sets of parents are worth a warning when a variable has them with more than this probability.
_LEAST_WARNED_OF = 0.05


def posterior(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    prior: str = "uniform",
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
    """How probable every structure is: arcs, paths, sets of parents, the most probable structures, averages.

    A structure counts exp(score) times its prior. For scores that are log marginal likelihoods (bdeu, bds, bdj, k2)
    that is its posterior probability; for qnml and fnml it is an NML weight.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : ``"enumerate"`` goes through all DAGs on up to 6 variables; ``"exact"`` sums over all DAGs without listing
        them; ``"mcmc"`` draws from the posterior by Markov chains. ``"auto"`` takes the first that fits, in this order.
    prior : ``"uniform"``, every DAG alike; ``"sparse"``, proportional to the product of 1 / C(n − 1, number of parents)
        over the n variables; ``"classes"``, every equivalence class alike (enumerate only); ``"order"``, proportional
        to the number of orders that a DAG agrees with (exact only).
    knowledge : what is known beforehand: see :class:`Knowledge`. Structures that violate it have probability zero.
    max_parents : limit for every variable; none by default.
    guard : what to do about families with more cells than half the rows, as in :func:`learn`: ``"warn"`` when they are
        probable, ``"cap"`` (do not admit them) or ``"off"``.
    samples : DAGs to draw where some are drawn; by default as many as the method finds fit.
    seed : of everything random; 0 by default.
    n_jobs : threads; all cores by default. The result does not depend on it.
    time_limit : seconds. Chains stop then, with what they have; at least six draws of each are made. Part of a sum
        tells nothing: ``"exact"`` and ``"enumerate"`` raise OutOfTimeError and say how far they came. ``"auto"`` gives
        them half of the time, and the rest to chains; `method` and `diagnostics` of the result say so.
    memory_limit : bytes; what would need more is refused before it starts. By default 90 % of what is free.
    progress : show a progress bar on standard error.
    state : the `state` of an earlier posterior by chains on the same data: they go on from there, with new draws.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Raises
    ------
    TooLargeError
        Before any work, with the figures and the method that would fit.
    OutOfTimeError
        When the time is over and there is nothing to give.
    """
    started = time.perf_counter()
    chosen = find_score("posterior", score)
    _check(chosen, method, prior, guard, max_parents, samples, seed, time_limit, memory_limit)
    table = data if isinstance(data, Table) else read_table(data)
    by_name = table.select(sorted(table.names))
    compiled = (knowledge or Knowledge()).compile(by_name.names, max_parents=max_parents)
    counts = MemoryCounts(by_name)
    bound = bind_score("posterior", chosen, table.total, parameters)
    problem = StructureProblem(
        columns=counts.columns,
        kind=chosen.kind,
        parameter=bound.value,
        compiled=compiled,
        most_cells=table.total / 2 if guard == "cap" else math.inf,
        arities=counts.arities,
        n_rows=table.n_rows,
        prior=prior,
        memory_limit=float(memory_limit) if memory_limit is not None else 0.9 * available_memory(),
        n_jobs=resolve_jobs("posterior", n_jobs),
        config_classes=len(set(counts.arities)) if chosen.has_own_configurations else 0,
        is_direct=not chosen.has_cell_sums,
    )
    if state is not None and method != "mcmc":
        raise bad_argument("posterior", "state", "…", "left out unless method='mcmc': only chains go on from a state")
    with progress_bar() if progress else nullcontext() as watch:
        taken, found = answer(problem, method, RunOptions(samples, seed or 0, time_limit, watch, state))
    result = Posterior(
        table=table,
        score_name=bound.label,
        method=taken,
        prior=prior,
        weights_are=_weights_are(chosen),
        seconds=time.perf_counter() - started,
        bound_score=bound,
        found=found,
    )
    if guard == "warn" and chosen.name == "qnml":
        _warn_if_overfull(result, problem, by_name.names)
    return result


def _check(
    score: Score,
    method: str,
    prior: str,
    guard: str,
    max_parents: int | None,
    samples: int | None,
    seed: int | None,
    time_limit: float | None,
    memory_limit: float | None,
) -> None:
    call = "posterior"
    if not score.is_decomposable:
        raise bad_argument(call, "score", score.name, "a decomposable score", "'nml' can only score given networks.")
    for argument, word, known in (
        ("method", method, ("auto", *METHODS)),
        ("prior", prior, PRIORS),
        ("guard", guard, GUARDS),
    ):
        if word not in known:
            raise unknown_name(call, argument, word, known)
    for argument, count, lowest in (("max_parents", max_parents, 0), ("samples", samples, 2), ("seed", seed, 0)):
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < lowest):
            raise bad_argument(call, argument, count, f"a whole number of at least {lowest}, or None")
    if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit >= 0):
        raise bad_argument(call, "time_limit", time_limit, "a number of seconds, at least 0, or None")
    if memory_limit is not None and not (isinstance(memory_limit, int | float) and memory_limit > 0):
        raise bad_argument(call, "memory_limit", memory_limit, "a positive number of bytes, or None")


def _weights_are(score: Score) -> str:
    if score.is_bayesian:
        return "posterior probabilities"
    return "NML weights" if score.is_normalized_likelihood else "score weights"


def _warn_if_overfull(result: Posterior, problem: StructureProblem, names: tuple[str, ...]) -> None:
    half = result.table.total / 2
    shares = {}
    for child, name in enumerate(names):
        share = math.fsum(
            share
            for mask, share in result.found.parent_sets(child)
            if mask and math.prod(a for i, a in enumerate(problem.arities) if i == child or mask >> i & 1) > half
        )
        if share > _LEAST_WARNED_OF:
            shares[name] = share
    if not shares:
        return
    shown = ", ".join(f"{name} ({share:.0%})" for name, share in list(shares.items())[:5])
    warnings.warn(
        f"posterior: families with more cells than half the {result.table.total} rows are probable, for {shown}. "
        "qNML can prefer such families without any dependence. guard='cap' does not admit them; guard='off' silences "
        "this.",
        OverfullWarning,
        stacklevel=3,
    )
