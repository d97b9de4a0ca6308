"""Structure posteriors by enumeration of all networks, with sets and dictionaries.

Variables are 0, 1, …, n − 1 and a network is a tuple with the set of parents of each, as in `reference.exact`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from reference.exact import LocalScore, Network, all_networks

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["class_of", "descendants", "edge", "posterior", "share_of"]


def class_of(network: Network) -> Hashable:
    """Skeleton and v-structures, which tell equivalence classes apart (Verma and Pearl 1990)."""
    joined = {frozenset((parent, child)) for child, parents in enumerate(network) for parent in parents}
    colliders = {
        (child, frozenset((a, b)))
        for child, parents in enumerate(network)
        for a in parents
        for b in parents
        if a != b and frozenset((a, b)) not in joined
    }
    return frozenset(joined), frozenset(colliders)


def descendants(network: Network, start: int) -> set[int]:
    """The variables that directed paths from a variable reach."""
    found: set[int] = set()
    fresh = {start}
    while fresh:
        fresh = {child for child, parents in enumerate(network) if parents & fresh} - found
        found |= fresh
    return found


def posterior(
    n: int, local: LocalScore, prior: str = "uniform", admits: Callable[[Network], bool] | None = None
) -> tuple[dict[Network, float], float]:
    """The probability of every admitted network, and the log of the sum of all weights."""
    networks = [network for network in all_networks(n) if admits is None or admits(network)]
    logs = {network: math.fsum(local(child, parents) for child, parents in enumerate(network)) for network in networks}
    if prior == "sparse":
        for network in networks:
            logs[network] -= math.fsum(math.log(math.comb(n - 1, len(parents))) for parents in network)
    if prior == "classes":
        members: defaultdict[Hashable, int] = defaultdict(int)
        for network in networks:
            if logs[network] > -math.inf:
                members[class_of(network)] += 1
        for network in networks:
            if logs[network] > -math.inf:
                logs[network] -= math.log(members[class_of(network)])
    top = max(logs.values())
    total = math.fsum(math.exp(value - top) for value in logs.values())
    return {network: math.exp(value - top) / total for network, value in logs.items()}, top + math.log(total)


def share_of(shares: dict[Network, float], holds: Callable[[Network], bool]) -> float:
    """The total probability of the networks for which a condition holds."""
    return math.fsum(share for network, share in shares.items() if holds(network))


def edge(parent: int, child: int) -> Callable[[Network], bool]:
    """Whether a network has an arc."""
    return lambda network: parent in network[child]
