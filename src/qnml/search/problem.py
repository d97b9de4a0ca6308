"""What every search is asked: a counted table, a score, the rules, a prior, limits.

A search takes a `SearchProblem` and adds only its own options.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.graph.interventional import interventional_class
from qnml.search.priors import prior_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml.graph import Cpdag, Dag, Mpdag
    from qnml.scores import BoundScore
    from qnml.search.knowledge.knowledge import CompiledKnowledge

__all__ = ["SearchProblem", "core_rules"]


@dataclass(frozen=True)
class SearchProblem:
    """A checked problem, ready for the core. Variables are columns, numbered in the order of their names.

    Attributes
    ----------
    call : the public function that was called, for messages.
    columns : the core's view of the table.
    score : the score with its parameter.
    compiled : which arcs and how many parents are allowed.
    most_cells : upper bound on the number of cells of a family that has more than its required parents.
    memory_limit : bytes that may be used.
    n_jobs : threads; no result depends on their number.
    prior : how structures are weighted, one of `PRIORS` in `qnml.search.priors`. The core adds those of
        `MODULAR_PRIORS` to the local scores; other methods apply the rest.
    seed : of everything random.
    """

    call: str
    columns: _core.Columns
    score: BoundScore
    compiled: CompiledKnowledge
    most_cells: float
    memory_limit: float
    n_jobs: int
    prior: str = "uniform"
    seed: int = 0

    @cached_property
    def arities(self) -> tuple[int, ...]:
        """Declared levels of each variable."""
        return tuple(self.columns.levels)

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.compiled.allowed)

    @property
    def n_rows(self) -> int:
        """Rows of the table; those with weights count once."""
        return self.columns.rows

    @cached_property
    def parts(self) -> tuple[int, ...]:
        """For each variable the number of the part of the table that counts for it; all 0 without interventions."""
        return tuple(self.columns.part_of)

    @property
    def is_equivalent(self) -> bool:
        """Whether equivalent networks score the same.

        Not where variables were set in some rows: then only networks have the same score that agree on the arcs between
        variables whose families count different rows (`class_of`).
        """
        return self.score.score.is_equivalent and len(set(self.parts)) <= 1

    def class_of(self, dag: Dag) -> Cpdag | Mpdag:
        """The networks that the data cannot tell from one, whatever its nodes are called.

        Parameters
        ----------
        dag
            With the variables of the problem, in their order.
        """
        return interventional_class(dag, self.parts)

    @property
    def kind(self) -> _core.ScoreKind:
        """The formula of the score in the core."""
        return self.score.score.kind

    @property
    def parameter(self) -> float:
        """The parameter of the score."""
        return self.score.value

    @property
    def config_classes(self) -> int:
        """Extra arrays of 2^n sums that the core keeps for this score."""
        return len(set(self.arities)) if self.score.score.has_own_configurations else 0

    @property
    def n_products(self) -> int:
        """Different products of levels of sets of variables, by which the core keeps prices."""
        return math.prod(times + 1 for times in Counter(self.arities).values())

    @property
    def is_direct(self) -> bool:
        """Whether the core computes this score family by family, not as a sum over cells."""
        return not self.score.score.has_cell_sums

    @cached_property
    def rules(self) -> _core.Rules:
        """The rules as the core takes them."""
        return core_rules(self.compiled, self.most_cells)

    @cached_property
    def core(self) -> _core.SearchProblem:
        """The problem as the core takes it."""
        return self.core_for(self.columns, self.memory_limit, self.n_jobs)

    def core_for(self, columns: _core.Columns, memory_limit: float, n_jobs: int) -> _core.SearchProblem:
        """The same problem for the core on other columns or with other limits, with the rules converted only once.

        Parameters
        ----------
        columns
            The table, with the same variables.
        memory_limit
            Bytes that may be used.
        n_jobs
            Threads.
        """
        return _core.SearchProblem(
            columns,
            self.kind,
            self.parameter,
            self.rules,
            memory_limit,
            n_jobs,
            self.seed,
            self.score.scale,
            self.core_prior,
        )

    @property
    def core_prior(self) -> _core.PriorKind:
        """The part of the prior that is a product over families, for the core."""
        return _core.PriorKind.sparse if self.prior == "sparse" else _core.PriorKind.uniform

    def log_prior(self, masks: Sequence[int]) -> float:
        """The log prior of a network, as far as it is a product over families; 0 under the uniform prior.

        Parameters
        ----------
        masks
            The parents of each variable.
        """
        return math.fsum(prior_term(self.prior, self.n_variables, mask.bit_count()) for mask in masks)

    def admits(self, child: int, parents: int) -> bool:
        """Whether the rules admit a family, by the same rule as in the core.

        Parameters
        ----------
        child
            Number of the variable.
        parents
            The mask of its parents.
        """
        if not self.compiled.admits_family(child, parents):
            return False
        cells = math.prod(
            (arity for place, arity in enumerate(self.arities) if parents >> place & 1), start=self.arities[child]
        )
        return cells <= self.most_cells or parents == self.compiled.required[child]

    def without_constants(self) -> SearchProblem:
        """The problem with variables of one level left unconnected, which is how ties are broken by default.

        Under the sparse prior their arcs are no ties: a further parent has a price, and among more than half of the
        variables it even lowers the price. They are then left out only where that cannot cost a better network, and
        otherwise the search decides on them as on all others.
        """
        if self.prior == "sparse" and not self._needs_no_constants():
            return self
        return replace(self, compiled=self.compiled.without_constants(self.arities))

    def _needs_no_constants(self) -> bool:
        """Whether no network gains by arcs of variables of one level under the sparse prior.

        C(n − 1, k) grows with k up to n / 2, so with fewer parents each of them has a price. Without two variables of
        more levels there is nothing to fit, and no parents are the cheapest.
        """
        compiled, n = self.compiled, self.n_variables
        if sum(arity > 1 for arity in self.arities) <= 1 and not any(compiled.required):
            return True
        pairs = zip(compiled.max_parents, compiled.allowed, strict=True)
        return all(2 * min(most, allowed.bit_count()) < n for most, allowed in pairs)


def core_rules(compiled: CompiledKnowledge, most_cells: float = math.inf) -> _core.Rules:
    """The rules as the core takes them.

    Parameters
    ----------
    compiled
        Which arcs and how many parents are allowed.
    most_cells
        Upper bound on the number of cells of a family.
    """
    limits = list(compiled.max_parents)
    return _core.Rules(_packed(compiled.allowed), _packed(compiled.required), limits, most_cells)


def _packed(masks: Sequence[int]) -> NDArray[np.uint64]:
    """Masks as rows of 64-bit words, lowest first."""
    words = (len(masks) + 63) // 64
    raw = b"".join(mask.to_bytes(8 * words, "little") for mask in masks)
    return np.frombuffer(raw, dtype="<u8").reshape(len(masks), words).astype(np.uint64)
