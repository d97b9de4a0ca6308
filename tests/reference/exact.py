"""The best network by enumeration, and by the dynamic programming of Silander and Myllymäki (2006).

Variables are 0, 1, …, n − 1. A network is a tuple with the set of parents of each. A family that is not
admitted has the local score −infinity.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["admitted", "all_networks", "best_network", "optimal_networks", "scored_networks", "subsets"]

Parents = frozenset[int]
Network = tuple[Parents, ...]
LocalScore = Callable[[int, Parents], float]
Arcs = Sequence[tuple[int, int]]


def subsets(items: Parents) -> Iterator[Parents]:
    """All subsets, the empty one first."""
    for size in range(len(items) + 1):
        yield from map(frozenset, itertools.combinations(sorted(items), size))


@functools.cache
def all_networks(n: int) -> tuple[Network, ...]:
    """Every acyclic graph: for some order of the variables each has its parents before it."""
    found = set()
    for order in itertools.permutations(range(n)):
        choices = [list(subsets(frozenset(order[:place]))) for place in range(n)]
        for chosen in itertools.product(*choices):
            by_variable = dict(zip(order, chosen, strict=True))
            found.add(tuple(by_variable[variable] for variable in range(n)))
    return tuple(sorted(found, key=lambda network: tuple(tuple(sorted(parents)) for parents in network)))


def scored_networks(
    n: int, local: LocalScore, admits: Callable[[Network], bool] | None = None
) -> list[tuple[float, Network]]:
    """Every admitted network with its score, best first."""
    scored = [
        (math.fsum(local(child, parents) for child, parents in enumerate(network)), network)
        for network in all_networks(n)
        if admits is None or admits(network)
    ]
    return sorted(scored, key=lambda pair: -pair[0])


def optimal_networks(
    n: int, local: LocalScore, admits: Callable[[Network], bool] | None = None, tolerance: float = 1e-9
) -> tuple[float, list[Network]]:
    """The best score and every network that has it, up to a relative tolerance."""
    scored = scored_networks(n, local, admits)
    best = scored[0][0]
    return best, [network for value, network in scored if best - value <= tolerance * max(1.0, abs(best))]


def best_network(n: int, local: LocalScore) -> tuple[float, Network]:
    """The best score and one network that has it, by best parents, best sinks and the order they give."""
    everyone = frozenset(range(n))
    best_parents = {
        (child, candidates): max(subsets(candidates), key=lambda parents, child=child: local(child, parents))
        for child in range(n)
        for candidates in subsets(everyone - {child})
    }
    best: dict[Parents, float] = {frozenset(): 0.0}
    sink: dict[Parents, int] = {}
    for variables in subsets(everyone):
        for last in variables:
            rest = variables - {last}
            value = best[rest] + local(last, best_parents[last, rest])
            if variables not in sink or value > best[variables]:
                best[variables], sink[variables] = value, last
    network = {}
    left = everyone
    while left:
        last = sink[left]
        left = left - {last}
        network[last] = best_parents[last, left]
    return best[everyone], tuple(network[child] for child in range(n))


def admitted(
    network: Network,
    required: Arcs = (),
    forbidden: Arcs = (),
    tiers: Sequence[Sequence[int]] = (),
    max_parents: int | Mapping[int, int] | None = None,
    roots: Sequence[int] = (),
    leaves: Sequence[int] = (),
) -> bool:
    """Whether a network satisfies all rules, each checked separately."""
    arcs = {(parent, child) for child, parents in enumerate(network) for parent in parents}
    tier_of = {name: place for place, tier in enumerate(tiers) for name in tier}
    for child, parents in enumerate(network):
        limit = max_parents.get(child) if isinstance(max_parents, Mapping) else max_parents
        if limit is not None and len(parents) > limit:
            return False
    return (
        all(arc in arcs for arc in required)
        and all(arc not in arcs for arc in forbidden)
        and all(tier_of[a] <= tier_of[b] for a, b in arcs if a in tier_of and b in tier_of)
        and all(child not in roots for _, child in arcs)
        and all(parent not in leaves for parent, _ in arcs)
    )
