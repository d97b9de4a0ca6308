"""Orders of contraction, from the libraries that know about them.

cotengra's greedy search joins one pair of factors after another, by what their product would take. It is quick
and does well on most questions. In a large network it can go far astray, because a variable is in many factors
(a parent in every child) and pairs do not show what summing it out will take. What shows it is the graph that
joins variables met in a factor: networkx finds a tree decomposition of it, cotengra turns that into pairs and
betters the costly places. The figures are in docs/decisions/0008-order-of-contraction.md.

What is drawn at random has a fixed seed; nothing looks at a clock or depends on what else is installed.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Merge", "greedy_path", "tree_path"]

Merge: TypeAlias = tuple[int, int]

# Least fill takes time that grows with the cube of the variables: a tenth of a second for the thousand of munin,
# up to two seconds for a thousand in a dense graph. Least degree does worse, and ten thousand in a second.
_MOST_FOR_FILL = 1200
# The best order of up to six factors is found in a millisecond, and each more takes several times as long.
_SUBTREE = 6
# Places bettered at most, costly ones more often. Always taking the costliest gets stuck: chance, from a seed, gets on.
_ROUNDS = 100
_SEED = 0


def greedy_path(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int], output: tuple[int, ...]) -> list[Merge]:
    """Pairs of factors to multiply, in order, by what each product would take.

    Parameters
    ----------
    scopes
        Variables of every factor, at least two factors.
    sizes
        Levels of every variable.
    output
        Variables that stay; each is in some factor.

    Returns
    -------
    list
        Factors are numbered as given; the product of the first pair gets the next number, and so on.
    """
    # Imported when first needed: only those who ask for a contraction wait for it.
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
    """Order in which the variables that do not stay are summed out."""
    import networkx
    from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

    graph = networkx.Graph()
    # What stays ends up in one table, so that some bag has all of it.
    for scope in (*scopes, output):
        graph.add_nodes_from(scope)
        graph.add_edges_from(itertools.combinations(scope, 2))
    decompose = treewidth_min_fill_in if len(graph) <= _MOST_FOR_FILL else treewidth_min_degree
    _, tree = decompose(graph)
    root = next(bag for bag in tree if bag.issuperset(output))
    order: list[int] = []
    # From the leaves to the root, a variable can go where the next bag does not have it.
    for parent, bag in reversed(list(networkx.bfs_edges(tree, root))):
        order += sorted(bag - parent)
    return order + sorted(root.difference(output))


def _sizes_of(scopes: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> dict[int, int]:
    return {variable: sizes[variable] for scope in scopes for variable in scope}


def _pairs(path: Iterable[Sequence[int]], n_factors: int) -> list[Merge]:
    """The steps of a path that join two factors; cotengra also numbers those that only sum one."""
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
