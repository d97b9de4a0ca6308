"""Carrying out a plan of contraction, without underflow.

Products of thousands of probabilities leave the range of doubles. So every product is divided by its largest entry,
and the logarithm of the divisor is kept. That is enough unless the entries of one array are themselves 300 orders of
magnitude apart. The smallest positive entries of both factors tell whether two positive numbers could have a product
that is not a normal double. If they could, `UnderflowError` is raised and the caller contracts logarithms instead,
which takes longer and cannot underflow. An entry of zero therefore always means impossible, never merely small.

One axis may number rows of data. Rows differ in scale, so each has its own divisor.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import FloatArray
    from qnml.model.inference.plan import Plan, Scope, Step

__all__ = ["Contracted", "Reduction", "UnderflowError", "aligned", "contract", "contract_logs", "logarithms", "without"]

Reduction: TypeAlias = Literal["sum", "max"]

_SMALLEST = sys.float_info.min
# Below this, the smallest positive entry is computed instead of bounded.
_DOUBTFUL = 1e-140
# With fewer multiplications per shared configuration, a call to BLAS costs more than it saves.
_BLAS_FROM = 256


class UnderflowError(ArithmeticError):
    """A product of positive numbers may have become zero or lost digits."""


@dataclass(frozen=True, slots=True)
class Contracted:
    """The result of a contraction.

    Attributes
    ----------
    values : the result, divided by the exponential of `log_scale`; logarithms from `contract_logs`.
    log_scale : logarithm of the divisor; not kept with an axis of rows, and not needed for logarithms.
    made : all factors, given and intermediate, in the order of the plan; empty unless they were to be kept.
    """

    values: FloatArray
    log_scale: float
    made: tuple[FloatArray, ...]


def contract(
    plan: Plan, factors: Sequence[FloatArray], output: Scope, *, rows: int | None = None, keep: bool = False
) -> Contracted:
    """Multiply factors and sum, dividing by the largest entry after every step.

    Parameters
    ----------
    plan
        The plan, made for factors over these variables.
    factors
        The arrays, with entries from 0 to 1.
    output
        Variables of the result, in the order of its axes.
    rows
        The variable that numbers rows, if there is one.
    keep
        Whether to return the intermediate factors, each divided by its largest entry.

    Raises
    ------
    UnderflowError
        If precision may have been lost.
    """
    arrays: list[FloatArray | None] = list(factors)
    lowest = [_lowest_positive(factor) for factor in factors]
    log_scale = 0.0
    for step in plan.steps:
        pair = [place for place in (step.left, step.right) if place >= 0]
        for place in pair:
            if lowest[place] < _DOUBTFUL:
                lowest[place] = _lowest_positive(_there(arrays[place]))
        low = math.prod(lowest[place] for place in pair)
        if low < _SMALLEST:
            raise UnderflowError
        product = _summed_product(plan, step, arrays)
        largest = _largest(product, step.kept, rows)
        if rows is None:
            log_scale += math.log(largest.item())
        product /= largest
        arrays.append(product)
        lowest.append(low / float(largest.max()))
        if not keep:
            for place in pair:
                arrays[place] = None
    values = _arranged(_there(arrays[-1]), plan.scopes[-1], output)
    made = tuple(_there(array) for array in arrays) if keep else ()
    return Contracted(values, log_scale, made)


def contract_logs(
    plan: Plan, factors: Sequence[FloatArray], output: Scope, *, reduce: Reduction = "sum", keep: bool = False
) -> Contracted:
    """Contract logarithms of factors, with sums or with the largest term of every sum.

    Parameters
    ----------
    plan, factors, output
        As for `contract`, but the factors are logarithms.
    reduce
        ``"sum"``, or ``"max"`` for the largest term instead of the sum.
    keep
        Whether to return the intermediate factors.
    """
    join: Any = np.logaddexp if reduce == "sum" else np.maximum
    arrays: list[FloatArray | None] = list(factors)
    for step in plan.steps:
        arrays.append(_joined_logs(plan, step, arrays, join))
        if not keep:
            arrays[step.left] = None
            if step.right >= 0:
                arrays[step.right] = None
    values = _arranged(_there(arrays[-1]), plan.scopes[-1], output)
    made = tuple(_there(array) for array in arrays) if keep else ()
    return Contracted(values, 0.0, made)


def aligned(values: FloatArray, scope: Scope, axes: Scope) -> FloatArray:
    """An array with one axis per variable of `axes`, of length one for those that are not in its scope."""
    inside = tuple(variable for variable in axes if variable in scope)
    return _arranged(values, scope, inside)[
        tuple(slice(None) if variable in scope else np.newaxis for variable in axes)
    ]


def logarithms(values: FloatArray) -> FloatArray:
    """Natural logarithms; that of zero is minus infinity, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def _there(array: FloatArray | None) -> FloatArray:
    assert array is not None
    return array


