"""Every DAG on up to six nodes as one array, and questions about all of them at once.

A DAG is a row of parent masks, eight bits each. What `qnml.graph.enumerate` does one graph at a time is done here for
whole columns, which is what makes six nodes (3,781,503 DAGs) a matter of seconds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_NODES", "Masks8", "all_parent_masks", "ancestor_masks", "class_keys"]

MOST_NODES = 6
Masks8: TypeAlias = NDArray[np.uint8]


def all_parent_masks(n: int) -> Masks8:
    """Parent masks of all DAGs on `n` nodes, one row a DAG, in lexicographic order; read-only.

    Examples
    --------
    >>> all_parent_masks(2).tolist()
    [[0, 0], [0, 1], [2, 0]]
    """
    if not isinstance(n, int) or not 0 <= n <= MOST_NODES:
        raise bad_argument("all_parent_masks", "n", n, f"a whole number from 0 to {MOST_NODES}")
    # Those on six nodes take 23 MB: not worth keeping.
    return _kept(n) if n < MOST_NODES else _extended(_kept(n - 1))


@lru_cache(maxsize=MOST_NODES)
def _kept(n: int) -> Masks8:
    return np.zeros((1, 0), dtype=np.uint8) if n == 0 else _extended(_kept(n - 1))


def _extended(smaller: Masks8) -> Masks8:
    """Add a last node to every DAG in every way: any children, and parents that are not below these."""
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
    """For every DAG and node the mask of the ancestors, the node itself left out."""
    above = masks.copy()
    for between in range(masks.shape[1]):
        for node in range(masks.shape[1]):
            reaches = -(above[:, node] >> between & 1)  # all ones where the path goes on, in eight bits
            above[:, node] |= above[:, between] & reaches
    return above


def class_keys(masks: Masks8) -> NDArray[np.uint64]:
    """A number for every DAG, the same for two DAGs exactly when they are equivalent.

    It is the characteristic imset of Studený, Hemmecke and Lindner (2010) written as bits: one for each set of two
    nodes or more, set when some node of it has all the others as parents. Six nodes have 57 such sets.
    """
    n = masks.shape[1]
    sets = [members for members in range(1 << n) if members.bit_count() >= 2]
    place = {members: np.uint64(1 << number) for number, members in enumerate(sets)}
    keys = np.zeros(len(masks), dtype=np.uint64)
    for node in range(n):
        keys |= _family_bits(node, n, place)[masks[:, node]]
    return keys


def _family_bits(node: int, n: int, place: dict[int, np.uint64]) -> NDArray[np.uint64]:
    """The bits that a node sets with each set of parents: those of all its subsets, with the node."""
    bits = np.zeros(1 << n, dtype=np.uint64)
    for parents in range(1 << n):
        for subset in _nonempty_subsets(parents & ~(1 << node)):
            bits[parents] |= place[subset | 1 << node]
    return bits


def _nonempty_subsets(mask: int) -> Sequence[int]:
    return [subset for subset in range(1, mask + 1) if not subset & ~mask]
