"""The distribution of one variable given the rest, for many rows with missing cells.

Rows are grouped by pattern: which of the cells that matter for the target are present. Each pattern is one
contraction with an axis for the rows, planned once. If cells are missing at random, there may be almost as many
patterns as rows. Patterns too rare to be worth a plan share one: every variable that is missing in some of their rows
is left free and multiplied by a vector for each row, which is one at the observed level and zero elsewhere, or all
ones if the cell is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._memory import resolve_memory_limit
from qnml.errors import bad_argument, unknown_name
from qnml.graph.masks import bits
from qnml.model.inference.contraction import UnderflowError, contract, contract_logs, logarithms
from qnml.model.inference.gathering import RowTable
from qnml.model.inference.plan import make_plan, require_feasible
from qnml.model.inference.problem import Problem
from qnml.model.inference.relevance import relevance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.inference.plan import Plan, Scope
    from qnml.model.network import Network

__all__ = ["posterior_batch"]

_CALL = "posterior_batch"
_MISSING = -1
# Number of rows for which a plan is made; the memory per row decides how many are done at once.
_NOMINAL_ROWS = 256
_MOST_ROWS = 2**16
# Entries at once: larger blocks do not fit into the processor's caches.
_BLOCK_ENTRIES = 2**21
_BYTES_PER_ENTRY = 8
# Cells examined together, to limit the size of copies.
_CHUNK_CELLS = 2**25
# Cost of planning and starting a contraction, in multiplications per factor.
_PLANNING = 2**15


def posterior_batch(
    net: Network, target: str, codes: NDArray[np.integer[Any]], *, memory_limit: float | None = None
) -> FloatArray:
    """Distribution of one variable given the cells that are present in each row.

    Parameters
    ----------
    net
        The network.
    target
        The variable. Its own column is ignored.
    codes
        Rows × variables, in the network's order and codes; negative for a cell that is missing or unknown.
    memory_limit
        In bytes; nine tenths of the free memory if None.

    Returns
    -------
    ndarray
        Rows × levels of the target. A row is NaN if every level of the target contradicts its cells. Contradictions
        among cells that do not bear on the target are not detected.

    Raises
    ------
    TooLargeError
        If a contraction would be too large; the message states its induced width.
    """
    if target not in net.levels:
        raise unknown_name(_CALL, "target", target, net.names)
    rows = _checked_codes(net, codes)
    node, levels = net.dag.index(target), len(net.levels[target])
    if levels == 1:
        return np.ones((len(rows), 1))
    shares = np.empty((len(rows), levels))
    step = max(1, _CHUNK_CELLS // len(net.names))
    for start in range(0, len(rows), step):
        chunk = rows[start : start + step].astype(np.int32)
        chunk[:, node] = _MISSING
        for question, chosen in _questions(net, node, chunk):
            shares[start + chosen] = question.answers(chunk[chosen], memory_limit)
    return shares


class _Question:
    """One pattern of observed cells: variables observed in every row, and variables observed in some rows."""

    def __init__(self, net: Network, target: int, always: Iterable[int], sometimes: Iterable[int]) -> None:
        self.net, self.target = net, target
        self.rows = len(net.names)  # the variable number that stands for the axis of rows
        problem = Problem(net, {int(node): 0 for node in always}, {})
        self.problem = problem
        perhaps = [int(node) for node in sometimes if int(node) not in problem.fixed]
        wanted = 1 << target
        above = problem.above(wanted | problem.observed | sum(1 << node for node in perhaps))
        (part,) = (part for part in problem.parts(above) if part.free & wanted)
        self.nodes = part.nodes
        self.vectors = [node for node in perhaps if part.free >> node & 1]
        self.varying = [self._varies(node) for node in part.nodes]
        self.is_constant = not any(self.varying) and not self.vectors
        vectors: tuple[Scope, ...] = tuple((node,) for node in self.vectors)
        self.scopes = (*part.scopes, *vectors)
        rows = (self.rows,)
        self.row_scopes: tuple[Scope, ...] = (
            *(rows + scope if varies else scope for scope, varies in zip(part.scopes, self.varying, strict=True)),
            *(rows + vector for vector in vectors),
        )
        self.output = (target,) if self.is_constant else (self.rows, target)

    @classmethod
    def shared(cls, net: Network, target: int, patterns: NDArray[np.bool_]) -> _Question:
        """One question for several patterns, each a mask of the observed variables."""
        always = patterns.all(axis=0)
        return cls(net, target, np.flatnonzero(always), np.flatnonzero(patterns.any(axis=0) & ~always))

    def plan_of_one(self) -> Plan:
        """The plan for a single row."""
        return make_plan(self.scopes, self.problem.sizes, (self.target,))

    def answers(self, codes: NDArray[Any], memory_limit: float | None) -> FloatArray:
        """Distributions of the target; equal rows are computed once."""
        require_feasible(_CALL, self.plan_of_one(), self.net.names, self.plan_of_one().peak_entries, memory_limit)
        plan = make_plan(self.row_scopes, (*self.problem.sizes, _NOMINAL_ROWS), self.output)
        kept, inverse = self._distinct(codes)
        different = codes[kept]
        shares = np.empty((len(different), self.problem.sizes[self.target]))
        allowed = resolve_memory_limit(_CALL, memory_limit)
        budget = min(_BLOCK_ENTRIES, allowed / _BYTES_PER_ENTRY)
        step = int(min(_MOST_ROWS, max(1, budget * _NOMINAL_ROWS // plan.peak_entries)))
        tables = [
            RowTable(self.problem, node) if varies else self.problem.factor(node)
            for node, varies in zip(self.nodes, self.varying, strict=True)
        ]
        for start in range(0, len(different), step):
            shares[start : start + step] = self._block(plan, tables, different[start : start + step])
        return shares[inverse]

    def _block(self, plan: Plan, tables: Sequence[RowTable | FloatArray], codes: NDArray[Any]) -> FloatArray:
        factors = [table.factor(codes) if isinstance(table, RowTable) else table for table in tables]
        factors += [_indicators(codes[:, node], self.problem.sizes[node]) for node in self.vectors]
        try:
            values = contract(plan, factors, self.output, rows=self.rows).values
        except UnderflowError:
            logs = contract_logs(plan, [logarithms(factor) for factor in factors], self.output).values
            largest = logs.max(axis=-1, keepdims=True)
            values = np.exp(logs - np.where(largest > -np.inf, largest, 0.0))
        total = values.sum(axis=-1, keepdims=True)
        shares: FloatArray = values / np.where(total > 0.0, total, np.nan)
        return shares

    def _varies(self, node: int) -> bool:
        family = (self.problem.parents[node] | 1 << node) & self.problem.observed
        return family != 0

    def _distinct(self, codes: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Representatives of rows that agree where it matters, and for every row the index of its representative."""
        if self.is_constant:
            return np.zeros(1, np.intp), np.zeros(len(codes), np.intp)
        families = 0
        for node in self.nodes:
            families |= self.problem.parents[node] | 1 << node
        mattering = [*bits(families & self.problem.observed), *self.vectors]
        key = np.zeros(len(codes), dtype=np.int64)
        span = 1
        for node in mattering:
            size = self.problem.sizes[node] + 1
            span *= size
            if span >= 2**63:
                # With so many relevant cells, equal rows would be rare.
                return np.arange(len(codes)), np.arange(len(codes))
            key = key * size + np.maximum(codes[:, node], -1) + 1
        _, kept, inverse = np.unique(key, return_index=True, return_inverse=True)
        return kept, inverse


