"""The posterior from exact sums over all structures, with exact draws for what the sums do not give.

Probabilities of arcs and parent sets are exact. The best structures are listed with proof if there is one. Averages,
and quantities without exact sums, come from DAGs drawn independently from the posterior, with standard errors.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.errors import InputError
from qnml.search.posterior.dag_draws import DagDraws
from qnml.search.posterior.interface import Estimate, ExactPosterior, ProductAverages
from qnml.search.posterior.method import Unfinished
from qnml.search.posterior.proven_rankings import best_classes, best_dags, ranked
from qnml.search.posterior.structure_sums import StructureSums, family_scores, sum_scores, sum_structures
from qnml.search.posterior.sums_forecast import forecast_sums

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.search.plan import Plan
    from qnml.search.posterior.interface import DagMixture, Masks, ScoredStructure
    from qnml.search.posterior.method import RunOptions
    from qnml.search.problem import SearchProblem

__all__ = ["SummedPosterior", "forecast", "run"]

_DRAWS = 2000
# Limits of exact averages: number of columns, since all families get parameters, and steps of the sums.
_MOST_AVERAGED_OVER = 10
_MOST_STEPS = 1e8


def forecast(problem: SearchProblem) -> Plan:
    """Forecast of the sums."""
    return forecast_sums(problem)


def run(problem: SearchProblem, options: RunOptions) -> SummedPosterior | Unfinished:
    """Sum over all structures.

    Parameters
    ----------
    problem
        With any prior except ``"classes"``.
    options
        How many DAGs to draw for what the sums do not give, and when to stop.

    Returns
    -------
    SummedPosterior or Unfinished
        The progress made when it was stopped: a partial sum is worthless.
    """
    began = time.perf_counter()
    sums, stopped = sum_structures(problem, options.time_limit, options.watch, options.kept_back)
    if sums is not None:
        return SummedPosterior(problem, sums, options)
    if stopped is None:
        raise AssertionError("the sums ended without a reason")
    where = f"at {stopped.share:.0%} of the stage '{stopped.stage}' (the forecast for all stages was "
    how_far = f"{where}{forecast_sums(problem).seconds:.2g} s)"
    return Unfinished(stopped.reason, how_far, time.perf_counter() - began, stopped.interruptions)


@dataclass(frozen=True, eq=False)
class SummedPosterior(ExactPosterior, ProductAverages):
    """The posterior from exact sums.

    Attributes
    ----------
    problem : the problem that was solved.
    sums : the result of the core.
    options : number of DAGs to draw, and the seed.
    """

    problem: SearchProblem
    sums: StructureSums
    options: RunOptions

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return self.problem.n_variables

    @property
    def log_total(self) -> float:
        """Log of the sum of all weights."""
        return float(self.sums.log_total)

    @cached_property
    def edges(self) -> Estimate:
        """Probability of the arc i → j in row i, column j; exact."""
        return Estimate(np.asarray(self.sums.edges, dtype=np.float64), None)

    @cached_property
    def adjacencies(self) -> Estimate:
        """Probability of an arc between i and j in either direction; exact."""
        return Estimate(self.edges.values + self.edges.values.T, None)

    @cached_property
    def ancestors(self) -> Estimate:
        """Probability of a directed path from i to j: exact if the sums contain it, else estimated from draws."""
        exact = self.sums.ancestors
        return self._draws.ancestors() if exact is None else Estimate(np.asarray(exact, dtype=np.float64), None)

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """Bounds on the error of the sums, and the number of DAGs drawn for what the sums do not give."""
        return {
            "error_bound": float(self.sums.error_bound),
            "discrepancy": float(self.sums.discrepancy),
            "draws": self.options.samples or _DRAWS,
        }

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Parent sets of positive probability, most probable first."""
        probabilities = self.sums.parent_set_probabilities[child]
        low = (1 << child) - 1
        return [
            ((index & low) | (index & ~low) << 1, float(probabilities[index]))
            for index in np.argsort(-probabilities, kind="stable").tolist()
            if probabilities[index] > 0
        ]

    def share_of_large(self, child: int, levels: Sequence[int], most: float) -> float:
        """Probability that a child has parents and that its family has more than `most` cells."""
        # Without listing all parent sets: for 17 variables that takes longer than the sums.
        cells = np.array([float(levels[child])])
        for other, count in enumerate(levels):
            if other != child:
                cells = np.concatenate([cells, count * cells])
        is_large = cells > most
        is_large[0] = False
        return float(self.sums.parent_set_probabilities[child][is_large].sum())

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best DAGs: proven, unless they cannot be listed in seconds or the prior is ``"order"``, else those drawn.

        Their probabilities are exact except under that prior.
        """
        if self.problem.prior == "order":
            return self._draws.top_dags(k), False
        if k not in self._dags_by_count:
            found, whole = best_dags(self.problem, k, self.log_total)
            self._dags_by_count[k] = (found, whole) if whole else (_merged(found, self._draws.top_dags(k), k), False)
        return self._dags_by_count[k]

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The same for equivalence classes, by the total weight of their members."""
        if self.problem.prior == "order":
            return self._draws.top_classes(k), False
        if k not in self._classes_by_count:
            drawn = self._draws.top_classes(k)
            found, proven = best_classes(self.problem, k, self.log_total, [one.masks for one in drawn])
            self._classes_by_count[k] = (found, proven)
        return self._classes_by_count[k]

    def mixture(self, most: int) -> DagMixture:
        """The DAGs drawn."""
        return self._draws.mixture(most)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """DAGs drawn independently by their exact probabilities."""
        return self.sums.draw(count, seed)

    def can_average(self, n_products: int) -> bool:
        """Whether one more sum over all DAGs for each product takes a few seconds at most."""
        n = self.n_variables
        return n <= _MOST_AVERAGED_OVER and n_products * 3.0**n <= _MOST_STEPS

    def log_averages(self, log_factors: FloatArray) -> FloatArray:
        """Logs of averages: the total with the factors multiplied into the family weights, over the total without."""
        scores = family_scores(self.problem, _core.Control())
        if scores is None:  # nothing could have stopped it
            raise AssertionError("the families were not scored")
        return np.array([self._log_total_of(scores + factors) - self.log_total for factors in log_factors])

    def _log_total_of(self, scores: FloatArray) -> float:
        try:
            # The sparse prior is in the scores.
            prior = "order" if self.problem.prior == "order" else "uniform"
            return sum_scores(scores, prior, self.problem.n_jobs).log_total
        except InputError:  # no structure has a positive weight: the product is zero in all of them
            return -np.inf

    # Listing takes seconds and is requested repeatedly.

    @cached_property
    def _dags_by_count(self) -> dict[int, tuple[list[ScoredStructure], bool]]:
        return {}

    @cached_property
    def _classes_by_count(self) -> dict[int, tuple[list[ScoredStructure], bool]]:
        return {}

    @cached_property
    def _draws(self) -> DagDraws:
        count = self.options.samples or _DRAWS
        dags = tuple(self.sample_dags(count, self.problem.seed))
        return DagDraws(self.problem, dags, float(count), self.log_total)


def _merged(first: list[ScoredStructure], second: list[ScoredStructure], k: int) -> list[ScoredStructure]:
    """The k best distinct structures of two lists."""
    distinct = {one.masks: one for one in (*first, *second)}
    return ranked(distinct.values())[:k]
