"""What a network asks of its tables: the right shape, no negative numbers, distributions that sum to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model.tables import Conditional, DenseTable, SparseTable, probability_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from qnml._types import FloatArray, Label
    from qnml.graph import Dag

__all__ = ["EXACT", "ROW_SUM_TOLERANCE", "check_annotations", "check_names", "checked_table", "unit_rows"]

# Published networks carry rounded probabilities: the worst row of the 24 repository networks is 3e-7 off one.
ROW_SUM_TOLERANCE = 1e-6

# How far from one the sum of a row that is kept as it is may come out. With u = 2^-53: numpy adds 2^16 numbers with an
# error of at most 28u, so that numbers divided by their sum have one within 29u, which comes out within 57u. Hence
# rows that were rescaled once are never rescaled again, and what is written is what is read.
# tests/model/test_checks.py holds us to it.
EXACT = 2.0**-47

_STEP = 1 << 16  # rows looked at together: what checking a table takes beside the table
_DEEPEST = 100


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


def check_annotations(properties: Mapping[str, Any]) -> None:
    """Refuse annotations nested so deeply that copying and writing them would fail, or that hold themselves."""
    level: list[object] = [properties]
    for _ in range(_DEEPEST):
        level = [inside for one in level for inside in _inside(one)]
        if not level:
            return
    raise InputError(f"Network(properties): lists and dictionaries are nested more than {_DEEPEST} deep.")


def _inside(one: object) -> Iterable[object]:
    inside = one.values() if isinstance(one, Mapping) else one if isinstance(one, list | tuple) else ()
    return (value for value in inside if isinstance(value, Mapping | list | tuple))


def checked_table(
    dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, values: ArrayLike | Conditional
) -> Conditional:
    """Check the table of one variable and return it as a dense or sparse table whose rows sum to one."""
    if isinstance(values, SparseTable):
        return _checked_sparse(dag, levels, name, values)
    argument = f"tables[{name!r}]"
    table = (
        values if isinstance(values, DenseTable) else DenseTable._owning(probability_array("Network", argument, values))
    )
    family = (*dag.parents(name), name)
    shape = tuple(len(levels[member]) for member in family)
    if table.values.shape != shape:
        raise InputError(
            f"Network({argument}): the shape is {table.values.shape}, must be {shape}: one axis per variable of "
            f"({', '.join(family)}), parents in graph order and the variable last."
        )
    rows, worst = unit_rows(argument, table.rows)
    if worst is not None:
        config = tuple(int(code) for code in np.unravel_index(worst, shape[:-1]))
        raise _not_one(dag, levels, name, config, table.rows[worst])
    return table if np.shares_memory(rows, table.values) else DenseTable._owning(rows.reshape(shape))


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
    rows, worst = unit_rows(argument, table.rows)
    if worst is not None:
        raise _not_one(dag, levels, name, tuple(table.configs[worst].tolist()), table.rows[worst])
    others, worst = unit_rows(argument, table.unseen.reshape(1, -1))
    if worst is not None:
        raise InputError(f"Network({argument}): the probabilities of unseen configurations must sum to one.")
    if rows is table.rows and np.shares_memory(others, table.unseen):
        return table
    return SparseTable(table.configs, rows, others[0], table.counts)


def unit_rows(argument: str, rows: FloatArray) -> tuple[FloatArray, int | None]:
    """Make rows sum to one to double precision, where they do so within `ROW_SUM_TOLERANCE`.

    Parameters
    ----------
    argument
        What the rows are called, for the error about negative numbers and NaN.
    rows
        One distribution per row, contiguous.

    Returns
    -------
    rows, worst
        The array given where no row is further from one than `EXACT`, a new one otherwise; and the row furthest
        from one where that is too far, or None.
    """
    furthest, worst = 0.0, None
    for start in range(0, len(rows), _STEP):
        piece = rows[start : start + _STEP]
        if not piece.min(initial=0.0) >= 0.0:
            raise bad_argument("Network", argument, piece[~(piece >= 0.0)][0], "free of negative numbers and NaN")
        off = np.abs(piece.sum(axis=1) - 1.0)
        if off.max() > furthest:
            furthest, worst = float(off.max()), start + int(np.argmax(off))
    if furthest <= EXACT:
        return rows, None
    if not furthest <= ROW_SUM_TOLERANCE:
        return rows, worst
    made = rows.copy()
    for start in range(0, len(rows), _STEP):
        piece = made[start : start + _STEP]
        totals = piece.sum(axis=1)
        wrong = np.abs(totals - 1.0) > EXACT
        piece[wrong] /= totals[wrong, None]
    return made, None


def _not_one(
    dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, config: tuple[int, ...], row: FloatArray
) -> InputError:
    parents = dag.parents(name)
    given = {parent: levels[parent][code] for parent, code in zip(parents, config, strict=True)}
    return InputError(
        f"Network(tables[{name!r}]): the probabilities given {given} sum to {_total(row)!r}, "
        f"must sum to one within {ROW_SUM_TOLERANCE}."
    )


def _total(row: FloatArray) -> float:
    with np.errstate(over="ignore"):
        return float(row.sum())
