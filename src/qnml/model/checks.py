"""What a network asks of its tables: the right shape, no negative numbers, distributions that sum to one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model.tables import Conditional, DenseTable, SparseTable, probability_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from qnml._types import FloatArray, Label
    from qnml.graph import Dag

__all__ = ["ROW_SUM_TOLERANCE", "check_names", "checked_table"]

# Published networks carry rounded probabilities: the worst row of the 24 repository networks is 3e-7 off one.
ROW_SUM_TOLERANCE = 1e-6


def check_names(argument: str, given: Mapping[str, object], names: tuple[str, ...]) -> None:
    """Refuse what is no mapping, or one that does not have exactly the variables of the network."""
    if not isinstance(given, Mapping):
        raise bad_argument("Network", argument, given, "a mapping with an entry for every variable")
    for name in names:
        if name not in given:
            raise InputError(f"Network({argument}): nothing for the variable {name!r}; every variable needs an entry.")
    known = set(names)
    for name in given:
        if not isinstance(name, str) or name not in known:
            raise unknown_name("Network", argument, name, names)


def checked_table(
    dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, values: ArrayLike | Conditional
) -> Conditional:
    """Check the table of one variable and return it as a dense or sparse table."""
    if isinstance(values, SparseTable):
        return _checked_sparse(dag, levels, name, values)
    argument = f"tables[{name!r}]"
    table = values if isinstance(values, DenseTable) else DenseTable(probability_array("Network", argument, values))
    family = (*dag.parents(name), name)
    shape = tuple(len(levels[member]) for member in family)
    if table.values.shape != shape:
        raise InputError(
            f"Network({argument}): the shape is {table.values.shape}, must be {shape}: one axis per variable of "
            f"({', '.join(family)}), parents in graph order and the variable last."
        )
    worst = _furthest_from_one(argument, table.values)
    if worst is not None:
        raise _not_one(dag, levels, name, worst, table.values[worst])
    return table


def _checked_sparse(dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, table: SparseTable) -> SparseTable:
    argument = f"tables[{name!r}]"
    shape = tuple(len(levels[parent]) for parent in dag.parents(name))
    if not len(table.configs):
        table = SparseTable(np.empty((0, len(shape)), np.int32), table.rows, table.unseen, table.counts)
    if table.n_levels != len(levels[name]) or table.configs.shape[1] != len(shape):
        raise InputError(
            f"Network({argument}): configurations have {table.configs.shape[1]} parents and distributions "
            f"{table.n_levels} levels, must have {len(shape)} and {len(levels[name])}."
        )
    if np.any(table.configs >= np.array(shape, dtype=np.int64)):
        raise InputError(f"Network({argument}): a configuration holds a code beyond the levels of its parent.")
    worst = _furthest_from_one(argument, table.rows)
    if worst is not None:
        raise _not_one(dag, levels, name, tuple(table.configs[worst[0]].tolist()), table.rows[worst])
    if _furthest_from_one(argument, table.unseen) is not None:
        raise InputError(f"Network({argument}): the probabilities of unseen configurations must sum to one.")
    return table


def _furthest_from_one(argument: str, values: FloatArray) -> tuple[int, ...] | None:
    """Where the distribution with the worst sum is, if that is too far from one; refuses negative numbers and NaN."""
    if not np.all(values >= 0.0):
        raise bad_argument("Network", argument, values[~(values >= 0.0)][0], "free of negative numbers and NaN")
    off = np.abs(values.sum(axis=-1) - 1.0)
    if np.all(off <= ROW_SUM_TOLERANCE):
        return None
    return tuple(int(place) for place in np.unravel_index(int(np.argmax(off)), off.shape))


def _not_one(
    dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, config: tuple[int, ...], row: FloatArray
) -> InputError:
    parents = dag.parents(name)
    given = {parent: levels[parent][code] for parent, code in zip(parents, config, strict=True)}
    return InputError(
        f"Network(tables[{name!r}]): the probabilities given {given} sum to {math.fsum(row)!r}, "
        f"must sum to one within {ROW_SUM_TOLERANCE}."
    )
