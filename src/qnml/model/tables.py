"""Conditional probability tables: dense ones, and sparse ones that store what occurs in the data.

A `SparseTable` lists the parent configurations that occur in the data, and one distribution for all others. Its size
grows with the data, not with the product of the levels: a variable with 40 parents needs no more rows than the data
have.

Both have the same interface, in codes and without names; a :class:`~qnml.model.Network` adds the names.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from qnml import _core
from qnml._checks import checked_array, checked_list, checked_mapping, checked_whole_number
from qnml.errors import InputError, TooLargeError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from qnml._types import FloatArray

__all__ = [
    "MOST_AXES",
    "MOST_ENTRIES",
    "Conditional",
    "DenseTable",
    "SparseTable",
    "magnitude",
    "probability_array",
    "refuse_large_array",
    "same_rows",
]

MOST_ENTRIES = 2**27
"""Most entries of a dense array: a gigabyte of doubles."""

MOST_AXES = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
"""Most axes of a dense array, a limit of numpy."""

Integers: TypeAlias = NDArray[np.integer[Any]]
Array = TypeVar("Array", bound=NDArray[Any])


class _Fixed:
    """A table that cannot be changed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name}: a table cannot be changed.")


class DenseTable(_Fixed):
    """Conditional probabilities of one variable, with an axis per parent and the variable last. Immutable.

    Parameters
    ----------
    values
        The probabilities.
    """

    __slots__ = ("values",)

    values: FloatArray

    def __init__(self, values: ArrayLike) -> None:
        self._keep(probability_array("DenseTable", "values", values))

    @classmethod
    def _owning(cls, values: FloatArray) -> Self:
        """Take ownership of an array that nobody else holds, without a copy if its layout allows that."""
        table = cls.__new__(cls)
        table._keep(np.ascontiguousarray(values, dtype=np.float64))
        return table

    def _keep(self, values: FloatArray) -> None:
        # Adding 0.0 turns -0.0 into 0.0, so that equal tables give equal files.
        np.add(values, 0.0, out=values)
        object.__setattr__(self, "values", _frozen(values))

    @property
    def n_levels(self) -> int:
        """Number of levels of the variable."""
        return int(self.values.shape[-1])

    @property
    def configs(self) -> None:
        """Dense tables do not list their configurations."""
        return

    @property
    def rows(self) -> FloatArray:
        """One distribution per configuration, the last parent changing fastest."""
        return self.values.reshape(-1, self.n_levels)

    @property
    def unseen(self) -> FloatArray:
        """The distribution for configurations with an unknown label: uniform."""
        return _frozen(np.full(self.n_levels, 1.0 / self.n_levels))

    @property
    def counts(self) -> None:
        """Dense tables keep no counts."""
        return

    def array(self, parent_levels: Sequence[int]) -> FloatArray:
        """The probabilities as one dense array; `parent_levels` is ignored."""
        return self.values

    def sliced(self, parent_levels: Sequence[int], fixed: Mapping[int, int]) -> FloatArray:
        """The probabilities with some axes, given by index, fixed at a code and dropped."""
        codes = _checked_codes("DenseTable.sliced", fixed, self.values.shape)
        return self.values[tuple(codes.get(axis, slice(None)) for axis in range(self.values.ndim))]

    def __reduce__(self) -> tuple[Any, ...]:
        return DenseTable, (self.values,)


