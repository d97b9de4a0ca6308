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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from qnml._checks import checked_list, checked_mapping, checked_text
from qnml._frames import Coded, Texts, made_frame
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
from qnml.data.interventions import Interventions
from qnml.data.labels import (
    MOST_LEVELS,
    Label,
    distinct_labels,
    label_for_missing,
    match_labels,
    too_many_levels,
)
from qnml.data.merging import merge_incomplete_rows
from qnml.data.table_text import described, html_of
from qnml.errors import DataError, bad_argument, shown, unknown_name

if TYPE_CHECKING:
    from qnml._frames import FrameKind
    from qnml.data.preparation import Preparation
    from qnml.data.weights import Weights

__all__ = ["Table"]


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
        The level numbers of each column, contiguous and read-only: uint8 up to 256 levels, else uint16. They are 0 in
        missing cells; :meth:`codes` has -1 there.
    weights : array of uint64 or None
        How often each stored row counts; None when every row counts once.
    n_rows : int
        The number of stored rows.
    total : int
        The number of observations, N in every score: the sum of the weights.
    missing : Columnwise of arrays or None
        For each column the read-only mask of its missing cells, or None if it has none. Only
        ``read_table(…, missing="em")`` and ``missing="indicator"`` leave cells missing.
    interventions : Interventions or None
        Which variables were set in which rows; None if all were observed. A row in which a variable was set does not
        count for its family.
    frame_kind : str or None
        ``"pandas"``, ``"polars"`` or ``"pyarrow"`` if the table was read from such a frame: results come back in it.
    numbers : mapping of arrays
        The raw values of the columns that `read_table` binned, by name and row, NaN where missing.
    preparation : Preparation or None
        What `read_table` found in the columns of the source and did to them; None if nothing was to be done.
    """

    __slots__ = (
        "_merged",
        "arities",
        "columns",
        "frame_kind",
        "interventions",
        "levels",
        "missing",
        "n_rows",
        "names",
        "numbers",
        "preparation",
        "total",
        "weights",
    )

    names: tuple[str, ...]
    levels: Columnwise[tuple[Label, ...]]
    arities: Columnwise[int]
    columns: Columnwise[Codes]
    weights: Weights | None
    missing: Columnwise[npt.NDArray[np.bool_] | None]
    interventions: Interventions | None
    frame_kind: str | None
    numbers: Mapping[str, npt.NDArray[np.float64]]
    n_rows: int
    total: int
    preparation: Preparation | None
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
        preparation: Preparation | None = None,
        missing: Sequence[npt.NDArray[np.bool_] | None] | None = None,
        numbers: Mapping[str, npt.NDArray[np.float64]] | None = None,
        interventions: Interventions | None = None,
        frame_kind: str | None = None,
    ) -> Table:
        """Create a table; every table is created here, after validation."""
        checked = checked_parts(call, names, columns, levels, weights, missing, numbers, interventions)
        names, stored, counted = checked.names, checked.columns, checked.weights
        made = object.__new__(cls)
        parts = {
            "names": names,
            "levels": Columnwise(names, checked.levels),
            "arities": Columnwise(names, map(len, checked.levels)),
            "columns": Columnwise(names, stored),
            "weights": counted,
            "missing": Columnwise(names, checked.missing),
            "interventions": checked.interventions,
            "frame_kind": frame_kind,
            "numbers": MappingProxyType(checked.numbers),
            "n_rows": len(stored[0]),
            "total": len(stored[0]) if counted is None else int(counted.sum()),
            "preparation": preparation,
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

    @property
    def n_missing(self) -> int:
        """The number of missing cells; a row of weight w counts w times."""
        return sum(int(np.dot(mask, self._counts())) for mask in self.missing if mask is not None)

    def codes(self, name: str | int) -> Codes | npt.NDArray[np.int32]:
        """Return the level numbers of one column; -1 in missing cells, and read-only if there are none."""
        place = self.index(name)
        mask = self.missing[place]
        return self.columns[place] if mask is None else np.where(mask, np.int32(-1), self.columns[place])

    def labels(self, name: str | int) -> npt.NDArray[np.object_]:
        """Return the labels of one column; None in missing cells."""
        place = self.index(name)
        # The last entry, which the code -1 selects, stands for missing cells.
        decoder = np.empty(self.arities[place] + 1, dtype=object)
        decoder[:-1] = self.levels[place]
        return decoder[self.codes(place)]

    def select(self, names: Iterable[str | int]) -> Table:
        """Return a table with the given columns, in the given order."""
        advice = f"Write [{shown(names)}]." if isinstance(names, str) else ""
        given = checked_list("Table.select", "names", names, "a list of column names", advice)
        places = [self.index(name) for name in given]
        refuse_repeats("Table.select", [self.names[place] for place in places])
        chosen = tuple(self.names[place] for place in places)
        return Table._of(
            chosen,
            [self.columns[place] for place in places],
            [self.levels[place] for place in places],
            self.weights,
            preparation=None if self.preparation is None else self.preparation.restricted(chosen),
            missing=[self.missing[place] for place in places],
            numbers={name: values for name, values in self.numbers.items() if name in chosen},
            interventions=self.interventions,
            frame_kind=self.frame_kind,
        )

    def take(self, rows: npt.ArrayLike | slice) -> Table:
        """Return a table with the given rows: positions, a boolean mask or a slice. Weights are kept."""
        try:
            chosen = rows if isinstance(rows, slice) else np.asarray(rows)
            if isinstance(chosen, np.ndarray) and not chosen.size:
                chosen = np.empty(0, dtype=np.intp)
            columns = [column[chosen] for column in self.columns]
            masks = [None if mask is None else mask[chosen] for mask in self.missing]
            numbers = {name: values[chosen] for name, values in self.numbers.items()}
            weights = None if self.weights is None else self.weights[chosen]
            settings = None if self.interventions is None else self.interventions.take(chosen)
        except Exception as error:  # IndexError, or any error of a foreign `__array__`
            raise bad_argument("Table.take", "rows", rows, f"positions below {self.n_rows} or a mask") from error
        if columns[0].ndim != 1:
            raise bad_argument("Table.take", "rows", rows, "one-dimensional")
        return Table._of(
            self.names,
            columns,
            self.levels,
            weights,
            preparation=self.preparation,
            missing=masks,
            numbers=numbers,
            interventions=settings,
            frame_kind=self.frame_kind,
        )

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
        prepared = (
            None
            if self.preparation is None
            else self.preparation.with_levels(dict(zip(self.names, labels, strict=True)))
        )
        return Table._of(
            self.names,
            columns,
            labels,
            self.weights,
            preparation=prepared,
            missing=self.missing,
            numbers=self.numbers,
            interventions=self.interventions,
            frame_kind=self.frame_kind,
        )

    def with_missing_level(self) -> Table:
        """Return a table in which missing cells are a level of their own, as under ``missing="category"``.

        The level comes last and is labelled ``"?"``, or ``"(missing)"`` if the column has a level ``"?"``.
        """
        columns: list[npt.NDArray[Any]] = list(self.columns)
        labels = list(self.levels)
        added: dict[str, Label] = {}
        for place, mask in enumerate(self.missing):
            if mask is not None:
                label = label_for_missing("Table.with_missing_level", self.names[place], labels[place])
                columns[place] = np.where(mask, len(labels[place]), columns[place].astype(np.uint32))
                labels[place] = (*labels[place], label)
                added[self.names[place]] = label
        prepared = None if self.preparation is None else self.preparation.with_missing_labels(added)
        return Table._of(
            self.names,
            columns,
            labels,
            self.weights,
            preparation=prepared,
            numbers=self.numbers,
            interventions=self.interventions,
            frame_kind=self.frame_kind,
        )

    def with_observed_levels(self) -> Table:
        """Return a table without unobserved levels; the others keep their order."""
        seen = {name: [self.levels[place][code] for code in self._seen(place)] for place, name in enumerate(self.names)}
        return self.with_levels(seen)

    def with_weights(self, weights: npt.ArrayLike | None) -> Table:
        """Return a table of the same rows with other weights, or without weights."""
        return Table._of(
            self.names,
            self.columns,
            self.levels,
            weights,
            "Table.with_weights",
            self.preparation,
            self.missing,
            self.numbers,
            self.interventions,
            self.frame_kind,
        )

    def with_interventions(self, interventions: Any) -> Table:
        """Return a table of the same rows that says which variables were set in which rows; see `read_table`.

        None stands for rows in which nothing was set.
        """
        from qnml.data.intervention_columns import with_interventions

        return with_interventions(self, interventions)

    def observational(self) -> Table:
        """Return the rows in which nothing was set; an error if there are none."""
        return self if self.interventions is None else self.take(self.interventions.untouched)

    def merged(self) -> Table:
        """Return the distinct rows, sorted lexicographically by code, each weighted by its multiplicity.

        Missing cells come after all levels. All counts equal those of this table; raw numbers are not kept. The result
        is cached.
        """
        if self._merged is None:
            # Rows in which other variables were set are not the same: the regime is one more column.
            settings = self.interventions
            regimes = [] if settings is None else [settings.regimes.astype(np.uint32)]
            sizes = [] if settings is None else [len(settings.targets)]
            columns, weights, masks = merge_incomplete_rows(
                [*self.columns, *regimes],
                [*self.arities, *sizes],
                self.weights,
                [*self.missing, *(None for _ in sizes)],
            )
            width = len(self.names)
            merged = Table._of(
                self.names,
                columns[:width],
                self.levels,
                weights,
                preparation=self.preparation,
                missing=masks[:width],
                interventions=None if settings is None else Interventions(columns[width], settings.targets),
                frame_kind=self.frame_kind,
            )
            object.__setattr__(merged, "_merged", merged)
            object.__setattr__(self, "_merged", merged)
        assert self._merged is not None
        return self._merged

    def to_frame(
        self, weights: str = "weight", interventions: str = "intervention", kind: FrameKind | None = None
    ) -> Any:
        """Return the labels as a frame.

        Text levels become an ``Enum`` (a pandas categorical) that keeps the declared levels; integers and booleans keep
        their type (and lose unobserved levels); mixed labels become an ``Enum`` of their texts. Missing cells are null.
        The weights of a weighted table become another column, named by ``weights``, and so do its interventions.
        ``kind`` is ``"polars"``, ``"pandas"`` or ``"pyarrow"``; by default the kind of frame that the table was read
        from, or else Polars.
        """
        call = "Table.to_frame"
        columns: dict[str, Coded | Texts | npt.NDArray[Any]] = {
            name: Coded(labels, self.codes(place))
            for place, (name, labels) in enumerate(zip(self.names, self.levels, strict=True))
        }
        if self.weights is not None:
            self._check_new_name(call, "weights", weights)
            columns[weights] = self.weights
        if self.interventions is not None:
            self._check_new_name(call, "interventions", interventions)
            columns[interventions] = Texts(self.interventions.labels().tolist())
        return made_frame(call, columns, kind, self.frame_kind)

    def _check_new_name(self, call: str, argument: str, name: str) -> None:
        if checked_text(call, argument, name, "the name of a column") in self.columns.places:
            raise bad_argument(call, argument, name, "a name that no column has")

    def _seen(self, place: int) -> npt.NDArray[np.intp]:
        codes, mask = self.columns[place], self.missing[place]
        present = codes if mask is None else codes[~mask]
        return np.flatnonzero(np.bincount(present, minlength=self.arities[place]))

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        return described(self)

    def _repr_html_(self) -> str:
        return html_of(self)

    def __eq__(self, other: object) -> bool:
        """Compare names, levels and rows in order; no weights and weights of 1 are equal."""
        if not isinstance(other, Table):
            return NotImplemented
        return (
            self.names == other.names
            and self.levels == other.levels
            and all(np.array_equal(a, b) for a, b in zip(self.columns, other.columns, strict=True))
            and all(_same_mask(a, b) for a, b in zip(self.missing, other.missing, strict=True))
            and np.array_equal(self._counts(), other._counts())
            and self.interventions == other.interventions
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
        parts = (self.names, tuple(self.columns), tuple(self.levels), self.weights)
        others = (self.preparation, tuple(self.missing), dict(self.numbers), self.interventions, self.frame_kind)
        return Table._of, (*parts, "Table", *others)


def _same_mask(one: npt.NDArray[np.bool_] | None, other: npt.NDArray[np.bool_] | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
