"""Instruments: variables that move a cause, and the target through the cause alone.

Where the causes that `x` and `y` have in common were not measured, no set adjusts for them. An instrument `z` given a
set `w` depends on `x`, and would be independent of `y` if `x` had no effect on it (Brito and Pearl 2002). It bounds the
effect, and yields it in models with further assumptions, such as linear ones.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from qnml.graph.masks import ancestors_of, bits, child_masks
from qnml.graph.separation import reachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["conditional_instruments"]


def conditional_instruments(
    parents: Sequence[int], x: int, y: int, observed: int, most_given: int
) -> Iterator[tuple[int, int]]:
    """Yield each instrument with every minimal set of at most `most_given` nodes to condition on.

    Parameters
    ----------
    parents
        The parents of each node, as masks.
    x, y
        The cause and the target.
    observed
        The nodes that instruments and conditions may be.
    most_given
        The largest size of a condition.
    """
    causal = ancestors_of(parents, 1 << y)
    children = child_masks(parents)
    # Without the arcs by which x has its effect.
    cut = [mask & ~(1 << x) if causal >> node & 1 else mask for node, mask in enumerate(parents)]
    after = ancestors_of(children, 1 << x)  # the descendants of x: consequences are no instruments
    usable = observed & ~after & ~(1 << y) & ~ancestors_of(children, 1 << y)
    for z in bits(usable):
        found: list[int] = []
        others = [node for node in bits(usable) if node != z]
        for size in range(min(most_given, len(others)) + 1):
            for chosen in combinations(others, size):
                given = sum(1 << node for node in chosen)
                if any(known & given == known for known in found):
                    continue
                if not _reaches(parents, z, x, given) or _reaches(cut, z, y, given):
                    continue
                found.append(given)
                yield z, given


def _reaches(parents: Sequence[int], start: int, end: int, given: int) -> bool:
    return bool(reachable(parents, child_masks(parents), 1 << start, given) >> end & 1)