class SparseTable(_Fixed):
    """Distributions of one variable for the observed parent configurations, and one for all others. Immutable.

    Parameters
    ----------
    configs
        The configurations listed, k × parents codes. They are sorted lexicographically and must be distinct.
    rows
        The distribution given each configuration, k × levels of the variable.
    unseen
        The distribution given any configuration not listed.
    counts
        How often each level occurs with each configuration, k × levels; :meth:`Network.update` adds to them. None for
        a table that was not estimated.

    Examples
    --------
    >>> table = SparseTable([[1, 0]], [[0.9, 0.1]], [0.5, 0.5])
    >>> table.array((2, 2))[:, :, 0].tolist()
    [[0.5, 0.5], [0.9, 0.5]]
    """

    __slots__ = ("configs", "counts", "rows", "unseen")

    configs: NDArray[np.int32]
    rows: FloatArray
    unseen: FloatArray
    counts: NDArray[np.int64] | None

    def __init__(self, configs: ArrayLike, rows: ArrayLike, unseen: ArrayLike, counts: ArrayLike | None = None) -> None:
        listed = _whole_numbers("configs", configs)
        shares = probability_array("SparseTable", "rows", rows, least_axes=0) + 0.0
        others = np.atleast_1d(probability_array("SparseTable", "unseen", unseen) + 0.0)
        # An empty list of configurations has lost its second axis.
        if others.ndim == 1 and not listed.size and not shares.size:
            listed = listed.reshape(0, listed.shape[1] if listed.ndim == 2 else 0)
            shares = shares.reshape(0, len(others))
        if listed.ndim != 2 or shares.ndim != 2 or others.ndim != 1 or shares.shape != (len(listed), len(others)):
            raise InputError(
                f"SparseTable: the shapes {listed.shape} of configs, {shares.shape} of rows and {others.shape} of "
                "unseen do not fit together. They must be (k, parents), (k, levels) and (levels,)."
            )
        tally = None if counts is None else _whole_numbers("counts", counts).astype(np.int64)
        if tally is not None and (tally.shape != shares.shape or tally.min(initial=0) < 0):
            raise InputError(f"SparseTable(counts): must be {shares.shape} whole numbers of at least 0.")
        if listed.min(initial=0) < 0 or listed.max(initial=0) >= 2**16:
            raise InputError("SparseTable(configs): codes of levels lie between 0 and 65535.")
        order = _sorting_order(listed)
        if order is not None:
            listed, shares = listed[order], shares[order]
            tally = None if tally is None else tally[order]
        parts = {
            "configs": _frozen(np.ascontiguousarray(listed, dtype=np.int32)),
            "rows": _frozen(np.ascontiguousarray(shares)),
            "unseen": _frozen(others),
            "counts": None if tally is None else _frozen(np.ascontiguousarray(tally)),
        }
        for part, value in parts.items():
            object.__setattr__(self, part, value)

    @property
    def n_levels(self) -> int:
        """Number of levels of the variable."""
        return len(self.unseen)

    def places(self, parent_levels: Sequence[int], configs: Integers) -> NDArray[np.int64]:
        """The position of each configuration in the list, or the length of the list for one that is not in it."""
        levels = self._checked_levels("places", parent_levels)
        wanted = np.ascontiguousarray(_whole_numbers("configs", configs), dtype=np.int32)
        if wanted.ndim != 2 or wanted.shape[1] != len(levels) or np.any((wanted < 0) | (wanted >= levels)):
            raise bad_argument("SparseTable.places", "configs", configs, f"count × {len(levels)} codes")
        return _core.find_configs(levels, self.configs.reshape(-1), len(self.configs), wanted.reshape(-1), len(wanted))

    def rows_of(self, parent_levels: Sequence[int], configs: Integers) -> FloatArray:
        """The distributions of some configurations, listed or not."""
        rows: FloatArray = np.vstack([self.rows, self.unseen])[self.places(parent_levels, configs)]
        return rows

    def array(self, parent_levels: Sequence[int]) -> FloatArray:
        """The probabilities as one dense array, an axis per parent and the variable last."""
        return self.sliced(parent_levels, {})

    def sliced(self, parent_levels: Sequence[int], fixed: Mapping[int, int]) -> FloatArray:
        """The probabilities with some axes, given by index, fixed at a code and dropped.

        Only the remaining axes are expanded to a dense array.
        """
        parent_levels = self._checked_levels("sliced", parent_levels)
        fixed = _checked_codes("SparseTable.sliced", fixed, (*parent_levels, self.n_levels))
        free = [axis for axis in range(len(parent_levels)) if axis not in fixed]
        kept = np.ones(len(self.configs), dtype=bool)
        for axis, code in fixed.items():
            if axis < len(parent_levels):
                kept &= self.configs[:, axis] == code
        configs, rows, unseen = self.configs[kept], self.rows[kept], self.unseen
        level = fixed.get(len(parent_levels))
        shape = [parent_levels[axis] for axis in free]
        if level is None:
            shape.append(self.n_levels)
        else:
            rows, unseen = rows[:, level], unseen[level]
        if not free:
            return _frozen(np.array(rows[0] if len(rows) else unseen))
        dense = np.empty(shape)
        dense[...] = unseen
        dense[tuple(configs[:, axis] for axis in free)] = rows
        return _frozen(dense)

    def _checked_levels(self, method: str, given: object) -> list[int]:
        """Check the levels of the parents: one number per code of a configuration, and above every listed code."""
        call, width = f"SparseTable.{method}", self.configs.shape[1]
        allowed = f"a list of {width} whole numbers, the levels of each parent"
        levels = [
            checked_whole_number(call, "parent_levels", one, 1, 2**16)
            for one in checked_list(call, "parent_levels", given, allowed)
        ]
        if len(levels) != width or (len(self.configs) and np.any(self.configs.max(axis=0) >= levels)):
            raise bad_argument(call, "parent_levels", given, allowed)
        return levels

    def __reduce__(self) -> tuple[Any, ...]:
        return SparseTable, (self.configs, self.rows, self.unseen, self.counts)

    def __repr__(self) -> str:
        width = self.configs.shape[1]
        counted = "" if self.counts is None else f", {int(self.counts.sum())} rows counted"
        return f"SparseTable({len(self.configs)} configurations of {width} parents, {self.n_levels} levels{counted})"


