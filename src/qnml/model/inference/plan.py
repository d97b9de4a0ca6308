"""Plans of contraction: the order in which factors are multiplied and variables summed out, and its cost.

A factor is an array with one axis per variable. Any query is one contraction: multiply the factors of the network,
sum out all variables but those asked for. A plan does this in pairs, in an order from
`qnml.model.inference.order`: first a quick one, and if that is costly, one that takes longer to find. The forecast
decides between them, and is checked against the free memory before any array is made.

Variables are small integers here. Plans depend on shapes alone and are cached, so that asking the same question with
different evidence needs no new plan.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from qnml._memory import format_bytes, resolve_memory_limit
from qnml.errors import TooLargeError
from qnml.model.inference.order import greedy_path, tree_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from qnml.model.inference.order import Merge

__all__ = ["MOST_OPERATIONS", "Plan", "Scope", "Step", "make_plan", "require_feasible"]

Scope: TypeAlias = tuple[int, ...]

MOST_OPERATIONS = 2**36
"""Most multiplications of a contraction that is attempted: minutes on one core."""

# Below this a contraction takes milliseconds, less than the search for a better order.
_CHEAP = 2**18
# Every order reads every table at least once; one that costs a few times as much is not worth improving either.
_CHEAP_PER_ENTRY = 4
_BYTES_PER_ENTRY = 8
# A plan for a thousand variables takes about a megabyte.
_MOST_KEPT = 128


@dataclass(frozen=True, slots=True)
class Step:
    """Multiply two factors and sum out variables.

    Attributes
    ----------
    left, right : numbers of the factors; `right` is -1 if `left` is only summed.
    both, first, second : variables of the product that come from both factors, from the left and from the right.
    shared : variables of both factors that are summed out.
    left_alone, right_alone : variables of one factor that are summed out before multiplying.
    """

    left: int
    right: int
    both: Scope
    first: Scope
    second: Scope
    shared: Scope
    left_alone: Scope
    right_alone: Scope

    @property
    def kept(self) -> Scope:
        """Variables of the product, in the order of its axes."""
        return (*self.both, *self.first, *self.second)

    def summed_groups(self) -> Iterator[tuple[Scope, tuple[int, ...]]]:
        """Groups of variables that are summed out together, each with the factors that have them.

        When a step is traced back, each group depends only on the kept variables and the groups before it.
        """
        if self.shared:
            yield self.shared, (self.left, self.right)
        if self.left_alone:
            yield self.left_alone, (self.left,)
        if self.right_alone:
            yield self.right_alone, (self.right,)


@dataclass(frozen=True, slots=True)
class Plan:
    """An order of contraction with a forecast of its cost.

    Attributes
    ----------
    scopes : variables of every factor: first the given factors, then one per step.
    n_factors : number of given factors.
    steps : the steps, in order.
    width : induced width: one less than the largest number of variables that meet in a step.
    largest : variables of the largest array made.
    largest_entries : its number of entries.
    operations : number of multiplications.
    peak_entries : most entries in memory at once if factors are dropped after use.
    total_entries : entries of all arrays, if they are kept for tracing back.
    joint_entries : entries of the joint tables of each group summed out and the variables it depends on.
    """

    scopes: tuple[Scope, ...]
    n_factors: int
    steps: tuple[Step, ...]
    width: int
    largest: Scope
    largest_entries: int
    operations: int
    peak_entries: int
    total_entries: int
    joint_entries: int


@functools.lru_cache(maxsize=_MOST_KEPT)
def make_plan(scopes: tuple[Scope, ...], sizes: tuple[int, ...], output: Scope = ()) -> Plan:
    """Find a good order; the same question gives the same order on any machine.

    Parameters
    ----------
    scopes
        Variables of every factor, at least one factor.
    sizes
        Number of levels of every variable.
    output
        Variables that are not summed out; each is in some factor.
    """
    if len(scopes) == 1:
        return _forecast(scopes, sizes, output, [])
    quick = _forecast(scopes, sizes, output, greedy_path(scopes, sizes, output))
    entries = sum(_size(scope, sizes) for scope in scopes)
    if quick.operations <= max(_CHEAP, _CHEAP_PER_ENTRY * entries):
        return quick
    thorough = _forecast(scopes, sizes, output, tree_path(scopes, sizes, output))
    return min(quick, thorough, key=lambda plan: plan.operations)


def require_feasible(
    call: str, plan: Plan, names: Sequence[str], entries: int, memory_limit: float | None, advice: str = ""
) -> None:
    """Refuse a plan that would take too much memory or time.

    Parameters
    ----------
    call
        The calling function, named in errors.
    plan
        The plan.
    names
        Names of the variables, by number.
    entries
        Number of entries that will be in memory at once.
    memory_limit
        In bytes; nine tenths of the free memory if None.
    advice
        What the user can do instead.
    """
    needed = float(entries) * _BYTES_PER_ENTRY
    allowed = resolve_memory_limit(call, memory_limit)
    if needed <= allowed and plan.operations <= MOST_OPERATIONS:
        return
    mentioned = [names[variable] for variable in plan.largest]
    shown = ", ".join(mentioned[:12]) + (f" and {len(mentioned) - 12} more" if len(mentioned) > 12 else "")
    cost = (
        f"needs {format_bytes(needed)} of memory, {format_bytes(allowed)} may be used"
        if needed > allowed
        else f"needs about 2^{math.log2(plan.operations):.0f} multiplications, "
        f"at most 2^{math.log2(MOST_OPERATIONS):.0f} are attempted"
    )
    advice = advice or "Give evidence on some of these variables, or ask for fewer targets at once."
    raise TooLargeError(
        f"{call}: the best contraction order found {cost}. Induced width {plan.width}; the largest table has "
        f"{_shown(plan.largest_entries)} entries, over {len(mentioned)} variables: {shown}. {advice}"
    )


def _shown(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 2^{math.log2(count):.0f}"


def _forecast(scopes: tuple[Scope, ...], sizes: tuple[int, ...], output: Scope, path: Sequence[Merge]) -> Plan:
    """Derive the steps of a path and forecast their cost."""
    needed = Counter(output)  # how many factors, and the output, still need each variable
    for scope in scopes:
        needed.update(scope)
    known = list(scopes)
    steps = []
    entries = [_size(scope, sizes) for scope in scopes]
    alive = peak = sum(entries)
    width = operations = joint = 0
    largest: Scope = max(scopes, key=lambda scope: _size(scope, sizes))
    # A lone factor is summed in a step of its own; otherwise every summation is part of a product.
    for left, right in path or [(0, -1)]:
        first, second = known[left], known[right] if right >= 0 else ()
        needed.subtract(first)
        needed.subtract(second)
        step = _step(left, right, first, second, needed)
        kept = step.kept
        steps.append(step)
        needed.update(kept)
        known.append(kept)
        entries.append(_size(kept, sizes))
        used = entries[left] + (entries[right] if right >= 0 else 0)
        multiplied = entries[-1] * _size(step.shared, sizes)
        operations += multiplied + used
        width = max(width, len(kept) + len(step.shared) - 1, len(first) - 1, len(second) - 1)
        # A multiplication may need a second copy of both factors, with their axes transposed.
        peak = max(peak, alive + entries[-1] + used)
        alive += entries[-1] - used
        joint += multiplied if step.shared else 0
        joint += entries[left] if step.left_alone else 0
        joint += entries[right] if step.right_alone else 0
        if entries[-1] > _size(largest, sizes):
            largest = kept
    return Plan(
        scopes=tuple(known),
        n_factors=len(scopes),
        steps=tuple(steps),
        width=width,
        largest=largest,
        largest_entries=_size(largest, sizes),
        operations=operations,
        peak_entries=peak,
        total_entries=sum(entries),
        joint_entries=joint,
    )


def _step(left: int, right: int, first: Scope, second: Scope, needed: Mapping[int, int]) -> Step:
    ours, theirs = set(first), set(second)
    return Step(
        left,
        right,
        both=tuple(variable for variable in first if variable in theirs and needed[variable]),
        first=tuple(variable for variable in first if variable not in theirs and needed[variable]),
        second=tuple(variable for variable in second if variable not in ours and needed[variable]),
        shared=tuple(variable for variable in first if variable in theirs and not needed[variable]),
        left_alone=tuple(variable for variable in first if variable not in theirs and not needed[variable]),
        right_alone=tuple(variable for variable in second if variable not in ours and not needed[variable]),
    )


def _size(scope: Scope, sizes: Sequence[int]) -> int:
    return math.prod(sizes[variable] for variable in scope)