def _checked_codes(net: Network, codes: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    rows = np.asarray(codes)
    if rows.ndim != 2 or rows.shape[1] != len(net.names) or rows.dtype.kind not in "iu":
        shown = f"{rows.dtype} of shape {rows.shape}"
        raise bad_argument(_CALL, "codes", shown, f"whole numbers, rows × {len(net.names)} variables")
    for node, name in enumerate(net.names):
        if len(rows) and int(rows[:, node].max()) >= len(net.levels[name]):
            allowed = f"codes below {len(net.levels[name])} for the variable {name!r}"
            raise bad_argument(_CALL, "codes", int(rows[:, node].max()), allowed)
    return rows


def _questions(net: Network, target: int, codes: NDArray[np.int32]) -> Iterator[tuple[_Question, NDArray[np.intp]]]:
    """Groups of rows, each with the question that answers them; irrelevant cells are set to missing."""
    patterns, inverse, _ = _distinct_patterns(codes >= 0)
    found = relevance(Problem(net, {}, {}), target, patterns)
    codes[~found.seen[inverse]] = _MISSING
    radius = found.radius[inverse]
    patterns, inverse, first = _distinct_patterns(found.seen[inverse])
    radius = radius[first]
    counts = np.bincount(inverse)
    order, ends = np.argsort(inverse, kind="stable"), np.cumsum(counts)
    # Patterns of equal radius have much in common; grouping by radius keeps far patterns from slowing down near ones.
    for reach in np.unique(radius):
        near = np.flatnonzero(radius == reach)
        is_rare = np.zeros(len(near), dtype=bool)
        if len(near) > 1:
            # Compare the cost of a row in a plan shared by all patterns with that of a plan for its own pattern.
            shared = _Question.shared(net, target, patterns[near])
            is_rare = counts[near] * shared.plan_of_one().operations < _PLANNING * len(shared.nodes)
        if is_rare.sum() > 1:
            chosen = np.isin(inverse, near[is_rare])
            yield _Question.shared(net, target, patterns[near[is_rare]]), np.flatnonzero(chosen)
        else:
            is_rare[:] = False
        for place in near[~is_rare]:
            rows = order[ends[place] - counts[place] : ends[place]]
            yield _Question(net, target, np.flatnonzero(patterns[place]), []), rows


def _distinct_patterns(
    seen: NDArray[np.bool_],
) -> tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]:
    """The distinct rows of a mask, for every row the index of its distinct row, and where each occurs first."""
    packed = np.ascontiguousarray(np.packbits(seen, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
    _, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
    return seen[first], inverse, first


def _indicators(codes: NDArray[np.int32], size: int) -> FloatArray:
    """One vector per row: one at the observed level and zero elsewhere, or all ones if there is none."""
    return np.vstack([np.eye(size), np.ones(size)])[codes]