def without(scope: Scope, gone: Scope) -> Scope:
    """The variables of a scope that are not in another."""
    return tuple(variable for variable in scope if variable not in gone) if gone else scope


def _lowest_positive(values: FloatArray) -> float:
    return float(np.min(values, where=values > 0.0, initial=math.inf))


def _largest(values: FloatArray, scope: Scope, rows: int | None) -> FloatArray:
    """The largest entry, or that of each row along the axis of rows; 1 if all entries are zero."""
    if rows is None or rows not in scope:
        largest = np.array(values.max(keepdims=True))
    else:
        others = tuple(axis for axis, variable in enumerate(scope) if variable != rows)
        largest = np.array(values.max(axis=others, keepdims=True))
    largest[largest == 0.0] = 1.0
    return largest


def _arranged(values: FloatArray, scope: Scope, wanted: Scope) -> FloatArray:
    return values if scope == wanted else values.transpose([scope.index(variable) for variable in wanted])


def _reduced(values: FloatArray, scope: Scope, gone: Scope, join: Any) -> FloatArray:
    for variable in gone:
        values = join.reduce(values, axis=scope.index(variable))
        scope = without(scope, (variable,))
    return values


def _aligned(
    plan: Plan, step: Step, arrays: Sequence[FloatArray | None], join: Any
) -> tuple[FloatArray, FloatArray, list[int]]:
    """Both factors with three axes each, and the shape of the product.

    The left factor has axes (both, first, shared), the right one (both, shared, second), in the terms of `Step`.
    """
    left = _reduced(_there(arrays[step.left]), plan.scopes[step.left], step.left_alone, join)
    left_scope = without(plan.scopes[step.left], step.left_alone)
    right = _reduced(_there(arrays[step.right]), plan.scopes[step.right], step.right_alone, join)
    right_scope = without(plan.scopes[step.right], step.right_alone)
    sizes = dict(zip(left_scope, left.shape, strict=True)) | dict(zip(right_scope, right.shape, strict=True))
    both, first, second, shared = (
        math.prod(sizes[variable] for variable in group) for group in (step.both, step.first, step.second, step.shared)
    )
    left = _arranged(left, left_scope, (*step.both, *step.first, *step.shared)).reshape(both, first, shared)
    right = _arranged(right, right_scope, (*step.both, *step.shared, *step.second)).reshape(both, shared, second)
    return left, right, [sizes[variable] for variable in step.kept]


def _summed_product(plan: Plan, step: Step, arrays: Sequence[FloatArray | None]) -> FloatArray:
    """The product of one step, as a new array with its axes in the order of ``step.kept``."""
    if step.right < 0:
        return np.array(_summed_alone(plan, step, arrays, np.add))
    left, right, shape = _aligned(plan, step, arrays, np.add)
    if left.shape[2] == 1:
        product = left * right
    elif left.shape[1] * left.shape[2] * right.shape[2] >= _BLAS_FROM:
        product = left @ right
    else:
        product = np.einsum("bfs,bsg->bfg", left, right)
    return product.reshape(shape)


def _joined_logs(plan: Plan, step: Step, arrays: Sequence[FloatArray | None], join: Any) -> FloatArray:
    if step.right < 0:
        return _summed_alone(plan, step, arrays, join)
    left, right, shape = _aligned(plan, step, arrays, join)
    # One configuration of the summed variables at a time, since a table of all may not fit even if the result does.
    product = left[:, :, 0, np.newaxis] + right[:, np.newaxis, 0, :]
    for configuration in range(1, left.shape[2]):
        term = left[:, :, configuration, np.newaxis] + right[:, np.newaxis, configuration, :]
        join(product, term, out=product)
    return product.reshape(shape)


def _summed_alone(plan: Plan, step: Step, arrays: Sequence[FloatArray | None], join: Any) -> FloatArray:
    scope = plan.scopes[step.left]
    values = _reduced(_there(arrays[step.left]), scope, step.left_alone, join)
    return _arranged(values, without(scope, step.left_alone), step.kept)
