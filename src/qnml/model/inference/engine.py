"""Junction trees of a network: made by the core when a question needs one, and kept for the next question.

A tree depends on which variables are observed, not on their levels. So the second question of a kind costs only its
arithmetic. Most trees are made in less than a millisecond, without any other package.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml._memory import format_bytes, resolve_memory_limit
from qnml.errors import TooLargeError
from qnml.model.inference.plan import MOST_OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.inference.given import Given
    from qnml.model.network import Network

__all__ = ["BYTES_PER_ENTRY", "EXPLANATION", "JOINT", "MARGINALS", "Engine", "engine_of"]

MARGINALS, JOINT, EXPLANATION = 0, 1, 2
"""Kinds of questions, as the core numbers them."""

BYTES_PER_ENTRY = 8

_SEEN, _SET = 1, 2
# A tree for a thousand variables takes about a megabyte.
_MOST_KEPT = 64
# Below this the free memory need not be looked up.
_SMALL_ENTRIES = 2**20
_MOST_SHOWN = 12


class Engine:
    """Answers questions about one network.

    Parameters
    ----------
    net
        The network.
    """

    __slots__ = ("_net", "_trees", "tables")

    def __init__(self, net: Network) -> None:
        stored = [net.conditional(name) for name in net.names]
        self._net = net
        self._trees: dict[tuple[int, bytes, bytes, bytes], _core.JunctionTree] = {}
        self.tables = _core.NetworkTables(
            [np.array([net.dag.index(parent) for parent in net.dag.parents(name)], np.uint32) for name in net.names],
            [table.n_levels for table in stored],
            [None if table.configs is None else table.configs.reshape(-1) for table in stored],
            [table.rows.reshape(-1) for table in stored],
            [table.unseen for table in stored],
        )

    def tree(
        self,
        call: str,
        given: Given,
        wanted: Collection[int],
        kind: int,
        memory_limit: float | None,
        most_operations: float = MOST_OPERATIONS,
    ) -> _core.JunctionTree | None:
        """The junction tree for a question; None if it would take more memory or time than allowed.

        Parameters
        ----------
        call
            The calling function, named in errors.
        given
            The evidence and interventions.
        wanted
            Numbers of the variables that are asked for.
        kind
            `MARGINALS`, `JOINT` or `EXPLANATION`.
        memory_limit
            In bytes; nine tenths of the free memory if None.
        most_operations
            Most multiplications of an answer.
        """
        cells, weighted, chosen = self._masks(given, wanted)
        key = (kind, cells.tobytes(), weighted.tobytes(), chosen.tobytes())
        tree = self._trees.get(key)
        if tree is None:
            allowed = resolve_memory_limit(call, memory_limit) / BYTES_PER_ENTRY
            tree = _core.JunctionTree(self.tables, cells, weighted, chosen, kind, allowed)
            if not tree.is_made or tree.operations > most_operations:
                return None
            if len(self._trees) >= _MOST_KEPT:
                self._trees.pop(next(iter(self._trees)), None)
            self._trees[key] = tree
        elif memory_limit is not None or tree.entries > _SMALL_ENTRIES:
            allowed = resolve_memory_limit(call, memory_limit) / BYTES_PER_ENTRY
            if tree.entries > allowed:
                return None
        return tree if tree.operations <= most_operations else None

    def required_tree(
        self, call: str, given: Given, wanted: Collection[int], kind: int, memory_limit: float | None
    ) -> _core.JunctionTree:
        """The junction tree for a question; an error with its width if it would take too much memory or time."""
        tree = self.tree(call, given, wanted, kind, memory_limit)
        if tree is not None:
            return tree
        forecast = _core.JunctionTree(self.tables, *self._masks(given, wanted), kind, 0.0)
        needed = forecast.entries * BYTES_PER_ENTRY
        names = [self._net.names[node] for node in forecast.largest]
        shown = ", ".join(names[:_MOST_SHOWN])
        more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
        most = math.log2(MOST_OPERATIONS)
        raise TooLargeError(
            f"{call}: the best junction tree found needs {format_bytes(needed)} of memory, "
            f"{format_bytes(resolve_memory_limit(call, memory_limit))} may be used, and about "
            f"2^{math.log2(max(forecast.operations, 1.0)):.0f} multiplications, at most 2^{most:.0f} are attempted. "
            f"Induced width {forecast.width}; the largest table is over {len(names)} variables: {shown}{more}. "
            "Give evidence on some of these variables, or ask for fewer targets at once."
        )

    def codes(self, given: Given) -> NDArray[np.int32]:
        """The levels of observed and set variables; zero for the others."""
        found = np.zeros(len(self._net.names), np.int32)
        for settings in (given.seen, given.forced):
            for node, code in settings.items():
                found[node] = code
        return found

    def _masks(
        self, given: Given, wanted: Collection[int]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
        """What is fixed, what has soft evidence and what is wanted, for every variable."""
        count = len(self._net.names)
        cells, weighted, chosen = (np.zeros(count, np.uint8) for _ in range(3))
        cells[list(given.seen)] = _SEEN
        cells[list(given.forced)] = _SET
        weighted[list(given.weights)] = 1
        chosen[list(wanted)] = 1
        return cells, weighted, chosen

    @staticmethod
    def weights(given: Given) -> FloatArray:
        """The weights of levels, one variable after another."""
        return np.concatenate([given.weights[node] for node in sorted(given.weights)]) if given.weights else np.zeros(0)


def engine_of(net: Network) -> Engine:
    """The engine of a network; built once and kept."""
    if net._engine is None:
        net._engine = Engine(net)
    return net._engine
