"""Conditional tables evaluated for many rows at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.graph.masks import bits
from qnml.model.inference.problem import normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.inference.problem import Problem

__all__ = ["RowTable"]


class RowTable:
    """The table of one variable, when the levels of some of its family vary between rows.

    Parameters
    ----------
    problem
        The observed variables; their codes do not matter.
    node
        The variable.
    """

    __slots__ = ("_free", "_node", "_node_is_seen", "_parents", "_places", "_rows", "_sizes", "_table")

    def __init__(self, problem: Problem, node: int) -> None:
        self._node = node
        self._node_is_seen = node in problem.fixed
        self._parents = tuple(bits(problem.parents[node]))
        self._sizes = [problem.sizes[parent] for parent in self._parents]
        self._table = problem.net.conditional(problem.net.names[node])
        rows = self._table.rows
        if self._table.configs is not None:
            rows = np.vstack([rows, self._table.unseen])
        self._rows = normalised(rows)
        self._free = [place for place, parent in enumerate(self._parents) if parent not in problem.fixed]
        # All configurations of the free parents, the last changing fastest; zero for the observed parents.
        shape = [self._sizes[place] for place in self._free]
        self._places = np.zeros((math.prod(shape), len(self._parents)), dtype=np.int32)
        self._places[:, self._free] = np.indices(shape).reshape(len(shape), len(self._places)).T

    def factor(self, codes: NDArray[Any]) -> FloatArray:
        """The table for some rows: an axis for them, one per free parent, and one for the variable unless observed.

        Parameters
        ----------
        codes
            Rows × variables of the network. The codes of free variables are ignored.
        """
        seen = codes[:, self._parents].astype(np.int32) if self._parents else np.zeros((len(codes), 0), np.int32)
        seen[:, self._free] = 0
        # A parent with a single level may be missing in the data; its level is known nevertheless.
        np.maximum(seen, 0, out=seen)
        if self._table.configs is None:
            strides = np.array([math.prod(self._sizes[place + 1 :]) for place in range(len(self._sizes))], np.int64)
            found = (seen @ strides)[:, np.newaxis] + (self._places @ strides)[np.newaxis, :]
        else:
            configs = (seen[:, np.newaxis, :] + self._places[np.newaxis, :, :]).reshape(-1, len(self._parents))
            found = self._table.places(self._sizes, configs).reshape(len(codes), len(self._places))
        shape = [len(codes), *(self._sizes[place] for place in self._free)]
        if self._node_is_seen:
            values: FloatArray = self._rows[found, codes[:, self._node, np.newaxis]]
            return values.reshape(shape)
        return self._rows[found].reshape(*shape, -1)
