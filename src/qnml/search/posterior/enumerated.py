"""The posterior over structures by enumerating all DAGs, on up to six columns."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._interrupts import held_interrupts
from qnml.errors import InputError
from qnml.graph.enumerate import count_dags
from qnml.graph.structure_arrays import MOST_NODES, all_parent_masks, ancestor_masks, told_keys
from qnml.search.plan import Plan, refused
from qnml.search.posterior.family_weights import family_log_weights
from qnml.search.posterior.interface import DagMixture, Estimate, ExactPosterior, ScoredStructure
from qnml.search.posterior.method import Unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.graph.structure_arrays import Masks8
    from qnml.search.posterior.interface import Masks
    from qnml.search.posterior.method import RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["EnumeratedPosterior", "forecast", "run"]

# Per DAG: masks, key, weight, probability, and the buffers of sorting.
_BYTES_PER_DAG = 120.0
_SECONDS_PER_DAG = 2e-6
_COUNTED_UP_TO = 40
# Scores of equivalent DAGs differ in the last digits; scores closer than this rank as equal.
_SAME_DECIMALS = 7


def forecast(problem: SearchProblem) -> Plan:
    """Forecast of enumerating all DAGs."""
    n, limit = problem.n_variables, problem.memory_limit
    work = f"{_how_many(n)} DAGs"
    if n > MOST_NODES:
        return refused(problem, "enumerate", f"method='enumerate' takes at most {MOST_NODES} variables.", work)
    dags = float(count_dags(n))
    return Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="enumerate",
        sets=2.0**n,
        families=n * 2.0 ** (n - 1),
        memory_bytes=_BYTES_PER_DAG * dags,
        memory_limit=limit,
        seconds=_SECONDS_PER_DAG * dags,
        fits=_BYTES_PER_DAG * dags <= limit,
        advice="",
        work=work,
    )


def _how_many(n: int) -> str:
    """The number of DAGs in readable form, rounded if it has many digits."""
    if n > _COUNTED_UP_TO:
        return f"more than 10^{math.log10(count_dags(_COUNTED_UP_TO)):.0f}"
    dags = count_dags(n)
    return f"{dags:,}" if dags < 10**12 else f"about 10^{math.log10(dags):.0f}"


def run(problem: SearchProblem, options: RunOptions) -> EnumeratedPosterior | Unfinished:
    """Compute the weight of every admitted DAG.

    Parameters
    ----------
    problem
        Up to six columns, any prior but ``"order"``.
    options
        Only the time limit and the watch matter: nothing is drawn.

    Returns
    -------
    EnumeratedPosterior or Unfinished
        The progress made, if it was stopped before every DAG had its weight: the best ones could be among the rest.
    """
    began = time.perf_counter()
    how_far, seconds = "before the families were scored", 0.0
    n = problem.n_variables
    try:
        # Partial results are worthless, so an interrupt need not wait for the end of a step.
        with held_interrupts() as interrupts, interrupts.raised():
            for step, (found, done) in enumerate(_steps(problem), start=1):
                if found is not None:
                    return found
                how_far = done
                if options.watch is not None:
                    options.watch("structures", step / (n + 2))
                seconds = time.perf_counter() - began
                if options.time_limit is not None and seconds > options.time_limit - options.kept_back:
                    break
    except KeyboardInterrupt:
        return Unfinished("interrupted", how_far, time.perf_counter() - began, 1)
    return Unfinished("time limit", how_far, seconds)


def _steps(problem: SearchProblem) -> Iterator[tuple[EnumeratedPosterior | None, str]]:
    """The work in steps: after each one the progress in words, and in the end the posterior."""
    n = problem.n_variables
    weights = family_log_weights(problem)
    yield None, "after the families were scored"
    masks = all_parent_masks(n)
    yield None, "after all DAGs were listed"
    totals = np.zeros(len(masks))
    for child in range(n):
        totals += weights[child][masks[:, child]]
        yield None, f"after the families of {child + 1} of {n} variables were weighted in all DAGs"
    admitted = np.isfinite(totals)
    if not admitted.any():
        raise InputError("posterior: no structure is admitted whose score is finite.")
    if not admitted.all():
        masks, totals = masks[admitted], totals[admitted]
    if problem.prior == "classes":
        keys = told_keys(masks, problem.parts)
        _, members, sizes = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        totals -= np.log(sizes)[members.reshape(-1)]
    yield EnumeratedPosterior(masks, totals, problem.parts), ""


@dataclass(frozen=True, eq=False)
class EnumeratedPosterior(ExactPosterior):
    """Every admitted DAG with its log weight.

    Attributes
    ----------
    masks : parent masks, one row per DAG, in lexicographic order.
    log_weights : score plus log prior weight.
    parts : for each variable the number of the part of the table that counts for it.
    """

    masks: Masks8
    log_weights: FloatArray
    parts: tuple[int, ...] = ()

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return int(self.masks.shape[1])

    @cached_property
    def log_total(self) -> float:
        """Log of the sum of all weights."""
        top = float(self.log_weights.max())
        return top + float(np.log(np.exp(self.log_weights - top).sum()))

    @cached_property
    def probabilities(self) -> FloatArray:
        """Probability of every DAG."""
        shares = np.exp(self.log_weights - self.log_weights.max())
        normalised: FloatArray = shares / shares.sum()
        return normalised

    @cached_property
    def family_probabilities(self) -> FloatArray:
        """Probability of every parent set, n × 2^n by mask."""
        n = self.n_variables
        return np.stack([np.bincount(self.masks[:, child], self.probabilities, minlength=1 << n) for child in range(n)])

    @cached_property
    def edges(self) -> Estimate:
        """Probability of the arc i → j in row i, column j."""
        return Estimate(_by_member(self.family_probabilities), None)

    @cached_property
    def adjacencies(self) -> Estimate:
        """Probability of an arc between i and j in either direction."""
        return Estimate(self.edges.values + self.edges.values.T, None)

    @cached_property
    def ancestors(self) -> Estimate:
        """Probability of a directed path from i to j."""
        n = self.n_variables
        above = ancestor_masks(self.masks)
        shares = [np.bincount(above[:, child], self.probabilities, minlength=1 << n) for child in range(n)]
        return Estimate(_by_member(np.stack(shares)), None)

    @cached_property
    def diagnostics(self) -> Mapping[str, Any]:
        """Numbers of DAGs and equivalence classes."""
        return {"dags": len(self.masks), "classes": len(self._classes[0])}

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """All admitted parent sets with their probabilities, most probable first."""
        shares = self.family_probabilities[child]
        there = np.unique(self.masks[:, child])
        return sorted(((int(mask), float(shares[mask])) for mask in there), key=lambda pair: (-pair[1], pair[0]))

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k most probable DAGs, best first; always proven."""
        return [
            ScoredStructure(self._row(place), float(self.log_weights[place]), float(self.probabilities[place]))
            for place in _best(self.log_weights, k)
        ], True

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k most probable classes: each by its first member, with the total weight of its members."""
        firsts, members = self._classes
        shares = np.bincount(members, self.probabilities)
        with np.errstate(divide="ignore"):
            logs = np.log(shares) + self.log_total
        # Shares below 1e-308 underflow to zero: such classes are ranked by their first member.
        logs = np.where(shares > 0, logs, self.log_weights[firsts])
        best = _best(logs, k)
        return [
            ScoredStructure(self._row(firsts[place]), float(logs[place]), float(shares[place])) for place in best
        ], True

    def mixture(self, most: int) -> DagMixture:
        """All DAGs, or the `most` most probable ones."""
        places = _best(self.log_weights, most)
        shares = self.probabilities[places]
        kept = float(shares.sum())
        left_out = 0.0 if len(places) == len(self.masks) else max(0.0, 1.0 - kept)
        return DagMixture(tuple(map(tuple, self.masks[places].tolist())), shares / kept, left_out)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """DAGs sampled independently by their probabilities."""
        steps = np.cumsum(self.probabilities)
        points = np.random.default_rng(seed).random(count) * steps[-1]
        places = np.minimum(np.searchsorted(steps, points, side="right"), len(steps) - 1)
        return [self._row(place) for place in places]

    @cached_property
    def _classes(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first member of each class, and the class of each DAG."""
        keys = told_keys(self.masks, self.parts)
        _, firsts, members = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return firsts, members.reshape(-1)

    def _row(self, place: int | np.intp) -> Masks:
        return tuple(self.masks[place].tolist())


def _by_member(shares: FloatArray) -> FloatArray:
    """Probability that a set (child × mask) contains a member: row member, column child."""
    n = len(shares)
    matrix = np.zeros((n, n))
    for member in range(n):
        inside = np.arange(1 << n) >> member & 1 == 1
        matrix[member] = shares[:, inside].sum(axis=1)
    return matrix


def _best(log_weights: FloatArray, k: int) -> NDArray[np.intp]:
    """Indices of the k highest values; ties keep their order."""
    rounded = np.round(log_weights - log_weights.max(), _SAME_DECIMALS)
    if k < len(rounded):
        lowest = np.partition(rounded, len(rounded) - k)[len(rounded) - k] if k else np.inf
        candidates = np.flatnonzero(rounded >= lowest)
    else:
        candidates = np.arange(len(rounded))
    return candidates[np.argsort(-rounded[candidates], kind="stable")][:k]
