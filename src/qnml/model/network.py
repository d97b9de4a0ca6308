"""The Bayesian network as a model: a graph and one conditional table per variable."""

from __future__ import annotations

import copy
import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.data.labels import distinct_labels
from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model.sampling import draw_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from qnml._types import FloatArray, Label
    from qnml.data import Table
    from qnml.graph import Dag

__all__ = ["ROW_SUM_TOLERANCE", "Network"]

# Published networks carry rounded probabilities: the worst row of the 24 repository networks is 3e-7 off one.
ROW_SUM_TOLERANCE = 1e-6


class Network:
    """A Bayesian network with dense conditional tables. Immutable.

    Parameters
    ----------
    dag
        The structure.
    levels
        For every variable its labels (text, integers or booleans, distinct also as text), in the order of
        the codes.
    tables
        For every variable an array of shape (levels of its parents in the order of
        ``dag.parents(name)``..., levels of the variable). Entries are not negative and every distribution
        sums to one within 1e-6; tables are kept as given and made to sum to one exactly where that matters
        (sampling).
    properties
        Annotations carried from and to files, never interpreted. Files use the keys ``name`` (text),
        ``comments`` and ``network`` (lists of text), ``variables`` and ``probabilities`` (lists of text by
        variable).

    Examples
    --------
    >>> from qnml.graph import Dag
    >>> net = Network(
    ...     Dag.from_arcs(["rain", "wet"], [("rain", "wet")]),
    ...     {"rain": ["no", "yes"], "wet": ["no", "yes"]},
    ...     {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.05, 0.95]]},
    ... )
    >>> net
    Network(2 variables, 1 arc, 3 parameters)
    >>> len(net.sample(100, seed=1))
    100
    """

    __slots__ = ("_dag", "_levels", "_properties", "_tables")

    def __init__(
        self,
        dag: Dag,
        levels: Mapping[str, Sequence[Label]],
        tables: Mapping[str, ArrayLike],
        properties: Mapping[str, Any] | None = None,
    ) -> None:
        if not dag.names:
            raise bad_argument("Network", "dag", dag, "a graph with at least one variable")
        _check_names("levels", levels, dag.names)
        _check_names("tables", tables, dag.names)
        self._dag = dag
        self._levels = {name: distinct_labels("Network", name, levels[name]) for name in dag.names}
        self._tables = {name: self._checked_table(name, tables[name]) for name in dag.names}
        self._properties = copy.deepcopy(dict(properties or {}))

    @property
    def dag(self) -> Dag:
        """The structure."""
        return self._dag

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the graph."""
        return self._dag.names

    @property
    def levels(self) -> Mapping[str, tuple[Label, ...]]:
        """The labels of every variable, in the order of the codes."""
        return MappingProxyType(self._levels)

    @property
    def properties(self) -> dict[str, Any]:
        """A copy of the annotations that came with the network."""
        return copy.deepcopy(self._properties)

    @property
    def n_parameters(self) -> int:
        """Free parameters: per variable, parent configurations times (levels - 1)."""
        return sum(table.size // table.shape[-1] * (table.shape[-1] - 1) for table in self._tables.values())

    def table(self, name: str) -> FloatArray:
        """Conditional probabilities of a variable: parents in graph order, then the variable itself."""
        if name not in self._tables:
            raise unknown_name("Network.table", "name", name, self.names)
        return self._tables[name]

    def sample(self, n: int, seed: int | None = None, *, n_jobs: int | None = None) -> Table:
        """Draw rows independently, parents before children.

        Parameters
        ----------
        n
            Number of rows, at least 1.
        seed
            A whole number from 0 to 2**64 - 1; the same seed gives the same rows, on any number of threads,
            and the first rows of a larger sample. Fresh randomness when left out.
        n_jobs
            Threads; all processors when left out.

        Returns
        -------
        Table
            With the network's variables and its levels as declared levels, seen or not.
        """
        return draw_table(self._dag, self._levels, self._tables, n, seed, n_jobs)

    def allclose(self, other: Network, tolerance: float = 1e-9) -> bool:
        """Whether structure and levels are equal and no probabilities further apart than `tolerance`."""
        return self._same_frame(other) and all(
            np.allclose(table, other._tables[name], rtol=0.0, atol=tolerance) for name, table in self._tables.items()
        )

    def __eq__(self, other: object) -> bool:
        """Same structure, levels and probabilities to the last bit; annotations do not count."""
        if not isinstance(other, Network):
            return NotImplemented
        return self._same_frame(other) and all(
            np.array_equal(table, other._tables[name]) for name, table in self._tables.items()
        )

    def __hash__(self) -> int:
        return hash((self.names, tuple(self._levels.values()), self._dag.arcs))

    def __reduce__(self) -> tuple[type[Network], tuple[Any, ...]]:
        # Through the constructor: it makes the arrays read-only again.
        return Network, (self._dag, self._levels, self._tables, self._properties)

    def __repr__(self) -> str:
        counts = (
            (len(self.names), "variable"),
            (len(self._dag.arcs), "arc"),
            (self.n_parameters, "parameter"),
        )
        return f"Network({', '.join(f'{count} {word}' + 's' * (count != 1) for count, word in counts)})"

    def _same_frame(self, other: Network) -> bool:
        return self.names == other.names and self._dag.arcs == other._dag.arcs and self._levels == other._levels

    def _checked_table(self, name: str, values: ArrayLike) -> FloatArray:
        argument = f"tables[{name!r}]"
        try:
            table = np.array(values, dtype=np.float64, order="C")
        except (TypeError, ValueError, OverflowError) as error:
            raise bad_argument("Network", argument, values, "an array of numbers") from error
        shape = tuple(len(self._levels[parent]) for parent in (*self._dag.parents(name), name))
        if table.shape != shape:
            axes = ", ".join((*self._dag.parents(name), name))
            raise InputError(
                f"Network({argument}): the shape is {table.shape}, must be {shape}: one axis per variable of "
                f"({axes}), parents in graph order and the variable last."
            )
        if not np.all(table >= 0.0):
            raise bad_argument("Network", argument, table[~(table >= 0.0)][0], "free of negative numbers and NaN")
        off = np.abs(table.sum(axis=-1) - 1.0)
        if not np.all(off <= ROW_SUM_TOLERANCE):
            worst = np.unravel_index(int(np.argmax(off)), off.shape)
            given = {
                parent: self._levels[parent][code] for parent, code in zip(self._dag.parents(name), worst, strict=True)
            }
            raise InputError(
                f"Network({argument}): the probabilities given {given} sum to {math.fsum(table[worst])!r}, "
                f"must sum to one within {ROW_SUM_TOLERANCE}."
            )
        table += 0.0  # turns -0.0 into 0.0, so that equal tables are written alike
        table.flags.writeable = False
        return table


def _check_names(argument: str, given: Mapping[str, object], names: tuple[str, ...]) -> None:
    for name in names:
        if name not in given:
            raise InputError(f"Network({argument}): nothing for the variable {name!r}; every variable needs an entry.")
    for name in given:
        if name not in names:
            raise unknown_name("Network", argument, name, names)
