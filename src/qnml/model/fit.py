"""Parameters for a structure: count, apply a rule, return a network."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.data import Table, read_table
from qnml.errors import TooLargeError, UnknownNameError, bad_argument, unknown_name
from qnml.graph import Dag
from qnml.model.network import Network
from qnml.model.parameters import chosen_rule, probabilities

if TYPE_CHECKING:
    from qnml._types import FloatArray

__all__ = ["MOST_ENTRIES", "fit"]

MOST_ENTRIES = 2**27
"""Entries of all dense tables together: a gigabyte of doubles."""

_BYTES_PER_ENTRY = 8


def fit(data: Any, dag: Dag | Network, parameters: str = "snml", **options: float) -> Network:
    """Give a structure the parameters that data suggest.

    Parameters
    ----------
    data
        A :class:`~qnml.Table`, or anything :func:`~qnml.read_table` takes without options. Columns the
        structure does not name are ignored.
    dag
        The structure. A :class:`~qnml.Network` also declares the levels of its variables; its own
        probabilities are not used.
    parameters
        The rule, one of ``"snml"``, ``"bpp"``, ``"ml"``, ``"laplace"`` and ``"jeffreys"``; see
        :mod:`qnml.model.parameters`. A configuration of parents that was never seen gets equal
        probabilities under each of them.
    **options
        ``ess``, the equivalent sample size of ``"bpp"``; 1 when left out.

    Returns
    -------
    Network
        Its levels are those of the table, seen or not.

    Raises
    ------
    TooLargeError
        When the tables would have more than 2**27 entries in all.

    Examples
    --------
    >>> from qnml.data import read_table
    >>> table = read_table({"rain": ["no", "no", "no", "yes"], "wet": ["no", "no", "no", "yes"]})
    >>> net = fit(table, Dag.from_arcs(["rain", "wet"], [("rain", "wet")]), "laplace")
    >>> net.table("wet").tolist()
    [[0.8, 0.2], [0.3333333333333333, 0.6666666666666666]]
    """
    rule, option = chosen_rule("fit", parameters, options)
    structure = dag.dag if isinstance(dag, Network) else dag
    if not isinstance(structure, Dag):
        advice = "A Cpdag stands for several; its consistent_extension() is one of them."
        raise bad_argument("fit", "dag", dag, "a qnml.Dag or a qnml.Network", advice)
    table = data if isinstance(data, Table) else read_table(data)
    for name in structure.names:
        if name not in table.names:
            known = unknown_name("fit", "dag", name, table.names)
            raise UnknownNameError(f"{known} The structure names a variable that the data lack.")
    if isinstance(dag, Network):
        table = table.with_levels({name: dag.levels[name] for name in structure.names})
    _refuse_too_large(table, structure)
    return Network(
        structure,
        {name: table.levels[name] for name in structure.names},
        {
            name: probabilities(_counts(table, (*structure.parents(name), name)), rule, option)
            for name in structure.names
        },
    )


def _counts(table: Table, family: tuple[str, ...]) -> FloatArray:
    """How often each combination of values occurs, one axis per variable."""
    shape = [table.arities[name] for name in family]
    cells = np.zeros(table.n_rows, dtype=np.int64)
    for name, arity in zip(family, shape, strict=True):
        cells *= arity
        cells += table.codes(name)
    # Doubles hold every count below 2^53.
    weights = None if table.weights is None else table.weights.astype(np.float64)
    return np.bincount(cells, weights, math.prod(shape)).astype(np.float64).reshape(shape)


def _refuse_too_large(table: Table, dag: Dag) -> None:
    sizes = {name: math.prod(table.arities[member] for member in (*dag.parents(name), name)) for name in dag.names}
    entries = sum(sizes.values())
    if entries > MOST_ENTRIES:
        largest = max(sizes, key=lambda name: sizes[name])
        raise TooLargeError(
            f"fit(dag): the probability tables would have {_magnitude(entries)} entries "
            f"({_magnitude(entries * _BYTES_PER_ENTRY)} bytes), more than the {MOST_ENTRIES} allowed; "
            f"that of {largest!r} with its {len(dag.parents(largest))} parents alone "
            f"{_magnitude(sizes[largest])}. "
            "Give it fewer parents (max_parents=, guard='cap' when learning) or merge levels."
        )


def _magnitude(number: int) -> str:
    return str(number) if number < 10**9 else f"10^{math.log10(number):.1f}"
