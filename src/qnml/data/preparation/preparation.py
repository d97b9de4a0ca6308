"""`Preparation`: what was done to the columns of a table, to be done to new rows as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from qnml._checks import checked_list, checked_mapping, checked_texts, checked_whole_number
from qnml._packages import needed
from qnml._schema import ListOf, MisfitError, OneOf, Record, Text, Whole
from qnml.data.columnwise import Columnwise
from qnml.data.preparation.column import COLUMN_FORM, ColumnPreparation
from qnml.data.preparation.showing import as_html, as_text, done_to
from qnml.errors import InputError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from qnml.data.labels import Label
    from qnml.data.table import Table

__all__ = ["Preparation"]

_VERSION = 1
_MOST_ROWS = 2**53
_MANY_DROPPED = 0.2
_FORM = Record(
    {
        "version": OneOf((_VERSION,)),
        "missing": Text(),
        "n_rows": Whole(0, _MOST_ROWS),
        "n_kept": Whole(0, _MOST_ROWS),
        "columns": ListOf(COLUMN_FORM),
        "notes": ListOf(Text()),
    },
    frozenset({"notes"}),
)


class Preparation:
    """What was found in each column of a source and what was done to it; immutable.

    `read_table` records it in ``Table.preparation``, and networks fitted to the table keep it.

    Parameters
    ----------
    columns
        One `ColumnPreparation` for each column of the source, dropped ones included.
    missing
        What was done about missing cells: the argument ``missing`` of `read_table`.
    n_rows
        Rows of the source (of positive weight).
    n_kept
        Rows left after those with missing cells were dropped; all of them under other policies.
    notes
        Remarks about how the source was read, such as a guessed separator.
    """

    __slots__ = ("columns", "missing", "n_kept", "n_rows", "notes")

    columns: Columnwise[ColumnPreparation]
    missing: str
    n_rows: int
    n_kept: int
    notes: tuple[str, ...]

    def __init__(
        self,
        columns: Iterable[ColumnPreparation],
        *,
        missing: str = "raise",
        n_rows: int = 0,
        n_kept: int | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        call = "Preparation"
        entries = checked_list(call, "columns", columns, "a list of ColumnPreparation")
        if not all(isinstance(entry, ColumnPreparation) for entry in entries):
            raise bad_argument(call, "columns", entries, "a list of ColumnPreparation")
        if len({entry.name for entry in entries}) < len(entries):
            raise InputError(f"{call}: two columns have the same name.")
        if not isinstance(missing, str):
            raise bad_argument(call, "missing", missing, "the argument missing of read_table")
        n_rows = checked_whole_number(call, "n_rows", n_rows, 0, _MOST_ROWS)
        parts = {
            "columns": Columnwise([entry.name for entry in entries], entries),
            "missing": missing,
            "n_rows": n_rows,
            "n_kept": n_rows if n_kept is None else checked_whole_number(call, "n_kept", n_kept, 0, _MOST_ROWS),
            "notes": tuple(checked_texts(call, "notes", notes)),
        }
        for part, value in parts.items():
            object.__setattr__(self, part, value)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the source, in its order."""
        return self.columns.names

    @property
    def drops_many(self) -> bool:
        """Whether more than a fifth of the rows were dropped for missing cells."""
        return self.n_kept < (1.0 - _MANY_DROPPED) * self.n_rows

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that are variables of the table: all but the dropped ones."""
        return tuple(column.name for column in self.columns if column.action != "drop")

    @property
    def needed(self) -> frozenset[str]:
        """The columns that rows need: the used ones, and those behind the indicators."""
        return frozenset(self.used) | {column.of for column in self.columns if column.of is not None}

    @property
    def indicators(self) -> tuple[str, ...]:
        """The variables that say whether a cell of another column is missing."""
        return tuple(column.name for column in self.columns if column.action == "indicate")

    @property
    def is_trivial(self) -> bool:
        """Whether nothing was done to any column, so that new rows need no preparation."""
        return all(column.changes_nothing for column in self.columns)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The columns that are left out."""
        return tuple(column.name for column in self.columns if column.action == "drop")

    def apply(self, source: object, *, weights: str | npt.ArrayLike | None = None) -> Table:
        """Do to other rows what was done to those of the table.

        Numbers outside the observed range fall into the outer bins. A column that already has the labels of its
        bins is not changed, so applying a preparation twice changes nothing. In a column whose rare levels were
        merged, labels not seen before belong to the merged level; in other columns they are refused.

        Parameters
        ----------
        source
            As for `read_table`; columns that the preparation does not use may be absent.
        weights
            As for `read_table`.

        Returns
        -------
        Table
            With the levels of the preparation.
        """
        from qnml.data.preparation.applying import prepared_table

        return prepared_table("Preparation.apply", self, source, weights)

    def restricted(self, names: Sequence[str]) -> Preparation:
        """The preparation of a table with only these variables, in this order; dropped columns stay recorded."""
        wanted = checked_texts("Preparation.restricted", "names", names)
        chosen = [self.columns[name] for name in wanted if name in self.columns.places]
        left_out = [column for column in self.columns if column.action == "drop" and column.name not in wanted]
        return self._with_columns([*chosen, *left_out])

    def with_missing_labels(self, labels: Mapping[str, Label]) -> Preparation:
        """The preparation of a table in which missing cells have become levels.

        Parameters
        ----------
        labels
            For each column with missing cells the label for them, which comes after the other levels.
        """
        added = checked_mapping("Preparation.with_missing_labels", "labels", labels, "labels by column name")
        columns = [column.with_missing_label(added.get(column.name)) for column in self.columns]
        return Preparation(columns, missing="category", n_rows=self.n_rows, n_kept=self.n_kept, notes=self.notes)

    def with_levels(self, levels: Mapping[str, Sequence[Label]]) -> Preparation:
        """The preparation of a table with other levels for some columns."""
        given = checked_mapping("Preparation.with_levels", "levels", levels, "labels by column name")
        return self._with_columns(
            column.with_levels(given[column.name]) if column.name in given and column.action != "drop" else column
            for column in self.columns
        )

    def _with_columns(self, columns: Iterable[ColumnPreparation]) -> Preparation:
        parts = {"missing": self.missing, "n_rows": self.n_rows, "n_kept": self.n_kept, "notes": self.notes}
        return Preparation(columns, **parts)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The preparation as lists and dictionaries that JSON can represent, with a version."""
        return {
            "version": _VERSION,
            "missing": self.missing,
            "n_rows": self.n_rows,
            "n_kept": self.n_kept,
            "columns": [column.to_dict() for column in self.columns],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Preparation:
        """Read the result of `to_dict`.

        Parameters
        ----------
        document
            Lists and dictionaries, as from JSON.

        Raises
        ------
        InputError
            If the document is not a preparation; the error says where.
        """
        try:
            taken = _FORM.take(document)
        except MisfitError as misfit:
            raise InputError(f"Preparation.from_dict: {misfit}.") from None
        columns = [ColumnPreparation._of_checked(fields) for fields in taken["columns"]]
        return cls(
            columns,
            missing=taken["missing"],
            n_rows=taken["n_rows"],
            n_kept=taken["n_kept"],
            notes=taken.get("notes", ()),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Preparation):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return as_text(self)

    def __repr__(self) -> str:
        counts = {
            action: sum(column.action == action for column in self.columns) for action in ("keep", "bin", "merge")
        }
        done = (f"{counts['keep']} kept", f"{counts['bin']} binned", f"{counts['merge']} merged")
        return f"Preparation({len(self.columns)} columns: {', '.join(done)}, {len(self.dropped)} left out)"

    def to_frame(self) -> Any:
        """One row for each column, as a polars frame: what it was, what was done to it, and why."""
        polars = needed("polars", "Preparation.to_frame", "makes the frame")
        return polars.DataFrame(
            {
                "column": [column.name for column in self.columns],
                "kind": [column.kind for column in self.columns],
                "missing": [column.n_missing for column in self.columns],
                "distinct": [column.n_distinct for column in self.columns],
                "action": [column.action for column in self.columns],
                "done": [done_to(column) for column in self.columns],
                "why": [column.reason for column in self.columns],
            },
            schema_overrides={"missing": polars.Int64, "distinct": polars.Int64},
        )

    def _repr_html_(self) -> str:
        return as_html(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Preparation.{name}: a preparation is immutable.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Preparation.{name}: a preparation is immutable.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Preparation.from_dict, (self.to_dict(),)
