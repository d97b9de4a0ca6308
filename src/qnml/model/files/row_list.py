"""Distributions listed row by row, each for one parent configuration, with an optional default for the others.

Rows are stored in flat arrays while they are read. A table with a default row takes memory in proportion to its rows:
if the full table would be much larger, it remains a list (a `SparseTable`).
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from qnml.model.tables import SparseTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network

__all__ = ["SMALL", "RowList", "is_worth_listing", "listed_rows", "uniform_table"]

SMALL = 2**16
"""Tables with at most this many entries are always stored in full: half a megabyte."""


class RowList:
    """The rows of one variable.

    Parameters
    ----------
    child
        The variable.
    sizes
        Number of levels of its parents, in the order of the codes, and of itself.
    length
        Number of characters of the text with the rows: if they may fill the table, it is allocated at once.
    reading
        The record of this read, which counts memory.
    line
        Returns the line of the distributions.
    fail
        Raises the error, given the problem and the position in the file.
    """

    def __init__(
        self,
        child: str,
        sizes: Sequence[int],
        length: int,
        reading: Reading,
        line: Callable[[], int],
        fail: Callable[[str, int], NoReturn],
    ) -> None:
        self._child = child
        self._sizes = tuple(sizes)
        self._reading = reading
        self._line = line
        self._fail = fail
        self._n_rows = 0
        self._codes = array("I")
        self._values = array("d")
        self._offsets = array("q")
        self._table: FloatArray | None = None
        # A number takes at least two characters.
        if 2 * math.prod(sizes) <= length:
            self._table = self._empty_table()
            self._seen = np.zeros(len(self._table), dtype=bool)

    def __len__(self) -> int:
        return self._n_rows

    def add(self, codes: Sequence[int], values: Sequence[float], offset: int) -> None:
        """Add the distribution for one configuration, and its position in the file."""
        self._n_rows += 1
        if self._table is None:
            self._codes.extend(codes)
            self._values.extend(values)
            self._offsets.append(offset)
            return
        place = 0
        for code, size in zip(codes, self._sizes, strict=False):
            place = place * size + code
        if self._seen[place]:
            self._fail_repeated(offset)
        self._table[place], self._seen[place] = values, True

    def table(
        self, default: Sequence[float] | None, fail_missing: Callable[[tuple[int, ...]], NoReturn]
    ) -> FloatArray | SparseTable:
        """Build the table from the rows.

        Parameters
        ----------
        default
            The distribution for all configurations that are not listed.
        fail_missing
            Raises the error about a configuration without a distribution.
        """
        above = self._sizes[:-1]
        configs: Any = self._listed_configs() if self._table is None else None
        rows = np.asarray(self._values).reshape(-1, self._sizes[-1])
        if default is None and len(self) < math.prod(above):
            fail_missing(self._first_missing(configs))
        if default is not None and is_worth_listing(len(self), self._sizes):
            self._reading.hold(_listed_bytes(len(self), self._sizes), f"the rows of {self._child!r}")
            if self._table is not None:
                places = np.flatnonzero(self._seen)
                configs, rows = _configs(places, above), self._table[places]
            return SparseTable(configs, rows, default)
        if self._table is not None:
            if default is not None:
                self._table[~self._seen] = default
            return self._table.reshape(self._sizes)
        table = self._empty_table()
        if default is not None:
            table[:] = default
        table[_places(configs, above)] = rows
        return table.reshape(self._sizes)

    def _empty_table(self) -> FloatArray:
        self._reading.hold_table(self._child, self._sizes, self._line)
        return np.empty((math.prod(self._sizes[:-1]), self._sizes[-1]))

    def _listed_configs(self) -> NDArray[np.uint32]:
        configs = np.asarray(self._codes, dtype=np.uint32).reshape(len(self), len(self._sizes) - 1)
        order = _order(configs)
        repeated = np.flatnonzero(np.all(configs[order[1:]] == configs[order[:-1]], axis=1))
        if len(repeated):
            second = min(max(int(order[i]), int(order[i + 1])) for i in repeated)
            self._fail_repeated(self._offsets[second])
        return configs

    def _fail_repeated(self, offset: int) -> NoReturn:
        self._fail(f"these states of the parents of {self._child!r} have two rows", offset)

    def _first_missing(self, configs: NDArray[np.uint32] | None) -> tuple[int, ...]:
        above = self._sizes[:-1]
        if configs is None:
            return tuple(_configs(np.array([np.argmin(self._seen)]), above)[0].tolist())
        wanted = [0] * len(above)
        for config in configs[_order(configs)]:
            if config.tolist() != wanted:
                break
            # Next configuration: the last parent changes fastest.
            for axis in reversed(range(len(above))):
                wanted[axis] = (wanted[axis] + 1) % above[axis]
                if wanted[axis]:
                    break
        return tuple(wanted)


def is_worth_listing(n_rows: int, sizes: Sequence[int]) -> bool:
    """Whether a table with a default row is stored and written as a list of its rows rather than in full.

    Parameters
    ----------
    n_rows
        Number of rows besides the default.
    sizes
        Number of levels of the parents and of the variable.
    """
    cells = math.prod(sizes)
    return cells > SMALL and 2 * _listed_bytes(n_rows, sizes) < 8 * cells


def _listed_bytes(n_rows: int, sizes: Sequence[int]) -> int:
    return n_rows * (4 * (len(sizes) - 1) + 8 * sizes[-1])


def uniform_table(
    child: str, sizes: Sequence[int], reading: Reading, line: Callable[[], int]
) -> FloatArray | SparseTable:
    """The table of a variable whose distributions are all uniform; in full only if it is small."""
    if is_worth_listing(0, sizes):
        return SparseTable(np.empty((0, len(sizes) - 1), np.int32), [], np.full(sizes[-1], 1.0 / sizes[-1]))
    reading.hold_table(child, sizes, line)
    return np.full(sizes, 1.0 / sizes[-1])


def listed_rows(net: Network, name: str) -> SparseTable | None:
    """The table of a variable if formats with default rows write it as a list, or None if they write it in full."""
    table = net.conditional(name)
    sizes = [len(net.levels[member]) for member in (*net.dag.parents(name), name)]
    return table if isinstance(table, SparseTable) and is_worth_listing(len(table.configs), sizes) else None


def _order(configs: NDArray[np.uint32]) -> NDArray[np.intp]:
    return np.lexsort(configs.T[::-1]) if configs.shape[1] else np.arange(len(configs))


def _configs(places: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int32]:
    configs = np.empty((len(places), len(sizes)), dtype=np.int32)
    for axis in reversed(range(len(sizes))):
        places, configs[:, axis] = np.divmod(places, sizes[axis])
    return configs


def _places(configs: NDArray[np.uint32], sizes: Sequence[int]) -> NDArray[np.int64]:
    places = np.zeros(len(configs), dtype=np.int64)
    for axis, size in enumerate(sizes):
        places *= size
        places += configs[:, axis]
    return places
