"""Orders by eliminating one variable after another, as a contraction path for `qnml.model.inference.plan`.

A variable is eliminated by multiplying all factors that mention it and summing it out. Which one comes next
is decided on the graph that joins variables met in a factor: the one whose elimination joins the fewest new
pairs, or the one whose product has the smallest table. Variables in many factors are the rule in Bayesian
networks (a parent with many children), and there these two rules find far smaller tables than choosing pairs
of factors does; see docs/decisions/0008-opt-einsum.md for the figures.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, Literal, TypeAlias

from qnml.graph.masks import bits

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Merge", "Rule", "elimination_path"]

Merge: TypeAlias = tuple[int, int]
Rule: TypeAlias = Literal["fill", "size"]

# With more neighbours than this, all their pairs count as new; such a variable comes late in any case.
_MOST_COUNTED = 200


def elimination_path(scopes: Sequence[int], sizes: Sequence[int], output: int, rule: Rule) -> list[Merge]:
    """Pairs of factors to multiply, in order.

    Parameters
    ----------
    scopes
        Of every factor, the mask of its variables.
    sizes
        Levels of every variable.
    output
        Mask of the variables that stay.
    rule
        ``"fill"``: fewest new pairs, ties by size; ``"size"``: smallest product, ties by new pairs.

    Returns
    -------
    list
        Factors are numbered as given; the product of the first pair gets the next number, and so on.
    """
    masks = list(scopes)
    holders: dict[int, set[int]] = {}
    for factor, mask in enumerate(masks):
        for variable in bits(mask):
            holders.setdefault(variable, set()).add(factor)
    alive = set(range(len(masks)))
    path: list[Merge] = []

    def merge(factors: set[int], kept: int) -> None:
        """Replace the factors by their product, summed down to the variables of `kept`."""
        result = _merge_smallest(factors, masks, sizes, path)
        for factor in (*factors, result):
            alive.discard(factor)
            for variable in bits(masks[factor]):
                holders[variable].discard(factor)
        masks[result] &= kept
        alive.add(result)
        for variable in bits(masks[result]):
            holders[variable].add(result)

    for variable in _order(masks, sizes, output, rule):
        merge(set(holders[variable]), ~(1 << variable))
    merge(set(alive), output)
    return path


def _merge_smallest(factors: set[int], masks: list[int], sizes: Sequence[int], path: list[Merge]) -> int:
    """Multiply factors, always the two smallest: equal scopes meet early, and small products stay small."""

    def entry(factor: int) -> tuple[int, int]:
        return math.prod(sizes[variable] for variable in bits(masks[factor])), factor

    queue = [entry(factor) for factor in factors]
    heapq.heapify(queue)
    while len(queue) > 1:
        first, second = heapq.heappop(queue)[1], heapq.heappop(queue)[1]
        path.append((first, second))
        masks.append(masks[first] | masks[second])
        heapq.heappush(queue, entry(len(masks) - 1))
    return queue[0][1]


def _order(scopes: Sequence[int], sizes: Sequence[int], output: int, rule: Rule) -> list[int]:
    """Order in which the variables that do not stay are eliminated."""
    logs = [math.log(size) for size in sizes]
    neighbours = [0] * len(sizes)
    present = 0
    for mask in scopes:
        present |= mask
        for variable in bits(mask):
            neighbours[variable] |= mask & ~(1 << variable)
    # Logarithms of table sizes, kept up to date: adding up a thousand neighbours for each change would take long.
    log_sizes = [log + sum(logs[other] for other in bits(mask)) for log, mask in zip(logs, neighbours, strict=True)]

    def price(variable: int) -> tuple[float, float]:
        around = neighbours[variable]
        degree = around.bit_count()
        new_pairs = degree * (degree - 1)
        if degree <= _MOST_COUNTED:
            # Every neighbour also counts itself.
            new_pairs = sum((around & ~neighbours[other]).bit_count() for other in bits(around)) - degree
        # Rounded, so that equal sizes are ties however they were added up.
        size = round(log_sizes[variable], 9)
        return (new_pairs, size) if rule == "fill" else (size, new_pairs)

    left = present & ~output
    prices = {variable: price(variable) for variable in bits(left)}
    queue = [(value, variable) for variable, value in prices.items()]
    heapq.heapify(queue)
    order = []
    while queue:
        value, variable = heapq.heappop(queue)
        if not left >> variable & 1 or prices[variable] != value:
            continue  # eliminated, or priced anew since
        order.append(variable)
        left &= ~(1 << variable)
        around = neighbours[variable]
        changed = around
        for other in bits(around):
            before = neighbours[other]
            new = around & ~before & ~(1 << other)
            neighbours[other] = (before | new) & ~(1 << variable)
            log_sizes[other] += sum(logs[added] for added in bits(new)) - logs[variable]
            # A new pair changes the price of whoever is next to both ends.
            if new:
                changed |= neighbours[other]
        for other in bits(changed & left):
            current = price(other)
            if current != prices[other]:
                prices[other] = current
                heapq.heappush(queue, (current, other))
    return order
