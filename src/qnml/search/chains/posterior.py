"""The posterior from DAGs sampled by MCMC: every figure is an estimate with its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml.search.chains.convergence import concerns, convergence_facts
from qnml.search.chains.diagnostics import SampleEstimate, estimate_shares, estimate_weighted_shares
from qnml.search.posterior.dag_draws import DagDraws
from qnml.search.posterior.interface import DrawnPosterior
from qnml.search.priors import MODULAR_PRIORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from qnml.search.chains.draws import ChainDraws
    from qnml.search.posterior.interface import DagMixture, Masks, ScoredStructure
    from qnml.search.problem import SearchProblem

__all__ = ["ChainPosterior"]


@dataclass(frozen=True, eq=False)
class ChainPosterior(DrawnPosterior):
    """The posterior from draws along Markov chains.

    Attributes
    ----------
    problem : the problem that was solved.
    draws : the draws of all chains.
    instead_of : the method that these estimates replace, and why; or empty.
    stopped : why that method stopped; or empty.
    """

    problem: SearchProblem
    draws: ChainDraws
    instead_of: str = ""
    stopped: str = ""

    @property
    def n_variables(self) -> int:
        """Number of columns."""
        return self.problem.n_variables

    @cached_property
    def edges(self) -> SampleEstimate:
        """Shares of the arcs i → j in row i, column j."""
        return self._estimate(lambda child: _members(self.draws.words, child))

    @cached_property
    def adjacencies(self) -> SampleEstimate:
        """Shares of the pairs with an arc in either direction."""
        words = self.draws.words
        return self._estimate(lambda node: _members(words, node) | _holders(words, node))

    @cached_property
    def ancestors(self) -> SampleEstimate:
        """Shares of the pairs with a directed path from i to j."""
        words = self.draws.words
        above = _core.ancestors(words.reshape(-1), self.n_variables, 1).reshape(words.shape)
        return self._estimate(lambda child: _members(above, child))

    @cached_property
    def diagnostics(self) -> Mapping[str, Any]:
        """Facts about the convergence of the chains, and why they ran."""
        facts = {**convergence_facts(self.draws, self.edges), "instead_of": self.instead_of or None}
        if self.stopped and facts["stop_reason"] != "interrupted":
            facts["stop_reason"] = self.stopped
        return facts

    def concerns(self) -> list[str]:
        """Reasons not to trust the draws yet, in sentences; empty if there are none."""
        return concerns(self.diagnostics)

    @property
    def state(self) -> Mapping[str, Any] | None:
        """Where the chains stopped; None if they ran under another prior."""
        return self.draws.state if self.problem.prior in MODULAR_PRIORS else None

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Parent sets among the draws with their shares, most frequent first."""
        return self._dag_draws.parent_sets(child)

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k best DAGs among the draws."""
        return self._dag_draws.top_dags(k), False

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k best equivalence classes among the draws."""
        return self._dag_draws.top_classes(k), False

    def mixture(self, most: int) -> DagMixture:
        """The DAGs that were drawn."""
        return self._dag_draws.mixture(most)

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """Draws chosen at random with replacement."""
        dags = self.draws.dags
        places = np.random.default_rng(seed).integers(0, len(dags), count)
        return [dags[place] for place in places]

    @property
    def effective_size(self) -> float:
        """Effective number of independent draws for averages over DAGs.

        An average depends on many arcs, so this is the smallest effective size of an arc. Arcs that never changed count
        with the median of the others.
        """
        sizes = self.edges.effective_sizes
        known = np.isfinite(sizes)
        sizes = np.where(known, sizes, np.median(sizes[known]) if known.any() else float(self.draws.n_draws))
        apart = sizes[~np.eye(self.n_variables, dtype=bool)]
        n_draws = self.draws.n_draws
        return float(np.clip(apart.min(initial=n_draws), 1.0, n_draws))

    @cached_property
    def _dag_draws(self) -> DagDraws:
        return DagDraws(self.problem, self.draws.dags, self.effective_size)

    def _estimate(self, series_of: Callable[[int], NDArray[np.bool_]]) -> SampleEstimate:
        """Shares of a relation, from the series of every node: chains × draws × other nodes."""
        weights = self.draws.weights
        rows = [
            estimate_shares(series) if weights is None else estimate_weighted_shares(series, weights)
            for series in (series_of(node).astype(float) for node in range(self.n_variables))
        ]
        values, errors, r_hat, sizes = (
            np.ascontiguousarray(np.stack(part).T)
            for part in zip(*((r.values, r.standard_errors, r.r_hat, r.effective_sizes) for r in rows), strict=True)
        )
        np.fill_diagonal(errors, 0.0)
        return SampleEstimate(values, errors, r_hat, sizes)


def _members(words: NDArray[np.uint64], child: int) -> NDArray[np.bool_]:
    """For each draw, which nodes are in the set of a node."""
    mine = np.ascontiguousarray(words[:, :, child, :].astype("<u8"))
    bits = np.unpackbits(mine.view(np.uint8), axis=2, bitorder="little")
    return bits[:, :, : words.shape[2]].astype(bool)


def _holders(words: NDArray[np.uint64], parent: int) -> NDArray[np.bool_]:
    """For each draw, the nodes whose sets contain a node."""
    return (words[:, :, :, parent // 64] >> np.uint64(parent % 64) & np.uint64(1)).astype(bool)
