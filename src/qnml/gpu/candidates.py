"""Candidate parent sets on a card that holds the values of all sets: `kernels/candidates.cu` says how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from qnml.gpu.child import THREADS, ChildTables
from qnml.gpu.runtime import blocks_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml.gpu.counting import SetValues
    from qnml.gpu.permuted import Lattice
    from qnml.gpu.runtime import Runtime

__all__ = ["list_candidates"]

_ROOM = 2**20  # candidates of a child for which there is room at first
_MOST_ROOM = 2**24

# Sets, scores and ranks of candidates.
_Found: TypeAlias = "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]"
_RANK_TIED = 1


def list_candidates(runtime: Runtime, lattice: Lattice, values: SetValues) -> bool:
    """List the candidates of all children, one after the other; returns False when stopped.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem, which receives the lists.
    values
        The values of all sets.
    """
    gains = runtime.empty(2 ** (lattice.n_variables - 1), np.int32)
    lister = _Lister(runtime, lattice.most_ties)
    for bit in range(lattice.n_variables):
        if lattice.is_stopped:
            return False
        child = ChildTables(runtime, lattice, values, bit)
        scored = child.fill(gains)
        sets, scores, ranks = lister.candidates(child, gains)
        lattice.take(bit, child.base, sets, scores, ranks, scored)
        lattice.advance(1.0)
    return True


class _Lister:
    """Lists the candidates of one child after the other, in the same memory."""

    def __init__(self, runtime: Runtime, most_ties: int) -> None:
        self.runtime = runtime
        self.most_ties = most_ties
        self._reserve(_ROOM)

    def _reserve(self, room: int) -> None:
        self.room = room
        types = (np.uint64, np.int64, np.uint8)
        self.out = [self.runtime.empty(room, dtype) for dtype in types]

    def candidates(self, child: ChildTables, best: Any) -> _Found:
        """Sets, scores and ranks of the candidates in numerical order of the sets.

        Of those that tie with a subset only the first matter. Where there is no room for all candidates, the parent
        sets are taken in parts, and ties are left out as soon as there are enough.
        """
        size = 2**child.bits
        found = self._part(child, best, 0, size, drop_tied=False)
        if found is not None:
            return found
        self._reserve(_MOST_ROOM)
        parts: list[_Found] = []
        tied = 0
        for first in range(0, size, self.room):
            # No part has more candidates than sets.
            part = self._part(child, best, first, min(self.room, size - first), drop_tied=tied > self.most_ties)
            assert part is not None
            tied += int(np.count_nonzero(part[2] == _RANK_TIED))
            parts.append(part)
        sets, scores, ranks = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return sets, scores, ranks

    def _part(self, child: ChildTables, best: Any, first: int, size: int, *, drop_tied: bool) -> _Found | None:
        runtime = self.runtime
        count = runtime.zeros(1, np.uint64)
        runtime.kernel("list_candidates")(
            *(blocks_for(size, THREADS), THREADS, 0, *child.arguments(drop_tied=drop_tied)),
            *(np.uint64(first), np.uint64(size), best, np.uint64(self.room), count, *self.out),
        )
        found = int(runtime.download(count, 0, 1)[0])
        if found > self.room:
            return None
        columns = [runtime.download(array, 0, found) for array in self.out]
        order = np.argsort(columns[0], kind="stable")  # threads add to the list in any order
        sets, scores, ranks = (np.ascontiguousarray(column[order]) for column in columns)
        return sets, scores, ranks
