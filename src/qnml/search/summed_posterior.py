"""The posterior by exact sums over all structures, with draws for what the sums do not say.

Arcs and sets of parents are exact. The best structures, averages, and paths where there are no sums for them, come from
DAGs drawn exactly from the posterior, and say how far off they may be.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from qnml.search.drawn_structures import Draws
from qnml.search.structure_posterior import Estimate, Forecast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.search.structure_posterior import DagMixture, Masks, RunOptions, ScoredStructure, StructureProblem

__all__ = ["SummedPosterior", "Sums", "forecast", "run"]

_DRAWS = 2000
# Sums of sets that are less probable than this are lost in their own rounding.
_LEAST_SHARE = 1e-15


def forecast(problem: StructureProblem) -> Forecast:
    """What the sums would need."""
    module = _sums_module()
    if module is None:
        return Forecast("exact", "exact sums", math.inf, math.inf, False, "Exact sums are not part of this build.")
    found: Forecast = module.forecast(problem)
    return found


def run(problem: StructureProblem, options: RunOptions) -> SummedPosterior:
    """Sum over all structures.

    Parameters
    ----------
    problem
        Any prior but ``"classes"``.
    options
        How many DAGs to draw where the sums do not say enough, and when to stop.
    """
    module = _sums_module()
    assert module is not None
    return SummedPosterior(problem, module.run(problem, options), options)


def _sums_module() -> Any:
    try:
        return importlib.import_module("qnml.search.structure_sums")
    except ModuleNotFoundError:
        return None


class Sums(Protocol):
    """What `qnml.search.structure_sums` computes."""

    @property
    def log_total(self) -> float:
        """Log of the sum of all weights."""

    @property
    def parent_sets(self) -> FloatArray:
        """Probabilities of sets of parents, n × 2^(n−1): the bit of the child is taken out of the mask."""

    @property
    def edges(self) -> FloatArray:
        """Probability of the arc i → j in row i, column j."""

    @property
    def error_bound(self) -> float:
        """No probability is further off than this."""

    def sample(self, count: int, seed: int) -> Sequence[Masks]:
        """DAGs drawn independently."""


@dataclass(frozen=True, eq=False)
class SummedPosterior:
    """Exact sums as a `StructurePosterior`.

    Attributes
    ----------
    problem : what was asked.
    sums : the answer of the core.
    options : how many DAGs to draw, and from which seed.
    """

    problem: StructureProblem
    sums: Sums
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
        exact = getattr(self.sums, "ancestors", None)
        return self._draws.ancestors() if exact is None else Estimate(np.asarray(exact, dtype=np.float64))

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """How far off the sums may be, and how many DAGs are drawn for what they do not say."""
        return {"error_bound": float(self.sums.error_bound), "draws": self.options.samples or _DRAWS}

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Sets of parents with their probabilities, best first; impossible ones left out."""
        shares = np.asarray(self.sums.parent_sets[child])
        order = np.argsort(-shares, kind="stable")
        below = (1 << child) - 1
        return [
            ((int(place) & ~below) << 1 | (int(place) & below), float(shares[place]))
            for place in order
            if shares[place] > _LEAST_SHARE
        ]

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best among the DAGs drawn; their probabilities are exact."""
        return self._draws.top_dags(k), False

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best among the classes drawn."""
        return self._draws.top_classes(k), False

    def mixture(self, most: int) -> DagMixture:
        """The DAGs drawn."""
        return self._draws.mixture(most)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """Independent draws."""
        return [tuple(int(mask) for mask in masks) for masks in self.sums.sample(count, seed)]

    @cached_property
    def _draws(self) -> Draws:
        count = self.options.samples or _DRAWS
        dags = tuple(self.sample_dags(count, self.options.seed))
        return Draws(self.problem, dags, float(count), self.log_total)
