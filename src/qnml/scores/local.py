"""Local scores in bulk: many families, one call into the core."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._types import FloatArray
    from qnml.counts import MemoryCounts
    from qnml.scores.registry import BoundScore

__all__ = ["beyond_doubles", "local_scores"]


def local_scores(
    counts: MemoryCounts,
    families: Iterable[tuple[int, Sequence[int]]],
    bound: BoundScore,
    *,
    n_variables: int,
    n_jobs: int,
    names: Sequence[str] | None = None,
) -> FloatArray:
    """Scores of families (child, parents), given as column indices, in the given order.

    `n_variables` is the number of nodes of the network the families belong to: ebic's penalty per arc depends on it.
    `names` are those of the columns, for error messages.

    Raises
    ------
    InputError
        A score exceeds the range of doubles: bic, aic, hqc and ebic penalize each parameter, and there can be too many.
    """
    children: list[int] = []
    offsets = [0]
    parents: list[int] = []
    for child, family_parents in families:
        children.append(child)
        parents.extend(family_parents)
        offsets.append(len(parents))
    values = _core.local_scores(
        counts.columns,
        np.asarray(children, dtype=np.int32),
        np.asarray(offsets, dtype=np.int64),
        np.asarray(parents, dtype=np.int32),
        bound.score.kind,
        bound.value,
        n_variables,
        n_jobs,
        bound.scale,
    )
    if not np.isfinite(values).all():
        bad = int(np.flatnonzero(~np.isfinite(values))[0])
        shown = names if names is not None else [f"column {i}" for i in range(len(counts.arities))]
        raise beyond_doubles(counts.arities, shown, bound, children[bad], parents[offsets[bad] : offsets[bad + 1]])
    return values


def beyond_doubles(
    arities: Sequence[int], names: Sequence[str], bound: BoundScore, child: int, parents: Sequence[int]
) -> InputError:
    """Word an error about a family whose score exceeds the range of doubles."""
    cells = sum(math.log10(arities[member]) for member in (child, *parents))
    return InputError(
        f"score '{bound.score.name}': of '{names[child]}' given {len(parents)} parents it is beyond the range of "
        f"floating point: their levels multiply to 10^{cells:.0f}. Take fewer parents, or merge levels."
    )
