"""All DAGs on up to six nodes as one array, with vectorized operations on all of them.

A DAG is a row of parent masks, eight bits each. `qnml.graph.enumerate` handles one graph at a time; here whole columns
are computed at once, so that six nodes (3,781,503 DAGs) take seconds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_NODES", "Masks8", "all_parent_masks", "ancestor_masks", "class_keys", "told_keys"]

MOST_NODES = 6
Masks8: TypeAlias = NDArray[np.uint8]


def all_parent_masks(n: int) -> Masks8:
    """Return the parent masks of all DAGs on `n` nodes, one row per DAG, in lexicographic order; read-only.

    Examples
    --------
    >>> all_parent_masks(2).tolist()
    [[0, 0], [0, 1], [2, 0]]
    """
    if not isinstance(n, int) or not 0 <= n <= MOST_NODES:
        raise bad_argument("all_parent_masks", "n", n, f"a whole number from 0 to {MOST_NODES}")
    # The array for six nodes takes 23 MB, so it is not cached.
    return _kept(n) if n < MOST_NODES else _extended(_kept(n - 1))


@lru_cache(maxsize=MOST_NODES)
def _kept(n: int) -> Masks8:
    return np.zeros((1, 0), dtype=np.uint8) if n == 0 else _extended(_kept(n - 1))


def _extended(smaller: Masks8) -> Masks8:
    """Add a last node to every DAG in all ways: any children, and parents that are not their descendants."""
    n = smaller.shape[1] + 1
    above = ancestor_masks(smaller)
    keys = []
    for children in range(1 << (n - 1)):
        below = np.full(len(smaller), children, dtype=np.uint8)
        for node in range(n - 1):
            below |= ((above[:, node] & children) != 0).astype(np.uint8) << node
        grown = smaller | (np.array([children >> node & 1 for node in range(n - 1)], dtype=np.uint8) << (n - 1))
        # One number whose order is the lexicographic order of the masks.
        key = np.zeros(len(smaller), dtype=np.uint64)
        for node in range(n - 1):
            key = key << np.uint64(8) | grown[:, node]
        key = key << np.uint64(8)
        keys += [key[(below & parents) == 0] | np.uint64(parents) for parents in range(1 << (n - 1))]
    ordered = np.sort(np.concatenate(keys))
    masks = np.empty((len(ordered), n), dtype=np.uint8)
    for node in range(n):
        masks[:, node] = ordered >> np.uint64(8 * (n - 1 - node)) & np.uint64(255)
    masks.flags.writeable = False
    return masks


def ancestor_masks(masks: Masks8) -> Masks8:
    """Return the mask of the ancestors of every node in every DAG, without the node itself."""
    above = masks.copy()
    for between in range(masks.shape[1]):
        for node in range(masks.shape[1]):
            reaches = -(above[:, node] >> between & 1)  # all eight bits are one where the path continues
            above[:, node] |= above[:, between] & reaches
    return above


def class_keys(masks: Masks8) -> NDArray[np.uint64]:
    """Return a number for every DAG; two DAGs have the same number exactly if they are equivalent.

    It is the characteristic imset of Studený, Hemmecke and Lindner (2010) as bits: one for each set of two or more
    nodes, set if one of them has all the others as parents. Six nodes have 57 such sets.
    """
    n = masks.shape[1]
    sets = [members for members in range(1 << n) if members.bit_count() >= 2]
    place = {members: np.uint64(1 << number) for number, members in enumerate(sets)}
    keys = np.zeros(len(masks), dtype=np.uint64)
    for node in range(n):
        keys |= _family_bits(node, n, place)[masks[:, node]]
    return keys


def _family_bits(node: int, n: int, place: dict[int, np.uint64]) -> NDArray[np.uint64]:
    """Return the bits that a node sets with each parent set: those of all its subsets, with the node."""
    bits = np.zeros(1 << n, dtype=np.uint64)
    for parents in range(1 << n):
        for subset in _nonempty_subsets(parents & ~(1 << node)):
            bits[parents] |= place[subset | 1 << node]
    return bits


def _nonempty_subsets(mask: int) -> Sequence[int]:
    return [subset for subset in range(1, mask + 1) if not subset & ~mask]


def told_keys(masks: Masks8, parts: tuple[int, ...]) -> NDArray[Any]:
    """For each DAG a row that it shares with the DAGs that the data cannot tell from it.

    These have the same skeleton and v-structures, and the same arcs between nodes of different parts.

    Parameters
    ----------
    masks
        The parents of each node, one DAG per row.
    parts
        For each node a number: see `qnml.graph.interventional`.
    """
    apart = [sum(1 << i for i, other in enumerate(parts) if other != part) for part in parts]
    told = [masks[:, child] & np.uint8(mask) for child, mask in enumerate(apart) if mask]
    return np.column_stack([class_keys(masks), *told])
