"""Sums of weights over all DAGs: by enumeration, and by inclusion–exclusion over the nodes without parents.

A network is a tuple with the set of parents of each variable, as in `reference.exact`; the weight of a network is the
product of exp(local score) over its families.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence

from reference.exact import Network, Parents, all_networks

__all__ = ["arc_shares", "linear_extensions", "mask_tuple", "network_shares", "path_shares", "summed_arc_shares"]

LocalScore = Callable[[int, Parents], float]


def network_shares(
    n: int, local: LocalScore, favour: Callable[[Network], float] = lambda network: 1.0
) -> dict[Network, float]:
    """The probability of every network whose probability is positive; `favour` multiplies the weights."""
    logs = {
        network: math.fsum(local(child, parents) for child, parents in enumerate(network))
        for network in all_networks(n)
    }
    top = max(logs.values())
    weights = {network: favour(network) * math.exp(value - top) for network, value in logs.items() if value > -math.inf}
    total = math.fsum(weights.values())
    return {network: weight / total for network, weight in weights.items()}


def linear_extensions(network: Network) -> int:
    """The number of orders of the variables with all parents before their children."""
    n = len(network)
    return sum(
        all(order.index(parent) < order.index(child) for child in range(n) for parent in network[child])
        for order in itertools.permutations(range(n))
    )


def mask_tuple(network: Network) -> tuple[int, ...]:
    """A network as masks of parents."""
    return tuple(sum(1 << parent for parent in parents) for parents in network)


def arc_shares(shares: dict[Network, float], n: int) -> list[list[float]]:
    """The probability of each arc, row parent, column child."""
    return [
        [math.fsum(share for network, share in shares.items() if i in network[j]) for j in range(n)] for i in range(n)
    ]


def path_shares(shares: dict[Network, float], n: int) -> list[list[float]]:
    """The probability of a directed path from row to column."""

    def above(network: Network, node: int) -> set[int]:
        found: set[int] = set()
        waiting = list(network[node])
        while waiting:
            parent = waiting.pop()
            if parent not in found:
                found.add(parent)
                waiting.extend(network[parent])
        return found

    reached = {network: [above(network, node) for node in range(n)] for network in shares}
    return [
        [math.fsum(share for network, share in shares.items() if i in reached[network][j]) for j in range(n)]
        for i in range(n)
    ]


def summed_arc_shares(n: int, local: Sequence[Sequence[float]]) -> list[list[float]]:
    """Arc probabilities from local scores by child and mask of parents, without listing the networks.

    Z(S), the sum over networks on S, is the sum over nonempty T in S of (-1)^(|T| + 1) Z(S without T) times the product
    over T of the sums of the weights of parent sets inside S without T: each T is taken as nodes without children. Up
    to 8 variables the terms of different sign leave ten digits.
    """

    def subset_sums(child: int, must: int) -> list[float]:
        top = max(local[child])
        values = [
            0.0 if mask >> child & 1 or mask & must != must else math.exp(value - top)
            for mask, value in enumerate(local[child])
        ]
        for bit in range(n):
            for mask in range(1 << n):
                if mask >> bit & 1:
                    values[mask] += values[mask ^ 1 << bit]
        return values

    def total(sums: Sequence[Sequence[float]]) -> float:
        @functools.cache
        def z(nodes: int) -> float:
            if not nodes:
                return 1.0
            found, sinks = 0.0, nodes
            while sinks:
                rest = nodes & ~sinks
                term = z(rest) * math.prod(sums[i][rest] for i in range(n) if sinks >> i & 1)
                found += term if sinks.bit_count() % 2 else -term
                sinks = (sinks - 1) & nodes
            return found

        return z((1 << n) - 1)

    plain = [subset_sums(child, 0) for child in range(n)]
    everything = total(plain)
    shares = [[0.0] * n for _ in range(n)]
    for child in range(n):
        for parent in set(range(n)) - {child}:
            with_arc = [*plain[:child], subset_sums(child, 1 << parent), *plain[child + 1 :]]
            shares[parent][child] = total(with_arc) / everything
    return shares
