"""Exact answers: distributions of some variables, the probability of evidence, the most probable explanation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import InputError
from qnml.model.inference.contraction import UnderflowError, aligned, contract, contract_logs, logarithms
from qnml.model.inference.distribution import Distribution
from qnml.model.inference.engine import JOINT, MARGINALS, engine_of
from qnml.model.inference.given import checked_given
from qnml.model.inference.plan import make_plan, require_feasible
from qnml.model.inference.problem import Problem
from qnml.model.inference.question import checked_impossible, checked_targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._types import FloatArray
    from qnml.model.inference.given import EvidenceOf, Given, LikelihoodOf
    from qnml.model.inference.plan import Plan, Scope
    from qnml.model.inference.problem import Part
    from qnml.model.inference.question import Impossible, Settings
    from qnml.model.network import Network

__all__ = ["MOST_BY_TREE", "impossible_evidence", "log_evidence", "most_probable_by_contraction", "query"]

MOST_BY_TREE = 2**26
"""Multiplications up to which one question is answered by a junction tree, a tenth of a second.

A contraction takes longer to plan, but its order may be better."""

_NAN_BY_CHOICE = ("Network.query", "Network.marginals")


def query(
    net: Network,
    targets: str | Iterable[str],
    evidence: EvidenceOf = None,
    do: Settings = None,
    *,
    likelihood: LikelihoodOf = None,
    impossible: Impossible = "raise",
    memory_limit: float | None = None,
) -> Distribution:
    """Distribution of some variables; see :meth:`qnml.model.Network.query`."""
    call = "Network.query"
    asked = checked_targets(call, net, targets)
    given = checked_given(call, net, evidence, likelihood, do)
    checked_impossible(call, impossible)
    fixed = {**given.seen, **given.forced}
    sizes = [len(net.levels[name]) for name in net.names]
    fixed |= {node: 0 for node in asked if sizes[node] == 1}
    free = tuple(node for node in asked if node not in fixed)
    shares = _by_tree(call, net, given, free, memory_limit)
    if shares is None:
        shares = _by_contraction(call, net, given, free, memory_limit)
    levels = {net.names[node]: net.levels[net.names[node]] for node in asked}
    shape = [sizes[node] for node in asked]
    if not np.isnan(shares).all():
        values = np.zeros(shape)
        values[tuple(fixed.get(node, slice(None)) for node in asked)] = shares
        return Distribution(levels, values)
    if impossible == "nan":
        return Distribution(levels, np.full(shape, math.nan))
    raise impossible_evidence(call, net, evidence, do, likelihood)


def log_evidence(
    net: Network,
    evidence: EvidenceOf,
    do: Settings = None,
    *,
    likelihood: LikelihoodOf = None,
    memory_limit: float | None = None,
) -> float:
    """Log-probability of evidence; see :meth:`qnml.model.Network.log_evidence`."""
    call = "Network.log_evidence"
    given = checked_given(call, net, evidence, likelihood, do)
    engine = engine_of(net)
    tree = engine.tree(call, given, (), MARGINALS, memory_limit, MOST_BY_TREE)
    if tree is not None:
        return tree.marginals(engine.codes(given), engine.weights(given))[0] + given.log_weight
    problem = Problem(net, given.seen, given.forced, given.weights)
    parts = problem.parts(problem.above(problem.evident))
    logs = [_shares(call, problem, [part], (), memory_limit)[1] for part in parts]
    return math.fsum(logs) + given.log_weight


def most_probable_by_contraction(
    call: str, net: Network, given: Given, memory_limit: float | None
) -> tuple[dict[int, int] | None, float]:
    """Codes of the most probable row and its log-probability; None if the evidence is impossible."""
    problem = Problem(net, given.seen, given.forced, given.weights)
    codes = dict(problem.fixed)
    total = given.log_weight
    for part in problem.parts(problem.above((1 << len(net.names)) - 1)):
        plan = make_plan(part.scopes, problem.sizes)
        require_feasible(call, plan, net.names, plan.total_entries, memory_limit)
        factors = [logarithms(problem.factor(node)) for node in part.nodes]
        done = contract_logs(plan, factors, (), reduce="max", keep=True)
        best = float(done.values)
        if best == -math.inf:
            return None, best
        total += best
        _trace_back(plan, done.made, codes)
    return codes, total


def impossible_evidence(
    call: str, net: Network, evidence: EvidenceOf, do: Settings, likelihood: LikelihoodOf = None
) -> InputError:
    """The error for evidence of probability zero."""
    given = ", ".join(f"{name}={label}" for name, label in (evidence or {}).items())
    soft = ", ".join(likelihood or {})
    given += f"{', with ' if given else ''}the likelihood of {soft}," if soft else ""
    forced = f" under do({', '.join(f'{name}={label}' for name, label in do.items())})" if do else ""
    advice = " impossible='nan' gives NaN instead." if call in _NAN_BY_CHOICE else ""
    return InputError(f"{call}: the evidence {given} has probability zero{forced}.{advice}")


def _by_tree(call: str, net: Network, given: Given, free: Scope, memory_limit: float | None) -> FloatArray | None:
    """Distribution of some variables, NaN if the evidence is impossible; None if a contraction may take less."""
    engine = engine_of(net)
    tree = engine.tree(call, given, free, JOINT, memory_limit, MOST_BY_TREE)
    if tree is None:
        return None
    total, values = tree.joint(engine.codes(given), engine.weights(given))
    if total == -math.inf:
        return np.array(math.nan)
    if not free:
        return np.ones(())
    axes = tree.joint_axes
    shape = [len(net.levels[net.names[node]]) for node in axes]
    return values.reshape(shape).transpose([axes.index(node) for node in free])


def _by_contraction(call: str, net: Network, given: Given, free: Scope, memory_limit: float | None) -> FloatArray:
    """Distribution of some variables, NaN if the evidence is impossible."""
    problem = Problem(net, given.seen, given.forced, given.weights)
    wanted = sum(1 << node for node in free)
    parts = problem.parts(problem.above(wanted | problem.evident))
    ours = [part for part in parts if part.free & wanted]
    if all(_is_possible(call, problem, part, memory_limit) for part in parts if not part.free & wanted):
        shares, log_total = _shares(call, problem, ours, free, memory_limit)
        if log_total > -math.inf:
            return shares
    return np.array(math.nan)


def _shares(
    call: str, problem: Problem, parts: Sequence[Part], output: Scope, memory_limit: float | None
) -> tuple[FloatArray, float]:
    """Distribution of the output variables, and the logarithm of its sum before normalization."""
    if not parts:
        return np.ones(()), 0.0
    plan = make_plan(tuple(scope for part in parts for scope in part.scopes), problem.sizes, output)
    require_feasible(call, plan, problem.net.names, plan.peak_entries, memory_limit)
    factors = [problem.factor(node) for part in parts for node in part.nodes]
    try:
        done = contract(plan, factors, output)
        values, log_scale = done.values, done.log_scale
    except UnderflowError:
        logs = contract_logs(plan, [logarithms(factor) for factor in factors], output).values
        log_scale = float(logs.max())
        if log_scale == -math.inf:
            return np.zeros(logs.shape), log_scale
        values = np.exp(logs - log_scale)
    total = float(values.sum())
    if total == 0.0:
        return values, -math.inf
    return values / total, log_scale + math.log(total)


def _is_possible(call: str, problem: Problem, part: Part, memory_limit: float | None) -> bool:
    # Only zeros make evidence impossible; most tables have none, and then there is nothing to compute.
    if all(problem.is_positive(node) for node in part.nodes):
        return True
    return _shares(call, problem, [part], (), memory_limit)[1] > -math.inf


def _trace_back(plan: Plan, made: Sequence[FloatArray], codes: dict[int, int]) -> None:
    """Find the codes of all variables by tracing the largest value back through the steps."""
    for step in reversed(plan.steps):
        for group, places in step.summed_groups():
            terms = [_largest_at(made[place], plan.scopes[place], codes, group) for place in places]
            total = sum(terms[1:], start=terms[0])
            best = np.unravel_index(int(np.argmax(total)), total.shape)
            codes.update((variable, int(code)) for variable, code in zip(group, best, strict=True))


def _largest_at(values: FloatArray, scope: Scope, codes: dict[int, int], group: Scope) -> FloatArray:
    """A factor at the known codes, with an axis for each variable of the group, maximized over the others."""
    values = values[tuple(codes.get(variable, slice(None)) for variable in scope)]
    unknown = tuple(variable for variable in scope if variable not in codes)
    others = tuple(axis for axis, variable in enumerate(unknown) if variable not in group)
    return aligned(values.max(axis=others), tuple(variable for variable in unknown if variable in group), group)
