"""`Table`: categorical columns as small integers, with names and levels.

A `Table` is immutable. Each column is an array of level numbers in the narrowest unsigned type; its levels
are *declared*, observed or not, because the regret depends on their number.

>>> table = Table.from_codes([[0, 1, 1, 1], [2, 0, 0, 0]], names=["smoke", "risk"],
...                          levels=[["no", "yes"], ["low", "middle", "high"]])
>>> table
Table(4 rows; smoke: 2, risk: 3)
>>> table.levels["risk"], table.arities[1], list(table.labels("smoke"))
(('low', 'middle', 'high'), 3, ['no', 'yes', 'yes', 'yes'])
>>> merged = table.merged()
>>> merged.n_rows, merged.total, merged.weights.tolist()
(2, 4, [1, 3])
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_list, checked_mapping, checked_text
from qnml._packages import needed
from qnml.data.codes import (
    Codes,
    checked_names,
    code_arrays,
    levels_by_name,
    narrowest,
    refuse_repeats,
)
from qnml.data.columnwise import Columnwise
from qnml.data.gate import checked_parts
from qnml.data.labels import MOST_LEVELS, Label, distinct_labels, match_labels, too_many_levels
from qnml.data.merging import merge_rows
from qnml.errors import DataError, bad_argument, shown, unknown_name

if TYPE_CHECKING:
    import polars as pl

    from qnml.data.weights import Weights

__all__ = ["Table"]

_MOST_SHOWN = 6


class Table:
    """Categorical data: coded columns with names, declared levels and optional row weights.

    Created by `read_table` or `Table.from_codes` and immutable: methods that change something return a new table,
    and the arrays are read-only.

    Attributes
    ----------
    names : tuple of str
        Column names.
    levels : Columnwise of tuples of labels
        The declared levels of each column; index by position or by column name.
    arities : Columnwise of int
        The number of declared levels of each column.
    columns : Columnwise of arrays
        The level numbers of each column, contiguous and read-only: uint8 up to 256 levels, else uint16.
    weights : array of uint64 or None
        How often each stored row counts; None when every row counts once.
    n_rows : int
        The number of stored rows.
    total : int
        The number of observations, N in every score: the sum of the weights.
    """

    __slots__ = ("_merged", "arities", "columns", "levels", "n_rows", "names", "total", "weights")

    names: tuple[str, ...]
    levels: Columnwise[tuple[Label, ...]]
    arities: Columnwise[int]
    columns: Columnwise[Codes]
    weights: Weights | None
    n_rows: int
    total: int
    _merged: Table | None

    def __init__(self) -> None:
        raise TypeError("Table: use read_table(source) or Table.from_codes(columns, names, levels, weights).")

    @classmethod
    def _of(
        cls,
        names: tuple[str, ...],
        columns: Sequence[npt.NDArray[Any]],
        levels: Sequence[tuple[Label, ...]],
        weights: npt.ArrayLike | None,
        call: str = "Table",
    ) -> Table:
        """Create a table; every table is created here, after validation."""
        names, stored, labels, counted = checked_parts(call, names, columns, levels, weights)
        made = object.__new__(cls)
        parts = {
            "names": names,
            "levels": Columnwise(names, labels),
            "arities": Columnwise(names, map(len, labels)),
            "columns": Columnwise(names, stored),
            "weights": counted,
            "n_rows": len(stored[0]),
            "total": len(stored[0]) if counted is None else int(counted.sum()),
            "_merged": None,
        }
        for part, value in parts.items():
            object.__setattr__(made, part, value)
        return made

    @classmethod
    def from_codes(
        cls,
        columns: npt.ArrayLike | Sequence[npt.ArrayLike] | Mapping[str, npt.ArrayLike],
        names: Iterable[str] | None = None,
        levels: Mapping[str, Iterable[object] | int] | Sequence[Iterable[object] | int] | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> Table:
        """Create a table from level numbers counted from 0.

        Parameters
        ----------
        columns
            A two-dimensional array (rows × variables), a list of columns, or columns by name.
        names
            The column names; ``X1``, ``X2``, … when not given.
        levels
            For each column, in order or by name, its labels or their number. By default the largest code of a
            column determines the number of levels, labelled 0, 1, ….
        weights
            How often each row counts; see `read_table`.
        """
        call = "Table.from_codes"
        if isinstance(columns, Mapping):
            if names is not None:
                raise bad_argument(call, "names", names, "left out when the columns come by name")
            names, columns = [name if isinstance(name, str) else shown(name) for name in columns], [*columns.values()]
        arrays = code_arrays(call, columns)
        names = checked_names(call, names, len(arrays))
        by_name = levels_by_name(call, names, levels)
        labels = []
        for name, array in zip(names, arrays, strict=True):
            given = by_name.get(name)
            if given is None:
                given = int(array.max(initial=0)) + 1
            if isinstance(given, int):
                if given > MOST_LEVELS:
                    raise DataError(too_many_levels(call, name, given))
                given = range(given)
            labels.append(distinct_labels(call, name, given))
        return cls._of(names, arrays, labels, weights, call)

    def index(self, name: str | int) -> int:
        """Return the position of a column given its name (a valid position is returned unchanged)."""
        if isinstance(name, str):
            place = self.columns.places.get(name)
            if place is None:
                raise unknown_name("Table.index", "name", name, self.names)
            return place
        width = len(self.names)
        try:
            place = operator.index(name)
        except Exception:  # TypeError, or any error of a foreign `__index__`
            place = width
        if not -width <= place < width:
            raise bad_argument("Table.index", "name", name, f"a column name or 0 to {width - 1}")
        return place % width

    def codes(self, name: str | int) -> Codes:
        """Return the level numbers of one column, read-only."""
        return self.columns[self.index(name)]

    def labels(self, name: str | int) -> npt.NDArray[np.object_]:
        """Return the labels of one column."""
        place = self.index(name)
        decoder = np.empty(self.arities[place], dtype=object)
        decoder[:] = self.levels[place]
        return decoder[self.columns[place]]

    def select(self, names: Iterable[str | int]) -> Table:
        """Return a table with the given columns, in the given order."""
        advice = f"Write [{shown(names)}]." if isinstance(names, str) else ""
        given = checked_list("Table.select", "names", names, "a list of column names", advice)
        places = [self.index(name) for name in given]
        refuse_repeats("Table.select", [self.names[place] for place in places])
        return Table._of(
            tuple(self.names[place] for place in places),
            [self.columns[place] for place in places],
            [self.levels[place] for place in places],
            self.weights,
        )

    def take(self, rows: npt.ArrayLike | slice) -> Table:
        """Return a table with the given rows: positions, a boolean mask or a slice. Weights are kept."""
        try:
            chosen = rows if isinstance(rows, slice) else np.asarray(rows)
            if isinstance(chosen, np.ndarray) and not chosen.size:
                chosen = np.empty(0, dtype=np.intp)
            columns = [column[chosen] for column in self.columns]
            weights = None if self.weights is None else self.weights[chosen]
        except Exception as error:  # IndexError, or any error of a foreign `__array__`
            raise bad_argument("Table.take", "rows", rows, f"positions below {self.n_rows} or a mask") from error
        if columns[0].ndim != 1:
            raise bad_argument("Table.take", "rows", rows, "one-dimensional")
        return Table._of(self.names, columns, self.levels, weights)

    def with_levels(self, levels: Mapping[str, Iterable[object]]) -> Table:
        """Return a table with other levels for the named columns; every observed label must be listed.

        Labels are matched by value, or else as text: ``["0", "1"]`` fits a column of integers. The new table has
        the given labels.
        """
        return self._releveled("Table.with_levels", levels)

    def _releveled(self, call: str, levels: Mapping[str, Iterable[object]]) -> Table:
        columns: list[npt.NDArray[Any]] = list(self.columns)
        labels = list(self.levels)
        for name, given in checked_mapping(call, "levels", levels, "labels by column name").items():
            place = self.columns.places.get(name, -1)
            if place < 0:
                raise unknown_name(call, "levels", name, self.names)
            cleaned = distinct_labels(call, name, given)
            seen = self._seen(place)
            found = [labels[place][code] for code in seen]
            recode = np.zeros(self.arities[place], dtype=narrowest(len(cleaned)))
            recode[seen] = match_labels(call, name, found, cleaned)
            columns[place], labels[place] = recode[columns[place]], cleaned
        return Table._of(self.names, columns, labels, self.weights)

    def with_observed_levels(self) -> Table:
        """Return a table without unobserved levels; the others keep their order."""
        seen = {name: [self.levels[place][code] for code in self._seen(place)] for place, name in enumerate(self.names)}
        return self.with_levels(seen)

    def with_weights(self, weights: npt.ArrayLike | None) -> Table:
        """Return a table of the same rows with other weights, or without weights."""
        return Table._of(self.names, self.columns, self.levels, weights, "Table.with_weights")

    def merged(self) -> Table:
        """Return the distinct rows, sorted lexicographically by code, each weighted by its multiplicity.

        All counts equal those of this table; the result is cached.
        """
        if self._merged is None:
            columns, weights = merge_rows(self.columns, self.arities, self.weights)
            merged = Table._of(self.names, columns, self.levels, weights)
            object.__setattr__(merged, "_merged", merged)
            object.__setattr__(self, "_merged", merged)
        assert self._merged is not None
        return self._merged

    def to_frame(self, weights: str = "weight") -> pl.DataFrame:
        """Return the labels as a Polars frame.

        Text levels become an ``Enum`` that keeps the declared levels; integers and booleans keep their type
        (and lose unobserved levels); mixed labels become an ``Enum`` of their texts. The weights of a weighted
        table become the last column, named by ``weights``.
        """
        call = "Table.to_frame"
        if self.weights is not None:
            self._check_new_name(call, "weights", weights)
        polars = needed("polars", call, "makes the frame")
        from qnml.data.label_columns import label_column

        series = [
            label_column(name, labels, codes)
            for name, labels, codes in zip(self.names, self.levels, self.columns, strict=True)
        ]
        if self.weights is not None:
            series.append(polars.Series(weights, self.weights))
        frame: pl.DataFrame = polars.DataFrame(series)
        return frame

    def _check_new_name(self, call: str, argument: str, name: str) -> None:
        if checked_text(call, argument, name, "the name of a column") in self.columns.places:
            raise bad_argument(call, argument, name, "a name that no column has")

    def _seen(self, place: int) -> npt.NDArray[np.intp]:
        return np.flatnonzero(np.bincount(self.columns[place], minlength=self.arities[place]))

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        parts = [f"{name}: {arity}" for name, arity in zip(self.names, self.arities, strict=True)][:_MOST_SHOWN]
        if len(self.names) > _MOST_SHOWN:
            parts.append(f"… {len(self.names)} columns")
        rows = f"{self.n_rows} row{'s' if self.n_rows != 1 else ''}"
        counted = "" if self.weights is None else f" counting {self.total}"
        return f"Table({rows}{counted}; {', '.join(parts)})"

    def __eq__(self, other: object) -> bool:
        """Compare names, levels and rows in order; no weights and weights of 1 are equal."""
        if not isinstance(other, Table):
            return NotImplemented
        return (
            self.names == other.names
            and self.levels == other.levels
            and all(np.array_equal(a, b) for a, b in zip(self.columns, other.columns, strict=True))
            and np.array_equal(self._counts(), other._counts())
        )

    __hash__ = None  # type: ignore[assignment]

    def _counts(self) -> Weights:
        return np.ones(self.n_rows, dtype=np.uint64) if self.weights is None else self.weights

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Table.{name}: a table is immutable; its methods return new tables.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Table.{name}: a table is immutable; its methods return new tables.")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a constructor call, so that the arrays are read-only again when loaded."""
        return Table._of, (self.names, tuple(self.columns), tuple(self.levels), self.weights)
