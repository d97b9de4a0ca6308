"""The tables of one child on a card, and the kernels that score its parent sets.

Parent sets are numbered by t, without the bit of the child.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.gpu.runtime import blocks_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml.gpu.counting import SetValues
    from qnml.gpu.permuted import Lattice
    from qnml.gpu.runtime import Runtime

__all__ = ["MOST_SPREAD", "THREADS", "ChildTables", "spreads", "with_bit", "without_bit", "without_bits"]

THREADS = 256
"""Threads in a block of these kernels."""

_TILE_BITS = 12
MOST_SPREAD = 6
"""Bits that one pass of the transform takes at most."""

# Numbers of a child, in the order of the enumeration in kernels/candidates.cu.
_NUMBERS = (
    *("bit", "index_bits", "has_arcs", "is_free", "allowed", "required", "most_parents"),
    *("base", "shift", "tolerance", "slice_bits", "drop_tied"),
)
_IMPOSSIBLE = -(2**61)


class ChildTables:
    """What the kernels read for one child.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem.
    values
        The values of the sets, or of those that agree on their highest bits, one such slice at a time.
    bit
        The child, which is none of the highest bits.
    high_bits
        Number of these bits.
    """

    def __init__(self, runtime: Runtime, lattice: Lattice, values: SetValues, bit: int, high_bits: int = 0) -> None:
        self.runtime, self.lattice, self.bit = runtime, lattice, bit
        self.bits = lattice.n_variables - 1
        self.slice_bits = self.bits - high_bits
        self._class = lattice.config_class[bit]
        self._arcs = np.asarray(lattice.prices_of_arcs, np.int64)
        self._prices = np.asarray(lattice.prices(bit), np.int64)
        self._fits = np.asarray(lattice.fitting(bit), np.uint8)
        strides = [stride for place, stride in enumerate(lattice.stride) if place != bit]
        self._index_bits = min(self.bits, _TILE_BITS)
        self._low, self._high = _sums_over(strides[: self._index_bits]), _sums_over(strides[self._index_bits :])
        self._allowed = without_bit(int(lattice.allowed[bit]) & ~(1 << bit), bit)
        self._required = without_bit(int(lattice.required[bit]), bit)
        self.base = int(self.scores(np.array([self._required], np.uint64))[0])
        configs = values.cells if self._class < 0 else values.configs[self._class]
        self._arrays = (
            *(values.cells, configs, runtime.upload(self._prices), runtime.upload(self._fits)),
            *(runtime.upload(self._arcs), runtime.upload(self._low), runtime.upload(self._high)),
        )
        self._numbers: dict[bool, Any] = {}

    def arguments(self, *, drop_tied: bool = False) -> tuple[Any, ...]:
        """The first arguments of the kernels.

        Parameters
        ----------
        drop_tied
            Whether sets that tie with a subset are to be left out of lists.
        """
        if drop_tied not in self._numbers:
            numbers = {
                "bit": self.bit,
                "index_bits": self._index_bits,
                "has_arcs": int(self._arcs.any()),
                "is_free": int(self.lattice.is_free),
                "allowed": self._allowed,
                "required": self._required,
                "most_parents": self.lattice.max_parents[self.bit],
                "base": self.base,
                "shift": self.lattice.gain_shift(self.base),
                "tolerance": self.lattice.tolerance,
                "slice_bits": self.slice_bits,
                "drop_tied": int(drop_tied),
            }
            self._numbers[drop_tied] = self.runtime.upload(np.array([numbers[name] for name in _NUMBERS], np.int64))
        return (self._numbers[drop_tied], *self._arrays)

    def fill(self, gains: Any, high: int = 0) -> int:
        """Set the largest gain inside the parent sets of a slice, among its own sets; returns how many are admitted.

        Parameters
        ----------
        gains
            By parent set t.
        high
            The highest bits of the slice.
        """
        runtime, tile = self.runtime, min(self.slice_bits, _TILE_BITS)
        first = high << self.slice_bits
        mine = gains[first : first + 2**self.slice_bits]
        scored = runtime.zeros(1, np.uint64)
        runtime.kernel("fill_gains")(
            *(2 ** (self.slice_bits - tile), THREADS, 0, *self.arguments()),
            *(np.uint64(first), np.uint32(tile), mine, scored),
        )
        for bit, together in spreads(tile, self.slice_bits):
            columns = 2 ** (self.slice_bits - together)
            kernel = runtime.kernel(f"spread_{together}")
            kernel(blocks_for(columns, THREADS), THREADS, 0, np.uint32(bit), np.uint64(columns), mine)
        return int(runtime.download(scored, 0, 1)[0])

    def scores(self, sets: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The scores of parent sets t, counted on the CPU.

        Parameters
        ----------
        sets
            The sets t.
        """
        parents = with_bit(sets, self.bit)
        cells = self.lattice.counted_values(parents | np.uint64(1 << self.bit), -1)
        configs = self.lattice.counted_values(parents, self._class)
        index = self._low[sets & np.uint64(2**self._index_bits - 1)] + self._high[sets >> np.uint64(self._index_bits)]
        counts = np.zeros(len(sets), np.int64)
        for place in range(self.bits):
            counts += (sets >> np.uint64(place) & np.uint64(1)).astype(np.int64)
        values = np.asarray(cells) - np.asarray(configs) - self._prices[index] - self._arcs[counts]
        if not self.lattice.is_free:
            required = np.uint64(self._required)
            is_out = (sets & ~np.uint64(self._allowed)) != 0
            is_out |= (required & ~sets) != 0
            is_out |= counts > self.lattice.max_parents[self.bit]
            is_out |= (self._fits[index] == 0) & (sets != required)
            values[is_out] = _IMPOSSIBLE
        return np.asarray(values, np.int64)

    def gains(self, scores: NDArray[np.int64]) -> NDArray[np.int64]:
        """Scores as the kernels compare them first: in 32 bits, −1 below the smallest admitted set.

        Parameters
        ----------
        scores
            Scores of parent sets.
        """
        return np.where(scores < self.base, -1, (scores - self.base) >> self.lattice.gain_shift(self.base))


def without_bit(mask: int, bit: int) -> int:
    """The set without a bit that it lacks: higher bits move down."""
    low = (1 << bit) - 1
    return (mask & low) | (mask >> 1 & ~low)


def with_bit(sets: NDArray[np.uint64], bit: int) -> NDArray[np.uint64]:
    """The sets with a bit inserted that they lack: from this bit on, bits move up."""
    low = np.uint64((1 << bit) - 1)
    return (sets & low) | ((sets & ~low) << np.uint64(1))


def without_bits(sets: NDArray[np.uint64], bit: int) -> NDArray[np.uint64]:
    """As `without_bit`, for many sets."""
    low = np.uint64((1 << bit) - 1)
    return (sets & low) | (sets >> np.uint64(1) & ~low)


def spreads(first: int, last: int) -> list[tuple[int, int]]:
    """The passes of the transform from one bit to another: where each begins, and its number of bits."""
    passes = -(-(last - first) // MOST_SPREAD)
    if passes == 0:
        return []
    ends = [first + (last - first) * k // passes for k in range(passes + 1)]
    return [(begin, end - begin) for begin, end in pairwise(ends)]


def _sums_over(strides: list[int]) -> NDArray[np.uint32]:
    """By set: the sum of the strides of its members."""
    sums = np.zeros(1, np.uint32)
    for stride in strides:
        sums = np.concatenate([sums, sums + np.uint32(stride)])
    return sums
