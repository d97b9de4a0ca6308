"""The lattice of a problem with its bits in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml import _core

__all__ = ["Lattice", "PermutedLattice", "moved"]

Lattice: TypeAlias = "_core.DeviceLattice | PermutedLattice"


def moved(sets: NDArray[np.uint64], order: Sequence[int]) -> NDArray[np.uint64]:
    """Sets in which bit k becomes bit `order[k]`."""
    result = np.zeros_like(sets)
    for place, bit in enumerate(order):
        result |= (sets >> np.uint64(place) & np.uint64(1)) << np.uint64(bit)
    return result


class PermutedLattice:
    """As the lattice of the core, with its bits renumbered; the lowest ones must stay where they are.

    Parameters
    ----------
    lattice
        The lattice of the core.
    order
        For each bit here, its bit there; `back` is the inverse.
    """

    def __init__(self, lattice: _core.DeviceLattice, order: Sequence[int]) -> None:
        self._lattice, self.order = lattice, tuple(order)
        self.back = tuple(int(place) for place in np.argsort(order))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lattice, name)

    def _by_bit(self, values: Sequence[Any]) -> list[Any]:
        return [values[bit] for bit in self.order]

    def _masks(self, masks: Sequence[int]) -> list[int]:
        here = moved(np.array(self._by_bit(masks), np.uint64), self.back)
        return [int(mask) for mask in here]

    @property
    def codes(self) -> NDArray[np.uint16]:
        """Codes of the merged rows, bit by bit."""
        codes = np.asarray(self._lattice.codes).reshape(len(self.order), self._lattice.rows)
        return np.ascontiguousarray(codes[list(self.order)]).ravel()

    @property
    def observed(self) -> list[int]:
        """Levels that occur, by bit."""
        return self._by_bit(self._lattice.observed)

    @property
    def stride(self) -> list[int]:
        """What each bit adds to the index of the product of levels."""
        return self._by_bit(self._lattice.stride)

    @property
    def config_class(self) -> list[int]:
        """The array of configurations that each child uses; −1 where cells serve."""
        return self._by_bit(self._lattice.config_class)

    @property
    def max_parents(self) -> list[int]:
        """Limits on parents, by bit."""
        return self._by_bit(self._lattice.max_parents)

    @property
    def allowed(self) -> list[int]:
        """Possible parents, by bit."""
        return self._masks(self._lattice.allowed)

    @property
    def required(self) -> list[int]:
        """Parents in every network, by bit."""
        return self._masks(self._lattice.required)

    def prices(self, bit: int) -> Any:
        """Prices of a child by the product index of its parents.

        Parameters
        ----------
        bit
            The child.
        """
        return self._lattice.prices(self.order[bit])

    def fitting(self, bit: int) -> Any:
        """Whether the limit on cells admits a family, by the product index of the parents.

        Parameters
        ----------
        bit
            The child.
        """
        return self._lattice.fitting(self.order[bit])

    def small_sets(self) -> tuple[Any, Any]:
        """The sets whose values the core counts, and their values."""
        sets, values = self._lattice.small_sets()
        return moved(np.asarray(sets, np.uint64), self.back), values

    def counted_values(self, sets: NDArray[np.uint64], config_class: int) -> Any:
        """Values of sets, counted by the core.

        Parameters
        ----------
        sets
            The sets.
        config_class
            The array of configurations, or −1 for cells.
        """
        return self._lattice.counted_values(moved(sets, self.order), config_class)

    def take(
        self,
        bit: int,
        base: int,
        parents: NDArray[np.uint64],
        scores: NDArray[np.int64],
        ranks: NDArray[np.uint8],
        scored: int,
    ) -> None:
        """Hand over the candidates of a child, in any order.

        Parameters
        ----------
        bit
            The child.
        base
            Score of its smallest admitted parent set.
        parents
            The candidates.
        scores, ranks
            What belongs to each.
        scored
            Number of families scored.
        """
        there = moved(parents, self.order)
        place = np.argsort(there, kind="stable")
        self._lattice.take(self.order[bit], base, there[place], scores[place], ranks[place], scored)
