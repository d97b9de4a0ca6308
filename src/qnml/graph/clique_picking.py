"""Counting the acyclic orientations of a chordal graph without v-structures.

The clique-picking algorithm assigns every orientation to one maximal clique: among the cliques that can come first in
one of its topological orders, the one closest to the root of the clique tree. For each maximal clique K it counts
the orders of K assigned to K (no prefix is a separator on the path from the root to K), and multiplies by the number
of orientations of the edges that stay undirected once K comes first. These edges form smaller chordal graphs, and
only polynomially many distinct ones ever arise.

References
----------
M. Wienöbst, M. Bannach, M. Liśkiewicz (2021). Polynomial-time algorithms for counting and sampling Markov
equivalent DAGs. AAAI.
J. R. S. Blair, B. Peyton (1993). An introduction to chordal graphs and clique trees. (The clique tree.)
"""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

from qnml.graph.masks import bits, components

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["count_orientations"]


def count_orientations(neighbours: Sequence[int]) -> int:
    """Count the acyclic orientations without v-structures of a chordal graph given by adjacency masks."""
    known: dict[int, int] = {}
    total = 1
    for component in components(neighbours, (1 << len(neighbours)) - 1):
        total *= _count(neighbours, component, known)
    return total


def _count(neighbours: Sequence[int], component: int, known: dict[int, int]) -> int:
    n_nodes = component.bit_count()
    if n_nodes == 1:
        return 1
    if component in known:
        return known[component]
    twice_edges = sum((neighbours[node] & component).bit_count() for node in bits(component))
    if twice_edges == 2 * (n_nodes - 1):
        # A tree: the root determines the orientation.
        result = n_nodes
    else:
        result = 0
        cliques, above = _clique_tree(neighbours, component)
        for clique_number, clique in enumerate(cliques):
            product = _orders_without_prefixes(clique.bit_count(), _forbidden_prefixes(cliques, above, clique_number))
            for part in _undirected_after(neighbours, component, clique):
                product *= _count(neighbours, part, known)
            result += product
    known[component] = result
    return result


def _clique_tree(neighbours: Sequence[int], component: int) -> tuple[list[int], list[int]]:
    """Return the maximal cliques of a connected chordal graph, root first, and the tree parent of each.

    Maximum cardinality search: each step visits the node with the most visited neighbours. When their number
    does not grow, a new clique begins as a child of the clique of the most recently visited of those neighbours.
    """
    cliques: list[int] = []
    above: list[int] = []
    clique_of: dict[int, int] = {}
    place: dict[int, int] = {}
    visited = 0
    levels = [component]  # levels[k]: the nodes not visited yet that have k visited neighbours
    previous = 0
    while levels:
        if not levels[-1]:
            levels.pop()
            continue
        node = next(bits(levels[-1]))
        levels[-1] ^= 1 << node
        earlier = neighbours[node] & visited
        if not cliques or earlier.bit_count() <= previous:
            last = max(bits(earlier), key=place.__getitem__, default=None)
            above.append(-1 if last is None else clique_of[last])
            cliques.append(earlier)
        clique_of[node] = len(cliques) - 1
        cliques[-1] |= 1 << node
        previous = earlier.bit_count()
        place[node] = len(place)
        visited |= 1 << node
        levels.append(0)
        for level in range(len(levels) - 2, -1, -1):
            raised = levels[level] & neighbours[node]
            levels[level] ^= raised
            levels[level + 1] |= raised
    return cliques, above


def _forbidden_prefixes(cliques: Sequence[int], above: Sequence[int], clique_number: int) -> list[int]:
    """Sizes of the separators between the root and a clique that lie inside the clique; they are nested."""
    clique = cliques[clique_number]
    found = set()
    step = clique_number
    while above[step] >= 0:
        separator = cliques[step] & cliques[above[step]]
        if not separator & ~clique:
            found.add(separator)
        step = above[step]
    return sorted(separator.bit_count() for separator in found)


def _orders_without_prefixes(n_nodes: int, prefixes: Sequence[int]) -> int:
    """Count the orders of `n_nodes` nodes that have none of the nested subsets of the given sizes as a prefix."""
    sizes = [*prefixes, n_nodes]
    # clean[i]: orders of the i-th subset without a smaller one as a prefix. From all orders, subtract for each j
    # those whose smallest forbidden prefix is the j-th subset.
    clean: list[int] = []
    for size in sizes:
        offending = sum(factorial(size - smaller) * count for smaller, count in zip(sizes, clean, strict=False))
        clean.append(factorial(size) - offending)
    return clean[-1]


def _undirected_after(neighbours: Sequence[int], component: int, clique: int) -> Iterator[int]:
    """Yield the connected components that stay undirected once `clique` comes first in the topological order.

    Lexicographic breadth-first search by partition refinement. Nodes in one cell have the same earlier
    neighbours; when the search first enters a cell, the edges inside it are exactly those left undirected.
    """
    settled = clique
    cells = [cell for cell in (clique, component & ~clique) if cell]
    while cells:
        first = cells[0]
        node = first & -first
        if not node & settled:
            settled |= first
            yield from components(neighbours, first)
        around = neighbours[node.bit_length() - 1]
        refined = []
        for cell in cells:
            for part in (cell & around, cell & ~around & ~node):
                if part:
                    refined.append(part)
        cells = refined
