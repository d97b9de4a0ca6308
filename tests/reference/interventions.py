"""Scores of rows in which variables were set, and the classes of networks that experiments leave, by definition."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from reference.equivalence_classes import pattern_of
from reference.scores import local_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    import mpmath as mp

__all__ = ["are_indistinguishable", "local_score_of_observed"]

Network = tuple[frozenset[int], ...]


def local_score_of_observed(
    rows: Sequence[tuple[int, ...]],
    was_set: Sequence[frozenset[int]],
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    score: str,
    weights: Sequence[int] | None = None,
) -> mp.mpf | float:
    """The local score of the rows in which the child was observed; zero if there are none."""
    kept = [i for i, names in enumerate(was_set) if child not in names]
    if not kept:
        return 0.0
    chosen = None if weights is None else [weights[i] for i in kept]
    return local_score([rows[i] for i in kept], arities, child, parents, score, weights=chosen)


def are_indistinguishable(one: Network, other: Network, targets: Sequence[frozenset[int]]) -> bool:
    """Theorem 10 of Hauser and Bühlmann (2012): equivalent, and the same skeleton after every experiment.

    An experiment removes the arcs into the nodes that it sets.
    """
    if pattern_of(one) != pattern_of(other):
        return False
    return all(_skeleton(one, target) == _skeleton(other, target) for target in targets)


def _skeleton(network: Network, target: frozenset[int]) -> set[frozenset[int]]:
    arcs = itertools.chain.from_iterable(((p, child) for p in parents) for child, parents in enumerate(network))
    return {frozenset(arc) for arc in arcs if arc[1] not in target}
