"""Validation of a network's tables: the right shape, no negative numbers, distributions that sum to one."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_mapping
from qnml.errors import InputError, bad_argument, plain, shown, unknown_name
from qnml.graph import Dag, Mpdag
from qnml.model.tables import Conditional, DenseTable, SparseTable, probability_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from qnml._types import FloatArray, Label
    from qnml.data import Preparation

__all__ = [
    "EXACT",
    "ROW_SUM_TOLERANCE",
    "check_names",
    "checked_annotations",
    "checked_mpdag",
    "checked_preparation",
    "checked_table",
    "preparation_problem",
    "unit_rows",
]

# Published networks have rounded probabilities: the worst row of the 24 repository networks is 3e-7 away from one.
ROW_SUM_TOLERANCE = 1e-6

# How far from one the computed sum of a row may be for the row to be kept as it is. With u = 2^-53: numpy adds 2^16
# numbers with an error of at most 28u, so numbers divided by their computed sum add up to one within 29u, and their
# computed sum is within 57u of one. Hence rows are rescaled at most once, and writing and reading a network changes
# nothing. tests/model/test_checks.py checks this.
EXACT = 2.0**-47

_STEP = 1 << 16  # rows checked together, which limits the memory needed besides the table
_DEEPEST = 100
_MOST_SHOWN = 4


def check_names(argument: str, given: Mapping[str, object], names: tuple[str, ...]) -> None:
    """Refuse anything but a mapping that has exactly the variables of the network."""
    if not isinstance(given, Mapping):
        raise bad_argument("Network", argument, given, "a mapping with an entry for every variable")
    for name in names:
        if name not in given:
            raise InputError(f"Network({argument}): no entry for the variable {name!r}; every variable needs one.")
    known = set(names)
    for name in given:
        if not isinstance(name, str) or name not in known:
            raise unknown_name("Network", argument, name, names)


def _check_annotations(properties: Mapping[str, Any]) -> None:
    """Refuse annotations that contain themselves or are nested too deeply to be copied and written."""
    level: list[object] = [properties]
    for _ in range(_DEEPEST):
        level = [inside for one in level for inside in _inside(one)]
        if not level:
            return
    raise InputError(f"Network(properties): lists and dictionaries are nested more than {_DEEPEST} deep.")


def checked_annotations(properties: object) -> dict[str, Any]:
    """A copy of the annotations of a network."""
    if properties is None:
        return {}
    try:
        given = checked_mapping("Network", "properties", properties, "annotations by name, or None")
        _check_annotations(given)
        return copy.deepcopy(given)
    except InputError:
        raise
    except Exception as error:  # an object that cannot be copied, such as a generator
        raise bad_argument("Network", "properties", properties, "free of what cannot be copied") from error


def checked_preparation(preparation: object, levels: Mapping[str, Sequence[Label]]) -> Preparation | None:
    """The preparation of a network's own variables and of the columns left out; None if it changes nothing.

    It must agree with the levels. They are compared as text, since some files hold nothing else, and returned as those
    of the network.
    """
    if preparation is None:
        return None
    from qnml.data import Preparation

    if not isinstance(preparation, Preparation):
        raise bad_argument("Network", "preparation", preparation, "a qnml.Preparation, or None")
    # Entries made by hand are checked as those of files are.
    checked = Preparation.from_dict(preparation.to_dict())
    problem = preparation_problem(checked, levels)
    if problem is not None:
        advice = "Give the preparation of the table that the network was fitted to."
        raise InputError(f"Network(preparation): {problem}. {advice}")
    own = checked.restricted([*levels]).with_levels(levels)
    return None if own.is_trivial else own


def checked_mpdag(mpdag: object, dag: Dag) -> Mpdag | None:
    """The members of a class with the structure of the network among them, its nodes in the order of the network."""
    if mpdag is None:
        return None
    if not isinstance(mpdag, Mpdag):
        advice = "graph.orient([]) of a Cpdag is one."
        raise bad_argument("Network", "mpdag", mpdag, "a qnml.Mpdag, or None", advice)
    if dag not in mpdag:
        raise bad_argument("Network", "mpdag", mpdag, "a graph with the structure of the network as a member")
    return mpdag if mpdag.names == dag.names else mpdag.reorder(dag.names)


def preparation_problem(preparation: Preparation, levels: Mapping[str, Sequence[Label]]) -> str | None:
    """How a preparation contradicts the levels of a network, in words; None if it does not."""
    problems = []
    for column in preparation.columns:
        known = levels.get(column.name)
        if known is None or [*map(str, column.levels or ())] == [*map(str, known)]:
            continue
        if column.levels is None:
            problems.append(f"{plain(column.name)} is left out, but is a variable of the network")
        else:
            theirs = f"those of the network {shown(known)}"
            problems.append(f"the levels of {plain(column.name)} are {shown(column.levels)}, {theirs}")
    if not problems:
        return None
    more = f"; and {len(problems) - _MOST_SHOWN} more columns" if len(problems) > _MOST_SHOWN else ""
    return f"does not fit the network: {'; '.join(problems[:_MOST_SHOWN])}{more}"


def _inside(one: object) -> Iterable[object]:
    inside = one.values() if isinstance(one, Mapping) else one if isinstance(one, list | tuple) else ()
    return (value for value in inside if isinstance(value, Mapping | list | tuple))


def checked_table(
    dag: Dag, levels: Mapping[str, Sequence[Label]], name: str, values: ArrayLike | Conditional
) -> Conditional:
    """Check the table of one variable and return it as a dense or sparse table whose rows sum to one."""
    if isinstance(values, SparseTable):
        return _checked_sparse(dag, levels, name, values)
    argument = f"tables[{shown(name)}]"
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
    argument = f"tables[{shown(name)}]"
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
    """Make rows sum to one in double precision if they sum to one within `ROW_SUM_TOLERANCE`.

    Parameters
    ----------
    argument
        The name of the rows in the error about negative numbers and NaN.
    rows
        One distribution per row, contiguous.

    Returns
    -------
    rows, worst
        The given array if the sum of every row is within `EXACT` of one, otherwise a new array; and the row whose sum
        is furthest from one if it is outside the tolerance, or None.
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
        f"Network(tables[{shown(name)}]): the probabilities given {given} sum to {_total(row)!r}, "
        f"must sum to one within {ROW_SUM_TOLERANCE}."
    )


def _total(row: FloatArray) -> float:
    with np.errstate(over="ignore"):
        return float(row.sum())