Conditional: TypeAlias = DenseTable | SparseTable


def same_rows(one: Conditional, other: Conditional, parent_levels: Sequence[int], tolerance: float = 0.0) -> bool:
    """Whether two tables agree on every configuration, to within a tolerance."""
    if isinstance(one, DenseTable) or isinstance(other, DenseTable):
        pairs = [(one.array(parent_levels), other.array(parent_levels))]
    else:
        both = np.unique(np.vstack([one.configs, other.configs]), axis=0)
        pairs = [(one.rows_of(parent_levels, both), other.rows_of(parent_levels, both))]
        if len(both) < math.prod(parent_levels):
            pairs.append((one.unseen, other.unseen))
    return all(a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance)) for a, b in pairs)


def refuse_large_array(call: str, name: str, shape: Sequence[int]) -> None:
    """Refuse a dense array over too many configurations; the message states its size."""
    entries = math.prod(shape)
    if entries > MOST_ENTRIES or len(shape) > MOST_AXES:
        raise TooLargeError(
            f"{call}(name={name!r}): as a dense array the table would have {magnitude(entries)} entries "
            f"({magnitude(8 * entries)} bytes) over its {len(shape)} axes, more than the {MOST_ENTRIES} entries and "
            f"{MOST_AXES} axes allowed. "
            "Network.conditional(name) returns it as stored, with the observed configurations only."
        )


def magnitude(number: int) -> str:
    """A short form of an integer of any size."""
    return str(number) if number < 10**9 else f"10^{math.log10(number):.1f}"


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def probability_array(call: str, argument: str, given: object, least_axes: int = 1) -> FloatArray:
    """A new array of numbers with at least `least_axes` axes."""
    allowed = "an array of numbers"
    try:
        array = np.array(given, dtype=np.float64, order="C")
    except Exception as error:  # TypeError, ValueError, or whatever a foreign `__array__` raises
        raise bad_argument(call, argument, given, allowed) from error
    if array.ndim < least_axes:
        raise bad_argument(call, argument, given, allowed)
    return array


def _checked_codes(call: str, fixed: object, levels: Sequence[int]) -> dict[int, int]:
    """Codes by axis, each below the number of levels."""
    given = checked_mapping(call, "fixed", fixed, "a mapping from axes to codes")
    axes = {checked_whole_number(call, "fixed", axis, 0, len(levels) - 1): axis for axis in given}
    return {axis: checked_whole_number(call, "fixed", given[key], 0, levels[axis] - 1) for axis, key in axes.items()}


def _whole_numbers(argument: str, given: ArrayLike) -> NDArray[Any]:
    array = checked_array("SparseTable", argument, given, "an array of whole numbers")
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"SparseTable({argument}): must be whole numbers, not {array.dtype}.")
    return array


def _sorting_order(configs: NDArray[Any]) -> NDArray[np.intp] | None:
    """The lexicographic order of configurations, None if they are sorted; refuses duplicates."""
    if len(configs) < 2:
        return None
    if not configs.shape[1]:
        raise InputError("SparseTable(configs): without parents there is one configuration, not several.")
    if _is_ascending(configs):
        return None
    order = np.lexsort(configs.T[::-1])
    if not _is_ascending(configs[order]):
        raise InputError("SparseTable(configs): a configuration is listed twice. List each one once.")
    return order


def _is_ascending(configs: NDArray[Any]) -> bool:
    """Whether every row is strictly greater than the row before it."""
    differ = configs[1:] != configs[:-1]
    place = differ.argmax(axis=1)
    steps = np.arange(len(place))
    return bool(np.all(configs[1:][steps, place] > configs[:-1][steps, place]))
