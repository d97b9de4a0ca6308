"""A network under evidence, in a form that can be sampled.

Contracting the factors of the evidence and its ancestors sums out one set of variables after another. Read backwards,
the steps say how to sample: when a step summed out some variables and kept others, the product of its two factors is,
for each configuration of the kept ones, proportional to the distribution of the summed ones given these and the
evidence. So every step gives conditional tables whose parents come from later steps, and forward sampling through
them draws independent rows exactly from the posterior. Variables that are not ancestors of any evidence keep their
own tables: given their parents, they do not depend on the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.model.inference.answers import impossible_evidence
from qnml.model.inference.contraction import UnderflowError, aligned, contract, contract_logs, logarithms, without
from qnml.model.inference.plan import make_plan, require_feasible
from qnml.model.inference.problem import Problem
from qnml.model.inference.question import checked_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml._types import FloatArray
    from qnml.model.inference.plan import Scope
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["PosteriorTable", "posterior_tables"]


@dataclass(frozen=True, slots=True)
class PosteriorTable:
    """The distribution of one variable under evidence.

    Attributes
    ----------
    node : number of the variable.
    parents : numbers of variables whose tables come earlier.
    weights : an axis per parent and one for the variable; distributions up to a constant factor each.
    """

    node: int
    parents: Scope
    weights: FloatArray


def posterior_tables(
    call: str, net: Network, evidence: Settings, do: Settings, memory_limit: float | None = None
) -> list[PosteriorTable]:
    """Tables of the observed variables and their ancestors, in an order in which they can be drawn.

    Parameters
    ----------
    call
        The calling function, named in errors.
    net
        The network.
    evidence, do
        Observed labels, and labels set by an intervention.
    memory_limit
        In bytes; nine tenths of the free memory if None.
    """
    problem = Problem(net, *checked_settings(call, net, evidence, do))
    tables = [
        PosteriorTable(node, (), np.eye(problem.sizes[node])[problem.fixed[node]])
        for node in range(len(net.names))
        if problem.observed >> node & 1
    ]
    for part in problem.parts(problem.above(problem.observed)):
        plan = make_plan(part.scopes, problem.sizes)
        # Tables exist twice for a while: as they are made, and in the form the core takes.
        require_feasible(call, plan, net.names, plan.total_entries + 3 * plan.joint_entries, memory_limit)
        factors = [problem.factor(node) for node in part.nodes]
        try:
            done = contract(plan, factors, (), keep=True)
            is_possible, in_logs = bool(done.values > 0.0), False
        except UnderflowError:
            done = contract_logs(plan, [logarithms(factor) for factor in factors], (), keep=True)
            is_possible, in_logs = bool(done.values > -np.inf), True
        if not is_possible:
            raise impossible_evidence(call, net, evidence, do)
        for step in reversed(plan.steps):
            for group, places in step.summed_groups():
                parents = step.kept if group == step.shared else without(plan.scopes[places[0]], group)
                arrays = [
                    _reduced_to((*parents, *group), plan.scopes[place], done.made[place], in_logs) for place in places
                ]
                tables += _chain(parents, group, _joint(parents, arrays, in_logs))
    return tables


def _reduced_to(axes: Scope, scope: Scope, values: FloatArray, in_logs: bool) -> FloatArray:
    """A factor summed down to the variables of `axes`, with one axis for each of them."""
    others = tuple(axis for axis, variable in enumerate(scope) if variable not in axes)
    if others:
        values = np.logaddexp.reduce(values, axis=others) if in_logs else values.sum(axis=others)
    return aligned(values, tuple(variable for variable in scope if variable in axes), axes)


def _joint(parents: Scope, arrays: Sequence[FloatArray], in_logs: bool) -> FloatArray:
    """Weights of the summed variables, which are the last axes, for every configuration of the parents."""
    if not in_logs:
        return arrays[0] * arrays[1] if len(arrays) > 1 else np.array(arrays[0])
    logs = arrays[0] + arrays[1] if len(arrays) > 1 else arrays[0]
    largest = logs.max(axis=tuple(range(len(parents), logs.ndim)), keepdims=True)
    return np.exp(logs - np.where(largest > -np.inf, largest, 0.0))


def _chain(parents: Scope, group: Scope, weights: FloatArray) -> Iterator[PosteriorTable]:
    """One table per summed variable: each given the parents and the summed variables before it."""
    for place, variable in enumerate(group):
        later = tuple(range(len(parents) + place + 1, weights.ndim))
        table = weights.sum(axis=later) if later else weights
        # The distribution of configurations that never occur is arbitrary.
        table[table.sum(axis=-1) == 0.0] = 1.0
        yield PosteriorTable(variable, (*parents, *group[:place]), table)
