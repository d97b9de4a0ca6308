"""The posterior by Markov chains: every figure is an estimate with its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.search.chains import partition_mcmc
from qnml.search.posterior.drawn_structures import Draws
from qnml.search.posterior.structure_posterior import Estimate, share_of_large

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.search.chains.diagnostics import SampleEstimate
    from qnml.search.chains.sampled_chains import SampledChains
    from qnml.search.plan import Plan
    from qnml.search.posterior.structure_posterior import (
        DagMixture,
        Masks,
        RunOptions,
        ScoredStructure,
    )
    from qnml.search.problem import SearchProblem

__all__ = ["ChainPosterior", "forecast", "run"]


def forecast(problem: SearchProblem) -> Plan:
    """What the chains would need."""
    return partition_mcmc.forecast(problem)


def run(problem: SearchProblem, options: RunOptions) -> ChainPosterior:
    """Run the chains.

    Parameters
    ----------
    problem
        With the prior ``"uniform"`` or ``"sparse"``; with others draws have weights.
    options
        How many DAGs to draw, from which seed, and when to stop.
    """
    return ChainPosterior(
        problem, partition_mcmc.run(problem, options, state=options.state), options.instead_of, options.stopped
    )


@dataclass(frozen=True, eq=False)
class ChainPosterior:
    """Chains as a `StructurePosterior`.

    Attributes
    ----------
    problem : what was asked.
    chains : what was drawn.
    instead_of : what exact sums were to give, and why they do not; or empty.
    stopped : why these were stopped; or empty.
    """

    problem: SearchProblem
    chains: SampledChains
    instead_of: str = ""
    stopped: str = ""

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return self.problem.n_variables

    @property
    def log_total(self) -> None:
        """Chains know ratios of weights only."""
        return

    @cached_property
    def edges(self) -> Estimate:
        """Shares of the arcs i → j."""
        return _estimate(self.chains.edges)

    @cached_property
    def adjacencies(self) -> Estimate:
        """Shares of the pairs that are joined."""
        return _estimate(self.chains.adjacencies)

    @cached_property
    def ancestors(self) -> Estimate:
        """Shares of the pairs that a directed path joins."""
        return _estimate(self.chains.ancestors)

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """What the chains say of themselves."""
        facts = {**self.chains.diagnostics, "instead_of": self.instead_of or None}
        if self.stopped and facts["stop_reason"] != "interrupted":
            facts["stop_reason"] = self.stopped
        return facts

    @property
    def state(self) -> Mapping[str, Any] | None:
        """Where the chains stand; None where they stand under another prior."""
        return self.chains.state if self.problem.prior in partition_mcmc.DRAWN_PRIORS else None

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Sets of parents that were drawn, with their shares."""
        return self._draws.parent_sets(child)

    def share_of_large(self, child: int, levels: Sequence[int], most: float) -> float:
        """The probability that the levels of a child and its parents multiply to more than `most`."""
        return share_of_large(self.parent_sets(child), child, levels, most)

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best among the DAGs drawn."""
        return self._draws.top_dags(k), False

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The best among the classes drawn."""
        return self._draws.top_classes(k), False

    def mixture(self, most: int) -> DagMixture:
        """The DAGs drawn."""
        return self._draws.mixture(most)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """Some of the DAGs drawn, chosen at random."""
        places = np.random.default_rng(seed).integers(0, len(self._draws.dags), count)
        return [self._draws.dags[place] for place in places]

    def can_average(self, n_products: int) -> bool:
        """Averages are those over the draws."""
        return False

    def log_averages(self, log_factors: FloatArray) -> FloatArray:
        """Not from here."""
        raise NotImplementedError

    @cached_property
    def _draws(self) -> Draws:
        dags = tuple(self.chains.dags)
        sizes = np.asarray(self.chains.effective_sizes)[~np.eye(self.n_variables, dtype=bool)]
        # An average depends on many arcs; the one that is known worst stands for all.
        return Draws(self.problem, dags, float(np.clip(sizes.min(initial=len(dags)), 1.0, len(dags))))


def _estimate(shares: SampleEstimate) -> Estimate:
    return Estimate(shares.values, shares.standard_errors)
