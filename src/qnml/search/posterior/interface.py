"""Posteriors over structures: the interface that every method implements, and the values it returns.

Structures are tuples with the parent mask of each column, as Python integers, so that the number of columns is not
limited. All logarithms are natural.

Every method implements all of `StructurePosterior`. Capabilities of only some methods have types of their own:
`ExactPosterior` knows the sum of all weights, `DrawnPosterior` can be continued, and `ProductAverages` computes exact
averages.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._types import FloatArray

__all__ = [
    "DagMixture",
    "DrawnPosterior",
    "Estimate",
    "ExactPosterior",
    "Masks",
    "ProductAverages",
    "ScoredStructure",
    "StructurePosterior",
]

Masks: TypeAlias = tuple[int, ...]
"""A DAG: for each column the mask of its parents."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """A matrix of probabilities with its standard errors, which are None if it is exact."""

    values: FloatArray
    standard_errors: FloatArray | None


@dataclass(frozen=True)
class ScoredStructure:
    """A DAG with its log weight (score and prior) and its probability, None if it is unknown."""

    masks: Masks
    log_weight: float
    probability: float | None


@dataclass(frozen=True, eq=False)
class DagMixture:
    """Weighted DAGs that represent the posterior in averages.

    Attributes
    ----------
    dags : distinct DAGs.
    shares : weight of each DAG; they sum to one.
    left_out : posterior probability of all other DAGs; 0 for draws, whose error is a sampling error instead.
    effective_size : effective number of independent draws; None if the DAGs were not drawn.
    """

    dags: tuple[Masks, ...]
    shares: FloatArray
    left_out: float = 0.0
    effective_size: float | None = None


class StructurePosterior(ABC):
    """A posterior over structures, as one method computed it."""

    @property
    @abstractmethod
    def n_variables(self) -> int:
        """Number of columns."""

    @property
    @abstractmethod
    def edges(self) -> Estimate:
        """Probability of the arc i → j in row i, column j."""

    @property
    @abstractmethod
    def adjacencies(self) -> Estimate:
        """Probability of an arc between i and j in either direction."""

    @property
    @abstractmethod
    def ancestors(self) -> Estimate:
        """Probability of a directed path from i to j."""

    @property
    @abstractmethod
    def diagnostics(self) -> Mapping[str, Any]:
        """Facts about the computation, ready for JSON."""

    @abstractmethod
    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Masks of parent sets with their probabilities, most probable first; impossible sets may be absent."""

    @abstractmethod
    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k most probable DAGs found, best first, and whether it is proven that no other DAG is more probable."""

    @abstractmethod
    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The same for equivalence classes: each by one member, with the total weight of all admitted members."""

    @abstractmethod
    def mixture(self, most: int) -> DagMixture:
        """At most `most` DAGs to average over."""

    @abstractmethod
    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """DAGs sampled by their probabilities; equal seeds give equal samples."""

    def share_of_large(self, child: int, levels: Sequence[int], most: float) -> float:
        """Probability that a child has parents and that its family has more than `most` cells.

        Parameters
        ----------
        child
            The variable.
        levels
            Number of levels of every variable.
        most
            Largest number of cells, the product of the levels of a family, that is not large.
        """
        return math.fsum(
            share
            for mask, share in self.parent_sets(child)
            if mask and math.prod(count for i, count in enumerate(levels) if i == child or mask >> i & 1) > most
        )


class ExactPosterior(StructurePosterior):
    """A posterior from the weights of all structures."""

    @property
    @abstractmethod
    def log_total(self) -> float:
        """Log of the sum of all weights."""


class DrawnPosterior(StructurePosterior):
    """A posterior from sampled DAGs: weights are known up to a constant."""

    @property
    @abstractmethod
    def state(self) -> Mapping[str, Any] | None:
        """Where the sampler stopped, ready for JSON, to continue from there; None if it cannot be continued."""


class ProductAverages(ABC):
    """A posterior that averages products over families exactly, without listing DAGs."""

    @abstractmethod
    def can_average(self, n_products: int) -> bool:
        """Whether averaging this number of products takes a few seconds at most."""

    @abstractmethod
    def log_averages(self, log_factors: FloatArray) -> FloatArray:
        """Logs of posterior averages of products over families, if `can_average` holds.

        Parameters
        ----------
        log_factors
            Products × children × parent sets, each set as a mask of the other columns: the bits above the child's are
            shifted down by one.
        """
