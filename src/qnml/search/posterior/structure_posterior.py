"""What every way to a structure posterior is asked, and what it answers.

A runner takes a `SearchProblem` and `RunOptions` and returns something with the shape of `StructurePosterior`.
Structures are tuples with the mask of the parents of each column, as Python integers, so that there is no limit on the
number of columns. The weight of a structure is exp(score) times the weight its prior gives it; all logarithms are
natural.

The weights of the priors, none of them normalised:

- ``"uniform"``: 1 for every DAG;
- ``"sparse"``: the product over the columns of 1 / C(n − 1, number of parents), so that each number of parents is as
  probable as any other before acyclicity is asked for;
- ``"classes"``: 1 / (number of admitted members of its equivalence class), so that every class counts alike;
- ``"order"``: the number of orders of the columns that the DAG agrees with. It favours DAGs with few arcs and many
  orders, and is not the same for equivalent DAGs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qnml._types import FloatArray

__all__ = [
    "PRIORS",
    "DagMixture",
    "Estimate",
    "Masks",
    "RunOptions",
    "ScoredStructure",
    "StructurePosterior",
    "Unfinished",
    "prior_term",
    "share_of_large",
]

PRIORS = ("uniform", "sparse", "classes", "order")

Masks: TypeAlias = tuple[int, ...]
"""A DAG: for each column the mask of its parents."""


@dataclass(frozen=True)
class RunOptions:
    """How to run, as opposed to what is asked.

    Attributes
    ----------
    samples : structures to draw where some are drawn; None leaves it to the method.
    seed : of everything random.
    time_limit : seconds, or None.
    watch : told the stage and its share done, or None.
    state : where chains of an earlier run stood, to go on from there; or None.
    kept_back : seconds of the time limit that are left to chains unless all will be done without them.
    instead_of : what another method was to give, and why it does not; empty where the method is the one asked for.
    stopped : why that other method was stopped, ``"time limit"`` or ``"interrupted"``; empty where it was not.
    """

    samples: int | None
    seed: int
    time_limit: float | None = None
    watch: Callable[[str, float], None] | None = None
    state: Mapping[str, Any] | None = None
    kept_back: float = 0.0
    instead_of: str = ""
    stopped: str = ""


@dataclass(frozen=True)
class Unfinished:
    """What a method answers that was stopped and has no figures to give.

    Attributes
    ----------
    reason : ``"time limit"`` or ``"interrupted"``.
    how_far : where it was then, after "it ended …".
    seconds : how long it had run.
    interruptions : how many times Ctrl-C was pressed.
    """

    reason: str
    how_far: str
    seconds: float
    interruptions: int = 0


@dataclass(frozen=True)
class Estimate:
    """A matrix of probabilities with its standard errors; None where it is exact."""

    values: FloatArray
    standard_errors: FloatArray | None = None


@dataclass(frozen=True)
class ScoredStructure:
    """A DAG with its log weight (score and prior) and its probability, None where that is not known."""

    masks: Masks
    log_weight: float
    probability: float | None


@dataclass(frozen=True)
class DagMixture:
    """DAGs that stand for the posterior when something is averaged over it.

    Attributes
    ----------
    dags : each once.
    shares : what each of them counts; they sum to one.
    left_out : probability of the DAGs that are not among them; 0 for draws, whose error is of another kind.
    effective_size : how many independent draws they are worth; None where nothing was drawn.
    """

    dags: tuple[Masks, ...]
    shares: FloatArray
    left_out: float = 0.0
    effective_size: float | None = None


class StructurePosterior(Protocol):
    """A posterior over structures, by any method."""

    @property
    def n_variables(self) -> int:
        """Number of columns."""

    @property
    def log_total(self) -> float | None:
        """Log of the sum of all weights; None where only ratios are known."""

    @property
    def edges(self) -> Estimate:
        """Probability of the arc i → j in row i, column j."""

    @property
    def adjacencies(self) -> Estimate:
        """Probability of an arc between i and j, either way."""

    @property
    def ancestors(self) -> Estimate:
        """Probability of a directed path from i to j."""

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """Plain facts on how it was reached, ready for JSON."""

    @property
    def state(self) -> Mapping[str, Any] | None:
        """From where a later run can go on, ready for JSON; None where there is nothing to go on with."""

    def parent_sets(self, child: int) -> list[tuple[int, float]]:
        """Masks of parents with their probabilities, best first; those of probability zero may be missing."""

    def share_of_large(self, child: int, levels: Sequence[int], most: float) -> float:
        """The probability that a child has parents, and levels that multiply with theirs to more than `most`."""

    def top_dags(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The k most probable DAGs found, best first, and whether it is proven that no other is better."""

    def top_classes(self, k: int) -> tuple[list[ScoredStructure], bool]:
        """The same for equivalence classes, each by one member; its weight is that of all admitted members."""

    def mixture(self, most: int) -> DagMixture:
        """DAGs to average over, at most so many."""

    def sample_dags(self, count: int, seed: int) -> list[Masks]:
        """DAGs drawn by their probabilities; the same ones for the same seed."""

    def can_average(self, n_products: int) -> bool:
        """Whether so many products over families can be averaged without error and without going through DAGs."""

    def log_averages(self, log_factors: FloatArray) -> FloatArray:
        """Logs of averages over all DAGs of products over their families, where `can_average` says so.

        Parameters
        ----------
        log_factors
            Products × children × sets of parents as masks of the other columns, the bits above the child's moved down.
        """


def prior_term(prior: str, n_variables: int, n_parents: int) -> float:
    """Log of what a modular prior adds to a family of that many parents.

    The priors ``"classes"`` and ``"order"`` are no products over families: for these it is 0, and the method has to
    see to the rest.
    """
    return -math.log(math.comb(n_variables - 1, n_parents)) if prior == "sparse" else 0.0


def share_of_large(sets: Sequence[tuple[int, float]], child: int, levels: Sequence[int], most: float) -> float:
    """The same from a list of sets of parents with their probabilities.

    Parameters
    ----------
    sets
        Masks and probabilities.
    child
        The variable.
    levels
        Of all variables.
    most
        The highest product of levels that is not large.
    """
    return math.fsum(
        share
        for mask, share in sets
        if mask and math.prod(count for i, count in enumerate(levels) if i == child or mask >> i & 1) > most
    )
