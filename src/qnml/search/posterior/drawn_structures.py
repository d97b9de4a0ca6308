"""What draws from a posterior say: paths, the best DAGs and classes among them, and DAGs to average over.

Everything here is an estimate. A standard error is that of a share among as many independent draws as the draws are
worth, with one success and one failure added, so that "never seen" is not taken for "impossible".
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
from qnml.search.posterior.proven_rankings import weigh_class
from qnml.search.posterior.structure_posterior import DagMixture, Estimate, ScoredStructure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.graph import Cpdag
    from qnml.search.posterior.structure_posterior import Masks
    from qnml.search.problem import SearchProblem

__all__ = ["Draws", "share_error"]

# Adjacency matrices looked at together: 2^25 entries of four bytes.
_MOST_ENTRIES = 2**25


def share_error(share: FloatArray, effective_size: float | FloatArray) -> FloatArray:
    """Standard errors of shares among draws."""
    smoothed = (share * effective_size + 1.0) / (effective_size + 2.0)
    errors: FloatArray = np.sqrt(smoothed * (1.0 - smoothed) / effective_size)
    return errors


@dataclass(frozen=True, eq=False)
class Draws:
    """DAGs drawn from a posterior, in the order drawn.

    Attributes
    ----------
    problem : what they were drawn for.
    dags : the draws.
    effective_size : how many independent draws they are worth.
    log_total : log of the sum of all weights, or None.
    """

    problem: SearchProblem
    dags: tuple[Masks, ...]
    effective_size: float
    log_total: float | None = None

    def edges(self) -> Estimate:
        """Shares of the arcs."""
        return self._estimate(lambda arcs: arcs)

    def adjacencies(self) -> Estimate:
        """Shares of the pairs that are joined."""
        return self._estimate(lambda arcs: arcs | arcs.transpose(0, 2, 1))

    def ancestors(self) -> Estimate:
        """Shares of the pairs that a directed path joins."""
        return self._estimate(_paths)

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Sets of parents that were drawn, with their shares."""
        counts = Counter(masks[child] for masks in self.dags)
        return sorted(
            ((mask, count / len(self.dags)) for mask, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
        )

    def top_dags(self, k: int) -> list[ScoredStructure]:
        """The DAGs of highest weight among those drawn."""
        drawn = Counter(self.dags)
        if not self._is_modular:
            return self._by_share(drawn, k)
        different = list(drawn)
        found = [
            ScoredStructure(masks, weight, self._probability(weight, drawn[masks] / len(self.dags)))
            for masks, weight in zip(different, dag_log_weights(self.problem, different).tolist(), strict=True)
        ]
        return _best(found, k)

    def top_classes(self, k: int) -> list[ScoredStructure]:
        """The classes of highest weight among those drawn most often."""
        names = [str(place) for place in range(self.problem.n_variables)]
        classes: Counter[Cpdag] = Counter()
        for masks, count in Counter(self.dags).items():
            classes[Dag.from_masks(names, masks).to_cpdag()] += count
        if not self._is_modular:
            return self._by_share(
                Counter({cpdag.consistent_extension().parent_masks: count for cpdag, count in classes.items()}), k
            )
        return _best([self._weighed(cpdag, count) for cpdag, count in classes.most_common(2 * k + 10)], k)

    @property
    def _is_modular(self) -> bool:
        """Whether the weight of a DAG is a product over its families."""
        return self.problem.prior in ("uniform", "sparse")

    def _by_share(self, drawn: Counter[Masks], k: int) -> list[ScoredStructure]:
        shares = [(masks, count / len(self.dags)) for masks, count in drawn.items()]
        return _best(
            [ScoredStructure(masks, math.log(share) + (self.log_total or 0.0), share) for masks, share in shares], k
        )

    def mixture(self, most: int) -> DagMixture:
        """The draws, or some of them evenly spread, each different one once."""
        chosen = self.dags
        if len(chosen) > most:
            places = np.linspace(0, len(chosen) - 1, most).round().astype(int)
            chosen = tuple(self.dags[place] for place in places)
        counts = Counter(chosen)
        shares = np.array(list(counts.values())) / len(chosen)
        return DagMixture(tuple(counts), shares, 0.0, min(self.effective_size, len(chosen)))

    def _weighed(self, cpdag: Cpdag, count: int) -> ScoredStructure:
        """A class by its first member, with the weight of its members."""
        share = count / len(self.dags)
        first = cpdag.consistent_extension().parent_masks
        found = weigh_class(self.problem, [str(place) for place in range(self.problem.n_variables)], first)
        if found is None:  # weighed by how often it was drawn
            return ScoredStructure(first, math.log(share) + (self.log_total or 0.0), share)
        return ScoredStructure(found[0], found[1], self._probability(found[1], share))

    def _probability(self, log_weight: float, share: float) -> float:
        return share if self.log_total is None else math.exp(log_weight - self.log_total)

    def _estimate(self, look: Callable[[NDArray[np.bool_]], NDArray[np.bool_]]) -> Estimate:
        n = self.problem.n_variables
        shares = np.zeros((n, n))
        step = max(1, _MOST_ENTRIES // (n * n))
        for start in range(0, len(self.dags), step):
            shares += look(_arc_arrays(self.dags[start : start + step], n)).sum(axis=0)
        shares /= len(self.dags)
        errors = share_error(shares, self.effective_size)
        np.fill_diagonal(errors, 0.0)
        return Estimate(shares, errors)


def _best(found: list[ScoredStructure], k: int) -> list[ScoredStructure]:
    # Equal weights of equivalent DAGs differ in the last digits.
    return sorted(found, key=lambda one: (-round(one.log_weight, 7), one.masks))[:k]


def _arc_arrays(dags: Sequence[Masks], n: int) -> NDArray[np.bool_]:
    """One matrix per DAG with True in row i, column j for i → j."""
    arcs = np.zeros((len(dags), n, n), dtype=bool)
    for place, masks in enumerate(dags):
        for child, mask in enumerate(masks):
            arcs[place, list(bits(mask)), child] = True
    return arcs


def _paths(arcs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Close under following arcs: each round doubles the length of the paths that are known."""
    known = arcs
    while True:
        steps = known.astype(np.float32)
        longer = known | (steps @ steps > 0)
        if np.array_equal(longer, known):
            return known
        known = longer
