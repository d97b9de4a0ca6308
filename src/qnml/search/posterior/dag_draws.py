"""DAGs drawn from a posterior: shares of arcs and paths, the best DAGs and classes among them, mixtures.

All figures are estimates. The standard error of a share is that of a binomial proportion with the effective number of
draws, with one success and one failure added, so that events that were never observed do not count as impossible.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph import Dag
from qnml.graph.masks import bits
from qnml.search.posterior.family_weights import dag_log_weights
from qnml.search.posterior.interface import DagMixture, Estimate, ScoredStructure
from qnml.search.posterior.proven_rankings import ranked, weigh_class
from qnml.search.priors import MODULAR_PRIORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.graph import Cpdag, Mpdag
    from qnml.search.posterior.interface import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["DagDraws", "share_errors"]

# Entries of the adjacency matrices of one batch, four bytes each.
_MOST_ENTRIES = 2**25


def share_errors(shares: FloatArray, effective_sizes: float | FloatArray) -> FloatArray:
    """Standard errors of shares among this number of independent draws.

    One success and one failure are added, so that events that were never observed do not count as impossible.
    """
    smoothed = (shares * effective_sizes + 1.0) / (effective_sizes + 2.0)
    errors: FloatArray = np.sqrt(smoothed * (1.0 - smoothed) / effective_sizes)
    return errors


@dataclass(frozen=True, eq=False)
class DagDraws:
    """DAGs drawn from a posterior.

    Attributes
    ----------
    problem : the problem that defines the posterior.
    dags : the draws, in order.
    effective_size : effective number of independent draws.
    log_total : log of the sum of all weights, or None.
    """

    problem: SearchProblem
    dags: tuple[Masks, ...]
    effective_size: float
    log_total: float | None = None

    def ancestors(self) -> Estimate:
        """Shares of the pairs with a directed path."""
        n = self.problem.n_variables
        shares = np.zeros((n, n))
        step = max(1, _MOST_ENTRIES // (n * n))
        for start in range(0, len(self.dags), step):
            shares += _paths(_arc_arrays(self.dags[start : start + step], n)).sum(axis=0)
        shares /= len(self.dags)
        errors = share_errors(shares, self.effective_size)
        np.fill_diagonal(errors, 0.0)
        return Estimate(shares, errors)

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Parent sets among the draws with their shares, most frequent first."""
        counts = Counter(masks[child] for masks in self.dags)
        return sorted(
            ((mask, count / len(self.dags)) for mask, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
        )

    def top_dags(self, k: int) -> list[ScoredStructure]:
        """The k DAGs of highest weight among the draws."""
        drawn = Counter(self.dags)
        if not self._is_modular:
            return self._by_share(drawn, k)
        distinct = list(drawn)
        found = (
            ScoredStructure(masks, weight, self._probability(weight, drawn[masks] / len(self.dags)))
            for masks, weight in zip(distinct, dag_log_weights(self.problem, distinct).tolist(), strict=True)
        )
        return ranked(found)[:k]

    def top_classes(self, k: int) -> list[ScoredStructure]:
        """The k classes of highest weight among the most frequent ones."""
        names = [str(place) for place in range(self.problem.n_variables)]
        classes: Counter[Cpdag | Mpdag] = Counter()
        for masks, count in Counter(self.dags).items():
            classes[self.problem.class_of(Dag.from_masks(names, masks))] += count
        if not self._is_modular:
            return self._by_share(
                Counter({cpdag.consistent_extension().parent_masks: count for cpdag, count in classes.items()}), k
            )
        return ranked(self._weighed(cpdag, count) for cpdag, count in classes.most_common(2 * k + 10))[:k]

    @property
    def _is_modular(self) -> bool:
        """Whether the weight of a DAG is a product over its families."""
        return self.problem.prior in MODULAR_PRIORS

    def _by_share(self, drawn: Counter[Masks], k: int) -> list[ScoredStructure]:
        return ranked(self._by_frequency(masks, count) for masks, count in drawn.items())[:k]

    def _by_frequency(self, masks: Masks, count: int) -> ScoredStructure:
        """A structure whose weight is estimated by its share of the draws."""
        share = count / len(self.dags)
        return ScoredStructure(masks, math.log(share) + (self.log_total or 0.0), share)

    def mixture(self, most: int) -> DagMixture:
        """The distinct DAGs among the draws; among an evenly spaced selection if there are more than `most` draws."""
        chosen = self.dags
        if len(chosen) > most:
            places = np.linspace(0, len(chosen) - 1, most).round().astype(int)
            chosen = tuple(self.dags[place] for place in places)
        counts = Counter(chosen)
        shares = np.array(list(counts.values())) / len(chosen)
        return DagMixture(tuple(counts), shares, 0.0, min(self.effective_size, len(chosen)))

    def _weighed(self, cpdag: Cpdag | Mpdag, count: int) -> ScoredStructure:
        """A class by its first member, with the total weight of its members."""
        first = cpdag.consistent_extension().parent_masks
        found = weigh_class(self.problem, [str(place) for place in range(self.problem.n_variables)], first)
        if found is None:
            return self._by_frequency(first, count)
        return ScoredStructure(found[0], found[1], self._probability(found[1], count / len(self.dags)))

    def _probability(self, log_weight: float, share: float) -> float:
        return share if self.log_total is None else math.exp(log_weight - self.log_total)


def _arc_arrays(dags: Sequence[Masks], n: int) -> NDArray[np.bool_]:
    """One matrix per DAG, True in row i, column j for i → j."""
    arcs = np.zeros((len(dags), n, n), dtype=bool)
    for place, masks in enumerate(dags):
        for child, mask in enumerate(masks):
            arcs[place, list(bits(mask)), child] = True
    return arcs


def _paths(arcs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Transitive closure: each round doubles the length of the paths found."""
    known = arcs
    while True:
        steps = known.astype(np.float32)
        longer = known | (steps @ steps > 0)
        if np.array_equal(longer, known):
            return known
        known = longer
