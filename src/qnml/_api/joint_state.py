"""Where learning bins and a network together stands: the bins, the network and the length of their code."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from qnml._api.problem import Problem
from qnml.data import Table
from qnml.data.numeric_column import Edges, NumericColumn, rebinned
from qnml.graph.masks import bits
from qnml.scores import local_scores

if TYPE_CHECKING:
    from qnml._api.search_result import SearchResult

__all__ = ["JointState", "Prepare"]

# The problem that a table poses.
Prepare: TypeAlias = Callable[[Table], Problem]

# A code counts as shorter if it is so by more than this share of N log N for every column: its parts are that large,
# and exact to about 1e-13 of their size.
_TOLERANCE = 1e-11


@dataclass(frozen=True)
class JointState:
    """Bins, the problem they pose, and the network held for it: the parents of each variable, by number."""

    problem: Problem
    columns: Mapping[str, NumericColumn]
    edges: Mapping[str, Edges]
    masks: tuple[int, ...]

    def with_bins(self, prepare: Prepare, edges: Mapping[str, Edges]) -> JointState:
        """The same network for other bins of some columns."""
        problem = prepare(rebinned(self.problem.table, self.columns, edges))
        return replace(self, problem=problem, edges={**self.edges, **edges})

    def with_network(self, result: SearchResult) -> JointState:
        """Another network for the same bins."""
        places = {name: place for place, name in enumerate(self.problem.names)}
        parents = [result.dag.parents(name) for name in self.problem.names]
        return replace(self, masks=tuple(sum(1 << places[name] for name in one) for one in parents))

    @cached_property
    def score(self) -> float:
        """The score of the data, computed afresh."""
        families = [(child, [*bits(mask)]) for child, mask in enumerate(self.masks)]
        problem = self.problem
        values = local_scores(
            problem.counts,
            families,
            problem.score,
            n_variables=len(problem.names),
            n_jobs=problem.search.n_jobs,
            names=problem.names,
        )
        return math.fsum(values.tolist())

    @property
    def log_prior(self) -> float:
        """The log prior of the network."""
        return self.problem.search.log_prior(self.masks)

    @property
    def objective(self) -> float:
        """Score and log prior together."""
        return self.score + self.log_prior

    @cached_property
    def positions(self) -> float:
        """Code length of the positions within bins."""
        return math.fsum(column.positions(self.edges[name]) for name, column in self.columns.items())

    @cached_property
    def choices(self) -> float:
        """Code length of the choices of cuts."""
        return math.fsum(column.choice(self.edges[name]) for name, column in self.columns.items())

    def cuts(self, name: str) -> list[float]:
        """The cuts of a column."""
        cuts: list[float] = self.columns[name].binning(self.edges[name]).cuts.tolist()
        return cuts

    @property
    def length(self) -> float:
        """What is minimised."""
        return self.positions + self.choices - self.objective

    @property
    def tolerance(self) -> float:
        """Differences of code lengths up to this may be rounding."""
        total = self.problem.table.total
        return _TOLERANCE * total * math.log(total + 1) * len(self.problem.names)

    def near(self, name: str) -> set[str]:
        """The columns of numbers that share a family with this one: its best bins depend on theirs."""
        bit = 1 << self.problem.names.index(name)
        families = [mask | 1 << child for child, mask in enumerate(self.masks)]
        shared = {self.problem.names[place] for family in families if family & bit for place in bits(family)}
        return (shared - {name}) & set(self.columns)
