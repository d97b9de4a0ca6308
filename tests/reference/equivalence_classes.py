"""Classes of equivalent networks and the steps between them, by going through every network: slow and obvious.

A network is a tuple with the set of parents of each node. Two are equivalent when they have the same arcs up to
direction and the same colliders of nodes that are not adjacent (Verma and Pearl 1990).
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["all_classes", "is_acyclic", "neighbouring_classes", "pattern_of"]

Network = tuple[frozenset[int], ...]
Pattern = tuple[frozenset[frozenset[int]], frozenset[tuple[int, frozenset[int]]]]


def is_acyclic(network: Network) -> bool:
    """Whether repeatedly removing nodes without parents removes all nodes."""
    left = set(range(len(network)))
    while left:
        free = {child for child in left if not network[child] & left}
        if not free:
            return False
        left -= free
    return True


def pattern_of(network: Network) -> Pattern:
    """The invariants of equivalent networks: the adjacencies and the colliders."""
    adjacent = frozenset(frozenset((parent, child)) for child, parents in enumerate(network) for parent in parents)
    colliders = frozenset(
        (child, frozenset(pair))
        for child, parents in enumerate(network)
        for pair in combinations(sorted(parents), 2)
        if frozenset(pair) not in adjacent
    )
    return adjacent, colliders


@cache
def all_classes(n: int) -> dict[Pattern, list[Network]]:
    """The networks on `n` nodes by class."""
    classes = defaultdict(list)
    for network in _networks(n):
        classes[pattern_of(network)].append(network)
    return dict(classes)


def neighbouring_classes(members: list[Network]) -> dict[str, set[Pattern]]:
    """The other classes reached by adding, deleting or reversing one arc in some member, by kind of change."""
    found: dict[str, set[Pattern]] = {"insert": set(), "remove": set(), "turn": set()}
    for network in members:
        n = len(network)
        adjacent = [set(parents) for parents in network]
        for child, parents in enumerate(network):
            for parent in parents:
                adjacent[parent].add(child)
        for child, other in product(range(n), repeat=2):
            if child == other:
                continue
            toggled = list(network)
            toggled[child] = network[child] ^ {other}
            if other not in adjacent[child]:
                found["insert"] |= _pattern_if_acyclic(toggled)
            elif other in network[child]:
                found["remove"] |= _pattern_if_acyclic(toggled)
                toggled[other] = network[other] | {child}
                found["turn"] |= _pattern_if_acyclic(toggled)
    own = pattern_of(members[0])
    return {kind: patterns - {own} for kind, patterns in found.items()}


def _pattern_if_acyclic(network: list[frozenset[int]]) -> set[Pattern]:
    return {pattern_of(tuple(network))} if is_acyclic(tuple(network)) else set()


def _networks(n: int) -> Iterator[Network]:
    """Every network, tested for cycles; for five nodes this is much faster than enumerating orders."""
    families = [
        [frozenset(chosen) for size in range(n) for chosen in combinations([k for k in range(n) if k != child], size)]
        for child in range(n)
    ]
    return filter(is_acyclic, product(*families))
