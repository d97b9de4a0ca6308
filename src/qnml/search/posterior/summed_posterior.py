"""The posterior by exact sums over all structures, with draws for what the sums do not say.

Arcs and sets of parents are exact. The best structures are listed with proof where there is one. Averages, and
what else has no sums, come from DAGs drawn exactly from the posterior, and say how far off they may be.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.errors import InputError
from qnml.search.posterior.drawn_structures import Draws
from qnml.search.posterior.proven_rankings import best_classes, best_dags, outweigh_the_rest
from qnml.search.posterior.structure_posterior import Estimate, Unfinished
from qnml.search.posterior.structure_sums import StructureSums, forecast_sums, sum_scores, sum_structures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.search.plan import Plan
    from qnml.search.posterior.structure_posterior import (
        DagMixture,
        Masks,
        RunOptions,
        ScoredStructure,
    )
    from qnml.search.problem import SearchProblem

__all__ = ["SummedPosterior", "forecast", "run"]

_DRAWS = 2000
# Columns of which all families are estimated for an average, and steps of the sums it takes.
_MOST_AVERAGED_OVER = 10
_MOST_STEPS = 1e8


def forecast(problem: SearchProblem) -> Plan:
    """What the sums would need."""
    return forecast_sums(problem)


def run(problem: SearchProblem, options: RunOptions) -> SummedPosterior | Unfinished:
    """Sum over all structures.

    Parameters
    ----------
    problem
        Any prior but ``"classes"``.
    options
        How many DAGs to draw where the sums do not say enough, and when to stop.

    Returns
    -------
    SummedPosterior or Unfinished
        How far it came when it was stopped: half a sum tells nothing.
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
class SummedPosterior:
    """Exact sums as a `StructurePosterior`.

    Attributes
    ----------
    problem : what was asked.
    sums : the answer of the core.
    options : how many DAGs to draw, and from which seed.
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
        return Estimate(np.asarray(self.sums.edges, dtype=np.float64))

    @cached_property
    def adjacencies(self) -> Estimate:
        """Probability of an arc between i and j, either way; exact."""
        return Estimate(self.edges.values + self.edges.values.T)

    @cached_property
    def ancestors(self) -> Estimate:
        """Probability of a directed path from i to j: exact where the sums have it, else from draws."""
        exact = self.sums.ancestors
        return self._draws.ancestors() if exact is None else Estimate(np.asarray(exact, dtype=np.float64))

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """How far off the sums may be, and how many DAGs are drawn for what they do not say."""
        return {
            "error_bound": float(self.sums.error_bound),
            "discrepancy": float(self.sums.discrepancy),
            "draws": self.options.samples or _DRAWS,
        }

    @property
    def state(self) -> None:
        """Nothing is left to be done."""
        return

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Sets of parents with their probabilities, best first; impossible ones left out."""
        return self.sums.parent_sets(child)

    def share_of_large(self, child: int, levels: Sequence[int], most: float) -> float:
        """The probability that the levels of a child and its parents multiply to more than `most`."""
        # Not by the list of all sets: for 17 variables that takes longer than the sums.
        cells = np.array([float(levels[child])])
        for other, count in enumerate(levels):
            if other != child:
                cells = np.concatenate([cells, count * cells])
        is_large = cells > most
        is_large[0] = False
        return float(self.sums.parent_set_probabilities[child][is_large].sum())

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best DAGs, proven under the uniform prior where they can be listed in seconds; else the best drawn.

        Their probabilities are exact under the priors ``"uniform"`` and ``"sparse"``; where those that were not drawn
        have less in all, the ranking is proven.
        """
        if self.problem.prior == "order":
            return self._draws.top_dags(k), False
        if self.problem.prior != "uniform":
            drawn = self._draws.top_dags(len(self._draws.dags))
            return drawn[:k], outweigh_the_rest(drawn, k)
        if k not in self._dags_by_count:
            found, whole = best_dags(self.problem, k, self.log_total)
            self._dags_by_count[k] = (found, whole) if whole else (_joined(found, self._draws.top_dags(k), k), False)
        return self._dags_by_count[k]

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The same for classes, each by the weight of all its members."""
        if self.problem.prior == "order":
            return self._draws.top_classes(k), False
        if k not in self._classes_by_count:
            drawn = self._draws.top_classes(k)
            found, proven = best_classes(self.problem, k, self.log_total, [one.masks for one in drawn])
            # Under another prior classes of too many members are weighed by how often they were drawn.
            is_all = self.problem.prior == "uniform" or proven
            self._classes_by_count[k] = (found, proven) if is_all else (drawn, False)
        return self._classes_by_count[k]

    def mixture(self, most: int) -> DagMixture:
        """The DAGs drawn."""
        return self._draws.mixture(most)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """Independent draws."""
        return self.sums.sample_dags(count, seed)

    def can_average(self, n_products: int) -> bool:
        """One more sum over all DAGs for each product: some seconds at most."""
        n = self.n_variables
        return n <= _MOST_AVERAGED_OVER and n_products * 3.0**n <= _MOST_STEPS

    def log_averages(self, log_factors: FloatArray) -> FloatArray:
        """Each factor is multiplied into the weight of its family; the total then over the total now is the average."""
        control = _core.Control()
        problem = self.problem
        flat = _core.family_log_scores(
            problem.columns, problem.kind, problem.parameter, problem.constraints(), problem.n_jobs, control
        )
        scores = flat.reshape(self.n_variables, -1)

        def log_total(factors: FloatArray) -> float:
            try:
                return sum_scores(scores + factors, problem.prior, problem.n_jobs).log_total
            except InputError:  # no structure has a weight: the product is zero in all of them
                return -np.inf

        return np.array([log_total(one) - self.log_total for one in log_factors])

    # Listing takes seconds, and is asked for more than once.

    @cached_property
    def _dags_by_count(self) -> dict[int, tuple[list[ScoredStructure], bool]]:
        return {}

    @cached_property
    def _classes_by_count(self) -> dict[int, tuple[list[ScoredStructure], bool]]:
        return {}

    @cached_property
    def _draws(self) -> Draws:
        count = self.options.samples or _DRAWS
        dags = tuple(self.sample_dags(count, self.options.seed))
        return Draws(self.problem, dags, float(count), self.log_total)


def _joined(first: list[ScoredStructure], second: list[ScoredStructure], k: int) -> list[ScoredStructure]:
    """The best of two lists."""
    different = {one.masks: one for one in (*first, *second)}
    return sorted(different.values(), key=lambda one: (-round(one.log_weight, 7), one.masks))[:k]
