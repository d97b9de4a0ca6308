"""Posteriors over structures by enumeration, and in integer arithmetic by recursion over sinks.

Scores are n × 2^(n−1), by child and by the mask of the parents among the other variables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from reference.exact import Network, all_networks, subsets

__all__ = [
    "Enumerated",
    "dag_polynomial",
    "enumerate_posterior",
    "orders_of",
    "permuted",
    "place_of",
    "total_by_sinks",
    "value_and_arcs",
]


def place_of(child: int, parents: frozenset[int]) -> int:
    """The index of a parent set in the scores of a child."""
    return sum(1 << (other if other < child else other - 1) for other in parents)


@cache
def orders_of(network: Network) -> int:
    """The number of orders of the variables in which every parent comes before its child."""

    @cache
    def ways(placed: frozenset[int]) -> int:
        if len(placed) == len(network):
            return 1
        following = [i for i in range(len(network)) if i not in placed and network[i] <= placed]
        return sum(ways(placed | {i}) for i in following)

    return ways(frozenset())


@cache
def _paths(network: Network) -> np.ndarray:
    n = len(network)
    reached = np.zeros((n, n))
    for start in range(n):
        below = {start}
        for _ in range(n):
            below |= {child for child in range(n) if network[child] & below}
        for end in below - {start}:
            reached[start, end] = 1.0
    return reached


@dataclass(frozen=True)
class Enumerated:
    """Every network with its probability, and the sums over them."""

    networks: tuple[Network, ...]
    probabilities: np.ndarray
    log_total: float
    parent_sets: np.ndarray
    edges: np.ndarray
    ancestors: np.ndarray


def enumerate_posterior(scores: np.ndarray, prior: str) -> Enumerated:
    """Weigh every network by its score and its prior."""
    n = len(scores)
    networks = all_networks(n)
    logs = []
    for network in networks:
        log = math.fsum(scores[child, place_of(child, parents)] for child, parents in enumerate(network))
        if prior == "sparse":
            log -= math.fsum(math.log(math.comb(n - 1, len(parents))) for parents in network)
        if prior == "order":
            log += math.log(orders_of(network))
        logs.append(log)
    best = max(logs)
    weights = [math.exp(log - best) for log in logs]
    total = math.fsum(weights)
    parent_sets = np.zeros_like(scores)
    edges = np.zeros((n, n))
    ancestors = np.zeros((n, n))
    for network, weight in zip(networks, weights, strict=True):
        for child, parents in enumerate(network):
            parent_sets[child, place_of(child, parents)] += weight / total
            for parent in parents:
                edges[parent, child] += weight / total
        ancestors += weight / total * _paths(network)
    return Enumerated(networks, np.array(weights) / total, best + math.log(total), parent_sets, edges, ancestors)


def total_by_sinks(weights: dict[tuple[int, frozenset[int]], int], n: int) -> int:
    """The sum over all DAGs of the products of integer family weights, without rounding.

    By the set of all sinks of the DAG on S, which is unique: without signs, unlike the core. f(S, T) is the
    weight of the DAGs on S whose sinks are exactly T; each sink of S − T must have a child in T.
    """
    everyone = frozenset(range(n))

    @cache
    def with_sinks(variables: frozenset[int], sinks: frozenset[int]) -> int:
        rest = variables - sinks
        if not rest:
            return math.prod(weights.get((sink, frozenset()), 0) for sink in sinks)
        return sum(covering(sinks, rest, next_sinks) * with_sinks(rest, next_sinks) for next_sinks in nonempty(rest))

    @cache
    def covering(sinks: frozenset[int], rest: frozenset[int], needed: frozenset[int]) -> int:
        # Parents of the sinks inside `rest` such that every member of `needed` has a child.
        found = {frozenset[int](): 1}
        for sink in sinks:
            grown: dict[frozenset[int], int] = {}
            for covered, weight in found.items():
                for parents in subsets(rest):
                    key = covered | (parents & needed)
                    grown[key] = grown.get(key, 0) + weight * weights.get((sink, parents), 0)
            found = grown
        return found.get(needed, 0)

    def nonempty(variables: frozenset[int]) -> list[frozenset[int]]:
        return [chosen for chosen in subsets(variables) if chosen]

    return sum(with_sinks(everyone, sinks) for sinks in nonempty(everyone))


@cache
def dag_polynomial(n: int) -> tuple[int, ...]:
    """The number of DAGs with n nodes and a given number of arcs (V. I. Rodionov, Discrete Math. 105, 1992)."""
    polynomials = [[1]]
    for size in range(1, n + 1):
        total = [0] * (size * (size - 1) // 2 + 1)
        for k in range(1, size + 1):
            smaller = polynomials[size - k]
            pairs = k * (size - k)
            sign = (-1) ** (k + 1) * math.comb(size, k)
            for chosen in range(pairs + 1):
                for arcs, count in enumerate(smaller):
                    if chosen + arcs < len(total):
                        total[chosen + arcs] += sign * math.comb(pairs, chosen) * count
        polynomials.append(total)
    return tuple(polynomials[n])


def value_and_arcs(n: int, weight: Fraction) -> tuple[Fraction, Fraction]:
    """Total weight of the DAGs on n nodes when every arc multiplies by `weight`, and the mean number of arcs."""
    counts = dag_polynomial(n)
    total = sum((count * weight**arcs for arcs, count in enumerate(counts)), Fraction(0))
    arcs = sum((arcs * count * weight**arcs for arcs, count in enumerate(counts)), Fraction(0))
    return total, arcs / total


def permuted(scores: np.ndarray, order: list[int]) -> np.ndarray:
    """The same scores when variable ``order[k]`` is called k."""
    n = len(scores)
    everyone = frozenset(range(n))
    result = np.empty_like(scores)
    for child in range(n):
        for parents in subsets(everyone - {child}):
            old = frozenset(order[parent] for parent in parents)
            result[child, place_of(child, parents)] = scores[order[child], place_of(order[child], old)]
    return result
