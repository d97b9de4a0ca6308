"""Counting all sets of variables on a card: `kernels/counting.cu` says how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.gpu.runtime import blocks_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml.gpu.permuted import Lattice
    from qnml.gpu.runtime import Runtime

__all__ = [
    "MOST_OBSERVATIONS",
    "MOST_ROWS",
    "CountingTables",
    "SetValues",
    "SliceCounter",
    "count_sets",
    "counting_bytes",
    "middle_bits",
]

# The tables of terms of the core end here.
MOST_OBSERVATIONS = 2**20 - 1
# Distinct rows: more would need other keys.
MOST_ROWS = 2**16
_LOW = 5
_MOST_MIDDLE = 8
# Tasks for each block that runs at the same time: the first ones take longer.
_TASKS_PER_BLOCK = 8
# Channels that one pass can sum up in registers.
_MOST_CHANNELS = 8
_MOST_PARTS = 64  # of a walk, between which it can be stopped


@dataclass
class SetValues:
    """The values of all sets on the card.

    Attributes
    ----------
    cells : by set.
    configs : by class of configurations, by set; empty where cells serve.
    visits : rows visited.
    """

    cells: Any
    configs: list[Any]
    visits: int


class CountingTables:
    """What the counting kernel reads, copied to the card once.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem.
    """

    def __init__(self, runtime: Runtime, lattice: Lattice) -> None:
        self.runtime = runtime
        self.n = n = lattice.n_variables
        self.low = min(_LOW, lattice.byte_bits)
        self.rows = lattice.rows
        codes = np.asarray(lattice.codes, np.uint16).reshape(n, self.rows)
        signature = np.zeros(self.rows, np.uint64)
        for bit in range(self.low):
            signature |= codes[bit].astype(np.uint64) << np.uint64(8 * bit)
        signatures, pattern = np.unique(signature, return_inverse=True)
        self.patterns = max(len(signatures), 1)
        observed = np.asarray(lattice.observed, np.uint32)
        _check_keys(self.rows, max(self.patterns, int(observed.max(initial=1))))
        weights = np.asarray(lattice.weights, np.uint64)
        total = int(weights.sum())
        self.count_bits = total.bit_length() + 1
        most_items = min(self.rows, self.patterns)
        self.is_wide = self.count_bits + most_items.bit_length() > 32
        self.codes = runtime.upload(codes.ravel())
        self.observed = runtime.upload(observed)
        self.pattern = runtime.upload(pattern.astype(np.uint32))
        self.signatures = runtime.upload(signatures if len(signatures) else np.zeros(1, np.uint64))
        self.weights = runtime.upload(weights.astype(np.uint32))
        self.terms = np.asarray(lattice.terms, np.int64).reshape(-1, lattice.term_stride)
        self.stride = runtime.upload(np.asarray(lattice.stride, np.uint32))
        self.packed = _packed_tables(runtime, lattice.packed)
        self.is_packed = lattice.packed is not None

    def work_bytes(self) -> int:
        """Bytes for one step of a block, beside the tallies: as `Work` in the kernel."""
        keys = 32
        while keys < 2 * self.rows:
            keys *= 2
        cells = self.rows // 2 + 1
        return 8 * -(-(8 * self.rows + 4 * (2 * keys + 2 * self.rows + 2 * cells)) // 8)

    def tally_bytes(self) -> int:
        """Bytes of the tallies of a block."""
        each = 8 if self.is_wide else 4
        return 8 * -(-(self.runtime.threads // 32 * 32 * 33 * each) // 8)


def _check_keys(rows: int, levels: int) -> None:
    if rows > MOST_ROWS or (rows // 2 + 1) * levels >= 2**32 - 1:
        raise ValueError("too many distinct rows for the keys of the counting kernel")


def _packed_tables(runtime: Runtime, packed: Any) -> list[Any]:
    names = ("channel", "shift", "mask", "step", "gamma_factor", "log_weight", "log_two", "log_three", "e")
    types = (np.int32, np.int32, np.uint64, np.float64, np.int64, np.int64, np.int64, np.int64, np.float64)
    tables: list[Any] = []
    for name, dtype in zip(names, types, strict=True):
        if name == "gamma_factor":
            tables.append(np.int64(0 if packed is None else packed[name]))
        else:
            tables.append(runtime.upload(np.zeros(1, dtype) if packed is None else np.asarray(packed[name], dtype)))
    return tables


def middle_bits(n: int, low: int, blocks: int) -> int:
    """Bits that one block of threads walks along: few enough that all blocks have work.

    Parameters
    ----------
    n : variables.
    low : those that are computed together.
    blocks : blocks that run at the same time.
    """
    tasks = max(1, _TASKS_PER_BLOCK * blocks)
    return int(np.clip(n - low - (tasks - 1).bit_length(), 0, min(_MOST_MIDDLE, n - low)))


def counting_bytes(rows: int, blocks: int) -> int:
    """Bytes that the counting kernel needs beside the values, at most."""
    return blocks * (8 * rows * (_MOST_MIDDLE + 2) + 64 * rows + 4096)


def count_sets(runtime: Runtime, lattice: Lattice) -> SetValues | None:
    """Count all sets; None when stopped.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem.
    """
    counter = SliceCounter(runtime, lattice, 0)
    if not counter.count(0, advance=1.0):
        return None
    values = counter.values
    values.visits = counter.visits()
    return values


class SliceCounter:
    """Counts the sets that agree on their highest bits, one such slice after the other, in the same memory.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem.
    high_bits
        Number of these bits.
    """

    def __init__(self, runtime: Runtime, lattice: Lattice, high_bits: int) -> None:
        self.runtime, self.lattice, self.high_bits = runtime, lattice, high_bits
        self.tables = CountingTables(runtime, lattice)
        self.size = size = 2 ** (self.tables.n - high_bits)
        planes = 1 + lattice.config_classes
        self._out = runtime.empty(planes * size, np.int64)
        self._visits = runtime.zeros(1, np.uint64)
        self.values = SetValues(self._out[:size], [self._out[k * size : (k + 1) * size] for k in range(1, planes)], 0)
        self._small = _small_sets(runtime, lattice) if self.tables.is_packed else None

    def count(self, high: int, advance: float) -> bool:
        """Set `values` to those of a slice; returns False when stopped.

        Parameters
        ----------
        high
            The highest bits of its sets.
        advance
            What to report as progress, altogether.
        """
        channels = self.lattice.channels
        for first in range(0, channels, _MOST_CHANNELS):
            part = slice(first, min(first + _MOST_CHANNELS, channels))
            out = self._out if first == 0 else self._out[first * self.size :]
            share = advance * (part.stop - part.start) / channels
            if not self._walk(self.tables.terms[:, part], out, high, share):
                return False
        if self._small is not None:
            sets, values, n_sets = self._small
            self.runtime.kernel("set_values")(
                *(blocks_for(n_sets, 256), 256, 0, sets, values, np.uint64(n_sets)),
                *(np.uint64(high * self.size), np.uint64(self.size), self.values.cells),
            )
        return True

    def visits(self) -> int:
        """Rows visited so far."""
        return int(self.runtime.download(self._visits, 0, 1)[0])

    def _walk(self, terms: NDArray[np.int64], out: Any, high: int, advance: float) -> bool:
        runtime, tables = self.runtime, self.tables
        channels = terms.shape[1]
        macros = {"CHANNELS": str(channels), "TALLY": "u64" if tables.is_wide else "u32"}
        kernel = runtime.kernel("count_sets", **macros)
        middle = middle_bits(tables.n - self.high_bits, tables.low, runtime.blocks)
        together = tables.low + middle
        tasks = self.size >> together
        blocks = min(runtime.blocks, tasks)
        slots = runtime.empty(max(1, blocks * (middle + 2) * 2 * tables.rows), np.uint32)
        shared, work = tables.tally_bytes(), tables.work_bytes()
        # Static shared memory comes on top: the slots and the sums.
        static = 24 * (32 + 8 * channels) + 256 * channels + 64
        fits = shared + work + static <= runtime.shared_bytes
        spare = runtime.empty(1 if fits else blocks * work // 4, np.uint32)
        mine = runtime.upload(np.ascontiguousarray(terms).ravel())
        # In parts, so that a stop is noticed in between; each has work for all blocks.
        parts = int(np.clip(tasks // (_TASKS_PER_BLOCK // 2 * blocks), 1, _MOST_PARTS))
        for part in range(parts):
            if self.lattice.is_stopped:
                return False
            first, last = tasks * part // parts, tasks * (part + 1) // parts
            kernel(
                min(blocks, last - first),
                runtime.threads,
                shared + (work if fits else 0),
                *(np.uint32(tables.n), np.uint32(tables.low), np.uint32(middle)),
                *(np.uint32(tables.rows), np.uint32(tables.patterns), tables.codes, tables.observed, tables.pattern),
                *(tables.signatures, tables.weights, mine, np.uint32(tables.count_bits)),
                *(np.uint64(high * tasks + first), np.uint64(last - first), runtime.zeros(1, np.uint64), slots, spare),
                np.uint64(0 if fits else work // 4),
                out[first << together :],
                np.uint64(self.size),
                *(self._visits, np.uint32(tables.is_packed), *tables.packed, tables.stride),
            )
            runtime.download(self._visits, 0, 1)  # waits for the kernel
            self.lattice.advance(advance / parts)
        return True


def _small_sets(runtime: Runtime, lattice: Lattice) -> tuple[Any, Any, int] | None:
    """The sets whose values packed sums do not give, with their values, which the core counts."""
    sets, values = lattice.small_sets()
    return (runtime.upload(sets), runtime.upload(values), len(sets)) if len(sets) else None
