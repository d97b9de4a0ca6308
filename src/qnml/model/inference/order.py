"""Contraction orders, from cotengra and networkx.

cotengra's greedy search joins one pair of factors after another, judged by the size of their product. It is quick and
does well on most queries. In a large network it can go far astray: a variable is in many factors (a parent in every
child), and pairs do not show the cost of summing it out. The graph that joins variables sharing a factor does:
networkx finds a tree decomposition of it, and cotengra turns the decomposition into pairs and improves the costly
subtrees. docs/decisions/0008-order-of-contraction.md has the measurements.

Random choices have a fixed seed; nothing depends on the clock or on other installed packages.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Merge", "greedy_path", "tree_path"]

Merge: TypeAlias = tuple[int, int]

# Minimum fill takes time cubic in the number of variables: a tenth of a second for the thousand of munin, up to two
# seconds for a thousand in a dense graph. Minimum degree gives worse orders, but handles ten thousand in a second.
_MOST_FOR_FILL = 1200
# The best order of up to six factors is found in a millisecond; each further factor takes several times as long.
_SUBTREE = 6
# Most subtrees to improve, costly ones more often. Always taking the costliest gets stuck, so they are drawn at random.
_ROUNDS = 100
_SEED = 0


def greedy_path(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int], output: tuple[int, ...]) -> list[Merge]:
    """Pairs of factors to multiply, in order, found by greedy search.

    Parameters
    ----------
    scopes
        Variables of every factor, at least two factors.
    sizes
        Number of levels of every variable.
    output
        Variables that are not summed out; each is in some factor.

    Returns
    -------
    list
        Factors are numbered as given; the product of the first pair gets the next number, and so on.
    """
    # Imported on first use, so that only those who need a contraction wait for it.
    from cotengra import GreedyOptimizer

    # Without `accel=False` the order would depend on whether cotengrust is installed.
    path = GreedyOptimizer(accel=False).ssa_path(scopes, output, _sizes_of(scopes, sizes))
    return _pairs(path, len(scopes))


def tree_path(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int], output: tuple[int, ...]) -> list[Merge]:
    """Pairs of factors to multiply, in order, along a tree decomposition.

    Parameters
    ----------
    scopes, sizes, output
        As for `greedy_path`.

    Returns
    -------
    list
        Numbered as by `greedy_path`.
    """
    from cotengra import ContractionTree, GreedyOptimizer, OptimalOptimizer

    tree = ContractionTree.from_path(
        scopes,
        output,
        _sizes_of(scopes, sizes),
        edge_path=_elimination_order(scopes, output),
        optimize=GreedyOptimizer(accel=False),
        autocomplete=True,
    )
    best_of_few = OptimalOptimizer(minimize="flops", accel=False)
    tree.subtree_reconfigure_(
        subtree_size=_SUBTREE,
        maxiter=min(len(scopes), _ROUNDS),
        select="random",
        seed=_SEED,
        minimize="flops",
        optimize=best_of_few,
    )
    return _pairs(tree.get_ssa_path(), len(scopes))


def _elimination_order(scopes: Sequence[tuple[int, ...]], output: tuple[int, ...]) -> list[int]:
    """The order in which to sum out the variables that are not in the output."""
    import networkx
    from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

    graph = networkx.Graph()
    # The output variables end up in one table, so some bag must contain all of them.
    for scope in (*scopes, output):
        graph.add_nodes_from(scope)
        graph.add_edges_from(itertools.combinations(scope, 2))
    decompose = treewidth_min_fill_in if len(graph) <= _MOST_FOR_FILL else treewidth_min_degree
    _, tree = decompose(graph)
    root = next(bag for bag in tree if bag.issuperset(output))
    order: list[int] = []
    # From the leaves to the root, a variable can be summed out when the next bag does not have it.
    for parent, bag in reversed(list(networkx.bfs_edges(tree, root))):
        order += sorted(bag - parent)
    return order + sorted(root.difference(output))


def _sizes_of(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> dict[int, int]:
    return {variable: sizes[variable] for scope in scopes for variable in scope}


def _pairs(path: Iterable[Sequence[int]], n_factors: int) -> list[Merge]:
    """The steps of a path that join two factors; cotengra also numbers steps that only sum one factor."""
    numbers = list(range(n_factors))
    pairs: list[Merge] = []
    for step in path:
        if len(step) == 1:
            numbers.append(numbers[step[0]])
        else:
            first, second = step
            pairs.append((numbers[first], numbers[second]))
            numbers.append(n_factors + len(pairs) - 1)
    return pairs
