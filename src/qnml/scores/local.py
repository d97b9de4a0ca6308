"""Local scores in bulk: many families, one call into the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._types import FloatArray
    from qnml.counts import MemoryCounts
    from qnml.scores.registry import BoundScore

__all__ = ["local_scores"]


def local_scores(
    counts: MemoryCounts,
    families: Iterable[tuple[int, Sequence[int]]],
    bound: BoundScore,
    *,
    n_variables: int,
    n_jobs: int,
) -> FloatArray:
    """Scores of families (child, parents), all as column indices, in the order given.

    `n_variables` is the number of nodes of the network the families belong to: ebic's price of an arc depends on it.
    """
    children: list[int] = []
    offsets = [0]
    parents: list[int] = []
    for child, family_parents in families:
        children.append(child)
        parents.extend(family_parents)
        offsets.append(len(parents))
    return _core.local_scores(
        counts.columns,
        np.asarray(children, dtype=np.int32),
        np.asarray(offsets, dtype=np.int64),
        np.asarray(parents, dtype=np.int32),
        bound.score.kind,
        bound.value,
        n_variables,
        n_jobs,
    )
