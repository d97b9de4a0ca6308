"""Candidates where the values of all sets do not fit on the card.

The sets that agree on their highest bits form a slice. The card keeps the largest gains inside all parent sets for a
group of children, and the values of one slice at a time: it counts a slice, scores its parent sets for each child of
the group, and takes the larger of their gains and those of the slices with one bit less, which came before. Every group
counts all sets again. Children among the highest bits come last, in an order of the bits that exchanges them with the
next ones.

A parent set is compared with subsets in other slices by gains of 32 bits. Where these cannot decide, which takes equal
or almost equal scores, the CPU counts the few families in question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import TooLargeError
from qnml.gpu.child import THREADS, ChildTables, with_bit, without_bits
from qnml.gpu.counting import SliceCounter
from qnml.gpu.permuted import PermutedLattice, moved
from qnml.gpu.runtime import blocks_for
from qnml.gpu.sample import check_sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from qnml import _core
    from qnml.gpu.runtime import Runtime

__all__ = ["Stream", "stream_candidates"]

_SAMPLE = 8  # sets of a slice that are counted on the CPU as well
_ROOM = 2**22  # candidates of a child in a slice
_MOST_SETTLED = 2**20  # families of a child that the CPU counts

_BEST, _TIED, _BEATEN, _DOUBTFUL = range(4)  # as in the kernels


@dataclass(frozen=True)
class Stream:
    """How the lattice is cut.

    Attributes
    ----------
    high_bits : on which the sets of a slice agree.
    together : children in a group.
    """

    high_bits: int
    together: int

    def groups(self, n: int) -> Iterator[tuple[list[int], range]]:
        """The orders of the bits, each with the children that are taken in it, as their places in this order.

        Parameters
        ----------
        n
            Number of variables.
        """
        lower = n - self.high_bits
        plain = list(range(n))
        exchanged = [*plain[: lower - self.high_bits], *plain[lower:], *plain[lower - self.high_bits : lower]]
        for order, places in ((plain, range(lower)), (exchanged, range(lower - self.high_bits, lower))):
            for first in range(places.start, places.stop, self.together):
                yield order, range(first, min(first + self.together, places.stop))


def stream_candidates(runtime: Runtime, lattice: _core.DeviceLattice, stream: Stream) -> bool:
    """Count all sets slice by slice, and list the candidates of all children; returns False when stopped.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem, which receives the lists.
    stream
        How the lattice is cut.
    """
    n = lattice.n_variables
    groups = list(stream.groups(n))
    gains = [runtime.empty(2 ** (n - 1), np.int32) for _ in range(stream.together)]
    out = [runtime.empty(_ROOM, dtype) for dtype in (np.uint64, np.int64, np.uint64)]
    visits = 0
    for order, places in groups:
        permuted = PermutedLattice(lattice, order)
        counter = SliceCounter(runtime, permuted, stream.high_bits)
        children = [
            _StreamedChild(permuted, ChildTables(runtime, permuted, counter.values, place, stream.high_bits), mine, out)
            for place, mine in zip(places, gains, strict=False)
        ]
        for high in range(2**stream.high_bits):
            if not counter.count(high, advance=1.0 / (len(groups) * 2**stream.high_bits)):
                return False
            check_sample(runtime, permuted, counter.values, high * counter.size, counter.size, _SAMPLE)
            for child in children:
                child.add_slice(high)
        visits += counter.visits()
        for child in children:
            sets, scores, ranks = child.settled()
            permuted.take(child.tables.bit, child.tables.base, sets, scores, ranks, child.scored)
    lattice.counted(visits)
    return True


class _StreamedChild:
    """A child whose candidates are listed slice by slice."""

    def __init__(self, lattice: PermutedLattice, tables: ChildTables, gains: Any, out: list[Any]) -> None:
        self.lattice, self.tables, self.gains, self.out = lattice, tables, gains, out
        self.scored = 0
        self._found: list[list[NDArray[Any]]] = []

    def add_slice(self, high: int) -> None:
        """Score the parent sets of a slice, whose values are on the card, and list what no subset beats."""
        tables, runtime = self.tables, self.tables.runtime
        size = 2**tables.slice_bits
        first = high * size
        self.scored += tables.fill(self.gains, high)
        mine = self.gains[first : first + size]
        for bit in range(high.bit_length()):
            if high >> bit & 1:
                other = (high ^ 1 << bit) * size
                arguments = (np.uint64(size), self.gains[other : other + size], mine)
                runtime.kernel("take_larger")(blocks_for(size, THREADS), THREADS, 0, *arguments)
        count = runtime.zeros(1, np.uint64)
        runtime.kernel("list_rivals")(
            *(blocks_for(size, THREADS), THREADS, 0, *tables.arguments()),
            *(np.uint64(first), np.uint64(size), self.gains, np.uint64(_ROOM), count, *self.out),
        )
        found = int(runtime.download(count, 0, 1)[0])
        if found > _ROOM:
            raise _too_many("candidates")
        self._found.append([runtime.download(array, 0, found) for array in self.out])

    def settled(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint8]]:
        """The candidates as sets of bits, with scores and ranks; equal gains are decided in full."""
        sets, scores, rivals = (np.concatenate(columns) for columns in zip(*self._found, strict=True))
        ranks = np.full(len(sets), _BEST, np.uint8)
        parents, rivals = with_bit(sets, self.tables.bit), with_bit(rivals, self.tables.bit)
        self._settle(parents, scores, rivals, ranks)
        kept = ranks != _BEATEN
        return parents[kept], scores[kept], ranks[kept]

    def _settle(
        self,
        parents: NDArray[np.uint64],
        scores: NDArray[np.int64],
        rivals: NDArray[np.uint64],
        ranks: NDArray[np.uint8],
    ) -> None:
        """Compare with rivals as `CandidateFilter::stand` does: the lowest bit of the core's order first."""
        tolerance, counted = self.tables.lattice.tolerance, 0
        order, back = self.lattice.order, self.lattice.back
        rest = moved(rivals, order)
        left = np.flatnonzero(rest)
        while len(left):
            counted += len(left)
            if counted > _MOST_SETTLED:
                raise _too_many("ties")
            bits = rest[left] & (~rest[left] + np.uint64(1))
            rest[left] ^= bits
            subsets = without_bits(parents[left] ^ moved(bits, back), self.tables.bit)
            other, mine = self.tables.scores(subsets), scores[left]
            is_beaten, is_tied = other > mine + tolerance, other >= mine
            ranks[left] = np.where(is_beaten, _BEATEN, np.where(is_tied, _TIED, _DOUBTFUL))
            left = left[~is_tied & (rest[left] != 0)]


def _too_many(what: str) -> TooLargeError:
    return TooLargeError(
        f"learn: the lattice does not fit on the card at once, and in parts there are too many {what} of a child to "
        "keep. Select fewer columns, or say device='cpu' with max_parents."
    )
